/* an_sharing.h - which threads use which bytes of which lines: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_SHARING_H
#define CAB_AN_SHARING_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_sharing;

/* The next row behind *CURSOR (0 at first), in no order; false at the end.  What one
   access did in one thread to one line of memory: as far as it began at one address, or, by line,
   wherever in it. */
#define CAB_SHARING_LINE 64u
#define CAB_SHARING_FIRST (1u << 15)   /* rows that a state makes by address */
struct cab_sharing_row
{
  uint64_t address;           /* where it begins in the line; by line: of the line */
  uint32_t thread;            /* as in batches */
  uint32_t process;           /* 1 + its number in the model, of a merged state; else 0 */
  uint32_t site;              /* the access; 0: of functions whose record was not to be had */
  bool own;                   /* in memory that the thread had allocated itself, ... */
  bool by_line;
  uint32_t allocation;        /* ... by this allocation, the last time; 0: not known */
  uint64_t read, written;     /* bit k: byte k of the line */
  uint64_t reads, writes;     /* accesses; one that does both is a write */
};
bool cab_sharing_next (const struct cab_arena *arena, uint64_t *cursor,
		       struct cab_sharing_row *row);

#endif
