/* an_calls.c - count how often each call site entered each function, from call events.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * State:      a hash table of rows with open addressing, keyed by (site, callee).  A row exists
 *             once its callee is not 0.
 */
#include "analyses/live/space.h"
#include "analyses/live/an_calls.h"

#define NAME "calls"
#define MAGIC 0x63616c6cu
#define LEAST 1024

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t rows;    /* table of struct cab_calls_row; capacity: a power of two */
  uint64_t n_rows;  /* rows in use, or a few more; the table is doubled before more than half of it
		       is in use */
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
calls_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

/* Return the row of the pair in TABLE, or the free one where it belongs.  There is always a free
   one. */
static struct cab_calls_row *
probe (const struct cab_arena *arena, uint64_t table, uint32_t site, uint32_t callee)
{
  struct cab_calls_row *rows = cab_space_elements (arena, table);
  uint64_t mask = cab_space_capacity (arena, table) - 1;
  uint64_t i = cab_space_hash (site, callee, 0) & mask;
  while (rows[i].callee && (rows[i].callee != callee || rows[i].site != site))
    i = (i + 1) & mask;
  return &rows[i];
}

/* Move the rows to a table of twice the capacity.  Return 0, or -1 if there is no room. */
static int
double_rows (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST,
				    sizeof (struct cab_calls_row));
  if (!table)
    return -1;
  const struct cab_calls_row *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].callee)
      *probe (arena, table, rows[i].site, rows[i].callee) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return 0;
}

/* Make the row of the pair, and return it; null if there is no room.  The row exists once its
   callee is stored, which is why that is stored last. */
static struct cab_calls_row *
insert (struct cab_arena *arena, uint32_t site, uint32_t callee)
{
  struct state *state = state_of (arena);
  if (state->n_rows >= cab_space_capacity (arena, state->rows) / 2 && double_rows (arena) < 0)
    return NULL;
  state = state_of (arena);
  state->n_rows++;
  struct cab_calls_row *row = probe (arena, state->rows, site, callee);
  row->site = site;
  cab_space_order ();
  row->callee = callee;
  return row;
}

/* Return the row of the pair, making it if need be; null if there is no room, or no callee. */
static struct cab_calls_row *
row_of (struct cab_arena *arena, uint32_t site, uint32_t callee)
{
  if (!callee)
    return NULL;
  if (state_of (arena)->rows)
    {
      struct cab_calls_row *row = probe (arena, state_of (arena)->rows, site, callee);
      if (row->callee)
	return row;
    }
  return insert (arena, site, callee);
}

void
cab_calls_feed (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions)
{
  uint32_t k = 0;
  (void) functions;
  if (batch->kind != CAB_EV_CALL || (!state_of (arena) && calls_open (arena, "", NULL) < 0))
    return;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      struct cab_calls_row *row = row_of (arena, cab_ev_site (batch->events[i]),
					  cab_ev_callee (batch->events[i]));
      cab_space_add (row ? &row->count : &state_of (arena)->lost, cab_batch_weight (batch, i, &k));
    }
}

static uint64_t
calls_applied (const struct cab_arena *arena)
{
  struct cab_calls_row row;
  uint64_t cursor = 0, sum = 0;
  while (cab_calls_next (arena, &cursor, &row))
    sum += row.count;
  return sum;
}

static uint64_t
calls_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

static int
calls_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_table_ok (arena, state->rows, sizeof (struct cab_calls_row)))
    return cab_state_refuse (diag, NAME, "the table of rows leaves the arena");
  uint64_t capacity = cab_space_capacity (arena, state->rows), n = 0;
  if (state->rows && (capacity < 2 || (capacity & (capacity - 1))))
    return cab_state_refuse (diag, NAME, "the table's size is not a power of two");
  const struct cab_calls_row *rows = cab_space_elements (arena, state->rows);
  for (uint64_t i = 0; i < capacity; i++)
    n += rows[i].callee != 0;
  if (n > state->n_rows || state->n_rows > capacity / 2)
    return cab_state_refuse (diag, NAME, "the table holds more rows than it says, or than it may");
  return 0;
}

void
cab_calls_add (struct cab_arena *arena, uint32_t site, uint32_t callee, uint64_t n)
{
  struct cab_calls_row *row = row_of (arena, site, callee);
  *(row ? &row->count : &state_of (arena)->lost) += n;
}

static int
calls_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	     struct cab_diag *diag)
{
  struct cab_calls_row row;
  uint64_t cursor = 0;
  if (!state_of (into) && calls_open (into, "", diag) < 0)
    return -1;
  while (cab_calls_next (from, &cursor, &row))
    {
      uint32_t site = map ? cab_space_mapped (map->site, map->n_site, row.site) : row.site;
      uint32_t callee = map ? cab_space_mapped (map->fn, map->n_fn, row.callee) : row.callee;
      cab_calls_add (into, site, callee, row.count);
    }
  state_of (into)->lost += calls_lost (from);
  return 0;
}

bool
cab_calls_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_calls_row *row)
{
  const struct state *state = state_of (arena);
  uint64_t capacity = state ? cab_space_capacity (arena, state->rows) : 0;
  const struct cab_calls_row *rows = capacity ? cab_space_elements (arena, state->rows) : NULL;
  while (*cursor < capacity && !rows[*cursor].callee)
    ++*cursor;
  if (*cursor >= capacity)
    return false;
  *row = rows[(*cursor)++];
  return true;
}

const struct cab_analysis cab_calls = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how often each call site entered each function",
  .kinds = 1u << CAB_EV_CALL,
  .wants = CAB_TAKES_BURSTS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = calls_open,
  .feed = cab_calls_feed,
  .applied = calls_applied,
  .lost = calls_lost,
  .check = calls_check,
  .merge = calls_merge,
  .carry = cab_carry_nothing
};
