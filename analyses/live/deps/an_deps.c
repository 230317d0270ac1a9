/* an_deps.c - find dependences through memory, within and between iterations of loops.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      For each access and each byte of it: of a read, the last write (RAW); of a write, the
 *             last write (WAW), and the last reads since then (WAR), one for each position among
 *             the loops.  Memory that is allocated or released depends on nothing; memory that
 *             realloc moves is read and written by it.  Bytes that an access depends on in the same
 *             way count once for each line of 64 bytes.
 * Threads:    each thread by itself.  Each page of memory is independent of all others, so several
 *             states may have the pages of a thread among them (struct cab_batch).
 *
 * State:      deps_state.h.  A line of an event is one change, all or nothing (undo.h); `part' says
 *             how many lines of an event of several are done.  `applied' is the sum of the accesses
 *             of all nodes, of the rows of loops, and of allocations, less what is done of a
 *             stretch that is not over.
 */
#include "analyses/live/choice.h"
#include "analyses/live/deps/deps_access.h"
#include "analyses/live/deps/deps_loops.h"
#include "analyses/live/deps/deps_merge.h"
#include "analyses/live/deps/deps_sources.h"
#include "analyses/live/deps/deps_stretch.h"

#define NAME "deps"
#define MEMORY (UINT64_C (1) << 30)

static int
deps_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  uint64_t memory = MEMORY;
  if (!cab_choice_number (arguments, "memory", UINT64_C (1) << 16, UINT64_C (1) << 40, &memory))
    return cab_state_refuse (diag, NAME, "memory= is in bytes, from 65536 to 1099511627776");
  if (cab_space_reserve (arena, sizeof (struct cab_deps_state)) < 0)
    return cab_state_refuse (diag, NAME, "no memory for its state: free some");
  struct cab_deps_state *s = (struct cab_deps_state *) arena->base;
  memset (s, 0, sizeof *s);
  s->most_slots = memory / sizeof (struct cab_deps_slot);
  s->most_slots = s->most_slots < CAB_DEPS_SLOT_MASK ? s->most_slots : CAB_DEPS_SLOT_MASK;
  s->time = 1;
  arena->used = sizeof *s;
  if (arena->publish)
    arena->publish (arena);
  cab_space_order ();
  *(volatile uint32_t *) &s->magic = CAB_DEPS_MAGIC;
  cab_space_order ();
  return 0;
}

/* Count an event as lost, and forget that some of it was done.  Without a log nothing was. */
static void
lose (struct cab_arena *arena)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  if (!s->part && !s->stretch)
    {
      cab_space_count (&s->lost);
      return;
    }
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  cab_undo_put (&change, CAB_DEPS_AT (part), 0);
  cab_deps_count_events (&change, CAB_DEPS_AT (lost), 1);
  if (cab_undo_end (&change) == 0)
    return;
  s = cab_deps_state_of (arena);   /* there is no room even for the log */
  s->part = 0;
  s->done += s->stretch != 0;
  cab_space_count (&s->lost);
}

/* Make what a damaged state may say harmless. */
static void
tame (struct cab_deps_state *s)
{
  if (s->depth > CAB_DEPS_DEEPEST)
    s->depth = 0;
}

static bool
apply (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i)
{
  unsigned form = batch->form[i];
  if (form & CAB_ROW_LOOP)
    return cab_deps_mark (arena, form, batch->site[i]);
  if (form & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
    return cab_deps_apply_allocation (arena, batch, i);
  return cab_deps_apply_access (arena, form, batch->site[i], batch->address[i], batch->bytes[i]);
}

/* Apply iteration NUMBER of STRETCH row by row, after its first DONE rows. */
static void
apply_iteration (struct cab_arena *arena, const struct cab_deps_stretch *stretch, uint64_t number,
		 uint32_t done)
{
  const struct cab_batch *b = stretch->batch;
  if (!done && !cab_deps_mark (arena, CAB_ROW_ITERATES, stretch->loop))
    lose (arena);
  for (uint32_t i = stretch->first + (done ? done - 1 : 0); i < stretch->first + stretch->n; i++)
    if (!cab_deps_apply_access (arena, b->form[i], b->site[i],
				b->address[i] + number * b->step[i], b->bytes[i]))
      lose (arena);
}

#define FEW 4   /* iterations: fewer are applied row by row */

/* Apply the stretch that begins with row FIRST of BATCH, as much as has not been done.  Return its
   last row. */
static uint32_t
apply_stretch (struct cab_arena *arena, const struct cab_batch *batch, uint32_t first)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  struct cab_deps_stretch stretch = { batch, first + 1, 0, batch->site[first] };
  uint64_t times = batch->times[first], number, done, each, wait = 0;
  while (first + 1 + stretch.n < batch->n && batch->times[first + 1 + stretch.n]
	 && !(batch->form[first + 1 + stretch.n] & CAB_ROW_LOOP))
    stretch.n++;
  each = stretch.n + 1;
  if (s->stretch != times * each)
    s->done = 0;
  cab_space_order ();
  s->stretch = times * each;
  number = s->done / each;
  done = s->done % each;
  for (uint64_t n; number < times; number += n)
    {
      n = done || wait ? 0 : times - number;
      n = n < FEW ? 0 : cab_deps_apply_stretch (arena, &stretch, number, n);
      if (n)
	continue;
      wait = wait ? wait - 1 : times - number < 64 ? times - number : 64;
      apply_iteration (arena, &stretch, number, done);
      done = 0;
      n = 1;
    }
  s = cab_deps_state_of (arena);
  s->stretch = 0;
  cab_space_order ();
  s->done = 0;
  return first + stretch.n;
}

