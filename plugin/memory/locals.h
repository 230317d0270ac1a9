/* locals.h - local variables that are told like blocks of memory, with the option "locals".
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      cab_locals_find, before regions are made; cab_locals_record, for the M lines;
 *             cab_locals_emit, when all other probes stand.
 */
#ifndef CABPROF_MEMORY_LOCALS_H
#define CABPROF_MEMORY_LOCALS_H

#include "plugin/memory/memory.h"

/* Find the variables of cfun that pointers may lead to.  Dominators are known behind it. */
extern void cab_locals_find (struct cab_memory *m);
extern void cab_locals_record (struct cab_memory *m);
extern void cab_locals_emit (struct cab_memory *m);
extern void cab_locals_free (struct cab_memory *m);
/* Return true if a variable is told to begin or end before STMT. */
extern bool cab_local_told_before (gimple *stmt);

#endif
