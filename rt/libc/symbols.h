/* symbols.h - looks a function up among the loaded libraries.
 *
 * Model:      in the loader's order, the first definition of the default version.  The executable
 *             and every library with probes are left out: what they define may be instrumented, and
 *             calls to it would be counted.  Sanitizers, samplers and allocators that have no
 *             probes are found before the C library, as by the program's own calls.
 * Source:     the loader's list (_r_debug); DT_GNU_HASH tables alone.
 * Threads:    in a constructor, where the loader's list does not change.
 * Errors:     null where the function is not found.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SYMBOLS_H
#define CAB_RT_SYMBOLS_H

/* Return the address of function NAME, or null. */
void *cab_symbol_find (const char *name);

/* Return the address that NAME has for the program, whatever object defines it, or null. */
void *cab_symbol_of_program (const char *name);

#endif