static void
deps_feed (struct cab_arena *arena, const struct cab_batch *batch,
	   const struct cab_functions *functions)
{
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS
      || (!cab_deps_state_of (arena) && deps_open (arena, "", NULL) < 0))
    return;
  cab_undo_settle (arena, CAB_DEPS_UNDO);
  tame (cab_deps_state_of (arena));
  cab_deps_state_of (arena)->share = batch->part;
  cab_deps_state_of (arena)->n_shares = batch->n_parts;
  bool good = cab_deps_root (arena);
  for (uint32_t i = 0; i < batch->n; i++)
    if (good && batch->times && batch->times[i])
      i = apply_stretch (arena, batch, i);
    else if (!good || !apply (arena, batch, i))
      lose (arena);
}

static uint64_t
deps_applied (const struct cab_arena *arena)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  struct cab_deps_place place;
  uint64_t sum = s ? s->marks + s->others : 0;
  for (uint64_t cursor = 0; cab_deps_next_place (arena, &cursor, &place);)
    sum += place.accesses;
  return s ? sum - s->done : sum;
}

static uint64_t
deps_lost (const struct cab_arena *arena)
{
  return cab_deps_state_of (arena) ? cab_deps_state_of (arena)->lost : 0;
}

static void
deps_resume (struct cab_arena *arena)
{
  if (cab_deps_state_of (arena))
    cab_undo_settle (arena, CAB_DEPS_UNDO);
}

/* Forget the change that was under way while the state was copied. */
static void
deps_let_go (struct cab_arena *arena)
{
  if (cab_deps_state_of (arena))
    cab_deps_state_of (arena)->undo.n = 0;
}

static void
deps_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  struct cab_deps_state *s = cab_deps_state_of (arena);
  if (!s)
    return;
  cab_undo_settle (arena, CAB_DEPS_UNDO);
  cab_blocks_empty (arena, CAB_DEPS_BLOCKS);
  s->depth = s->stretch = s->done = 0;
  cab_deps_forget (arena);
}

/* Return true if the word at OFFSET lies in the elements of one of SEGMENTS. */
static bool
in_segments (const struct cab_arena *arena, const struct cab_segments *segments, size_t element,
	     uint64_t offset)
{
  bool found = false;
  for (unsigned k = 0; k < CAB_SEGMENTS; k++)
    found |= cab_space_has (arena, segments->segment[k], element, offset);
  return found;
}

/* Return true if the word at OFFSET is one that changes alter. */
static bool
may_change (const struct cab_arena *arena, uint64_t offset)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  return offset == CAB_DEPS_AT (lost)
      || (offset >= CAB_DEPS_AT (time) && offset < sizeof *s)
      || cab_space_has (arena, s->rows, sizeof (struct cab_deps_entry), offset)
      || cab_space_has (arena, s->nodes, sizeof (struct cab_deps_node), offset)
      || in_segments (arena, &s->pages, sizeof (struct cab_deps_page), offset)
      || in_segments (arena, &s->formulas, sizeof (struct cab_deps_formula), offset)
      || in_segments (arena, &s->slots, sizeof (struct cab_deps_slot), offset)
      || in_segments (arena, &s->cells, sizeof (struct cab_deps_cell), offset);
}

#define TABLES (4 * CAB_SEGMENTS + 6)

/* Return true if no tables of the state overlap. */
static bool
apart (const struct cab_arena *arena)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  const struct cab_state_segments segments[]
    = { { &s->pages, sizeof (struct cab_deps_page) },
	{ &s->slots, sizeof (struct cab_deps_slot) },
	{ &s->cells, sizeof (struct cab_deps_cell) },
	{ &s->formulas, sizeof (struct cab_deps_formula) } };
  struct cab_state_table all[TABLES] = { { s->rows, sizeof (struct cab_deps_entry) },
					 { s->nodes, sizeof (struct cab_deps_node) },
					 { s->index, sizeof (uint32_t) },
					 { s->homes, sizeof (struct cab_deps_home) },
					 { s->undo.log, sizeof (struct cab_undo_entry) },
					 { s->blocks.nodes, sizeof (struct cab_live_block) } };
  int n = 6;
  for (int i = 0; i < 4; i++)
    for (unsigned k = 0; k < CAB_SEGMENTS; k++)
      all[n++] = (struct cab_state_table) { segments[i].segments->segment[k], segments[i].element };
  return cab_state_segments_ok (arena, segments, 4, sizeof *s)
      && cab_state_apart (arena, all, n, sizeof *s);
}

