/* slots.h - the places through which loaded objects call a function of another object, or point to
 * it.
 *
 * Model:      the loader stores a function's address in slots: of the procedure linkage table, of
 *             the global offset table, and in tables of pointers.  A slot that leads to FROM, or
 *             that the loader has still to resolve, is made to lead to TO.  Slots that lead
 *             elsewhere, and those of the object that FROM is in, are left alone.  Slots that the
 *             loader has made read-only are writable for the moment of the store.
 * Leaves out: addresses from dlsym; calls within an object; other namespaces (dlmopen).
 * Threads:    any number at once, in a gate or a constructor, without the runtime's lock: the
 *             loader takes its own.  A slot changes by one aligned store.
 * Errors:     a slot that cannot be written is left alone, and counted.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SLOTS_H
#define CAB_RT_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

struct cab_redirection
{
  const char *name;
  uintptr_t from, to;
};

/* Redirect the slots of all loaded objects for the N functions of R.  Return the number of slots
   that could not be written. */
unsigned cab_slots_redirect (const struct cab_redirection *r, unsigned n);

/* Return true if an object has been loaded since the last call, or this is the first one. */
bool cab_slots_are_new (void);

#endif
