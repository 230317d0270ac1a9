/* an_join.c - accesses by all that is known about each: where in the code, in which context and
 * thread, to a block of which allocation, in which cache it hit.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a row is accesses that are alike in all of this, and in direction and bytes, so that
 *             one counter tells all of them: an access is one store.  Levels are those of `levels',
 *             blocks those of `blocks' (blocks.h).
 * Threads:    each thread has blocks of its own: what another thread allocated is no block to it.
 *
 * State: a hash table of rows, and the map of live blocks, whose `site' is the key of the
 *        allocation.  An allocation changes several words, all or none (undo.h).
 */
#include "analyses/live/join/an_join.h"
#include "analyses/live/blocks.h"

#define NAME "join"
#define MAGIC 0x6a6f696fu
#define LEAST 256
#define KNOWN 16u   /* power of two */
#define KNOWN_LOG2 14   /* bytes of a piece of memory whose addresses share a known range */

/* What is known about accesses that are counted together. */
struct facts
{
  uint64_t key;      /* 1 + the number of the access, + node << 32; 0: the row is free */
  uint64_t block;    /* the same of the allocation, or 0 */
  uint64_t who;      /* process << 32 | thread; process: 0, or 1 + its number */
  uint64_t what;     /* bytes << 16 | form << 8 | level */
};

struct row
{
  struct facts facts;
  uint64_t n;
};

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t others;   /* events that are no accesses */
  uint64_t rows;     /* table of struct row; capacity: a power of two */
  uint64_t n_rows;   /* rows in use, or a few more; the table is doubled before more than half of it
			is */
  struct cab_undo undo;
  struct cab_blocks blocks;
  struct cab_blocks_range known[KNOWN];   /* ranges that were looked up, by address; empty: none.
					     They are emptied before the map changes */
};

#define UNDO offsetof (struct state, undo)
#define BLOCKS offsetof (struct state, blocks)
#define OTHERS offsetof (struct state, others)

/* Where a batch is applied. */
struct feeding
{
  struct row *rows;   /* null: there is no table yet */
  uint64_t mask;      /* of their numbers */
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
join_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

static uint64_t
key_of (uint32_t number, uint32_t node)
{
  return ((uint64_t) node << 32 | number) + 1;
}

static inline bool
is_same (const struct facts *a, const struct facts *b)
{
  return !((a->key ^ b->key) | (a->block ^ b->block) | (a->who ^ b->who) | (a->what ^ b->what));
}

/* Return the row of FACTS among those of F, or the free one where it belongs; null: all are in
   use. */
static inline struct row *
probe (const struct feeding *f, const struct facts *facts)
{
  uint64_t h = facts->key * UINT64_C (0x9e3779b97f4a7c15)
	     ^ (facts->what + (facts->block ^ facts->who << 40)) * UINT64_C (0xd6e8feb86659fd93),
	   i = h ^ h >> 32;
  for (uint64_t n = 0; n <= f->mask; n++, i++)
    {
      struct row *row = &f->rows[i & f->mask];
      if (is_same (&row->facts, facts) || !row->facts.key)
	return row;
    }
  return NULL;
}

/* Set the rows of F to those of TABLE. */
static void
begin_table (struct feeding *f, const struct cab_arena *arena, uint64_t table)
{
  f->rows = cab_space_elements (arena, table);
  f->mask = cab_space_capacity (arena, table) - 1;
}

/* Begin to feed, again after anything that may have moved the arena. */
static void
begin (struct feeding *f, const struct cab_arena *arena)
{
  begin_table (f, arena, state_of (arena)->rows);
}

/* Forget which block is where, since the map is about to change. */
static void
forget (const struct cab_arena *arena)
{
  memset (state_of (arena)->known, 0, sizeof state_of (arena)->known);
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
    = &((struct state *) arena->base)->known[address >> KNOWN_LOG2 & (KNOWN - 1)];
  if (__builtin_expect (address < range->low || address >= range->high, 0))
    look_up (arena, range, address);
  return range->site;
}

static bool
double_rows (struct cab_arena *arena)
{
  struct feeding to;
  uint64_t old = state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST, sizeof (struct row));
  if (!table)
    return false;
  const struct row *rows = cab_space_elements (arena, old);
  begin_table (&to, arena, table);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].facts.key)
      *probe (&to, &rows[i].facts) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return true;
}

/* Insert a row of FACTS, which exists once its key is stored.  Return null if there is no room. */
static struct row * __attribute__ ((noinline))
insert (struct cab_arena *arena, struct feeding *f, const struct facts *facts)
{
  if (state_of (arena)->n_rows >= cab_space_capacity (arena, state_of (arena)->rows) / 2
      && !double_rows (arena))
    return NULL;
  begin (f, arena);
  struct row *row = probe (f, facts);
  if (!row)
    return NULL;
  state_of (arena)->n_rows++;
  row->facts.block = facts->block;
  row->facts.who = facts->who;
  row->facts.what = facts->what;
  cab_space_order ();
  row->facts.key = facts->key;
  cab_space_order ();
  return row;
}

