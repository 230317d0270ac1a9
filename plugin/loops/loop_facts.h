/* loop_facts.h - what can be said of a source loop without running it: what it does with each
 * scalar, what it calls, and whether it counts.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      as the loop table, this describes the code right after "ssa", so the facts are those
 *             of the source at all levels of optimisation.  Only builds with probes of loops have
 *             them.  Nothing in the function changes.
 */
#ifndef CAB_LOOP_FACTS_H
#define CAB_LOOP_FACTS_H

#include "plugin/loops/loops.h"

/* Put the c, v, d, k and u lines (info.h) of the loops of TABLE, which is cfun's, into it, and the
   k lines of calls in no loop.  Needs dominators. */
extern void cab_loop_facts (cab_source_loops *table);

#endif
