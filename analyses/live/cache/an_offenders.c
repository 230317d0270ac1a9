/* an_offenders.c - which accesses miss in which cache, in which calling context, to blocks of which
 * allocation.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      caches as those of the analysis `cache' (simulate.h), blocks as those of `blocks'
 *             (blocks.h).  A row is what one access did in one context to the blocks that one
 *             allocation made in one context; or what one allocation made in one context.
 * Threads:    each thread has caches and blocks of its own, which begin empty: what another thread
 *             allocated is no block to it.
 *
 * State: a hash table of rows, the caches, and the map of live blocks, whose `site' is the key of
 *        the allocation's row.  An access is a step of the caches, or one counter; an allocation
 *        changes several words, all or none (undo.h).
 */
#include "analyses/live/blocks.h"
#include "analyses/live/cache/cache_arguments.h"
#include "analyses/live/cache/simulate.h"
#include "analyses/live/cache/an_offenders.h"

#define NAME "offenders"
#define MAGIC 0x6f666670u
#define LEAST 256

/* A row.  Its key is 1 + the number of the access or allocation, + node << 32; 0 if it is free. */
struct row
{
  uint64_t key, block;          /* block: key of the allocation's row, or 0 */
  struct cab_tally tally;
  uint64_t blocks, bytes;       /* of an allocation: what it made */
};

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t rows;                /* table of struct row; capacity: a power of two */
  uint64_t n_rows;              /* rows in use, or a few more; the table is doubled before more than
				   half of it is */
  struct cab_undo undo;
  struct cab_blocks blocks;
  struct cab_simulate caches;
};

#define UNDO offsetof (struct state, undo)
#define BLOCKS offsetof (struct state, blocks)
#define CACHES offsetof (struct state, caches)

/* Where a batch is applied. */
struct feeding
{
  struct cab_arena *arena;
  struct cab_simulating caches;
  struct cab_blocks_range range;   /* the addresses around the last one that was looked up, in a
				      block or between two; empty: none */
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
offenders_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_simulate_open (arena, NAME, sizeof (struct state), MAGIC,
			    offsetof (struct state, caches), arguments, diag);
}

static uint64_t
key_of (uint32_t number, uint32_t node)
{
  return ((uint64_t) node << 32 | number) + 1;
}

/* Return the row in TABLE, or the free one where it belongs, or null if the table is full. */
static struct row *
probe (const struct cab_arena *arena, uint64_t table, uint64_t key, uint64_t block)
{
  struct row *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table),
	   i = cab_space_hash (key ^ block >> 32, key >> 32, block);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct row *row = &rows[i & (capacity - 1)];
      if (!row->key || (row->key == key && row->block == block))
	return row;
    }
  return NULL;
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST, sizeof (struct row));
  if (!table)
    return false;
  const struct row *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].key)
      *probe (arena, table, rows[i].key, rows[i].block) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return true;
}

/* Insert a new row: it exists once its key is stored. */
static struct row * __attribute__ ((noinline))
insert (struct cab_arena *arena, uint64_t key, uint64_t block)
{
  if (state_of (arena)->n_rows >= cab_space_capacity (arena, state_of (arena)->rows) / 2
      && !double_rows (arena))
    return NULL;
  struct row *row = probe (arena, state_of (arena)->rows, key, block);
  if (!row)
    return NULL;
  state_of (arena)->n_rows++;
  row->block = block;
  cab_space_order ();
  row->key = key;
  cab_space_order ();
  return row;
}

static struct row *
row_of (struct cab_arena *arena, uint64_t key, uint64_t block)
{
  struct row *row = probe (arena, state_of (arena)->rows, key, block);
  return row && row->key ? row : insert (arena, key, block);
}

/* Begin to feed, again after anything that may have moved the arena. */
static void
begin (struct feeding *f, struct cab_arena *arena)
{
  f->arena = arena;
  cab_simulate_begin (&f->caches, arena, CACHES);
}

static void
put (struct cab_change *c, uint64_t key, size_t field, uint64_t more)
{
  const struct row *row = probe (c->arena, state_of (c->arena)->rows, key, 0);
  uint64_t offset = row && row->key
		    ? (uint64_t) ((const unsigned char *) row - c->arena->base) + field
		    : UINT64_MAX - 7;
  cab_undo_put (c, offset, cab_undo_get (c, offset) + more);
}

