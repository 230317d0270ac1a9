/* an_join.c - accesses by all that is known about each: where in the code, on which path, in which
 * context and thread, to a block of which allocation, in which cache it hit.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a row is accesses that are alike in all of this, and in direction and bytes, so that
 *             one counter tells all of them.  Levels are those of `levels', blocks those of
 *             `blocks' (blocks.h).  An access belongs to the path of its activation that ends
 *             next.
 * Threads:    each thread has blocks of its own: what another thread allocated is no block to it.
 *
 * State: a hash table of rows; accesses whose path has not ended (join_held.h); and the map of live
 *        blocks, whose `site' is the key of the allocation.  An allocation changes several words,
 *        all or none (undo.h).
 */
#include "analyses/live/join/an_join.h"
#include "analyses/live/join/join_held.h"

#define KNOWN_LOG2 14   /* bytes of a piece of memory whose addresses share a known range */

#define UNDO offsetof (struct cab_join_state, undo)
#define BLOCKS offsetof (struct cab_join_state, blocks)
#define OTHERS offsetof (struct cab_join_state, others)

static int
join_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct cab_join_state), CAB_JOIN_MAGIC, CAB_JOIN_NAME,
			 arguments, diag);
}

static uint64_t
key_of (uint32_t number, uint32_t node)
{
  return ((uint64_t) node << 32 | number) + 1;
}

/* Forget which block is where, since the map is about to change. */
static void
forget (const struct cab_arena *arena)
{
  memset (cab_join_state_of (arena)->known, 0, sizeof cab_join_state_of (arena)->known);
  cab_space_order ();
}

/* Make RANGE the one around ADDRESS.  It is empty while it changes. */
static void __attribute__ ((noinline))
look_up (const struct cab_arena *arena, struct cab_blocks_range *range, uint64_t address)
{
  struct cab_blocks_range found = cab_blocks_find (arena, BLOCKS, address);
  *(volatile uint64_t *) &range->high = 0;
  cab_space_order ();
  range->low = found.low;
  range->site = found.site;
  cab_space_order ();
  *(volatile uint64_t *) &range->high = found.high;
}

/* Return the key of the block that ADDRESS is in, or 0. */
static inline uint64_t
block_at (const struct cab_arena *arena, uint64_t address)
{
  struct cab_blocks_range *range
    = &((struct cab_join_state *) arena->base)->known[address >> KNOWN_LOG2 & (CAB_JOIN_KNOWN - 1)];
  if (__builtin_expect (address < range->low || address >= range->high, 0))
    look_up (arena, range, address);
  return range->site;
}

/* Apply row I of BATCH, which is an allocation, a release, or both, as `blocks' takes them. */
static bool
apply_allocation (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i, uint64_t key)
{
  if (batch->form[i] != CAB_ROW_RELEASED && !cab_blocks_reserve (arena, BLOCKS))
    return false;
  forget (arena);
  struct cab_change change = cab_undo_begin (arena, UNDO);
  cab_blocks_apply (&change, BLOCKS, batch, i, key);
  cab_undo_put (&change, OTHERS, cab_undo_get (&change, OTHERS) + 1);
  return cab_undo_end (&change) == 0;
}

/* Apply row I of BATCH, an access by KEY, which is HELD for its path or has none.  Return false if
   there is no room. */
static inline bool
apply_access (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i, uint64_t key,
	      bool held)
{
  uint64_t address = batch->address[i], bytes = batch->bytes[i];
  const struct cab_join_facts facts
    = { key, block_at (arena, address), batch->thread,
	bytes << 16 | (uint64_t) batch->form[i] << 8
	  | (batch->level ? batch->level[i] : CAB_LEVEL_NONE),
	CAB_JOIN_NO_PATH };
  return held ? cab_join_hold (arena, batch->depth, &facts) : cab_join_count (arena, &facts);
}

static void
feed_accesses (struct cab_arena *arena, const struct cab_batch *batch, bool held)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t key = key_of (batch->site[i], batch->node ? batch->node[i] : 0);
      bool fits = true;
      if (batch->form[i] & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
	fits = apply_allocation (arena, batch, i, key);
      else if (batch->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE) && batch->bytes[i])
	fits = apply_access (arena, batch, i, key, held);
      else
	cab_space_count (&cab_join_state_of (arena)->others);
      if (!fits)
	cab_space_count (&cab_join_state_of (arena)->lost);
    }
}

