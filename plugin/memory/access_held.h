/* access_held.h - loops in which the ring's cursor stays in registers.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the order of calls is cab_held_find, before there are probes; cab_held_enqueue for
 *             each event; and cab_held_emit, after all other sends are emitted, for the code before
 *             the loops.
 */
#ifndef CABPROF_MEMORY_ACCESS_HELD_H
#define CABPROF_MEMORY_ACCESS_HELD_H

#include "plugin/memory/plan.h"

/* Find the loops of cfun in which the cursor may stay in registers. */
extern void cab_held_find (struct cab_memory *m);
/* Append the send of an event with HEADER and WORDS to SEQ, which will be inserted on ON or, if
   that is null, in BB. */
extern void cab_held_enqueue (struct cab_memory *m, edge on, basic_block bb, gimple_seq *seq,
			      tree header, const vec<tree> &words);
/* Load the cursor before the loops in which something is sent. */
extern void cab_held_emit (struct cab_memory *m);
/* Free what is known of these loops. */
extern void cab_held_free (struct cab_memory *m);

#endif
