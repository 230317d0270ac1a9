/* single_step.h - a process that is killed after any of its instructions, and what it leaves.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_SINGLE_STEP_H
#define CAB_TEST_SINGLE_STEP_H

#include <stdbool.h>
#include <stdint.h>
#include "cabprof/analysis.h"

#define SHARED_BYTES (16u << 20)

/* What a killed process leaves: its arena in shared memory, and how much of it counts. */
struct shared
{
  uint64_t used;
  unsigned char bytes[SHARED_BYTES] __attribute__ ((aligned (64)));
};

/* Map memory for it, all 0; null if there is none.  unmap_shared gives it back. */
struct shared *map_shared (void);
void unmap_shared (struct shared *shared);
/* Return an arena in SHARED, with room for CAP bytes before it grows. */
struct cab_arena shared_arena (struct shared *shared, size_t cap);

/* In the child: let the parent watch each instruction from now on. */
void be_watched (void);
/* Run CHILD (ARGUMENT), which calls be_watched and does not return, in a process of its own, and
   call GOOD (ARGUMENT) after each of its instructions that has changed SHARED.  Return false once
   that does. */
bool step_through (struct shared *shared, void (*child) (void *argument),
		   bool (*good) (void *argument), void *argument);

#endif
