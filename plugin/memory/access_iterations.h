/* access_iterations.h - marks at which executions and iterations of loops begin and end.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_ITERATIONS_H
#define CABPROF_MEMORY_ACCESS_ITERATIONS_H

#include "plugin/memory/plan.h"

/* Return true if events of accesses are to tell the iterations of loops. */
extern bool cab_iterations_wanted (void);
/* Put marks, statements that do nothing, into the loops that are not within WHOLE, whose events
   tell their iterations by themselves. */
extern void cab_marks_put (struct cab_memory *m, const vec<class loop *> &whole);
/* Return the mark that STMT is, or a copy of, or null. */
extern const struct cab_mark *cab_mark_of (const struct cab_memory *m, gimple *stmt);
/* Return the pseudo-access of MARK, which is STMT. */
extern struct cab_memory_access cab_mark_access (const struct cab_mark *mark, gimple *stmt);
/* Remove the statements. */
extern void cab_marks_remove (struct cab_memory *m);

#endif
