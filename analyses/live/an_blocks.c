/* an_blocks.c - count which allocations made how many blocks, in which calling context, and how
 * often these were read and written, from events of accesses and allocations.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A block begins with an ALLOCATED or MOVED event and ends with the RELEASED or MOVED
 *             event of its address, in the order of the thread's events.  One that begins where
 *             another one lives ends that one (it was released by code without probes), unless it
 *             lies within it: then the outer one lives on, and has what the inner one has not.
 *             Blocks within a block end when it is released.  An access counts for the block that
 *             its first byte is in, by the origin of that block: the site that allocated it, and
 *             the calling context in which this happened.  Address 0: nothing was allocated, or
 *             null was released.  MOVED to 0: with bytes 0 the old block is gone, else it stays.
 * Threads:    Each state has a map of its own, and does not know blocks that threads of another
 *             state allocated.  What its threads do there is recorded by place (foreign_access.h),
 *             as is where they allocate; when states are merged, blocks_join.h finds whose blocks
 *             these were.
 * Regions:    A state has the events of one set of regions, and the blocks that live meanwhile,
 *             whoever made them (`carry').  So an access counts for the allocation of its block,
 *             and what is live includes what was allocated before the region began.
 *
 * State:      a hash table of rows by origin; the table of foreign accesses; and the map of live
 *             blocks, whose `site' is the origin.  Origin 0 is "no block", for accesses that had no
 *             room in the table of foreign accesses.  An allocation changes several words, all or
 *             none (undo.h); an access changes one.
 */
#include "analyses/live/blocks.h"
#include "analyses/live/an_blocks.h"
#include "analyses/live/foreign_access.h"

#define NAME "blocks"
#define MAGIC 0x626c6b64u
#define LEAST 64

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t rows;      /* table of struct cab_blocks_row; capacity: a power of two */
  uint64_t n_rows;    /* rows in use, or a few more; the table is doubled before more than half of
			 it is in use */
  struct cab_undo undo;
  struct cab_blocks blocks;
  struct cab_foreign foreign;
};

#define UNDO offsetof (struct state, undo)
#define BLOCKS offsetof (struct state, blocks)
#define FOREIGN offsetof (struct state, foreign)

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
blocks_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

/* Return an allocation and its context as one number; 0 for functions without a record. */
static uint64_t
origin_of (uint32_t site, uint32_t node)
{
  return site ? (uint64_t) node << 32 | site : 0;
}

/* Return the origin of the allocation of ORIGIN in all its contexts, which is that of node 0. */
static uint64_t
alone (uint64_t origin)
{
  return (uint32_t) origin;
}

/* Return the row of ORIGIN in TABLE, or the free one where it belongs; null if the table is
   full. */
static struct cab_blocks_row *
probe (const struct cab_arena *arena, uint64_t table, uint64_t origin)
{
  struct cab_blocks_row *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table),
	   i = cab_space_hash (origin, origin >> 32, 3);
  for (uint64_t n = 0; n < capacity; n++, i++)
    if (!rows[i & (capacity - 1)].key || rows[i & (capacity - 1)].key == origin + 1)
      return &rows[i & (capacity - 1)];
  return NULL;
}

/* Return the sums of ORIGIN, or null if it has no row. */
static struct cab_blocks_sums *
sums (const struct cab_arena *arena, uint64_t origin)
{
  struct cab_blocks_row *row = probe (arena, state_of (arena)->rows, origin);
  return row && row->key ? &row->sums : NULL;
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST,
				    sizeof (struct cab_blocks_row));
  if (!table)
    return false;
  const struct cab_blocks_row *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].key)
      *probe (arena, table, rows[i].key - 1) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return true;
}

/* Make the row of ORIGIN, if need be.  Return false if there is no room.  The row exists once its
   key is stored.  May move the arena. */
static bool
make_row (struct cab_arena *arena, uint64_t origin)
{
  if (sums (arena, origin))
    return true;
  if (state_of (arena)->n_rows >= cab_space_capacity (arena, state_of (arena)->rows) / 2
      && !double_rows (arena))
    return false;
  struct cab_blocks_row *row = probe (arena, state_of (arena)->rows, origin);
  if (!row)
    return false;
  state_of (arena)->n_rows++;
  cab_space_order ();
  row->key = origin + 1;
  cab_space_order ();
  return true;
}