/* Return true if each node's parent is before it. */
static bool
nodes_ok (const struct cab_arena *arena)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  if (!cab_space_table_ok (arena, s->nodes, sizeof (struct cab_deps_node))
      || s->n_nodes > cab_space_capacity (arena, s->nodes) || s->n_nodes > CAB_DEPS_NODE_MOST + 1)
    return false;
  const struct cab_deps_node *node = cab_space_elements (arena, s->nodes);
  for (uint64_t i = 1; i < s->n_nodes; i++)
    if (node[i].key >> 32 >= i)
      return false;
  return true;
}

static int
deps_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  if (!s)
    return cab_state_is (arena, sizeof *s, 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_hash_ok (arena, s->rows, s->n_rows, sizeof (struct cab_deps_entry))
      || !cab_space_hash_ok (arena, s->homes, s->n_homes, sizeof (struct cab_deps_home))
      || !cab_space_hash_ok (arena, s->index, s->n_nodes, sizeof (uint32_t)) || !nodes_ok (arena))
    return cab_state_refuse (diag, NAME, "a table leaves the arena, or has an impossible size");
  if (!cab_undo_ok (arena, CAB_DEPS_UNDO) || !cab_blocks_ok (arena, CAB_DEPS_BLOCKS))
    return cab_state_refuse (diag, NAME, "the map of blocks leaves the arena");
  if (!apart (arena))
    return cab_state_refuse (diag, NAME, "its tables overlap");
  return cab_blocks_may_undo (arena, &s->undo, CAB_DEPS_BLOCKS, may_change)
	 ? 0
	 : cab_state_refuse (diag, NAME, "its log of changes is of another state");
}

bool
cab_deps_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_deps_row *row)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  const struct cab_deps_entry *rows = s ? cab_space_elements (arena, s->rows) : NULL;
  while (s && *cursor < cab_space_capacity (arena, s->rows))
    {
      const struct cab_deps_entry *entry = &rows[(*cursor)++];
      if (!entry->sites || !entry->count)
	continue;
      cab_deps_unpack (entry->sites, entry->place, row);
      row->count = entry->count;
      if (row->node < s->n_nodes && row->from_node < s->n_nodes)
	return true;
    }
  return false;
}

bool
cab_deps_next_place (const struct cab_arena *arena, uint64_t *cursor, struct cab_deps_place *place)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  if (!s || *cursor >= s->n_nodes)
    return false;
  const struct cab_deps_node *node
    = (const struct cab_deps_node *) cab_space_elements (arena, s->nodes) + *cursor;
  *place = (struct cab_deps_place) { .node = *cursor,
				     .parent = node->key >> 32,
				     .loop = node->key,
				     .executions = node->executions,
				     .iterations = node->iterations,
				     .accesses = node->accesses };
  ++*cursor;
  return true;
}

uint64_t
cab_deps_too_deep (const struct cab_arena *arena)
{
  return cab_deps_state_of (arena) ? cab_deps_state_of (arena)->deep : 0;
}

uint64_t
cab_deps_cut (const struct cab_arena *arena)
{
  return cab_deps_state_of (arena) ? cab_deps_state_of (arena)->n_cut : 0;
}

static int
deps_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	    struct cab_diag *diag)
{
  if (!cab_deps_state_of (into) && deps_open (into, "", diag) < 0)
    return -1;
  cab_undo_settle (into, CAB_DEPS_UNDO);
  cab_deps_add (into, from, map);
  return 0;
}

static const struct cab_option options[] = {
  { "memory", "BYTES", "limit of what is known of memory, which takes 3 to 24 times its size" },
  { NULL, NULL, NULL }
};

const struct cab_analysis cab_deps = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "dependences through memory within and between iterations of loops",
  .kinds = 1u << CAB_EV_ACCESS,
  .wants = CAB_WANTS_LOOPS | CAB_WANTS_STRETCHES,
  .shard = CAB_SHARD_KEY,
  .arena_bytes = 1u << 20,
  .options = options,
  .open = deps_open,
  .feed = deps_feed,
  .applied = deps_applied,
  .lost = deps_lost,
  .check = deps_check,
  .merge = deps_merge,
  .resume = deps_resume,
  .let_go = deps_let_go,
  .begin_thread = deps_begin_thread,
  .key = CAB_KEY_ADDRESS
};
