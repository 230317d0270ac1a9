/* access_held.h - loops in which the ring's cursor stays in registers.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      cab_held_find, before there are probes; cab_held_enqueue for each event;
 *             cab_held_emit, when all is sent that is: what comes before the loops.
 */
#ifndef CABPROF_MEMORY_ACCESS_HELD_H
#define CABPROF_MEMORY_ACCESS_HELD_H

#include "plugin/memory/memory.h"

extern void cab_held_find (struct cab_memory *m);
/* Append to SEQ what sends an event with WORDS; SEQ is to stand on ON or, if that is null, in
   BB. */
extern void cab_held_enqueue (struct cab_memory *m, edge on, basic_block bb, gimple_seq *seq,
			      tree header, const vec<tree> &words);
extern void cab_held_emit (struct cab_memory *m);
extern void cab_held_free (struct cab_memory *m);

#endif