/* The offset in the arena of FIELD of the sums of ORIGIN, as cab_undo_put takes it. */
#define SUM(origin, field) \
  (sum_offset (c->arena, origin) + offsetof (struct cab_blocks_sums, field))

/* Return the offset in the arena of the sums of ORIGIN, or one that cab_undo_put refuses if it has
   no row. */
static uint64_t
sum_offset (const struct cab_arena *arena, uint64_t origin)
{
  const struct cab_blocks_sums *row = sums (arena, origin);
  return row ? (uint64_t) ((const unsigned char *) row - arena->base)
	     : UINT64_MAX - 7 - sizeof *row;
}

/* Add N, within C, to the word at OFFSET. */
static void
add (struct cab_change *c, uint64_t offset, uint64_t n)
{
  cab_undo_put (c, offset, cab_undo_get (c, offset) + n);
}

/* Subtract the bytes of BLOCK, which has ended, from those that are live.  A block without bytes
   need not have a row (blocks_carry). */
static void
end_block (struct cab_change *c, const struct cab_live_block *block)
{
  if (!block->bytes)
    return;
  add (c, SUM (block->site, live), -block->bytes);
  add (c, SUM (alone (block->site), all_live), -block->bytes);
}

/* Add BYTES to the word at the offset LIVE, and raise the one at PEAK to the sum of it and the one
   at BEFORE. */
static void
raise (struct cab_change *c, uint64_t live, uint64_t before, uint64_t peak, uint64_t bytes)
{
  add (c, live, bytes);
  uint64_t now = cab_undo_get (c, before) + cab_undo_get (c, live);
  if (now > cab_undo_get (c, peak))
    cab_undo_put (c, peak, now);
}

/* Release what begins at START on behalf of the thread WHO: a block of its own, or another
   thread's. */
static void
release (struct cab_change *c, uint64_t start, uint64_t who)
{
  struct cab_live_block block;
  if (!cab_blocks_remove (c, BLOCKS, start, &block))
    {
      uint64_t row = cab_foreign_find (c->arena, FOREIGN, start, who, 0);
      if (row)
	add (c, row + offsetof (struct cab_foreign_access, releases), 1);
      return;
    }
  end_block (c, &block);
  add (c, SUM (block.site, released), 1);
  cab_blocks_clear (c, BLOCKS, start, block.end, true, end_block);
}

/* Add a block of ORIGIN that the thread WHO made, and record where it is. */
static void
allocate (struct cab_change *c, uint64_t start, uint64_t bytes, uint64_t origin, uint64_t who)
{
  uint64_t home = cab_foreign_find (c->arena, FOREIGN, start, who, origin + 1),
	   end = home + offsetof (struct cab_foreign_access, end);
  if (home && cab_undo_get (c, end) < cab_block_end (start, bytes))
    cab_undo_put (c, end, cab_block_end (start, bytes));
  cab_blocks_clear (c, BLOCKS, start, cab_block_end (start, bytes), false, end_block);
  cab_blocks_add (c, BLOCKS, start, bytes, origin);
  add (c, SUM (origin, blocks), 1);
  add (c, SUM (origin, bytes), bytes);
  uint64_t all = alone (origin);
  raise (c, SUM (origin, live), SUM (origin, before), SUM (origin, peak), bytes);
  raise (c, SUM (all, all_live), SUM (all, all_before), SUM (all, all_peak), bytes);
}

/* Make the row of the block that begins at START, which may have none (blocks_carry).  Return false
   if there is no room. */
static bool
make_row_at (struct cab_arena *arena, uint64_t start)
{
  uint64_t origin = start ? cab_blocks_find (arena, BLOCKS, start).site : 0;
  return !origin || make_row (arena, origin);
}

/* Apply row I of BATCH, which is an allocation, a release, or both.  Return false if there is no
   room; then nothing has been counted. */
