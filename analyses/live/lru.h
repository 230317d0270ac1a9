/* lru.h - lines of memory in the order of their last use, to count the other lines used since.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     Mattson, Gecsei, Slutz and Traiger (IBM Systems Journal 1970), the distance in a
 *             stack of least recent use; Bennett and Kruskal (IBM Journal of Research and
 *             Development 1975), a tree of counts over time, here Fenwick's (Software: Practice and
 *             Experience 1994) over words of 64 moments.
 * Model:      Each line has a slot, the moment of its last use.  A line's distance is the number of
 *             slots after its own that are in use.  When moments run out, slots are renumbered;
 *             only the last `depth' lines are kept.  The table of slots and its length, in one
 *             word, are authoritative.  All else follows from them, and is rebuilt after a process
 *             died during a change.
 * Costs:      O(log (depth / 64)) for each use.  Memory: 14 bytes for each of 2 * depth slots, and
 *             8 for each of depth distances; tables begin small and are doubled.
 * Threads:    as the arena: one at a time.
 * Errors:     where the arena cannot grow, the depth is lowered to what there is room for.
 */
#ifndef CAB_LRU_H
#define CAB_LRU_H

#include <stdbool.h>
#include "analyses/live/redo.h"

#define CAB_LRU_DEPTH_MIN 128u
#define CAB_LRU_DEPTH_MAX (1u << 24)

/* The lines, part of a state.  All zero but for the depth is a state without lines. */
struct cab_lru
{
  uint64_t head;       /* number of slots given out << 1 | index of the table in `slots' that is in
			  use */
  uint64_t slots[2];   /* tables of uint64_t: line + 1, or 0 where the slot is free */
  uint64_t depth;      /* a power of two */
  uint64_t distances;  /* a table of uint64_t for the caller, with an element for each distance
			  below the depth that lines can have by now */
  uint64_t index;      /* from here on: what can be rebuilt from the slots.  Table of uint64_t:
			  places of lines, bits of slots, sums of bits */
  /* live: how many lines are kept; oldest: a slot before which none is in use; sure: 1 if the index
     is up to date. */
  uint64_t live, oldest, sure;
};

/* One use of a line, and what it is going to change. */
struct cab_lru_use
{
  uint64_t line, distance;       /* distance is UINT64_MAX if the line is not among the last `depth'
				    ones */
  uint64_t slot, evicted, place; /* the line's old slot; the slot of the line that it displaces;
				    either UINT64_MAX if there is none. place: where the index has
				    the line, or will have it */
};

/* Return how many slots were given out: the present moment. */
static inline uint64_t
cab_lru_now (const struct cab_lru *lru)
{
  return lru->head >> 1;
}

/* Return the table of slots that is in use. */
static inline uint64_t *
cab_lru_slots (const struct cab_arena *arena, const struct cab_lru *lru)
{
  return (uint64_t *) cab_space_elements (arena, lru->slots[lru->head & 1]);
}

/* Return true if LINE is the line that was used last. */
static inline bool
cab_lru_is_last (const struct cab_arena *arena, const struct cab_lru *lru, uint64_t line)
{
  uint64_t now = cab_lru_now (lru);
  return now && cab_lru_slots (arena, lru)[now - 1] == line + 1;
}

/* Rebuild the index if it is not up to date, and mark it as being changed.  Call this before the
   first use.  In each function AT is the offset of the struct cab_lru in the arena. */
void cab_lru_enter (struct cab_arena *arena, uint64_t at);
/* Mark the index as up to date.  Call it after the last use. */
void cab_lru_leave (struct cab_arena *arena, uint64_t at);
/* Forget all lines.  Call it before cab_lru_enter. */
void cab_lru_empty (struct cab_arena *arena, uint64_t at);
/* Make room for one more use; may move the arena.  Return false if there is no room at all. */
bool cab_lru_reserve (struct cab_arena *arena, uint64_t at);
/* Find out what a use of LINE is, and what it will change, and store that to USE.  This is the
   first of three steps; the next is cab_lru_put. */
void cab_lru_look (const struct cab_arena *arena, uint64_t at, uint64_t line,
		   struct cab_lru_use *use);
/* Add the changes of slots of USE to LIST (at most four words). */
void cab_lru_put (struct cab_redo_list *list, uint64_t at, const struct cab_lru_use *use);
/* Bring the index up to date after USE, when the list of cab_lru_put has ended. */
void cab_lru_moved (struct cab_arena *arena, uint64_t at, const struct cab_lru_use *use);
/* Return true if the struct cab_lru at AT, which may come from a file, is sound.  The caller checks
   that its tables do not overlap. */
bool cab_lru_ok (const struct cab_arena *arena, uint64_t at);

#endif
