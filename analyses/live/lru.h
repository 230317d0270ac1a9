/* lru.h - lines of memory in the order of their last use: how many others were used since this one?
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     Mattson, Gecsei, Slutz and Traiger (IBM Systems Journal 1970), the distance in a
 *             stack of least recent use; Bennett and Kruskal (IBM Journal of Research and
 *             Development 1975), a tree of counts over time, here Fenwick's (Software: Practice and
 *             Experience 1994) over words of 64 moments.
 * Model:      each line has a slot, the moment of its last use.  A line's distance is the number of
 *             slots behind its own that are in use. When moments run out, slots are renumbered;
 *             only the last `depth' lines are kept. What counts is the table of slots and its
 *             length, in one word.  All else follows from them, and is made anew where a process
 *             died in the midst of a change.
 * Costs:      O(log (depth / 64)) for each use.  Memory: 14 bytes for each of 2 * depth slots, and
 *             8 for each of depth distances; tables begin small and are doubled.
 * Threads:    as the arena: one at a time.
 * Errors:     where the arena cannot grow, the depth becomes what there is room for.
 */
#ifndef CAB_LRU_H
#define CAB_LRU_H

#include <stdbool.h>
#include "analyses/live/redo.h"

#define CAB_LRU_DEPTH_MIN 128u
#define CAB_LRU_DEPTH_MAX (1u << 24)

/* Part of a state.  Zero but for the depth: no line. */
struct cab_lru
{
  uint64_t head;       /* slots that were given out << 1 | which of the two tables of them holds */
  uint64_t slots[2];   /* tables of line + 1, or 0: not in use */
  uint64_t depth;      /* a power of two */
  uint64_t distances;  /* table of the caller's, an element for each distance that there can be */
  uint64_t index;      /* from here on: what follows from the slots.  Table of uint64_t: places of
			  lines, bits of slots, sums of bits */
  uint64_t live, oldest, sure;
};

/* What a use of a line is, and what it will change. */
struct cab_lru_use
{
  uint64_t line, distance;       /* UINT64_MAX: the line is not among the last `depth' */
  uint64_t slot, evicted, place; /* its old slot, or that of the line that goes, or UINT64_MAX;
				    where the index has or will have it */
};

static inline uint64_t
cab_lru_now (const struct cab_lru *lru)
{
  return lru->head >> 1;
}

static inline uint64_t *
cab_lru_slots (const struct cab_arena *arena, const struct cab_lru *lru)
{
  return (uint64_t *) cab_space_elements (arena, lru->slots[lru->head & 1]);
}

/* Is LINE the one that was used last? */
static inline bool
cab_lru_is_last (const struct cab_arena *arena, const struct cab_lru *lru, uint64_t line)
{
  uint64_t now = cab_lru_now (lru);
  return now && cab_lru_slots (arena, lru)[now - 1] == line + 1;
}

/* AT: offset of the struct cab_lru in the arena.  Before anything else, and when all is done. */
void cab_lru_enter (struct cab_arena *arena, uint64_t at);
void cab_lru_leave (struct cab_arena *arena, uint64_t at);
/* Forget all lines, before `enter'. */
void cab_lru_empty (struct cab_arena *arena, uint64_t at);
/* Room for one use more; may move the arena.  False: there is none at all. */
bool cab_lru_reserve (struct cab_arena *arena, uint64_t at);
/* A use of LINE: what it is; then its change of slots to LIST (at most four words); then, when the
   list has ended, what follows from it. */
void cab_lru_look (const struct cab_arena *arena, uint64_t at, uint64_t line,
		   struct cab_lru_use *use);
void cab_lru_put (struct cab_redo_list *list, uint64_t at, const struct cab_lru_use *use);
void cab_lru_moved (struct cab_arena *arena, uint64_t at, const struct cab_lru_use *use);
/* Is it sound, in a state that comes from a file?  Its tables are apart. */
bool cab_lru_ok (const struct cab_arena *arena, uint64_t at);

#endif
