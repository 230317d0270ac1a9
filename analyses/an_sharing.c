/* an_sharing.c - which threads read and write which bytes of which lines of memory?  From events of accesses and allocations.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a row is what one thread did to one line of 64 bytes, in memory that it had allocated itself and not yet released ("own"), and in any
 *             other: two rows.  Two threads' own memory is never the same at the same time, so own bytes that two threads have in common were
 *             released in between.  An access that ends in another line than it begins counts in the one where it ends.
 * Threads:    each state has the rows of its ring's threads; merged, those of all threads of a process, and of several processes apart.
 *
 * State: a hash table of rows, and the map of live blocks.  Bytes and places are noted before the count, and noting them again changes nothing; an
 * allocation changes several words, all or none (undo.h).
 */
#include "blocks.h"
#include "states.h"

#define NAME "sharing"
#define MAGIC 0x73686172u
#define LEAST 256
#define LINES_MOST (1u << 24)   /* of one access */

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t rows;      /* table of struct cab_sharing_row; capacity: a power of two */
  uint64_t n_rows;    /* rows in use, or a few more */
  uint64_t others;    /* events that no row counts: allocations, releases, accesses of no bytes */
  struct cab_undo undo;
  struct cab_blocks blocks;   /* `site' of a block: 1 + the thread that allocated it */
};

#define UNDO offsetof (struct state, undo)
#define BLOCKS offsetof (struct state, blocks)

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
sharing_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

static bool
is_row (const struct cab_sharing_row *row, uint64_t key, uint32_t thread, uint32_t process)
{
  return row->key == key && row->thread == thread && row->process == process;
}

/* The row in TABLE, or the free one where it belongs, or null: the table is full. */
static struct cab_sharing_row *
probe (const struct cab_arena *arena, uint64_t table, uint64_t key, uint32_t thread, uint32_t process)
{
  struct cab_sharing_row *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table), i = cab_space_hash (key, key >> 32, thread ^ process << 16);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct cab_sharing_row *row = &rows[i & (capacity - 1)];
      if (!row->key || is_row (row, key, thread, process))
	return row;
    }
  return NULL;
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST, sizeof (struct cab_sharing_row));
  if (!table)
    return false;
  const struct cab_sharing_row *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].key)
      *probe (arena, table, rows[i].key, rows[i].thread, rows[i].process) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return true;
}

/* The row, made if need be; null: there is no room. */
static struct cab_sharing_row *
row_of (struct cab_arena *arena, uint64_t key, uint32_t thread, uint32_t process)
{
  struct cab_sharing_row *row = probe (arena, state_of (arena)->rows, key, thread, process);
  if (row && row->key)
    return row;
  if (state_of (arena)->n_rows >= cab_space_capacity (arena, state_of (arena)->rows) / 2 && !double_rows (arena))
    return NULL;
  row = probe (arena, state_of (arena)->rows, key, thread, process);
  if (!row)
    return NULL;
  state_of (arena)->n_rows++;
  row->thread = thread;
  row->process = process;
  cab_space_order ();
  row->key = key;
  cab_space_order ();
  return row;
}

static void
note_site (struct cab_sharing_row *row, uint32_t site)
{
  for (int i = 0; site && i < CAB_SHARING_SITES; i++)
    if (!row->sites[i] || row->sites[i] == site)
      {
	row->sites[i] = site;
	return;
      }
}

/* An access of [ADDRESS, END] to memory that is OWN: bytes and place in each line's row, then the count in the last one's. */
static void
note_access (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i, uint64_t end, bool own)
{
  uint64_t address = batch->address[i], first = address / CAB_SHARING_LINE, last = end / CAB_SHARING_LINE;
  unsigned form = batch->form[i];
  struct cab_sharing_row *row = NULL;
  for (uint64_t line = first; line <= last && last - first < LINES_MOST; line++)
    {
      row = row_of (arena, cab_sharing_key (line, own), batch->thread, 0);
      if (!row)
	break;
      uint64_t mask = (line == first ? ~UINT64_C (0) << address % CAB_SHARING_LINE : ~UINT64_C (0))
		      & (line == last ? ~UINT64_C (0) >> (CAB_SHARING_LINE - 1 - end % CAB_SHARING_LINE) : ~UINT64_C (0));
      row->read |= form & CAB_ROW_READ ? mask : 0;
      row->written |= form & CAB_ROW_WRITE ? mask : 0;
      note_site (row, batch->site[i]);
    }
  cab_space_count (!row ? &state_of (arena)->lost : form & CAB_ROW_WRITE ? &row->writes : &row->reads);
}

static void
release (struct cab_change *c, uint64_t start)
{
  struct cab_block block;
  if (cab_blocks_remove (c, BLOCKS, start, &block))
    cab_blocks_clear (c, BLOCKS, start, block.end, true, NULL);
}

