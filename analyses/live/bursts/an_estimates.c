/* an_estimates.c - how sure counts of calls, paths and accesses are, where some events were read.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * State:      a hash table of rows with open addressing, keyed by (of, a, b).  A row exists once
 *             `of' is not 0.  Counts are exact after a kill; the variance of a row that was under
 *             way may lack the last event.
 */
#include "analyses/live/bursts/an_estimates.h"
#include "analyses/live/space.h"

#define NAME "estimates"
#define MAGIC 0x65737469u
#define LEAST 1024

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t rows;    /* table of struct cab_estimate; capacity: a power of two */
  uint64_t n_rows;  /* rows in use, or a few more; at most half of the table */
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
estimates_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

/* Return the row in TABLE, or the free one where it belongs.  There is always a free one. */
static struct cab_estimate *
probe (const struct cab_arena *arena, uint64_t table, uint32_t of, uint32_t a, uint32_t b)
{
  struct cab_estimate *rows = cab_space_elements (arena, table);
  uint64_t mask = cab_space_capacity (arena, table) - 1;
  uint64_t i = cab_space_hash (a, b, of) & mask;
  while (rows[i].of && (rows[i].of != of || rows[i].a != a || rows[i].b != b))
    i = (i + 1) & mask;
  return &rows[i];
}

/* Move the rows to a table of twice the capacity.  Return 0, or -1 if there is no room. */
static int
double_rows (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST,
				    sizeof (struct cab_estimate));
  if (!table)
    return -1;
  const struct cab_estimate *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].of)
      *probe (arena, table, rows[i].of, rows[i].a, rows[i].b) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return 0;
}

/* Return the row, making it if need be; null if there is no room.  It exists once `of' is stored,
   which is why that is stored last.  May move the arena. */
static struct cab_estimate *
row_of (struct cab_arena *arena, uint32_t of, uint32_t a, uint32_t b)
{
  struct state *state = state_of (arena);
  struct cab_estimate *row = state->rows ? probe (arena, state->rows, of, a, b) : NULL;
  if (row && row->of)
    return row;
  if (state->n_rows >= cab_space_capacity (arena, state->rows) / 2 && double_rows (arena) < 0)
    return NULL;
  state = state_of (arena);
  state->n_rows++;
  row = probe (arena, state->rows, of, a, b);
  row->a = a;
  row->b = b;
  cab_space_order ();
  row->of = of;
  return row;
}

/* Add to the variance of ROW, of which burst NUMBER - 1, of weight W, has N more events. */
static void
vary (struct cab_estimate *row, uint64_t number, double w, uint64_t n)
{
  double before = row->burst == number ? row->in_burst : 0;
  row->variance += w * (w - 1) * n * (2 * before + n);
  row->in_burst = before + n;
  row->burst = number;
}

/* Return the row that event WORD of a batch of KIND, calls or paths, counts in; null if there is no
   room, or no function. */
static struct cab_estimate *
row_of_event (struct cab_arena *arena, unsigned kind, uint64_t word)
{
  if (kind == CAB_EV_CALL)
    return cab_ev_callee (word) ? row_of (arena, CAB_ESTIMATE_CALL, cab_ev_site (word),
					  cab_ev_callee (word))
				: NULL;
  return cab_ev_fn (word) && cab_ev_path (word) <= UINT32_MAX
	 ? row_of (arena, CAB_ESTIMATE_PATH, cab_ev_fn (word), cab_ev_path (word))
	 : NULL;
}

/* Add N events of burst BURST to the variance of the row that sums up those of FN's. */
static void
vary_sum (struct cab_arena *arena, enum cab_estimate_of of, uint32_t fn,
	  const struct cab_burst *burst, uint64_t n)
{
  struct cab_estimate *row = fn ? row_of (arena, of, fn, 0) : NULL;
  if (row)
    vary (row, burst->number + 1, burst->weight, n);
}

/* Count N events of BURST, or of none (null), in ROW; null: there is no room. */
static void
count (struct cab_arena *arena, struct cab_estimate *row, const struct cab_burst *burst, uint64_t n)
{
  uint64_t w = burst ? burst->weight : 1;
  if (row && burst)
    vary (row, burst->number + 1, w, n);
  cab_space_add (row ? &row->count : &state_of (arena)->lost, w * n);
}

/* Count event WORD, a call or a path, of BURST, or of none (null). */
static void
feed_one (struct cab_arena *arena, unsigned kind, uint64_t word, const struct cab_burst *burst)
{
  uint64_t n = kind == CAB_EV_PATH ? cab_ev_times (word) : 1;
  if (burst && kind == CAB_EV_CALL)
    vary_sum (arena, CAB_ESTIMATE_ENTRIES, cab_ev_callee (word), burst, n);
  else if (burst)
    vary_sum (arena, CAB_ESTIMATE_PATHS, cab_ev_fn (word), burst, n);
  count (arena, row_of_event (arena, kind, word), burst, n);
}

static void
estimates_feed (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions)
{
  uint32_t k = 0;
  (void) functions;
  if (!(cab_estimates.kinds >> batch->kind & 1)
      || (!state_of (arena) && estimates_open (arena, "", NULL) < 0))
    return;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      cab_batch_weight (batch, i, &k);
      const struct cab_burst *burst = batch->burst ? &batch->burst[k] : NULL;
      if (batch->kind == CAB_EV_ACCESS)
	count (arena, row_of (arena, CAB_ESTIMATE_ACCESS, batch->site[i], 0), burst, 1);
      else
	feed_one (arena, batch->kind, batch->events[i], burst);
    }
}

