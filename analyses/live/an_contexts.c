/* an_contexts.c - count how often each thing happened in each calling context: accesses,
 * allocations, releases, traced paths and loops, by the tree's node of their activation; and
 * samples, for an analysis of its own.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * State:      a hash table of rows with open addressing, keyed by `what' and node.  A row exists
 *             once its `what' is not 0.  The last store of an event is the row's n.  Of the two
 *             sums, which hold bytes, iterations or cycles, the parity of n says which one is
 *             valid.  Paths have no sum, so that n may grow by any number at once.
 */
#include "analyses/live/space.h"
#include "analyses/live/an_contexts.h"

#define MAGIC 0x63747831u
#define LEAST 1024

struct row
{
  uint64_t what;       /* event kind in the upper 4 bits, never 0; the rest identifies the access,
			  path, loop or address */
  uint32_t node, reserved;
  uint64_t n;
  uint64_t sum[2];
};

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t rows;       /* table of struct row; capacity: a power of two */
  uint64_t n_rows;     /* rows in use, or a few more; the table is doubled before more than half of
			  it is in use */
};

#define KIND_SHIFT 60
#define ID_MASK ((UINT64_C (1) << KIND_SHIFT) - 1)
#define ACCESS_FORM_BITS 8
#define LOOP_BITS 10
#define LOOP_FORM_BITS 3
#define PATH_BITS 40
#define ADDRESS_BITS 47
#define MOST_PROCESSES ((1u << (KIND_SHIFT - ADDRESS_BITS)) - 1)

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
contexts_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, cab_contexts.name, arguments, diag);
}

static int
samples_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, cab_samples.name, arguments, diag);
}

/* Return the row of WHAT and NODE in TABLE, or the free one where it belongs.  There is always a
   free one. */
static struct row *
probe (const struct cab_arena *arena, uint64_t table, uint64_t what, uint32_t node)
{
  struct row *rows = cab_space_elements (arena, table);
  uint64_t mask = cab_space_capacity (arena, table) - 1;
  uint64_t i = cab_space_hash (what, what >> 32, node) & mask;
  while (rows[i].what && (rows[i].what != what || rows[i].node != node))
    i = (i + 1) & mask;
  return &rows[i];
}

/* Move the rows to a table of twice the capacity.  Return 0, or -1 if there is no room. */
static int
double_rows (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST, sizeof (struct row));
  if (!table)
    return -1;
  const struct row *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].what)
      *probe (arena, table, rows[i].what, rows[i].node) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return 0;
}

/* Make the row of WHAT and NODE, and return it; null if there is no room.  The row exists once its
   `what' is stored, which is why that is stored last. */
static struct row *
insert (struct cab_arena *arena, uint64_t what, uint32_t node)
{
  struct state *state = state_of (arena);
  if (state->n_rows >= cab_space_capacity (arena, state->rows) / 2 && double_rows (arena) < 0)
    return NULL;
  state = state_of (arena);
  state->n_rows++;
  struct row *row = probe (arena, state->rows, what, node);
  row->node = node;
  cab_space_order ();
  row->what = what;
  return row;
}

/* Return the row of WHAT and NODE, making it if need be; null if there is no room. */
static struct row *
row_of (struct cab_arena *arena, uint64_t what, uint32_t node)
{
  struct row *row = state_of (arena)->rows ? probe (arena, state_of (arena)->rows, what, node)
					   : NULL;
  return row && row->what ? row : insert (arena, what, node);
}

/* Return the `what' of row I of BATCH, and store to *VALUE what the row adds to the sum. */
static uint64_t
what_of (const struct cab_batch *batch, uint32_t i, uint64_t *value)
{
  uint64_t kind = (uint64_t) batch->kind << KIND_SHIFT;
  *value = 0;
  if (batch->kind == CAB_EV_PATH)
    return kind | (uint64_t) cab_ev_fn (batch->events[i]) << PATH_BITS
	 | cab_ev_path (batch->events[i]);
  if (batch->kind == CAB_EV_ACCESS)
    {
      *value = batch->bytes[i];
      return kind | (uint64_t) batch->site[i] << ACCESS_FORM_BITS | batch->form[i];
    }
  *value = batch->count[i];
  if (batch->kind == CAB_EV_SAMPLE)
    return kind | batch->address[i];
  return kind | ((uint64_t) batch->fn[i] << LOOP_BITS | batch->loop[i]) << LOOP_FORM_BITS
       | batch->form[i];
}

static void
contexts_feed (struct cab_arena *arena, const struct cab_batch *batch,
	       const struct cab_functions *functions)
{
  (void) functions;
  if (!((cab_contexts.kinds | cab_samples.kinds) >> batch->kind & 1)
      || (!state_of (arena) && contexts_open (arena, "", NULL) < 0))
    return;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t value, what = what_of (batch, i, &value),
		      times = batch->kind == CAB_EV_PATH ? cab_ev_times (batch->events[i]) : 1;
      struct row *row = row_of (arena, what, batch->node ? batch->node[i] : 0);
      if (row && batch->kind != CAB_EV_PATH)
	row->sum[~row->n & 1] = row->sum[row->n & 1] + value;
      cab_space_add (row ? &row->n : &state_of (arena)->lost, times);
    }
}

static uint64_t
contexts_applied (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  const struct row *rows = state ? cab_space_elements (arena, state->rows) : NULL;
  uint64_t sum = 0;
  for (uint64_t i = 0; rows && i < cab_space_capacity (arena, state->rows); i++)
    sum += rows[i].n;
  return sum;
}

static uint64_t
contexts_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

/* Return 0 if the arena holds a sound state, or none yet; else -1 with words in DIAG that name the
   analysis NAME. */
