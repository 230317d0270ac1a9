/* foreign_access.h - what threads did to memory that they had not allocated, and where they
 * allocated, so that the memory's owner can be found later.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A row of the first kind is what one thread did to 16 bytes while none of its own
 *             blocks lay there.  A row of the second kind says that a thread made a block of one
 *             allocation at an address.  Threads are known by number and process, so rows of
 *             several states add up.  The order in time is not known: a place is taken to be a
 *             block's only because just one allocation of other threads ever had blocks there.
 * Costs:      64 bytes for each row, twice that in the table; no more than CAB_FOREIGN_MOST rows
 *             of the first kind are made, whatever the program touches.
 * Threads:    as the arena: one at a time.
 * Errors:     What finds no room is for the caller to count elsewhere.  The state may come from a
 *             file: see cab_foreign_ok.
 */
#ifndef CAB_FOREIGN_H
#define CAB_FOREIGN_H

#include "analyses/live/undo.h"

#define CAB_FOREIGN_GRANULE 16u          /* blocks of malloc begin at multiples of it, so two
					      never share one */
#define CAB_FOREIGN_MOST (1u << 18)
#define CAB_FOREIGN_MOST_HOMES (1u << 20)

/* A row of either kind. */
struct cab_foreign_access
{
  uint64_t address;                    /* of the 16 bytes; of a block: of its first byte */
  uint64_t who;                        /* process << 32 | 1 + thread; 0: the row is free.  Stored
					  last */
  uint64_t site;                       /* of a block: 1 + the number of its allocation; of the first
					  kind: 0 */
  uint64_t reads, writes, updates;     /* of the first kind: counters of events */
  uint64_t releases;                   /* of the first kind: releases by this thread of blocks that
					  begin in the 16 bytes and were not its own */
  uint64_t end;                        /* of a block: the greatest end that a block had there */
};

/* The table of foreign accesses, part of a state.  All zero is a table without rows. */
struct cab_foreign
{
  uint64_t rows;       /* table of struct cab_foreign_access; capacity: a power of two */
  uint64_t n, n_homes; /* rows of the first and of the second kind in use, or a few more */
};

/* Return the `who' of THREAD of PROCESS, which is 0 in a state that is not merged. */
static inline uint64_t
cab_foreign_who (uint32_t thread, uint32_t process)
{
  return (uint64_t) process << 32 | (thread + UINT64_C (1));
}

/* Return the row of WHO and ADDRESS and, for a block, SITE, making it if need be; null if there is
   no room.  AT: offset of the struct cab_foreign.  May move the arena, so it may not be called
   within a change. */
struct cab_foreign_access *cab_foreign_row (struct cab_arena *arena, uint64_t at, uint64_t address,
					    uint64_t who, uint64_t site);
/* Return the offset in the arena of the row that cab_foreign_row made for the same arguments; 0
   if it was not made. */
uint64_t cab_foreign_find (const struct cab_arena *arena, uint64_t at, uint64_t address,
			   uint64_t who, uint64_t site);
/* Copy the next row after *CURSOR (0 at first) to ROW, as it stands in the table.  Return its
   offset, or 0 at the end. */
uint64_t cab_foreign_next (const struct cab_arena *arena, uint64_t at, uint64_t *cursor,
			   struct cab_foreign_access *row);
/* Return true if the struct cab_foreign at AT, which may come from a file, has a sound table. */
bool cab_foreign_ok (const struct cab_arena *arena, uint64_t at);

#endif