/* Feed paths that ended.  One that is cut off takes what is left of its accesses when it is fed
   again. */
static void
feed_paths (struct cab_arena *arena, const struct cab_batch *batch)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t word = batch->events[i];
      cab_join_end_path (arena, batch->depth,
			 cab_join_path_of (cab_ev_fn (word), cab_ev_path (word)));
      cab_space_add (&cab_join_state_of (arena)->others, cab_ev_times (word));
    }
}

static void
join_feed (struct cab_arena *arena, const struct cab_batch *batch,
	   const struct cab_functions *functions)
{
  if ((batch->kind != CAB_EV_ACCESS && batch->kind != CAB_EV_PATH)
      || (!cab_join_state_of (arena) && join_open (arena, "", NULL) < 0))
    return;
  cab_undo_settle (arena, UNDO);
  cab_join_settle (arena);
  cab_join_leave (arena, batch->kept + UINT64_C (1));
  if (batch->kind == CAB_EV_ACCESS)
    feed_accesses (arena, batch, !functions || !functions->traces_paths
				 || functions->traces_paths (functions->host));
  else
    feed_paths (arena, batch);
}

static void
join_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (!cab_join_state_of (arena))
    return;
  cab_undo_settle (arena, UNDO);
  cab_join_settle (arena);
  cab_join_leave (arena, 0);
  forget (arena);
  cab_blocks_empty (arena, BLOCKS);
}

/* The rows are counts.  The keys of blocks hold nodes, which keep their numbers.  What this state
   held when it was laid aside belongs to paths that ended elsewhere. */
static void
join_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  (void) thread;
  if (!cab_join_state_of (arena) || !cab_join_state_of (from))
    return;
  cab_undo_settle (arena, UNDO);
  cab_join_settle (arena);
  cab_join_leave (arena, 0);
  forget (arena);
  cab_blocks_carry (arena, from, BLOCKS);
}

/* Set the path of ROW to what FACTS say about it. */
static void
put_path (struct cab_join_row *row, const struct cab_join_facts *facts)
{
  uint64_t path = facts->path - CAB_JOIN_PATHS;
  row->has_path = facts->path >= CAB_JOIN_PATHS;
  row->not_held = facts->path == CAB_JOIN_NOT_HELD;
  row->path_fn = row->has_path ? path >> 40 : 0;
  row->path = row->has_path ? path & CAB_EV_PATH_MASK : 0;
}

bool
cab_join_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_join_row *out)
{
  struct cab_join_count count;
  const struct cab_join_facts *facts = &count.facts;
  if (!cab_join_each (arena, cursor, &count))
    return false;
  *out = (struct cab_join_row) {
    .number = facts->key - 1,
    .node = (facts->key - 1) >> 32,
    .has_block = facts->block != 0,
    .allocation = facts->block ? facts->block - 1 : 0,
    .allocation_node = facts->block ? (facts->block - 1) >> 32 : 0,
    .thread = facts->who,
    .process = facts->who >> 32,
    .level = facts->what & 0xff,
    .writes = (facts->what >> 8 & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE,
    .bytes = facts->what >> 16,
    .n = count.n
  };
  put_path (out, facts);
  return true;
}

/* Return `others' as it was before a change that was cut off. */
static uint64_t
others_of (const struct cab_arena *arena)
{
  uint64_t others = cab_join_state_of (arena)->others;
  cab_undo_overlay (arena, UNDO, OTHERS, &others, 1);
  return others;
}

static uint64_t
join_applied (const struct cab_arena *arena)
{
  struct cab_join_count count;
  uint64_t sum = cab_join_state_of (arena) ? others_of (arena) : 0;
  for (uint64_t cursor = 0; cab_join_each (arena, &cursor, &count);)
    sum += count.n;
  return sum;
}

static uint64_t
join_lost (const struct cab_arena *arena)
{
  const struct cab_join_state *state = cab_join_state_of (arena);
  uint64_t lost = state ? state->lost : 0;
  if (state)
    cab_redo_overlay (&state->redo, offsetof (struct cab_join_state, lost), &lost, 1);
  return lost;
}

/* Return true if the word at OFFSET is the one of the state itself that a change may alter. */
static bool
is_others (const struct cab_arena *arena, uint64_t offset)
{
  (void) arena;
  return offset == OTHERS;
}

static int
join_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct cab_join_state *state = cab_join_state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct cab_join_state), 0)
	   ? 0
	   : cab_state_refuse (diag, CAB_JOIN_NAME, "the state has a foreign mark");
  const struct cab_state_table tables[] = { { state->held, sizeof (struct cab_join_count) },
					    { state->frames, sizeof (struct cab_join_frame) } };
  const struct cab_blocks_host host = {
    CAB_JOIN_NAME, sizeof *state, UNDO, BLOCKS, is_others, tables, 2
  };
  if (!cab_space_hash_ok (arena, state->rows, state->n_rows, sizeof (struct cab_join_count))
      || !cab_join_held_ok (arena))
    return cab_state_refuse (diag, CAB_JOIN_NAME, "its tables leave the arena");
  return cab_blocks_check (arena, &host, state->rows, state->n_rows, sizeof (struct cab_join_count),
			   diag);
}

