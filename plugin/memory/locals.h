/* locals.h - local variables that are recorded like blocks of memory, with the option "locals".
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the order of calls is cab_locals_find, before regions are made; cab_locals_record,
 *             for the M lines; and cab_locals_emit, after all other probes.
 */
#ifndef CABPROF_MEMORY_LOCALS_H
#define CABPROF_MEMORY_LOCALS_H

#include "plugin/memory/plan.h"

/* Find the variables of cfun that pointers may lead to.  Dominators are known afterwards. */
extern void cab_locals_find (struct cab_memory *m);
/* Write the M lines of these variables. */
extern void cab_locals_record (struct cab_memory *m);
/* Emit the probes of their begins and ends. */
extern void cab_locals_emit (struct cab_memory *m);
/* Free what is known of these variables. */
extern void cab_locals_free (struct cab_memory *m);
/* Return true if a variable is recorded to begin or end before STMT. */
extern bool cab_local_told_before (gimple *stmt);

#endif