/* Row I of BATCH, which is an allocation, a release, or both. */
static bool
apply_allocation (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i)
{
  uint64_t address = batch->address[i], bytes = batch->bytes[i], others = offsetof (struct state, others);
  unsigned form = batch->form[i];
  if (!cab_blocks_reserve (arena, BLOCKS))
    return false;
  struct cab_change change = cab_undo_begin (arena, UNDO);
  cab_undo_put (&change, others, cab_undo_get (&change, others) + 1);
  if (form == CAB_ROW_RELEASED && address)
    release (&change, address);
  if (form == CAB_ROW_MOVED && batch->other[i] && (address || !bytes))
    release (&change, batch->other[i]);
  if (form != CAB_ROW_RELEASED && address)
    {
      cab_blocks_clear (&change, BLOCKS, address, cab_block_end (address, bytes), false, NULL);
      cab_blocks_add (&change, BLOCKS, address, bytes, batch->thread + UINT64_C (1));
    }
  return cab_undo_end (&change) == 0;
}

static void
sharing_feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions, const struct cab_out *out)
{
  struct cab_blocks_range range = { 1, 0, 0 };
  (void) functions, (void) out;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && sharing_open (arena, "", NULL) < 0))
    return;
  cab_undo_settle (arena, UNDO);
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t address = batch->address[i], end = address + batch->bytes[i] - 1;
      if (batch->form[i] & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
	{
	  range = (struct cab_blocks_range) { 1, 0, 0 };
	  if (!apply_allocation (arena, batch, i))
	    cab_space_count (&state_of (arena)->lost);
	}
      else if (!batch->bytes[i])
	cab_space_count (&state_of (arena)->others);
      else
	{
	  if (address < range.low || address >= range.high)
	    range = cab_blocks_find (arena, BLOCKS, address);
	  note_access (arena, batch, i, end < address ? UINT64_MAX : end, range.site == batch->thread + UINT64_C (1));
	}
    }
}

bool
cab_sharing_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_sharing_row *row)
{
  const struct state *state = state_of (arena);
  uint64_t capacity = state ? cab_space_capacity (arena, state->rows) : 0;
  while (*cursor < capacity)
    {
      *row = ((const struct cab_sharing_row *) cab_space_elements (arena, state->rows))[(*cursor)++];
      if (row->key)
	return true;
    }
  return false;
}

static uint64_t
others_of (const struct cab_arena *arena)
{
  uint64_t others = state_of (arena)->others;
  cab_undo_overlay (arena, UNDO, offsetof (struct state, others), &others, 1);
  return others;
}

static uint64_t
sharing_applied (const struct cab_arena *arena)
{
  struct cab_sharing_row row;
  uint64_t sum = state_of (arena) ? others_of (arena) : 0;
  for (uint64_t cursor = 0; cab_sharing_next (arena, &cursor, &row);)
    sum += row.reads + row.writes;
  return sum;
}

static uint64_t
sharing_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

/* Does a change alter the word at OFFSET of the state itself? */
static bool
is_own (const struct cab_arena *arena, uint64_t offset)
{
  (void) arena;
  return offset == offsetof (struct state, others);
}

static int
sharing_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0) ? 0 : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_hash_ok (arena, state->rows, state->n_rows, sizeof (struct cab_sharing_row)))
    return cab_state_refuse (diag, NAME, "the table of rows leaves the arena, or has an impossible size");
  if (!cab_undo_ok (arena, UNDO) || !cab_blocks_ok (arena, BLOCKS))
    return cab_state_refuse (diag, NAME, "the map of blocks leaves the arena");
  const struct cab_state_table tables[] =
  {
    { state->rows, sizeof (struct cab_sharing_row) }, { state->undo.log, sizeof (struct cab_undo_entry) },
    { state->blocks.nodes, sizeof (struct cab_block) }
  };
  if (!cab_state_apart (arena, tables, 3, sizeof *state))
    return cab_state_refuse (diag, NAME, "its tables overlap");
  return cab_blocks_may_undo (arena, &state->undo, BLOCKS, is_own) ? 0 : cab_state_refuse (diag, NAME, "its log of changes is of another state");
}

static int
sharing_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map, struct cab_diag *diag)
{
  struct cab_sharing_row row;
  if (!state_of (into) && sharing_open (into, "", diag) < 0)
    return -1;
  cab_undo_settle (into, UNDO);
  for (uint64_t cursor = 0; cab_sharing_next (from, &cursor, &row);)
    {
      struct cab_sharing_row *to = row_of (into, row.key, row.thread, row.process || !map ? row.process : map->process + 1);
      if (!to)
	{
	  state_of (into)->lost += row.reads + row.writes;
	  continue;
	}
      to->read |= row.read;
      to->written |= row.written;
      to->reads += row.reads;
      to->writes += row.writes;
      for (int i = 0; i < CAB_SHARING_SITES; i++)
	note_site (to, map ? cab_space_mapped (map->access, map->n_access, row.sites[i]) : row.sites[i]);
    }
  state_of (into)->others += state_of (from) ? others_of (from) : 0;
  state_of (into)->lost += sharing_lost (from);
  return 0;
}

const struct cab_analysis cab_sharing = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "which threads read and write which bytes of which lines of memory",
  .kinds = 1u << CAB_EV_ACCESS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = sharing_open,
  .feed = sharing_feed,
  .applied = sharing_applied,
  .lost = sharing_lost,
  .check = sharing_check,
  .merge = sharing_merge
};