/* Apply row I of BATCH, which is an allocation, a release, or both, as `blocks' takes them. */
static bool
apply_allocation (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i, uint64_t key)
{
  if (!row_of (arena, key, 0)
      || (batch->form[i] != CAB_ROW_RELEASED && !cab_blocks_reserve (arena, BLOCKS)))
    return false;
  struct cab_change change = cab_undo_begin (arena, UNDO);
  if (cab_blocks_apply (&change, BLOCKS, batch, i, key))
    {
      put (&change, key, offsetof (struct row, blocks), 1);
      put (&change, key, offsetof (struct row, bytes), batch->bytes[i]);
    }
  put (&change, key, offsetof (struct row, tally.n[0]), 1);
  return cab_undo_end (&change) == 0;
}

/* Return the tally of an access by KEY to ADDRESS, or null if there is no room. */
static struct cab_tally *
tally_of (struct feeding *f, uint64_t key, uint64_t address)
{
  if (address < f->range.low || address >= f->range.high)
    f->range = cab_blocks_find (f->arena, BLOCKS, address);
  struct row *row = probe (f->arena, state_of (f->arena)->rows, key, f->range.site);
  if (__builtin_expect (row && row->key && f->caches.state, 1))
    return &row->tally;
  if (!cab_simulate_make (f->arena, CACHES))
    return NULL;
  row = row_of (f->arena, key, f->range.site);
  begin (f, f->arena);
  return row ? &row->tally : NULL;
}

static void
offenders_feed (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions)
{
  struct feeding f = { .range = { 1, 0, 0 } };
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && offenders_open (arena, "", NULL) < 0))
    return;
  cab_undo_settle (arena, UNDO);
  begin (&f, arena);
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t key = key_of (batch->site[i], batch->node ? batch->node[i] : 0);
      if (batch->form[i] & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
	{
	  if (!apply_allocation (arena, batch, i, key))
	    cab_space_count (&state_of (arena)->lost);
	  begin (&f, arena);
	  f.range = (struct cab_blocks_range) { 1, 0, 0 };
	  continue;
	}
      struct cab_tally *tally = tally_of (&f, key, batch->address[i]);
      if (tally)
	cab_simulate_row (&f.caches, tally, batch->form[i], batch->address[i], batch->bytes[i]);
      else
	cab_space_count (&state_of (arena)->lost);
    }
}

static void
offenders_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena))
    return;
  cab_undo_settle (arena, UNDO);
  cab_blocks_empty (arena, BLOCKS);
  cab_simulate_empty (arena, CACHES);
}

/* The rows are counts.  The keys of blocks hold nodes, which keep their numbers. */
static void
offenders_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena) || !state_of (from))
    return;
  cab_undo_settle (arena, UNDO);
  cab_blocks_carry (arena, from, BLOCKS);
  cab_simulate_carry (arena, from, CACHES);
}

/* Return row I, without what was cut off. */
static struct row
read_row (const struct cab_arena *arena, uint64_t i)
{
  const struct row *found = (const struct row *) cab_space_elements (arena, state_of (arena)->rows)
			  + i;
  struct row row = *found;
  uint64_t offset = (const unsigned char *) found - arena->base;
  cab_undo_overlay (arena, UNDO, offset, (uint64_t *) &row, sizeof row / 8);
  cab_simulate_overlay (arena, CACHES, offset, (uint64_t *) &row, sizeof row / 8);
  return row;
}

bool
cab_offenders_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_offenders_row *out)
{
  uint64_t capacity = state_of (arena) ? cab_space_capacity (arena, state_of (arena)->rows) : 0;
  while (*cursor < capacity)
    {
      struct row row = read_row (arena, (*cursor)++);
      const struct cab_tally *t = &row.tally;
      if (!row.key || !cab_tally_rows (t))
	continue;
      *out = (struct cab_offenders_row) {
	.number = row.key - 1,
	.node = (row.key - 1) >> 32,
	.has_block = row.block != 0,
	.allocation = row.block ? row.block - 1 : 0,
	.allocation_node = row.block ? (row.block - 1) >> 32 : 0,
	.rows = cab_tally_rows (t),
	.others = t->n[0],
	.accesses = { t->n[CAB_ROW_READ] + t->n[CAB_ROW_READ | CAB_ROW_WRITE] + t->more[0],
		      t->n[CAB_ROW_WRITE] + t->more[1] },
	.blocks = row.blocks,
	.bytes = row.bytes
      };
      memcpy (out->missed, t->missed, sizeof out->missed);
      return true;
    }
  return false;
}

bool
cab_offenders_config (const struct cab_arena *arena, struct cab_cachesim_config *config)
{
  *config = state_of (arena)->caches.config;
  return !state_of (arena)->caches.mixed;
}

