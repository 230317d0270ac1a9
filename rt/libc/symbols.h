/* symbols.h - look a function up among the libraries that are loaded.
 *
 * Model:      in the loader's order, the first definition of the default version.  The executable
 *             and every library with probes are left out: what they define may be instrumented, and
 *             calls of it would be counted.  Sanitizers, samplers and allocators that have no
 *             probes are found before the C library, as the program's own calls find them.
 * Source:     the loader's list (_r_debug); DT_GNU_HASH tables alone.
 * Threads:    in a constructor, where the loader keeps its list still.
 * Errors:     null.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SYMBOLS_H
#define CAB_RT_SYMBOLS_H

void *cab_symbol_find (const char *name);

#endif
