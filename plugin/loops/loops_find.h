/* loops_find.h - find the source loops of later loops and places.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOPS_FIND_H
#define CAB_LOOPS_FIND_H

#include "plugin/loops/loops.h"

/* Return the source loop of LOOP, a loop of cfun in GIMPLE or RTL.  It is found by
   the places of its exit tests, or else of its contents, within the source loop of the loop around
   it. */
extern cab_loop_source cab_loops_identify (class loop *loop);
/* Return the source loop of BB, a block of an irreducible region, which GCC has no loop for: a
   source loop of its contents within that of the loop around it; else the latter. */
extern cab_loop_source cab_loops_of_block (basic_block bb);
/* Append to FOUND the source loops that a statement at WHERE may belong to, in no
   particular order. */
extern void cab_loops_at (location_t where, vec<cab_loop_source> *found);

#endif
