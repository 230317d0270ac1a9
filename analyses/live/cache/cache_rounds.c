/* cache_rounds.c - see cache_rounds.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/cache_rounds.h"
#include "analyses/live/cache/live_lines.h"
#include "analyses/live/cache/an_cache.h"

#define TALLY (sizeof (struct cab_tally) / 8)
#define PASSES (sizeof (struct cab_cache_passes) / 8)
#define AHEAD 4u   /* words of struct cab_cache_ahead that change */
_Static_assert (offsetof (struct cab_cache_passes, n) == 0, "the first of their words counts");

unsigned
cab_cache_rounds_fed (const struct cab_arena *arena)
{
  struct cab_simulating caches;
  if (!cab_cache_state (arena))
    return 0;
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  return caches.state && !caches.live.inclusive ? caches.live.n_levels + 1 : 0;
}

/* N words of a table of the state that count, EACH words apart. */
struct counters
{
  uint64_t *at;
  uint64_t n, each;
};

static void
counters_of (const struct cab_arena *arena, struct counters c[2])
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  c[0] = (struct counters) { cab_space_elements (arena, state->tallies),
			     cab_space_capacity (arena, state->tallies) * TALLY, 1 };
  c[1] = (struct counters) { cab_space_elements (arena, state->passes),
			     cab_space_capacity (arena, state->passes), PASSES };
}

uint64_t
cab_cache_round_words (const struct cab_arena *arena)
{
  struct counters c[2];
  counters_of (arena, c);
  return 3 * (c[0].n + c[1].n);
}

void
cab_cache_round_begin (struct cab_section_round *round, const struct cab_arena *arena,
		       uint64_t *words)
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  struct counters c[2];
  *round = (struct cab_section_round) { .words = words,
				      .tallies = state->tallies,
				      .passes = state->passes,
				      .lost = state->lost,
				      .rows = cab_cache.applied (arena) };
  counters_of (arena, c);
  for (unsigned i = 0; i < 2; i++)
    for (uint64_t k = 0; k < c[i].n; k++)
      *words++ = c[i].at[k * c[i].each];
}

/* Return true if the tables are still those of ROUND's list, and nothing was lost. */
static bool
is_of (const struct cab_section_round *round, const struct cab_cache_state *state)
{
  return state->tallies == round->tallies && state->passes == round->passes
      && state->lost == round->lost;
}

/* Return where the list of ROUND begins. */
static uint64_t *
list_of (const struct cab_section_round *round, const struct cab_arena *arena)
{
  return round->words + cab_cache_round_words (arena) / 3;
}

/* Return in how many levels an access missed, if word K of the tallies has grown.  What misses in
   one level goes to the next. */
static unsigned
levels_of (uint64_t k)
{
  size_t at = k % TALLY * 8;
  return at < offsetof (struct cab_tally, missed)
	 ? 0
	 : (at - offsetof (struct cab_tally, missed)) / 8 % CAB_LIVE_LEVELS + 1;
}

/* Put what has grown into the list of ROUND. */
static void
list_growth (struct cab_section_round *round, const struct cab_arena *arena)
{
  struct counters c[2];
  const uint64_t *before = round->words;
  uint64_t *list = list_of (round, arena);
  round->n = round->n_missed = 0;
  counters_of (arena, c);
  for (unsigned i = 0; i < 2; i++)
    for (uint64_t k = 0; k < c[i].n; k++)
      {
	const uint64_t *word = c[i].at + k * c[i].each;
	uint64_t growth = *word - *before++;
	if (!growth)
	  continue;
	list[2 * round->n] = (uint64_t) ((const unsigned char *) word - arena->base);
	list[2 * round->n++ + 1] = growth;
	unsigned levels = i == 0 ? levels_of (k) : 0;
	round->n_missed = levels > round->n_missed ? levels : round->n_missed;
      }
}

bool
cab_cache_round_end (struct cab_section_round *round, struct cab_arena *arena)
{
  struct cab_simulating caches;
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  if (!is_of (round, cab_cache_state (arena)))
    return false;
  uint64_t applied = cab_cache.applied (arena);
  round->rows = applied - round->rows;
  list_growth (round, arena);
  if (!cab_simulate_reserve (arena, CAB_CACHE_CACHES, round->n + AHEAD))
    return false;
  cab_cache_state (arena)->ahead.before = applied;
  return true;
}

void
cab_cache_round_repeat (const struct cab_section_round *round, struct cab_arena *arena, uint64_t n,
			uint64_t ahead, uint64_t rows)
{
  struct cab_simulating caches;
  struct cab_cache_ahead *to = &cab_cache_state (arena)->ahead;
  const uint64_t *list = list_of (round, arena);
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  cab_live_change (&caches.live, &to->before, to->before + n * round->rows);
  cab_live_change (&caches.live, &to->again, to->again + n * round->rows);
  cab_live_change (&caches.live, &to->rows, rows);
  cab_live_change (&caches.live, &to->n, ahead);
  for (uint64_t i = 0; i < round->n; i++)
    {
      uint64_t *word = (uint64_t *) (arena->base + list[2 * i]);
      cab_live_change (&caches.live, word, *word + n * list[2 * i + 1]);
    }
  cab_live_set_saved (caches.live.caches, 0);
}

uint64_t *
cab_cache_ahead_room (struct cab_arena *arena, uint64_t n)
{
  uint64_t words = cab_space_table_for (arena, cab_cache_state (arena)->ahead.words, n - 1,
					CAB_CACHE_LEAST, sizeof (uint64_t));
  if (!words)
    return NULL;
  cab_cache_state (arena)->ahead.words = words;
  cab_space_order ();
  return cab_space_elements (arena, words);
}

uint64_t
cab_cache_ahead (const struct cab_arena *arena, const uint64_t **words, uint64_t *rows_had)
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  if (!state || !state->ahead.n)
    return 0;
  *words = cab_space_elements (arena, state->ahead.words);
  *rows_had = cab_cache_rows (arena) - state->ahead.before;
  return state->ahead.n;
}

void
cab_cache_ahead_end (struct cab_arena *arena)
{
  cab_space_order ();
  *(volatile uint64_t *) &cab_cache_state (arena)->ahead.n = 0;
  cab_space_order ();
}