static int
check (const struct cab_arena *arena, const char *name, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, name, "the state has a foreign mark");
  if (!cab_space_table_ok (arena, state->rows, sizeof (struct row)))
    return cab_state_refuse (diag, name, "the table of contexts leaves the arena");
  uint64_t capacity = cab_space_capacity (arena, state->rows), n = 0;
  const struct row *rows = cab_space_elements (arena, state->rows);
  for (uint64_t i = 0; i < capacity; i++)
    n += rows[i].what != 0;
  if (state->rows && (capacity < 2 || (capacity & (capacity - 1))))
    return cab_state_refuse (diag, name, "the table's size is not a power of two");
  if (n > state->n_rows || state->n_rows > capacity / 2)
    return cab_state_refuse (diag, name, "the table holds more rows than it says, or than it may");
  return 0;
}

static int
contexts_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  return check (arena, cab_contexts.name, diag);
}

static int
samples_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  return check (arena, cab_samples.name, diag);
}

/* Return WHAT with its numbers mapped by MAP, which may be null; 0 if the access or function is not
   in MAP. */
static uint64_t
mapped (uint64_t what, const struct cab_idmap *map)
{
  uint64_t kind = what & ~ID_MASK, id = what & ID_MASK;
  unsigned shift = kind >> KIND_SHIFT == CAB_EV_PATH ? PATH_BITS
		 : kind >> KIND_SHIFT == CAB_EV_ACCESS ? ACCESS_FORM_BITS
		 : LOOP_BITS + LOOP_FORM_BITS;
  uint64_t rest = id & ((UINT64_C (1) << shift) - 1);
  uint32_t old = id >> shift, new;
  if (!map)
    return what;
  if (kind >> KIND_SHIFT == CAB_EV_SAMPLE)
    return id >> ADDRESS_BITS || map->process >= MOST_PROCESSES
	   ? what
	   : what | (uint64_t) (map->process + 1) << ADDRESS_BITS;
  if (kind >> KIND_SHIFT == CAB_EV_ACCESS)
    new = cab_space_mapped (map->access, map->n_access, old);
  else
    new = cab_space_mapped (map->fn, map->n_fn, old);
  return new || !old ? kind | (uint64_t) new << shift | rest : 0;
}

static int
contexts_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
		struct cab_diag *diag)
{
  if (!state_of (into) && contexts_open (into, "", diag) < 0)
    return -1;
  const struct state *state = state_of (from);
  const struct row *rows = state ? cab_space_elements (from, state->rows) : NULL;
  for (uint64_t i = 0; rows && i < cab_space_capacity (from, state->rows); i++)
    {
      uint64_t what = rows[i].n ? mapped (rows[i].what, map) : 0;
      struct row *row = what ? row_of (into, what,
				       map ? cab_space_mapped (map->node, map->n_node, rows[i].node)
					   : rows[i].node)
			     : NULL;
      if (!row)
	{
	  state_of (into)->lost += rows[i].n;
	  continue;
	}
      uint64_t sum = row->sum[row->n & 1] + rows[i].sum[rows[i].n & 1];
      row->n += rows[i].n;
      row->sum[row->n & 1] = sum;
    }
  state_of (into)->lost += contexts_lost (from);
  return 0;
}

bool
cab_contexts_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_contexts_row *out)
{
  const struct state *state = state_of (arena);
  const struct row *rows = state ? cab_space_elements (arena, state->rows) : NULL;
  for (; rows && *cursor < cab_space_capacity (arena, state->rows); ++*cursor)
    if (rows[*cursor].n)
      {
	const struct row *row = &rows[(*cursor)++];
	uint64_t id = row->what & ID_MASK;
	*out = (struct cab_contexts_row) { .kind = row->what >> KIND_SHIFT,
					   .node = row->node,
					   .n = row->n,
					   .sum = row->sum[row->n & 1] };
	if (out->kind == CAB_EV_PATH)
	  out->number = id >> PATH_BITS, out->part = id & CAB_EV_PATH_MASK;
	else if (out->kind == CAB_EV_SAMPLE)
	  out->number = id >> ADDRESS_BITS, out->part = id & CAB_EV_ADDRESS_MASK;
	else if (out->kind == CAB_EV_ACCESS)
	  out->number = id >> ACCESS_FORM_BITS, out->form = id & 0xff;
	else
	  {
	    out->number = id >> (LOOP_BITS + LOOP_FORM_BITS);
	    out->part = id >> LOOP_FORM_BITS & CAB_EV_LOOP_MAX;
	    out->form = id & ((1 << LOOP_FORM_BITS) - 1);
	  }
	return true;
      }
  return false;
}

const struct cab_analysis cab_contexts = {
  .abi = CAB_ANALYSIS_ABI,
  .name = "contexts",
  .summary = "accesses, allocations, traced paths and loops by calling context",
  .kinds = 1u << CAB_EV_ACCESS | 1u << CAB_EV_PATH | 1u << CAB_EV_LOOP,
  .wants = CAB_WANTS_NODE,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 131072,
  .open = contexts_open,
  .feed = contexts_feed,
  .applied = contexts_applied,
  .lost = contexts_lost,
  .check = contexts_check,
  .merge = contexts_merge,
  .carry = cab_carry_nothing
};

const struct cab_analysis cab_samples = {
  .abi = CAB_ANALYSIS_ABI,
  .name = "samples",
  .summary
  = "time by calling context: samples of `cabprof record' with the timer, which brings it along",
  .kinds = 1u << CAB_EV_SAMPLE,
  .wants = CAB_WANTS_NODE,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 131072,
  .open = samples_open,
  .feed = contexts_feed,
  .applied = contexts_applied,
  .lost = contexts_lost,
  .check = samples_check,
  .merge = contexts_merge,
  .carry = cab_carry_nothing
};
