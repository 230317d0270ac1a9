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

/* What one access did in one thread to one line of memory: as far as it began at one address, or,
   if by_line, at any address of the line. */
#define CAB_SHARING_LINE 64u
#define CAB_SHARING_FIRST (1u << 15)   /* most rows that a state makes by address */
struct cab_sharing_row
{
  uint64_t address;           /* where the access begins in the line; if by_line: where the line
				 begins */
  uint32_t thread;            /* as in batches */
  uint32_t process;           /* in a merged state: 1 + the number of the process in the model; else
				 0 */
  uint32_t site;              /* number of the access; 0: those of functions whose record was not
				 available */
  bool own;                   /* the memory was allocated by the thread itself */
  bool by_line;
  uint32_t allocation;        /* if own: number of the allocation that made the memory, the last
				 time; 0: not known */
  uint64_t read, written;     /* bit k: byte k of the line */
  uint64_t reads, writes;     /* accesses; one that reads and writes counts as a write */
};
/* Store to ROW the next row after *CURSOR (0 at first), in no particular order.  Return false at
   the end. */
bool cab_sharing_next (const struct cab_arena *arena, uint64_t *cursor,
		       struct cab_sharing_row *row);

#endif