static bool
apply_allocation (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i)
{
  uint64_t origin = origin_of (batch->site[i], batch->node ? batch->node[i] : 0),
	   address = batch->address[i], bytes = batch->bytes[i];
  bool moved = batch->form[i] == CAB_ROW_MOVED, released = batch->form[i] == CAB_ROW_RELEASED;
  uint64_t who = cab_foreign_who (batch->thread, 0), old = released ? address
							  : moved ? batch->other[i]
							  : 0;
  if (!make_row (arena, origin) || !make_row (arena, alone (origin)) || !make_row (arena, 0)
      || !make_row_at (arena, old)
      || (!released && !cab_blocks_reserve (arena, BLOCKS)))
    return false;
  if (old)
    cab_foreign_row (arena, FOREIGN, old, who, 0);
  if (!released && address)
    cab_foreign_row (arena, FOREIGN, address, who, origin + 1);
  struct cab_change change = cab_undo_begin (arena, UNDO);
  struct cab_change *c = &change;
  add (c, SUM (origin, events), 1);
  if (released && address)
    release (c, address, who);
  if (moved && batch->other[i] && (address || !bytes))
    release (c, batch->other[i], who);
  if (!released && address)
    allocate (c, address, bytes, origin, who);
  return cab_undo_end (c) == 0;
}

/* Return the counter of access I to a block of ORIGIN, or to no block if that is 0; null if there
   is no room. */
static uint64_t *
counter (struct cab_arena *arena, uint64_t origin, const struct cab_batch *batch, uint32_t i)
{
  if (!make_row (arena, origin))
    return NULL;
  uint64_t who = cab_foreign_who (batch->thread, 0);
  struct cab_foreign_access *foreign = origin
				  ? NULL
				  : cab_foreign_row (arena, FOREIGN, batch->address[i], who, 0);
  bool read = batch->form[i] & CAB_ROW_READ, write = batch->form[i] & CAB_ROW_WRITE;
  if (foreign)
    return read && write ? &foreign->updates : write ? &foreign->writes : &foreign->reads;
  struct cab_blocks_sums *row = sums (arena, origin);
  return read && write ? &row->updates : write ? &row->writes : &row->reads;
}

static void
blocks_feed (struct cab_arena *arena, const struct cab_batch *batch,
	     const struct cab_functions *functions)
{
  struct cab_blocks_range range = { 1, 0, 0 };
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && blocks_open (arena, "", NULL) < 0))
    return;
  cab_undo_settle (arena, UNDO);
  for (uint32_t i = 0; i < batch->n; i++)
    if (batch->form[i] & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
      {
	range = (struct cab_blocks_range) { 1, 0, 0 };
	if (!apply_allocation (arena, batch, i))
	  cab_space_count (&state_of (arena)->lost);
      }
    else
      {
	uint64_t address = batch->address[i];
	if (address < range.low || address >= range.high)
	  range = cab_blocks_find (arena, BLOCKS, address);
	uint64_t *count = counter (arena, range.site, batch, i);
	cab_space_count (count ? count : &state_of (arena)->lost);
      }
}

/* Forget the blocks that the previous thread has not released: they are none of THREAD's.  They go
   on counting as live. */
static void
blocks_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena))
    return;
  cab_undo_settle (arena, UNDO);
  cab_blocks_empty (arena, BLOCKS);
}

/* Let LIVE bytes of ROW's allocation and context, and ALL in all its contexts, be live from now
   on. */
static void
put_live (struct cab_blocks_sums *row, uint64_t live, uint64_t all)
{
  row->before = live - row->live;
  row->all_before = all - row->all_live;
  row->peak = live > row->peak ? live : row->peak;
  row->all_peak = all > row->all_peak ? all : row->all_peak;
}

/* Origins of which bytes are live get rows, so that these can be subtracted when blocks end. */
static void
blocks_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  const struct state *other = state_of (from);
  (void) thread;
  if (!state_of (arena) || !other)
    return;
  cab_undo_settle (arena, UNDO);
  cab_blocks_carry (arena, from, BLOCKS);
  struct cab_blocks_row *row = cab_space_elements (arena, state_of (arena)->rows);
  for (uint64_t n = cab_space_capacity (arena, state_of (arena)->rows); n-- > 0; row++)
    if (row->key)
      put_live (&row->sums, 0, 0);
  row = cab_space_elements (from, other->rows);
  for (uint64_t n = cab_space_capacity (from, other->rows); n-- > 0; row++)
    {
      uint64_t live = row->sums.before + row->sums.live,
	       all = row->sums.all_before + row->sums.all_live;
      if (row->key && (live || all) && make_row (arena, row->key - 1))
	put_live (sums (arena, row->key - 1), live, all);
    }
}

