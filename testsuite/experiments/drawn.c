/* drawn.c - count events, and estimate the counts by bursts, and by single events, that are drawn
 * at random from all of them: what sample=PERCENT is compared with.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arguments:  burst=ROWS:rates=N/N/N  at most three rates, in millionths.
 * Model:      at each rate, bursts of ROWS rows in a row, one after the other, are read or not,
 *             each with the rate's probability, REPEATS times independently; and so are single
 *             events.  A row counts 1 / rate times.  A row of several events is read as a whole in
 *             a burst.  What is next read is drawn ahead, so that what is not read costs a
 *             comparison.
 * Report:     a row for each function and callee, or path: its count, the rows of batches
 *             that it had, and its estimates.
 */
#include <cabprof/analysis.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>

#define RATES 3   /* a report has at most 64 columns */
#define REPEATS 8
#define DRAWS (RATES * REPEATS)
#define KEYS 8192u   /* a power of two */

/* What is read next by one draw. */
struct draw
{
  uint64_t burst, event;
};

struct row
{
  uint64_t key, count;          /* count is 0: the row is free */
  uint64_t rows;                /* of batches */
  float bursts[DRAWS], events[DRAWS];
};

struct state
{
  uint64_t n, lost, n_bursts, n_events, random;
  uint64_t at;                  /* rows of the present burst so far */
  uint64_t burst, n_rates;
  uint64_t paths;               /* 1: keys are of paths */
  double rate[RATES];
  struct draw next[DRAWS];
  struct row row[KEYS];
};
#define STATE(arena) ((struct state *) (arena)->base)

/* Return how many are passed over before the next one that is read, at RATE. */
static uint64_t
gap (struct state *s, double rate)
{
  s->random ^= s->random << 13, s->random ^= s->random >> 7, s->random ^= s->random << 17;
  double u = ((s->random >> 11) + .5) / (1ull << 53);
  return rate >= 1 ? 0 : log (u) / log1p (-rate);
}

static int
open_state (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  (void) diag;
  struct state *s = STATE (arena);
  const char *burst = strstr (arguments, "burst="), *rates = strstr (arguments, "rates=");
  arena->used = sizeof *s;
  s->random = 88172645463325252u;
  s->burst = burst ? strtoul (burst + 6, NULL, 10) : 8;
  s->burst += !s->burst;
  for (char *at = (char *) (rates ? rates + 5 : ""); *at && *at != ':' && s->n_rates < RATES;)
    s->rate[s->n_rates++] = strtoul (at + 1, &at, 10) / 1e6;
  for (uint64_t d = 0; d < s->n_rates * REPEATS; d++)
    s->next[d] = (struct draw) { gap (s, s->rate[d / REPEATS]), gap (s, s->rate[d / REPEATS]) };
  return 0;
}

static struct row *
find (struct state *s, uint64_t key)
{
  uint64_t at = key * 0x9e3779b97f4a7c15u >> 51;
  for (uint32_t i = 0; i < KEYS; i++, at++)
    {
      struct row *row = &s->row[at % KEYS];
      if (!row->count || row->key == key)
	return row;
    }
  return NULL;
}

/* Count ROW, of TIMES events, in what each draw reads of it. */
static void
draw (struct state *s, struct row *row, uint64_t times)
{
  for (uint64_t d = 0; d < s->n_rates * REPEATS; d++)
    {
      struct draw *next = &s->next[d];
      double rate = s->rate[d / REPEATS];
      if (next->burst == s->n_bursts)
	row->bursts[d] += times / rate;
      for (; next->event < s->n_events + times; next->event += 1 + gap (s, rate))
	row->events[d] += 1 / rate;
    }
}

/* The burst is complete: draws that have read it go on to their next one. */
static void
end_burst (struct state *s)
{
  for (uint64_t d = 0; d < s->n_rates * REPEATS; d++)
    if (s->next[d].burst == s->n_bursts)
      s->next[d].burst += 1 + gap (s, s->rate[d / REPEATS]);
  s->n_bursts++;
  s->at = 0;
}

/* Return the key of EVENT, of a batch of paths or of calls: a function, and its path or the site
   that called it. */
static uint64_t
key_of (uint64_t event, bool is_path)
{
  return is_path ? (uint64_t) cab_ev_fn (event) << 40 | cab_ev_path (event)
		 : (uint64_t) cab_ev_callee (event) << 40 | cab_ev_site (event);
}

static void
feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions)
{
  struct state *s = STATE (arena);
  (void) functions;
  s->paths |= batch->kind == CAB_EV_PATH;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t key = key_of (batch->events[i], batch->kind == CAB_EV_PATH),
	       times = batch->has_runs ? cab_ev_times (batch->events[i]) : 1;
      struct row *row = find (s, key);
      if (row)
	{
	  row->key = key;
	  row->count += times;
	  row->rows++;
	  draw (s, row, times);
	}
      s->lost += row ? 0 : times;
      s->n += row ? times : 0;
      s->n_events += times;
      if (++s->at == s->burst)
	end_burst (s);
    }
}