/* Return KEY, of an access or allocation or 0, in the terms of MAP; 0 if it is not known there. */
static uint64_t
mapped (uint64_t key, const struct cab_idmap *map)
{
  uint32_t number = key - 1, node = (key - 1) >> 32;
  if (!map || !key)
    return key;
  uint32_t new = cab_space_mapped (map->access, map->n_access, number);
  return number && !new ? 0 : key_of (new, cab_space_mapped (map->node, map->n_node, node));
}

/* Return PATH in the terms of MAP; CAB_JOIN_NO_PATH if its function is not known there. */
static uint64_t
mapped_path (uint64_t path, const struct cab_idmap *map)
{
  uint64_t number = path - CAB_JOIN_PATHS;
  if (!map || path < CAB_JOIN_PATHS)
    return path;
  uint32_t fn = cab_space_mapped (map->fn, map->n_fn, number >> 40);
  return fn ? cab_join_path_of (fn, number & CAB_EV_PATH_MASK) : CAB_JOIN_NO_PATH;
}

/* Return the row of INTO that FROM, in the terms of MAP, is added to; null if there is none. */
static struct cab_join_count *
row_for (struct cab_arena *into, const struct cab_join_facts *from, const struct cab_idmap *map)
{
  struct cab_join_facts facts
    = { mapped (from->key, map), mapped (from->block, map), from->who, from->what,
	mapped_path (from->path, map) };
  if (map && !(from->who >> 32))
    facts.who |= (uint64_t) (map->process + 1) << 32;
  if (!facts.key || !facts.block != !from->block)
    return NULL;
  return cab_join_row_of (into, &facts);
}

static int
join_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	    struct cab_diag *diag)
{
  struct cab_join_count count;
  if (!cab_join_state_of (into) && join_open (into, "", diag) < 0)
    return -1;
  cab_undo_settle (into, UNDO);
  cab_join_settle (into);
  for (uint64_t cursor = 0; cab_join_each (from, &cursor, &count);)
    {
      struct cab_join_count *row = row_for (into, &count.facts, map);
      *(row ? &row->n : &cab_join_state_of (into)->lost) += count.n;
    }
  cab_join_state_of (into)->others += cab_join_state_of (from) ? others_of (from) : 0;
  cab_join_state_of (into)->lost += join_lost (from);
  return 0;
}

const struct cab_analysis cab_join = {
  .abi = CAB_ANALYSIS_ABI,
  .name = CAB_JOIN_NAME,
  .summary = "accesses by place, path, context, thread, allocation and cache at once",
  .kinds = 1u << CAB_EV_ACCESS | 1u << CAB_EV_PATH,
  .wants = CAB_WANTS_NODE | CAB_KEEPS_NODES | CAB_WANTS_LEVEL | CAB_WANTS_STACK,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = join_open,
  .feed = join_feed,
  .applied = join_applied,
  .lost = join_lost,
  .check = join_check,
  .merge = join_merge,
  .begin_thread = join_begin_thread,
  .carry = join_carry
};
