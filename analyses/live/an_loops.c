/* an_loops.c - count how often each loop was entered, how many iterations it had, and how long it
 * took, from loop events.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * State:      a hash table of rows with open addressing, keyed by (function, loop).  A row exists
 *             once its function is not 0.
 *
 * An event changes several numbers of a row, and the process may be killed between two of the
 * stores.  So the new numbers are first written to a note; then the count of events is raised,
 * which makes the note valid; then they are copied to the row.  Whoever reads the state, or
 * continues with it, copies the note again if it is the last event's.  That changes nothing if it
 * had been copied.
 */
#include "analyses/live/space.h"
#include "analyses/live/an_loops.h"

#define NAME "loops"
#define MAGIC 0x6c6f6f70u
#define LEAST 128

/* What a row becomes by one event. */
struct note
{
  uint64_t event;   /* number of the event that the note belongs to, from 1; 0: there is no note */
  uint64_t row;     /* index of the row that changes */
  struct cab_loop_sums sums;
  uint64_t bucket;  /* index of the bucket that changes; CAB_LOOP_BUCKETS: none */
  /* What that bucket becomes. */
  uint64_t n;
};

struct state
{
  uint32_t magic, reserved;
  uint64_t lost, applied;
  uint64_t rows;    /* table of struct cab_loops_row; capacity: a power of two */
  uint64_t n_rows;  /* rows in use, or a few more; the table is doubled before more than half of it
		       is in use */
  struct note note;
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
loops_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

/* Return true if there is a note of the last event, which may not have reached its row. */
static bool
is_noted (const struct cab_arena *arena, const struct state *state)
{
  return state->note.event && state->note.event == state->applied
      && state->note.row < cab_space_capacity (arena, state->rows);
}

/* Store to ROW what NOTE says. */
static void
copy_note (const struct note *note, struct cab_loops_row *row)
{
  row->sums = note->sums;
  if (note->bucket < CAB_LOOP_BUCKETS)
    row->log2[note->bucket] = note->n;
}

/* Copy the note, if it is valid, to its row, and drop it. */
static void
settle (struct cab_arena *arena)
{
  struct state *state = state_of (arena);
  struct cab_loops_row *rows = cab_space_elements (arena, state->rows);
  if (is_noted (arena, state))
    copy_note (&state->note, &rows[state->note.row]);
  cab_space_order ();
  state->note.event = 0;
  cab_space_order ();
}

/* Return the row of LOOP of FN in TABLE, or the free one where it belongs.  There is always a free
   one. */
static struct cab_loops_row *
probe (const struct cab_arena *arena, uint64_t table, uint32_t fn, uint32_t loop)
{
  struct cab_loops_row *rows = cab_space_elements (arena, table);
  uint64_t mask = cab_space_capacity (arena, table) - 1;
  uint64_t i = cab_space_hash (fn, loop, 1) & mask;
  while (rows[i].fn && (rows[i].fn != fn || rows[i].loop != loop))
    i = (i + 1) & mask;
  return &rows[i];
}

/* Move the rows to a table of twice the capacity; the note is settled first.  Return 0, or -1 if
   there is no room. */
static int
double_rows (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST,
				    sizeof (struct cab_loops_row));
  if (!table)
    return -1;
  settle (arena);
  const struct cab_loops_row *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].fn)
      *probe (arena, table, rows[i].fn, rows[i].loop) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return 0;
}

/* Make the row of LOOP of FN, and return it; null if there is no room.  The row exists once its
   function is stored, which is why that is stored last. */
static struct cab_loops_row *
insert (struct cab_arena *arena, uint32_t fn, uint32_t loop)
{
  struct state *state = state_of (arena);
  if (state->n_rows >= cab_space_capacity (arena, state->rows) / 2 && double_rows (arena) < 0)
    return NULL;
  state = state_of (arena);
  state->n_rows++;
  struct cab_loops_row *row = probe (arena, state->rows, fn, loop);
  row->loop = loop;
  cab_space_order ();
  row->fn = fn;
  return row;
}