static uint64_t
estimates_applied (const struct cab_arena *arena)
{
  struct cab_estimate row;
  uint64_t cursor = 0, sum = 0;
  while (cab_estimates_next (arena, &cursor, &row))
    sum += row.count;
  return sum;
}

static uint64_t
estimates_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

static int
estimates_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  uint64_t capacity = 0, n = 0;
  if (!cab_space_hash_ok (arena, state->rows, state->n_rows, sizeof (struct cab_estimate)))
    return cab_state_refuse (diag, NAME, "the table of rows is damaged");
  capacity = cab_space_capacity (arena, state->rows);
  const struct cab_estimate *rows = cab_space_elements (arena, state->rows);
  for (uint64_t i = 0; i < capacity; i++)
    n += rows[i].of != 0;
  if (n > state->n_rows || state->n_rows > capacity / 2)
    return cab_state_refuse (diag, NAME, "the table holds more rows than it says, or than it may");
  return 0;
}

/* Set the numbers of ROW to those that MAP gives them.  Return false if the function, or the
   access, is not known. */
static bool
map_row (struct cab_estimate *row, const struct cab_idmap *map)
{
  if (row->of == CAB_ESTIMATE_ACCESS)
    {
      uint32_t number = row->a;
      row->a = map ? cab_space_mapped (map->access, map->n_access, number) : number;
      return row->a || !number;
    }
  uint32_t *fn = row->of == CAB_ESTIMATE_CALL ? &row->b : &row->a;
  if (map && row->of == CAB_ESTIMATE_CALL)
    row->a = cab_space_mapped (map->site, map->n_site, row->a);
  if (map)
    *fn = cab_space_mapped (map->fn, map->n_fn, *fn);
  return *fn != 0;
}

static int
estimates_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
		 struct cab_diag *diag)
{
  struct cab_estimate row;
  if (!state_of (into) && estimates_open (into, "", diag) < 0)
    return -1;
  for (uint64_t cursor = 0; cab_estimates_next (from, &cursor, &row);)
    {
      struct cab_estimate *to = map_row (&row, map) ? row_of (into, row.of, row.a, row.b) : NULL;
      if (to)
	to->variance += row.variance;
      *(to ? &to->count : &state_of (into)->lost) += row.count;
    }
  state_of (into)->lost += estimates_lost (from);
  return 0;
}

bool
cab_estimates_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_estimate *row)
{
  const struct state *state = state_of (arena);
  uint64_t capacity = state ? cab_space_capacity (arena, state->rows) : 0;
  const struct cab_estimate *rows = capacity ? cab_space_elements (arena, state->rows) : NULL;
  while (*cursor < capacity && !rows[*cursor].of)
    ++*cursor;
  if (*cursor >= capacity)
    return false;
  *row = rows[(*cursor)++];
  return true;
}

double
cab_estimates_variance (const struct cab_arena *arena, enum cab_estimate_of of, uint32_t a,
			uint32_t b)
{
  const struct state *state = arena ? state_of (arena) : NULL;
  const struct cab_estimate *row = state && state->rows ? probe (arena, state->rows, of, a, b)
							: NULL;
  return row && row->of && row->variance > 0 ? row->variance : 0;
}

/* Set *PLACE to that of ROW.  Return what it counts, or null if it is a sum of other rows. */
static const char *
place_of (const struct cab_estimate *row, const struct cab_sheet *sheet,
	  struct cab_sheet_place *place)
{
  *place = (struct cab_sheet_place) { .function = "", .file = "" };
  if (row->of == CAB_ESTIMATE_ACCESS)
    sheet->access (sheet->host, row->a, place);
  else
    sheet->function (sheet->host, row->of == CAB_ESTIMATE_CALL ? row->b : row->a, place);
  return row->of == CAB_ESTIMATE_CALL	? "call"
	 : row->of == CAB_ESTIMATE_PATH ? "path"
	 : row->of == CAB_ESTIMATE_ACCESS ? "access"
					: NULL;
}

/* Write a row for each call, path and access: its count, and the variance of that. */
static void
estimates_report (const struct cab_arena *arena, const struct cab_sheet *sheet)
{
  static const struct cab_sheet_column columns[] = {
    { "what", CAB_SHEET_TEXT },     { "function", CAB_SHEET_TEXT }, { "file", CAB_SHEET_TEXT },
    { "line", CAB_SHEET_NUMBER },   { "number", CAB_SHEET_NUMBER }, { "count", CAB_SHEET_COUNT },
    { "variance", CAB_SHEET_REAL }
  };
  struct cab_estimate row;
  sheet->columns (sheet->host, columns, sizeof columns / sizeof *columns);
  for (uint64_t cursor = 0; cab_estimates_next (arena, &cursor, &row);)
    {
      struct cab_sheet_place place;
      const char *what = place_of (&row, sheet, &place);
      const union cab_sheet_cell cells[] = {
	{ .text = what },	   { .text = place.function },
	{ .text = place.file },	   { .count = place.line },
	{ .count = row.of == CAB_ESTIMATE_PATH ? row.b : row.a },
	{ .count = row.count },	   { .real = row.variance }
      };
      if (what && row.count)
	sheet->row (sheet->host, cells);
    }
}

const struct cab_analysis cab_estimates = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how sure the counts are of a run that read only some events",
  .kinds = 1u << CAB_EV_CALL | 1u << CAB_EV_PATH | 1u << CAB_EV_ACCESS,
  .wants = CAB_TAKES_BURSTS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = estimates_open,
  .feed = estimates_feed,
  .applied = estimates_applied,
  .lost = estimates_lost,
  .check = estimates_check,
  .merge = estimates_merge,
  .report = estimates_report,
  .carry = cab_carry_nothing
};