static uint64_t
applied (const struct cab_arena *arena)
{
  return arena->used ? STATE (arena)->n : 0;
}

static uint64_t
lost (const struct cab_arena *arena)
{
  return arena->used ? STATE (arena)->lost : 0;
}

static int
check (const struct cab_arena *arena, struct cab_diag *diag)
{
  (void) diag;
  return arena->used && (arena->used != sizeof (struct state) || STATE (arena)->n_rates > RATES)
	 ? -1
	 : 0;
}

/* Return KEY in the numbers of another process; PATHS says which of the two kinds it is. */
static uint64_t
mapped (uint64_t key, const struct cab_idmap *map, bool paths)
{
  uint64_t fn = key >> 40, rest = key & ((1ull << 40) - 1);
  fn = fn < map->n_fn ? map->fn[fn] : 0;
  if (!paths)
    rest = rest < map->n_site ? map->site[rest] : 0;
  return fn << 40 | rest;
}

static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  struct state *to = STATE (into);
  (void) diag;
  for (uint32_t i = 0; from->used && i < KEYS; i++)
    {
      const struct row *row = &STATE (from)->row[i];
      uint64_t key = row->count ? mapped (row->key, map, STATE (from)->paths) : 0;
      struct row *mine = row->count ? find (to, key) : NULL;
      if (!mine)
	continue;
      mine->key = key;
      mine->count += row->count;
      mine->rows += row->rows;
      for (int d = 0; d < DRAWS; d++)
	mine->bursts[d] += row->bursts[d], mine->events[d] += row->events[d];
    }
  if (from->used)
    {
      to->n += applied (from), to->lost += lost (from);
      to->paths |= STATE (from)->paths;
    }
  return 0;
}

#define FIXED 6   /* columns before the estimates */

static void
put_row (const struct state *s, const struct row *row, const struct cab_sheet *sheet,
	 union cab_sheet_cell *cells)
{
  struct cab_sheet_place place = { "", "", "", 0, 0 };
  uint64_t rest = row->key & ((1ull << 40) - 1), n = s->n_rates * REPEATS;
  if (s->paths)
    sheet->function (sheet->host, row->key >> 40, &place);
  else
    sheet->site (sheet->host, rest, &place);
  cells[0].text = place.function;
  cells[1].text = place.name;
  cells[2].count = place.line;
  cells[3].count = s->paths ? rest : 0;
  cells[4].count = row->count;
  cells[5].count = row->rows;
  for (uint64_t d = 0; d < n; d++)
    {
      cells[FIXED + d].real = row->bursts[d];
      cells[FIXED + n + d].real = row->events[d];
    }
  sheet->row (sheet->host, cells);
}

static void
report (const struct cab_arena *arena, const struct cab_sheet *sheet)
{
  static struct cab_sheet_column columns[FIXED + 2 * DRAWS]
    = { { "function", CAB_SHEET_TEXT }, { "callee", CAB_SHEET_TEXT }, { "line", CAB_SHEET_NUMBER },
	{ "path", CAB_SHEET_NUMBER }, { "count", CAB_SHEET_COUNT },
	{ "rows", CAB_SHEET_COUNT } };
  static char names[2 * DRAWS][24];
  union cab_sheet_cell cells[FIXED + 2 * DRAWS];
  const struct state *s = STATE (arena);
  int n = arena->used ? s->n_rates * REPEATS : 0;
  for (int d = 0; d < 2 * n; d++)
    {
      int number = d % n;
      snprintf (names[d], sizeof names[d], "%s_%d_%d", d < n ? "bursts" : "events",
		number / REPEATS, number % REPEATS);
      columns[FIXED + d] = (struct cab_sheet_column) { names[d], CAB_SHEET_REAL };
    }
  sheet->columns (sheet->host, columns, FIXED + 2 * n);
  for (uint32_t i = 0; arena->used && i < KEYS; i++)
    if (s->row[i].count)
      put_row (s, &s->row[i], sheet, cells);
}

static const struct cab_option options[] = {
  { "burst", "ROWS", "rows of a burst" },
  { "rates", "N/N/N", "up to three rates, in millionths" },
  { NULL, NULL, NULL }
};

CAB_ANALYSIS_EXPORT = {
  CAB_ANALYSIS_HEAD, .name = "drawn", .summary = "Estimates by what is drawn at random",
  .kinds = 1u << CAB_EV_CALL | 1u << CAB_EV_PATH,
  .arena_bytes = sizeof (struct state), .options = options, .open = open_state, .feed = feed,
  .applied = applied, .lost = lost, .check = check, .merge = merge, .report = report
};
