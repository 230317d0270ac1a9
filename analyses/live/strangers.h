/* strangers.h - what threads did to memory that they had not allocated, and where they allocated:
 * so that whose it was can be said later.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a row of the first kind is what one thread did to 16 bytes, while no block of its own
 *             lay there; of the second kind, that it made a block of one allocation at an address.
 *             Threads are known by number and process, so rows of several states add up. Of time
 *             nothing is known: only that a place is a block's because just one allocation of other
 *             threads ever had blocks there.
 * Costs:      64 bytes for each row, twice that in the table; no more than CAB_STRANGERS_MOST rows
 *             of the first kind are made, whatever the program touches.
 * Threads:    as the arena: one at a time.
 * Errors:     what finds no room is for the caller to count elsewhere.  The state may come from a
 *             file: see cab_strangers_ok.
 */
#ifndef CAB_STRANGERS_H
#define CAB_STRANGERS_H

#include "analyses/live/undo.h"

#define CAB_STRANGERS_GRANULE 16u          /* blocks of malloc begin at multiples of it, so two
					      never share one */
#define CAB_STRANGERS_MOST (1u << 18)
#define CAB_STRANGERS_MOST_HOMES (1u << 20)

struct cab_stranger
{
  uint64_t address;                    /* of the 16 bytes; of a block: where it begins */
  uint64_t who;                        /* process << 32 | 1 + thread; 0: the row is free.  Stored
					  last */
  uint64_t site;                       /* 0, or, of a block, 1 + the number of its allocation */
  uint64_t reads, writes, updates;     /* of the first kind: counters of events */
  uint64_t releases;                   /* of the first kind: blocks that begin in it and were not
					  its own, but were released by it */
  uint64_t end;                        /* of a block: the greatest that it had there */
};

/* Part of a state; all zero: no row. */
struct cab_strangers
{
  uint64_t rows;       /* table of struct cab_stranger; capacity: a power of two */
  uint64_t n, n_homes; /* rows of either kind, or a few more */
};

static inline uint64_t
cab_stranger_who (uint32_t thread, uint32_t process)
{
  return (uint64_t) process << 32 | (thread + UINT64_C (1));
}

/* The row of WHO and ADDRESS and, of a block, SITE, made if need be; null: there is no room.  AT:
   offset of the struct cab_strangers.  May move the arena; not within a change. */
struct cab_stranger *cab_strangers_row (struct cab_arena *arena, uint64_t at, uint64_t address,
					uint64_t who, uint64_t site);
/* The same row's offset in the arena, or 0: it was not made. */
uint64_t cab_strangers_find (const struct cab_arena *arena, uint64_t at, uint64_t address,
			     uint64_t who, uint64_t site);
/* A copy of the next row behind *CURSOR (0 at first), as it stands, and its offset; 0 at the
   end. */
uint64_t cab_strangers_next (const struct cab_arena *arena, uint64_t at, uint64_t *cursor,
			     struct cab_stranger *row);
bool cab_strangers_ok (const struct cab_arena *arena, uint64_t at);

#endif
