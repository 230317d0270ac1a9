/* join_state.h - the state of the analysis `join': how it lies in an arena.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      rows are counts of accesses that are alike in all facts.  An access is held first, by
 *             the activation that made it, until the path that it belongs to ends (join_held.h):
 *             then it moves to the row of that path.
 * Threads:    as the arena: one at a time.
 */
#ifndef CAB_JOIN_STATE_H
#define CAB_JOIN_STATE_H

#include "analyses/live/blocks.h"
#include "analyses/live/redo.h"

#define CAB_JOIN_NAME "join"
#define CAB_JOIN_MAGIC 0x6a6f6970u
#define CAB_JOIN_KNOWN 16u   /* power of two */

/* What is known about accesses that are counted together. */
struct cab_join_facts
{
  uint64_t key;      /* 1 + the number of the access, + node << 32; 0: the row is free */
  uint64_t block;    /* the same of the allocation, or 0 */
  uint64_t who;      /* process << 32 | thread; process: 0, or 1 + its number */
  uint64_t what;     /* bytes << 16 | form << 8 | level */
  uint64_t path;     /* see below */
};

/* Values of `path': not known, not known because too many accesses were held, and the first of
   those that say which path it is (cab_join_path_of). */
#define CAB_JOIN_NO_PATH 0u
#define CAB_JOIN_NOT_HELD 1u
#define CAB_JOIN_PATHS 2u

struct cab_join_count
{
  struct cab_join_facts facts;
  uint64_t n;
};

/* An activation that holds accesses: its depth, as in a batch, and the first of them. */
struct cab_join_frame
{
  uint64_t depth, from;
};

struct cab_join_state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t others;   /* events that are no accesses */
  uint64_t rows;     /* table of struct cab_join_count; capacity: a power of two */
  uint64_t n_rows;   /* rows in use, or a few more; the table is doubled before more than half of it
			is */
  uint64_t held;     /* table of struct cab_join_count, those of the activation on top last */
  uint64_t n_held;
  uint64_t frames;   /* table of struct cab_join_frame, the outermost first */
  uint64_t n_frames;
  struct cab_redo redo;   /* of a row's count, `n_held' and `lost' */
  struct cab_undo undo;
  struct cab_blocks blocks;
  struct cab_blocks_range known[CAB_JOIN_KNOWN];   /* ranges that were looked up, by address; empty:
						      none.  They are emptied before the map
						      changes */
};

/* Return the state in ARENA, or null if there is none yet. */
static inline struct cab_join_state *
cab_join_state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct cab_join_state), CAB_JOIN_MAGIC)
	 ? (struct cab_join_state *) arena->base
	 : NULL;
}

/* Return the `path' of path NUMBER of function FN. */
static inline uint64_t
cab_join_path_of (uint32_t fn, uint64_t number)
{
  return ((uint64_t) fn << 40 | number) + CAB_JOIN_PATHS;
}

/* Return true if A and B are alike. */
static inline bool
cab_join_is_same (const struct cab_join_facts *a, const struct cab_join_facts *b)
{
  return !((a->key ^ b->key) | (a->block ^ b->block) | (a->who ^ b->who) | (a->what ^ b->what)
	   | (a->path ^ b->path));
}

/* Return the row of FACTS, made if need be; null if there is no room.  May move the arena. */
struct cab_join_count *cab_join_row_of (struct cab_arena *arena,
					const struct cab_join_facts *facts);
/* Count an access of FACTS.  Return false if there is no room.  May move the arena. */
static inline bool
cab_join_count (struct cab_arena *arena, const struct cab_join_facts *facts)
{
  struct cab_join_count *row = cab_join_row_of (arena, facts);
  if (row)
    cab_space_count (&row->n);
  return row;
}
/* Store the next accesses after *CURSOR (0 at first), in a row or held, in *COUNT, as they are
   without a change that was cut off or with one that was committed.  Return false at the end. */
bool cab_join_each (const struct cab_arena *arena, uint64_t *cursor, struct cab_join_count *count);

#endif