/* Return the row of LOOP of FN, making it if need be; null if there is no room, or no function. */
static struct cab_loops_row *
row_of (struct cab_arena *arena, uint32_t fn, uint32_t loop)
{
  if (!fn)
    return NULL;
  if (state_of (arena)->rows)
    {
      struct cab_loops_row *row = probe (arena, state_of (arena)->rows, fn, loop);
      if (row->fn)
	return row;
    }
  return insert (arena, fn, loop);
}

/* Return the bucket of N iterations: 0 for 0, else the number of N's binary digits. */
static unsigned
bucket_of (uint64_t n)
{
  unsigned digits = n ? 64 - __builtin_clzll (n) : 0;
  return digits < CAB_LOOP_BUCKETS ? digits : CAB_LOOP_BUCKETS - 1;
}

/* Write to NOTE that an execution of the loop of ROW ended, with N iterations and those of
   LEFT_HIGH before. */
static void
leave (struct note *note, const struct cab_loops_row *row, uint64_t n)
{
  struct cab_loop_sums *sums = &note->sums;
  n += sums->pending_iterations;
  sums->pending_iterations = 0;
  sums->left++;
  sums->iterations += n;
  sums->most = n > sums->most ? n : sums->most;
  sums->timed_iterations += sums->pending_timed ? n : 0;
  sums->pending_timed = 0;
  note->bucket = bucket_of (n);
  note->n = row->log2[note->bucket] + 1;
}

/* Write to NOTE what ROW becomes by an event of FORM with N. */
static void
note_event (struct note *note, const struct cab_loops_row *row, unsigned form, uint64_t n)
{
  struct cab_loop_sums *sums = &note->sums;
  *sums = row->sums;
  sums->events++;
  note->bucket = CAB_LOOP_BUCKETS;
  switch (form)
    {
    case CAB_LOOP_LEFT:
      leave (note, row, n);
      break;
    case CAB_LOOP_LEFT_HIGH:
      sums->pending_iterations = n << CAB_EV_LOOP_N_BITS;
      break;
    case CAB_LOOP_CYCLES:
      sums->cycles += sums->pending_cycles + n;
      sums->pending_cycles = 0;
      sums->timed++;
      sums->pending_timed = 1;
      break;
    case CAB_LOOP_CYCLES_HIGH:
      sums->pending_cycles = n << CAB_EV_LOOP_N_BITS;
      break;
    case CAB_LOOP_ENTER:
      sums->entered++;
      break;
    }
}

/* Apply an event of FORM with N to ROW.  The store of `applied' is the one that makes it count. */
static void
apply (struct cab_arena *arena, struct cab_loops_row *row, unsigned form, uint64_t n)
{
  struct state *state = state_of (arena);
  struct note *note = &state->note;
  note->event = 0;
  cab_space_order ();
  note->row = row - (struct cab_loops_row *) cab_space_elements (arena, state->rows);
  note_event (note, row, form, n);
  cab_space_order ();
  note->event = state->applied + 1;
  cab_space_count (&state->applied);
  copy_note (note, row);
}

static void
loops_feed (struct cab_arena *arena, const struct cab_batch *batch,
	    const struct cab_functions *functions)
{
  (void) functions;
  if (batch->kind != CAB_EV_LOOP || (!state_of (arena) && loops_open (arena, "", NULL) < 0))
    return;
  settle (arena);
  for (uint32_t i = 0; i < batch->n; i++)
    {
      struct cab_loops_row *row = row_of (arena, batch->fn[i], batch->loop[i]);
      if (row)
	apply (arena, row, batch->form[i], batch->count[i]);
      else
	cab_space_count (&state_of (arena)->lost);
    }
}