static uint64_t
offenders_applied (const struct cab_arena *arena)
{
  uint64_t capacity = state_of (arena) ? cab_space_capacity (arena, state_of (arena)->rows) : 0,
	   sum = 0;
  for (uint64_t i = 0; i < capacity; i++)
    {
      struct row row = read_row (arena, i);
      sum += row.key ? cab_tally_rows (&row.tally) : 0;
    }
  return sum;
}

static uint64_t
offenders_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

/* Return true if an allocation may change the word at OFFSET, one of a row. */
static bool
is_row (const struct cab_arena *arena, uint64_t offset)
{
  return cab_space_has (arena, state_of (arena)->rows, sizeof (struct row), offset);
}

/* Return true if a step of the caches may change the word at OFFSET. */
static bool
changes (const struct cab_arena *arena, uint64_t offset)
{
  return is_row (arena, offset) || cab_simulate_is_begun (CACHES, offset);
}

/* Return true if the tables overlap neither each other nor the state itself. */
static bool
apart (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  const struct cab_state_table tables[] = { { state->rows, sizeof (struct row) },
					    { state->undo.log, sizeof (struct cab_undo_entry) },
					    { state->blocks.nodes, sizeof (struct cab_live_block) },
					    { state->caches.caches.tags, 8 },
					    { state->caches.caches.journal, 8 },
					    { state->caches.caches.recent, 8 } };
  return cab_state_apart (arena, tables, 6, sizeof *state);
}

static int
offenders_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_hash_ok (arena, state->rows, state->n_rows, sizeof (struct row)))
    return cab_state_refuse (diag, NAME,
			     "the table of rows leaves the arena, or has an impossible size");
  if (!cab_undo_ok (arena, UNDO) || !cab_blocks_ok (arena, BLOCKS))
    return cab_state_refuse (diag, NAME, "the map of blocks leaves the arena");
  const struct cab_live_caches *caches = &state->caches.caches;
  if (!cab_space_table_ok (arena, caches->tags, 8)
      || !cab_space_table_ok (arena, caches->journal, 8)
      || !cab_space_table_ok (arena, caches->recent, 8) || !apart (arena))
    return cab_state_refuse (diag, NAME, "its tables overlap");
  if (!cab_blocks_may_undo (arena, &state->undo, BLOCKS, is_row))
    return cab_state_refuse (diag, NAME, "its log of changes is of another state");
  if (!cab_simulate_ok (arena, CACHES, changes))
    return cab_state_refuse (diag, NAME, "its caches are impossible");
  return 0;
}

/* Return KEY in the terms of MAP; 0 if it is not known there. */
static uint64_t
mapped (uint64_t key, const struct cab_idmap *map)
{
  uint32_t number = key - 1, node = (key - 1) >> 32;
  if (!map)
    return key;
  uint32_t new = cab_space_mapped (map->access, map->n_access, number);
  return number && !new ? 0 : key_of (new, cab_space_mapped (map->node, map->n_node, node));
}

static int
offenders_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
		 struct cab_diag *diag)
{
  struct feeding f;
  if (!state_of (into) && offenders_open (into, "", diag) < 0)
    return -1;
  cab_undo_settle (into, UNDO);
  begin (&f, into);   /* takes back what was cut off */
  if (state_of (from) && (offenders_applied (from) || offenders_lost (from)))
    cab_simulate_merge (&state_of (into)->caches, &state_of (from)->caches,
			!offenders_applied (into) && !offenders_lost (into));
  state_of (into)->lost += offenders_lost (from);
  for (uint64_t i = 0; state_of (from) && i < cab_space_capacity (from, state_of (from)->rows); i++)
    {
      struct row old = read_row (from, i);
      uint64_t key = old.key ? mapped (old.key, map) : 0,
	       block = old.block ? mapped (old.block, map) : 0;
      struct row *row = key && (block || !old.block) ? row_of (into, key, block) : NULL;
      if (!row)
	state_of (into)->lost += old.key ? cab_tally_rows (&old.tally) : 0;
      for (size_t k = offsetof (struct row, tally) / 8; row && k < sizeof old / 8; k++)
	((uint64_t *) row)[k] += ((const uint64_t *) &old)[k];
    }
  return 0;
}

const struct cab_analysis cab_offenders = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "which accesses miss in which cache, by calling context and by allocation",
  .kinds = 1u << CAB_EV_ACCESS,
  .wants = CAB_WANTS_NODE | CAB_KEEPS_NODES,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .options = cab_cache_options,
  .open = offenders_open,
  .feed = offenders_feed,
  .applied = offenders_applied,
  .lost = offenders_lost,
  .check = offenders_check,
  .merge = offenders_merge,
  .begin_thread = offenders_begin_thread,
  .carry = offenders_carry,
  .settle = cab_cache_settle
};