/* Return how many events ROW has counted. */
static uint64_t
events_of (const struct cab_blocks_sums *row)
{
  return row->events + row->reads + row->writes + row->updates;
}

bool
cab_blocks_foreign (const struct cab_arena *arena, uint64_t *cursor, struct cab_foreign_access *row)
{
  uint64_t at = state_of (arena) ? cab_foreign_next (arena, FOREIGN, cursor, row) : 0;
  if (at)
    cab_undo_overlay (arena, UNDO, at, (uint64_t *) row, sizeof *row / 8);
  return at;
}

/* Add the accesses of foreign accesses to SUMS, which are those of no block: whose blocks they were
   is not asked here. */
static void
add_foreign (const struct cab_arena *arena, struct cab_blocks_sums *sums)
{
  struct cab_foreign_access s;
  for (uint64_t cursor = 0; cab_blocks_foreign (arena, &cursor, &s);)
    {
      sums->reads += s.reads;
      sums->writes += s.writes;
      sums->updates += s.updates;
    }
}

/* Store to ROW the next row after *CURSOR, without accesses of foreign accesses.  Return false at
   the end. */
static bool
next_row (const struct cab_arena *arena, uint64_t *cursor, struct cab_blocks_row *row)
{
  const struct state *state = state_of (arena);
  uint64_t capacity = state ? cab_space_capacity (arena, state->rows) : 0;
  while (*cursor < capacity)
    {
      const struct cab_blocks_row *found = (const struct cab_blocks_row *) cab_space_elements (
					     arena, state->rows)
					 + (*cursor)++;
      if (!found->key)
	continue;
      *row = *found;
      cab_undo_overlay (arena, UNDO, (const unsigned char *) found - arena->base, (uint64_t *) row,
			sizeof *row / 8);
      return true;
    }
  return false;
}

bool
cab_blocks_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_blocks_row *row)
{
  if (!next_row (arena, cursor, row))
    return false;
  if (row->key == 1)
    add_foreign (arena, &row->sums);
  return true;
}

static uint64_t
blocks_applied (const struct cab_arena *arena)
{
  struct cab_blocks_row row;
  uint64_t sum = 0;
  for (uint64_t cursor = 0; cab_blocks_next (arena, &cursor, &row);)
    sum += events_of (&row.sums);
  return sum;
}

static uint64_t
blocks_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

/* Return true if the word at OFFSET is one of a row or of a foreign access, which a change may
   alter. */
static bool
is_row (const struct cab_arena *arena, uint64_t offset)
{
  const struct state *state = state_of (arena);
  return cab_space_has (arena, state->rows, sizeof (struct cab_blocks_row), offset)
	 || cab_space_has (arena, state->foreign.rows, sizeof (struct cab_foreign_access), offset);
}

/* Return true if the tables overlap neither each other nor the state itself. */
static bool
apart (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  const struct cab_state_table tables[] = { { state->rows, sizeof (struct cab_blocks_row) },
					    { state->undo.log, sizeof (struct cab_undo_entry) },
					    { state->blocks.nodes, sizeof (struct cab_live_block) },
					    { state->foreign.rows,
					      sizeof (struct cab_foreign_access) } };
  return cab_state_apart (arena, tables, 4, sizeof *state);
}

static int
blocks_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_hash_ok (arena, state->rows, state->n_rows, sizeof (struct cab_blocks_row)))
    return cab_state_refuse (diag, NAME,
			     "the table of rows leaves the arena, or has an impossible size");
  if (!cab_undo_ok (arena, UNDO) || !cab_blocks_ok (arena, BLOCKS))
    return cab_state_refuse (diag, NAME, "the map of blocks leaves the arena");
  if (!cab_foreign_ok (arena, FOREIGN))
    return cab_state_refuse (diag, NAME,
			     "the table of foreign accesses leaves the arena, or is too large");
  if (!apart (arena))
    return cab_state_refuse (diag, NAME, "its tables overlap");
  if (!cab_blocks_may_undo (arena, &state->undo, BLOCKS, is_row))
    return cab_state_refuse (diag, NAME, "its log of changes is of another state");
  return 0;
}