/* Drop what is pending of executions that are just ending: those were the previous thread's. */
static void
loops_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena))
    return;
  settle (arena);
  struct cab_loops_row *rows = cab_space_elements (arena, state_of (arena)->rows);
  for (uint64_t i = 0; i < cab_space_capacity (arena, state_of (arena)->rows); i++)
    {
      struct cab_loop_sums *sums = &rows[i].sums;
      if (sums->pending_iterations | sums->pending_cycles | sums->pending_timed)
	sums->pending_iterations = sums->pending_cycles = sums->pending_timed = 0;
    }
  cab_space_order ();
}

static uint64_t
loops_applied (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->applied : 0;
}

static uint64_t
loops_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

static int
loops_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_table_ok (arena, state->rows, sizeof (struct cab_loops_row)))
    return cab_state_refuse (diag, NAME, "the table of rows leaves the arena");
  uint64_t capacity = cab_space_capacity (arena, state->rows), n = 0;
  if (state->rows && (capacity < 2 || (capacity & (capacity - 1))))
    return cab_state_refuse (diag, NAME, "the table's size is not a power of two");
  const struct cab_loops_row *rows = cab_space_elements (arena, state->rows);
  for (uint64_t i = 0; i < capacity; i++)
    n += rows[i].fn != 0;
  if (n > state->n_rows || state->n_rows > capacity / 2)
    return cab_state_refuse (diag, NAME, "the table holds more rows than it says, or than it may");
  return 0;
}

static void
add_row (struct cab_loops_row *into, const struct cab_loops_row *from)
{
  struct cab_loop_sums *a = &into->sums;
  const struct cab_loop_sums *b = &from->sums;
  a->events += b->events;
  a->entered += b->entered;
  a->left += b->left;
  a->iterations += b->iterations;
  a->most = b->most > a->most ? b->most : a->most;
  a->timed += b->timed;
  a->timed_iterations += b->timed_iterations;
  a->cycles += b->cycles;
  a->pending_iterations += b->pending_iterations;
  a->pending_cycles += b->pending_cycles;
  a->pending_timed |= b->pending_timed;
  for (unsigned i = 0; i < CAB_LOOP_BUCKETS; i++)
    into->log2[i] += from->log2[i];
}

static int
loops_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	     struct cab_diag *diag)
{
  struct cab_loops_row row;
  uint64_t cursor = 0, applied = loops_applied (from), gone = 0;
  if (!state_of (into) && loops_open (into, "", diag) < 0)
    return -1;
  settle (into);
  while (cab_loops_next (from, &cursor, &row))
    {
      uint32_t fn = map ? cab_space_mapped (map->fn, map->n_fn, row.fn) : row.fn;
      struct cab_loops_row *target = row_of (into, fn, row.loop);
      if (target)
	add_row (target, &row);
      else
	gone += row.sums.events;
    }
  gone = gone < applied ? gone : applied;
  state_of (into)->applied += applied - gone;
  state_of (into)->lost += loops_lost (from) + gone;
  return 0;
}

bool
cab_loops_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_loops_row *row)
{
  const struct state *state = state_of (arena);
  uint64_t capacity = state ? cab_space_capacity (arena, state->rows) : 0;
  const struct cab_loops_row *rows = capacity ? cab_space_elements (arena, state->rows) : NULL;
  while (*cursor < capacity && !rows[*cursor].fn)
    ++*cursor;
  if (*cursor >= capacity)
    return false;
  *row = rows[*cursor];
  if (is_noted (arena, state) && state->note.row == *cursor)
    copy_note (&state->note, row);
  ++*cursor;
  return true;
}

const struct cab_analysis cab_loops = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how often each loop was entered, its iterations and cycles",
  .kinds = 1u << CAB_EV_LOOP,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536 + 65536,
  .open = loops_open,
  .feed = loops_feed,
  .applied = loops_applied,
  .lost = loops_lost,
  .check = loops_check,
  .merge = loops_merge,
  .begin_thread = loops_begin_thread,
  .carry = cab_carry_nothing   /* what is pending is settled by the next word of the same exit */
};
