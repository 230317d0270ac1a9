/* sample.h - sampling of accesses, with "memory-sample".
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the code becomes two copies, and one of them has probes; or it stays one, whose
 *             probes are passed over unless the present piece of the activation is recorded.
 */
#ifndef CABPROF_MEMORY_SAMPLE_H
#define CABPROF_MEMORY_SAMPLE_H

#include "plugin/memory/memory.h"

/* Decide what is decided where, behind cab_accesses_find.  Return the number of counters that the
   row needs. */
extern unsigned cab_sample_plan (struct cab_memory *m);
/* Make the copies, when all has been written down and nothing emitted: M's accesses are in the copy
   with probes. */
extern void cab_sample_emit (struct cab_memory *m);
/* For code that stays one copy, when the probes of accesses are in, and no others: jump over
   them. */
extern void cab_sample_guard (struct cab_memory *m);
/* Emit the decisions, when the rest is in. */
extern void cab_sample_finish (struct cab_memory *m);

#endif