static uint64_t
greater (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* Add FROM to TO.  The sum of two peaks is only an upper bound of the peak; if IN_TURN, what was
   live in the one was not live beside what was live in the other. */
static void
add_sums (struct cab_blocks_sums *to, const struct cab_blocks_sums *from, bool in_turn)
{
  struct cab_blocks_sums old = *to;
  for (size_t i = 0; i < sizeof *to / sizeof (uint64_t); i++)
    ((uint64_t *) to)[i] += ((const uint64_t *) from)[i];
  to->before = old.before;
  to->all_before = old.all_before;
  if (!in_turn)
    return;
  to->peak = greater (old.peak, from->peak);
  to->all_peak = greater (old.all_peak, from->all_peak);
}

/* Return ORIGIN with its numbers mapped by MAP, which may be null; 0 if it is not in MAP. */
static uint64_t
mapped (uint64_t origin, const struct cab_idmap *map)
{
  return !map ? origin
	      : origin_of (cab_space_mapped (map->access, map->n_access, origin),
			   cab_space_mapped (map->node, map->n_node, origin >> 32));
}

/* Merge the row S of foreign accesses into INTO, where MAP's process has done it.  Accesses of a
   row that finds no room count for no block.  Where even the row of "no block" has no room, they
   are lost: without it nothing of foreign accesses would be counted. */
static void
merge_foreign (struct cab_arena *into, const struct cab_foreign_access *s,
	       const struct cab_idmap *map)
{
  uint64_t site = s->site ? mapped (s->site - 1, map) + 1 : 0;
  uint64_t who = s->who >> 32 || !map ? s->who : s->who | (map->process + UINT64_C (1)) << 32;
  bool has_outside = make_row (into, 0);
  struct cab_foreign_access *to = has_outside ? cab_foreign_row (into, FOREIGN, s->address, who,
  site)
					: NULL;
  struct cab_blocks_sums *outside = has_outside ? sums (into, 0) : NULL;
  if (to)
    {
      to->end = s->end > to->end ? s->end : to->end;
      to->releases += s->releases;
    }
  *(to ? &to->reads : outside ? &outside->reads : &state_of (into)->lost) += s->reads;
  *(to ? &to->writes : outside ? &outside->writes : &state_of (into)->lost) += s->writes;
  *(to ? &to->updates : outside ? &outside->updates : &state_of (into)->lost) += s->updates;
}

static void
merge_all_foreign (struct cab_arena *into, const struct cab_arena *from,
		   const struct cab_idmap *map)
{
  struct cab_foreign_access s;
  for (uint64_t cursor = 0; cab_blocks_foreign (from, &cursor, &s);)
    merge_foreign (into, &s, map);
}

void
cab_blocks_merge_homes (struct cab_arena *into, const struct cab_arena *from,
			const struct cab_idmap *map)
{
  struct cab_foreign_access s;
  for (uint64_t cursor = 0; state_of (into) && cab_blocks_foreign (from, &cursor, &s);)
    if (s.site)
      merge_foreign (into, &s, map);
}

static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       bool in_turn, struct cab_diag *diag)
{
  struct cab_blocks_row row;
  if (!state_of (into) && blocks_open (into, "", diag) < 0)
    return -1;
  cab_undo_settle (into, UNDO);
  merge_all_foreign (into, from, map);
  for (uint64_t cursor = 0; next_row (from, &cursor, &row);)
    {
      uint64_t old = row.key - 1, origin = mapped (old, map);
      if ((old && !origin) || !make_row (into, origin))
	state_of (into)->lost += events_of (&row.sums);
      else
	add_sums (sums (into, origin), &row.sums, in_turn);
    }
  state_of (into)->lost += blocks_lost (from);
  return 0;
}

static int
blocks_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	      struct cab_diag *diag)
{
  return merge (into, from, map, false, diag);
}

int
cab_blocks_unite (struct cab_arena *into, const struct cab_arena *from, struct cab_diag *diag)
{
  return merge (into, from, NULL, true, diag);
}

const struct cab_analysis cab_blocks = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "which allocations made how many blocks, in which calling context, and how often "
	     "these were read and written",
  .kinds = 1u << CAB_EV_ACCESS,
  .wants = CAB_WANTS_NODE | CAB_KEEPS_NODES,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = blocks_open,
  .feed = blocks_feed,
  .applied = blocks_applied,
  .lost = blocks_lost,
  .check = blocks_check,
  .merge = blocks_merge,
  .begin_thread = blocks_begin_thread,
  .carry = blocks_carry
};
