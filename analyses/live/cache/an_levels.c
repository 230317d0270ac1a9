/* an_levels.c - in which cache each access hits.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * State: the caches, a tally of all rows, and the levels of the last rows.  A row that hits in D1
 *        changes one counter.  Before one that may miss, the counters of misses are copied, so that
 *        its level can be told from them where the process died before the level was stored.
 */
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/cache/cache_arguments.h"
#include "analyses/live/cache/live_steps.h"
#include "analyses/live/cache/simulate.h"

#define NAME "levels"
#define MAGIC 0x6c65766cu

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t base;                          /* rows before those of `level' */
  uint64_t at;                            /* 1 + the last row that may have missed; 0: none */
  uint64_t before[2][CAB_LIVE_LEVELS];    /* tally.missed before that row */
  struct cab_tally tally;
  struct cab_simulate caches;
  uint8_t level[CAB_BATCH_MAX];
};

#define CACHES offsetof (struct state, caches)
#define TALLY offsetof (struct state, tally)

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
levels_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_simulate_open (arena, NAME, sizeof (struct state), MAGIC,
			    offsetof (struct state, caches), arguments, diag);
}

/* Return the tally, without what was cut off. */
static struct cab_tally
read_tally (const struct cab_arena *arena)
{
  struct cab_tally tally = state_of (arena)->tally;
  cab_simulate_overlay (arena, CACHES, TALLY, (uint64_t *) &tally, sizeof tally / 8);
  return tally;
}

static uint64_t
levels_applied (const struct cab_arena *arena)
{
  struct cab_tally tally = { { 0 }, { 0 }, { { 0 } } };
  if (state_of (arena))
    tally = read_tally (arena);
  return cab_tally_rows (&tally);
}

static uint64_t
levels_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

uint64_t
cab_levels_had (const struct cab_arena *arena)
{
  return levels_applied (arena) + levels_lost (arena);
}

/* Return the level of the row that made of BEFORE what TALLY has. */
static uint8_t
difference (const struct cab_tally *tally, const uint64_t (*before)[CAB_LIVE_LEVELS])
{
  uint8_t level = 0;
  while (level < CAB_LIVE_LEVELS
	 && (tally->missed[0][level] != before[0][level]
	     || tally->missed[1][level] != before[1][level]))
    level++;
  return level;
}

uint8_t
cab_levels_at (const struct cab_arena *arena, uint64_t row)
{
  const struct state *state = state_of (arena);
  if (!state || row < state->base || row - state->base >= CAB_BATCH_MAX
      || row >= cab_levels_had (arena))
    return CAB_LEVEL_NONE;
  if (row + 1 != state->at)
    return state->level[row - state->base];
  struct cab_tally tally = read_tally (arena);
  return difference (&tally, state->before);
}

const uint8_t *
cab_levels_last (const struct cab_arena *arena)
{
  return state_of (arena)->level;
}

uint32_t
cab_levels_line_log2 (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  return state ? __builtin_ctz (state->caches.config.d1.line) : 6;
}

/* Apply a row that is not in the line that its set used last.  ROW is its number. */
static uint8_t __attribute__ ((noinline))
apply_slowly (struct state *state, struct cab_simulating *s, unsigned form, uint64_t first,
	      uint64_t bytes, uint64_t row)
{
  state->at = 0;
  cab_space_order ();
  memcpy (state->before, state->tally.missed, sizeof state->before);
  cab_space_order ();
  *(volatile uint64_t *) &state->at = row + 1;
  cab_space_order ();
  cab_simulate_row (s, &state->tally, form, first, bytes);
  return difference (&state->tally, state->before);
}

/* Feed N rows of BATCH from row AT on.  Return false if there is no memory for the caches. */
static bool
feed_rows (struct cab_arena *arena, const struct cab_batch *batch, uint32_t at, uint32_t n)
{
  struct cab_simulating s;
  struct state *state = state_of (arena);
  cab_simulate_begin (&s, arena, CACHES);
  if (!s.state)
    return false;
  for (uint32_t i = 0; i < n; i++)
    {
      unsigned form = batch->form[at + i], access = form & (CAB_ROW_READ | CAB_ROW_WRITE);
      uint64_t first = batch->address[at + i], bytes = batch->bytes[at + i],
	       last = cab_simulate_last (first, bytes);
      volatile uint8_t *level = &state->level[i];
      if (!access || !bytes)
	{
	  *level = CAB_LEVEL_NONE;
	  cab_space_count (&state->tally.n[0]);
	  continue;
	}
      *level = 0;
      if (cab_live_is_recent (&s.quick, first, bytes)
	  || (first >> s.quick.line_log2 == last >> s.quick.line_log2
	      && cab_live_reuse (&s.live, first, last)))
	cab_space_count (&state->tally.n[access]);
      else
	*level = apply_slowly (state, &s, form, first, bytes, state->base + i);
    }
  return true;
}

