/* sample.h - sampling of accesses, with "memory-sample".
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the code becomes two copies, one of which has probes; or it stays one, whose probes
 *             are skipped unless the present piece of the activation is recorded.
 */
#ifndef CABPROF_MEMORY_SAMPLE_H
#define CABPROF_MEMORY_SAMPLE_H

#include "plugin/memory/plan.h"

/* Plan where the decisions are made, after cab_accesses_find.  Return the number of counters that
   the row needs. */
extern unsigned cab_sample_plan (struct cab_memory *m);
/* Make the copies, after all records are written and before anything is emitted: M's accesses are
   in the copy with probes. */
extern void cab_sample_emit (struct cab_memory *m);
/* For code that stays one copy: insert jumps over the probes of accesses, after these are emitted
   and before any others. */
extern void cab_sample_guard (struct cab_memory *m);
/* Finish the decisions, after everything else is emitted. */
extern void cab_sample_finish (struct cab_memory *m);

#endif