static inline struct row *
row_of (struct cab_arena *arena, struct feeding *f, const struct facts *facts)
{
  struct row *row = f->rows ? probe (f, facts) : NULL;
  return row && row->facts.key ? row : insert (arena, f, facts);
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

/* Apply row I of BATCH, an access by KEY.  Return false if there is no room. */
static inline bool
apply_access (struct cab_arena *arena, struct feeding *f, const struct cab_batch *batch, uint32_t i,
	      uint64_t key)
{
  uint64_t address = batch->address[i], bytes = batch->bytes[i];
  struct facts facts = { key, block_at (arena, address), batch->thread,
			 bytes << 16 | (uint64_t) batch->form[i] << 8
			   | (batch->level ? batch->level[i] : CAB_LEVEL_NONE) };
  struct row *row = row_of (arena, f, &facts);
  if (row)
    cab_space_count (&row->n);
  return row;
}

static void
join_feed (struct cab_arena *arena, const struct cab_batch *batch,
	   const struct cab_functions *functions)
{
  struct feeding f;
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && join_open (arena, "", NULL) < 0))
    return;
  cab_undo_settle (arena, UNDO);
  begin (&f, arena);
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t key = key_of (batch->site[i], batch->node ? batch->node[i] : 0);
      bool fits = true;
      if (batch->form[i] & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
	{
	  fits = apply_allocation (arena, batch, i, key);
	  begin (&f, arena);
	}
      else if (batch->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE) && batch->bytes[i])
	fits = apply_access (arena, &f, batch, i, key);
      else
	cab_space_count (&state_of (arena)->others);
      if (!fits)
	cab_space_count (&state_of (arena)->lost);
    }
}

static void
join_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena))
    return;
  cab_undo_settle (arena, UNDO);
  forget (arena);
  cab_blocks_empty (arena, BLOCKS);
}

/* The rows are counts.  The keys of blocks hold nodes, which keep their numbers. */
static void
join_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena) || !state_of (from))
    return;
  cab_undo_settle (arena, UNDO);
  forget (arena);
  cab_blocks_carry (arena, from, BLOCKS);
}

bool
cab_join_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_join_row *out)
{
  uint64_t capacity = state_of (arena) ? cab_space_capacity (arena, state_of (arena)->rows) : 0;
  while (*cursor < capacity)
    {
      const struct row *rows = cab_space_elements (arena, state_of (arena)->rows);
      const struct row *row = &rows[(*cursor)++];
      const struct facts *facts = &row->facts;
      if (!facts->key || !row->n)
	continue;
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
	.n = row->n
      };
      return true;
    }
  return false;
}

/* Return `others' as it was before a change that was cut off. */
static uint64_t
others_of (const struct cab_arena *arena)
{
  uint64_t others = state_of (arena)->others;
  cab_undo_overlay (arena, UNDO, OTHERS, &others, 1);
  return others;
}

static uint64_t
join_applied (const struct cab_arena *arena)
{
  struct cab_join_row row;
  uint64_t sum = state_of (arena) ? others_of (arena) : 0;
  for (uint64_t cursor = 0; cab_join_next (arena, &cursor, &row);)
    sum += row.n;
  return sum;
}

static uint64_t
join_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
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
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  const struct cab_blocks_host host = { NAME, sizeof *state, UNDO, BLOCKS, is_others };
  return cab_blocks_check (arena, &host, state->rows, state->n_rows, sizeof (struct row), diag);
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

/* Return the row of INTO that FROM, in the terms of MAP, is added to; null if there is none. */
static struct row *
row_for (struct cab_arena *into, const struct facts *from, const struct cab_idmap *map)
{
  struct feeding f;
  struct facts facts = { mapped (from->key, map), mapped (from->block, map), from->who,
			 from->what };
  if (map && !(from->who >> 32))
    facts.who |= (uint64_t) (map->process + 1) << 32;
  if (!facts.key || !facts.block != !from->block)
    return NULL;
  begin (&f, into);
  return row_of (into, &f, &facts);
}

static int
join_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	    struct cab_diag *diag)
{
  if (!state_of (into) && join_open (into, "", diag) < 0)
    return -1;
  cab_undo_settle (into, UNDO);
  uint64_t capacity = state_of (from) ? cab_space_capacity (from, state_of (from)->rows) : 0;
  for (uint64_t i = 0; i < capacity; i++)
    {
      const struct row *old = (const struct row *) cab_space_elements (from, state_of (from)->rows)
			    + i;
      struct row *row = old->facts.key ? row_for (into, &old->facts, map) : NULL;
      *(row ? &row->n : &state_of (into)->lost) += old->facts.key ? old->n : 0;
    }
  state_of (into)->others += state_of (from) ? others_of (from) : 0;
  state_of (into)->lost += join_lost (from);
  return 0;
}

const struct cab_analysis cab_join = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "accesses by place, context, thread, allocation and cache at once",
  .kinds = 1u << CAB_EV_ACCESS,
  .wants = CAB_WANTS_NODE | CAB_KEEPS_NODES | CAB_WANTS_LEVEL,
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