static void
levels_feed (struct cab_arena *arena, const struct cab_batch *batch,
	     const struct cab_functions *functions)
{
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && levels_open (arena, "", NULL) < 0))
    return;
  bool made = cab_simulate_make (arena, CACHES);
  for (uint32_t at = 0, n; at < batch->n; at += n)
    {
      n = batch->n - at < CAB_BATCH_MAX ? batch->n - at : CAB_BATCH_MAX;
      state_of (arena)->base = cab_levels_had (arena);
      cab_space_order ();
      if (made && feed_rows (arena, batch, at, n))
	continue;
      memset (state_of (arena)->level, CAB_LEVEL_NONE, n);
      cab_space_add (&state_of (arena)->lost, n);
    }
}

static void
levels_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (state_of (arena))
    cab_simulate_empty (arena, CACHES);
}

static void
levels_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  (void) thread;
  if (state_of (arena) && state_of (from))
    cab_simulate_carry (arena, from, CACHES);
}

bool
cab_levels_config (const struct cab_arena *arena, struct cab_cachesim_config *config)
{
  *config = state_of (arena)->caches.config;
  return !state_of (arena)->caches.mixed;
}

const char *
cab_levels_name (const struct cab_cachesim_config *config, unsigned level)
{
  return level > config->n_shared ? "memory" : !level ? "D1" : level == config->n_shared ? "LL"
	 : "L2";
}

/* Return true if a step of the caches may change the word at OFFSET. */
static bool
changes (const struct cab_arena *arena, uint64_t offset)
{
  (void) arena;
  return offset - TALLY < sizeof (struct cab_tally) || cab_simulate_is_begun (CACHES, offset);
}

static int
levels_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  const struct cab_live_caches *caches = &state->caches.caches;
  const struct cab_state_table tables[]
    = { { caches->tags, 8 }, { caches->journal, 8 }, { caches->recent, 8 } };
  if (!cab_space_table_ok (arena, caches->tags, 8)
      || !cab_space_table_ok (arena, caches->journal, 8)
      || !cab_space_table_ok (arena, caches->recent, 8)
      || !cab_state_apart (arena, tables, 3, sizeof *state))
    return cab_state_refuse (diag, NAME, "its tables overlap");
  if (!cab_simulate_ok (arena, CACHES, changes))
    return cab_state_refuse (diag, NAME, "its caches are impossible");
  return 0;
}

static int
levels_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	      struct cab_diag *diag)
{
  struct cab_simulating s;
  (void) map;
  if (!state_of (into) && levels_open (into, "", diag) < 0)
    return -1;
  cab_simulate_begin (&s, into, CACHES);   /* takes back what was cut off */
  if (!state_of (from) || !cab_levels_had (from))
    return 0;
  struct cab_tally tally = read_tally (from);
  cab_simulate_merge (&state_of (into)->caches, &state_of (from)->caches, !cab_levels_had (into));
  for (size_t i = 0; i < sizeof tally / 8; i++)
    ((uint64_t *) &state_of (into)->tally)[i] += ((const uint64_t *) &tally)[i];
  state_of (into)->lost += levels_lost (from);
  return 0;
}

uint64_t
cab_levels_count (const struct cab_arena *arena, unsigned level, bool write)
{
  if (!state_of (arena) || level > CAB_LIVE_LEVELS)
    return 0;
  struct cab_tally t = read_tally (arena);
  uint64_t rows = write ? t.n[CAB_ROW_WRITE]
			: t.n[CAB_ROW_READ] + t.n[CAB_ROW_READ | CAB_ROW_WRITE],
	   came = level ? t.missed[write][level - 1] : rows + t.more[write];
  return came - (level < CAB_LIVE_LEVELS ? t.missed[write][level] : 0);
}

static void
levels_report (const struct cab_arena *arena, const struct cab_sheet *sheet)
{
  static const struct cab_sheet_column columns[] = { { "level", CAB_SHEET_TEXT },
						     { "reads", CAB_SHEET_COUNT },
						     { "writes", CAB_SHEET_COUNT },
						     { "share", CAB_SHEET_SHARE } };
  sheet->columns (sheet->host, columns, 4);
  if (!state_of (arena))
    return;
  const struct cab_cachesim_config *config = &state_of (arena)->caches.config;
  uint64_t all = 0;
  for (unsigned level = 0; level <= config->n_shared + 1; level++)
    all += cab_levels_count (arena, level, false) + cab_levels_count (arena, level, true);
  for (unsigned level = 0; level <= config->n_shared + 1; level++)
    {
      union cab_sheet_cell row[4] = { { .text = cab_levels_name (config, level) },
				      { .count = cab_levels_count (arena, level, false) },
				      { .count = cab_levels_count (arena, level, true) } };
      row[3].real = all ? (double) (row[1].count + row[2].count) / all : 0;
      sheet->row (sheet->host, row);
    }
}

const struct cab_analysis cab_levels = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how many accesses hit in which simulated cache",
  .kinds = 1u << CAB_EV_ACCESS,
  .wants = CAB_GIVES_LEVEL,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .options = cab_cache_options,
  .open = levels_open,
  .feed = levels_feed,
  .applied = levels_applied,
  .lost = levels_lost,
  .check = levels_check,
  .merge = levels_merge,
  .report = levels_report,
  .begin_thread = levels_begin_thread,
  .carry = levels_carry,
  .settle = cab_cache_settle
};
