/* an_cache.c - which accesses miss in which cache: caches of data, simulated while the program
 * runs.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      that of simulate.h; each thread has caches of its own, which begin empty.
 *             Allocations and releases touch nothing.
 *
 * State: tallies by number of the access, counts of passes by number of the shape, the caches, and
 *        words that are not yet in them.
 */
#include "analyses/live/cache/cache_arguments.h"
#include "analyses/live/cache/cache_commit.h"
#include "analyses/live/cache/cache_feed.h"
#include "analyses/live/cache/cache_state.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/sectioned.h"

#define NAME "cache"

int
cab_cache_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_simulate_open (arena, NAME, sizeof (struct cab_cache_state), CAB_CACHE_MAGIC,
			    offsetof (struct cab_cache_state, caches), arguments, diag);
}

bool
cab_cache_make_tally (struct cab_arena *arena, uint32_t number)
{
  uint64_t tallies = number > CAB_ACCESS_MAX
		     ? 0
		     : cab_space_table_for (arena, cab_cache_state (arena)->tallies, number,
					    CAB_CACHE_LEAST, sizeof (struct cab_tally));
  if (tallies)
    cab_cache_state (arena)->tallies = tallies;
  cab_space_order ();
  return tallies;
}

/* Return how often access PLACE of shape ID was in passes that are counted, without what was cut
   off. */
static uint64_t
read_passes (const struct cab_arena *arena, uint32_t id, uint32_t place)
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  if (!id || id >= cab_space_capacity (arena, state->passes))
    return 0;
  const struct cab_cache_passes *passes = (const struct cab_cache_passes *) cab_space_elements (
					    arena, state->passes)
					+ id;
  uint64_t n = passes->n;
  cab_simulate_overlay (arena, CAB_CACHE_CACHES, (const unsigned char *) &passes->n - arena->base,
			&n, 1);
  return n / CAB_CACHE_PASS + (place < n % CAB_CACHE_PASS);
}

/* Return the counters of access NUMBER, without what was cut off. */
static struct cab_tally
read_tally (const struct cab_arena *arena, uint64_t number)
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  const struct cab_tally *found = (const struct cab_tally *) cab_space_elements (arena,
										 state->tallies)
				+ number;
  struct cab_tally tally = *found;
  cab_simulate_overlay (arena, CAB_CACHE_CACHES, (const unsigned char *) found - arena->base,
			(uint64_t *) &tally, sizeof tally / 8);
  if (number >= cab_space_capacity (arena, state->members))
    return tally;
  const struct cab_cache_member *member = (const struct cab_cache_member *) cab_space_elements (
					    arena, state->members)
					+ number;
  for (int i = 0; i < 2; i++)
    tally.n[member->form & 3] += read_passes (arena, member->shape[i], member->place[i]);
  return tally;
}

bool
cab_cache_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_cache_row *row)
{
  uint64_t n = cab_cache_state (arena)
	       ? cab_space_capacity (arena, cab_cache_state (arena)->tallies)
	       : 0;
  while (*cursor < n)
    {
      struct cab_tally t = read_tally (arena, *cursor);
      *row = (struct cab_cache_row) { .number = (*cursor)++,
				      .rows = cab_tally_rows (&t),
				      .others = t.n[0] };
      if (!row->rows)
	continue;
      row->accesses[0] = t.n[CAB_ROW_READ] + t.n[CAB_ROW_READ | CAB_ROW_WRITE] + t.more[0];
      row->accesses[1] = t.n[CAB_ROW_WRITE] + t.more[1];
      memcpy (row->missed, t.missed, sizeof row->missed);
      return true;
    }
  return false;
}

uint64_t
cab_cache_again (const struct cab_arena *arena)
{
  return cab_cache_state (arena) ? cab_cache_state (arena)->ahead.again : 0;
}

bool
cab_cache_config (const struct cab_arena *arena, struct cab_cachesim_config *config)
{
  *config = cab_cache_state (arena)->caches.config;
  return !cab_cache_state (arena)->caches.mixed;
}

uint64_t
cab_cache_rows (const struct cab_arena *arena)
{
  struct cab_cache_row row;
  uint64_t sum = 0;
  for (uint64_t cursor = 0; cab_cache_next (arena, &cursor, &row);)
    sum += row.rows;
  return sum;
}

/* Return the state's `ahead', without what was cut off. */
static struct cab_cache_ahead
read_ahead (const struct cab_arena *arena)
{
  struct cab_cache_ahead ahead = cab_cache_state (arena)->ahead;
  cab_simulate_overlay (arena, CAB_CACHE_CACHES, offsetof (struct cab_cache_state, ahead),
			(uint64_t *) &ahead, sizeof ahead / 8);
  return ahead;
}

static uint64_t
cache_applied (const struct cab_arena *arena)
{
  struct cab_cache_ahead ahead = { 0 };
  if (cab_cache_state (arena))
    ahead = read_ahead (arena);
  return ahead.n ? ahead.before + ahead.rows : cab_cache_rows (arena);
}

/* Take back what was cut off once, so that readers of counters need not. */
static void
cache_resume (struct cab_arena *arena)
{
  struct cab_simulating caches;
  if (cab_cache_state (arena))
    cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
}

/* Empty the caches.  What is in `ahead' has been fed before. */
static void
cache_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (cab_cache_state (arena))
    cab_simulate_empty (arena, CAB_CACHE_CACHES);
}

static void
cache_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  (void) thread;
  if (cab_cache_state (arena) && cab_cache_state (from))
    cab_simulate_carry (arena, from, CAB_CACHE_CACHES);
}

/* Drop what is unfinished: the counts are too high by one section at most, or too low by one round;
   or some counters have repeated rounds that others do not have yet. */
static void
cache_let_go (struct cab_arena *arena)
{
  if (cab_cache_state (arena))
    cab_cache_state (arena)->caches.caches.n_saved = cab_cache_state (arena)->ahead.n = 0;
}

static uint64_t
cache_lost (const struct cab_arena *arena)
{
  return cab_cache_state (arena) ? cab_cache_state (arena)->lost : 0;
}

/* Return how far OFFSET is in its element of TABLE, whose elements have BYTES bytes; BYTES if it is
   not in TABLE. */
static uint64_t
within (const struct cab_arena *arena, uint64_t table, uint64_t offset, uint64_t bytes)
{
  uint64_t first = table + sizeof (struct cab_table_head);
  bool is_in = table && offset >= first
	    && offset - first < cab_space_capacity (arena, table) * bytes;
  return is_in ? (offset - first) % bytes : bytes;
}

/* Return true if a step may change the word at OFFSET. */
static bool
changes (const struct cab_arena *arena, uint64_t offset)
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  return within (arena, state->tallies, offset, sizeof (struct cab_tally))
	 < sizeof (struct cab_tally)
      || within (arena, state->passes, offset, sizeof (struct cab_cache_passes))
	   == offsetof (struct cab_cache_passes, n)
      || (offset >= offsetof (struct cab_cache_state, ahead.n)
	  && offset < offsetof (struct cab_cache_state, caches))
      || cab_simulate_is_begun (CAB_CACHE_CACHES, offset);
}

/* Return true if the tables overlap neither each other nor the state itself. */
static bool
apart (const struct cab_arena *arena)
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  const struct cab_live_caches *caches = &state->caches.caches;
  const struct cab_state_table tables[] = { { state->tallies, sizeof (struct cab_tally) },
					    { state->members, sizeof (struct cab_cache_member) },
					    { state->passes, sizeof (struct cab_cache_passes) },
					    { state->ahead.words, 8 },
					    { caches->tags, 8 },
					    { caches->journal, 8 },
					    { caches->recent, 8 } };
  const int n = sizeof tables / sizeof *tables;
  for (int i = 0; i < n; i++)
    if (!cab_space_table_ok (arena, tables[i].table, tables[i].element))
      return false;
  return cab_state_apart (arena, tables, n, sizeof *state);
}

static int
cache_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  if (!cab_cache_state (arena))
    return cab_state_is (arena, sizeof (struct cab_cache_state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!apart (arena))
    return cab_state_refuse (diag, NAME, "its tables leave the arena, or overlap");
  if (!cab_simulate_ok (arena, CAB_CACHE_CACHES, changes))
    return cab_state_refuse (diag, NAME, "its caches are impossible");
  uint64_t room = cab_space_capacity (arena, cab_cache_state (arena)->ahead.words);
  if (cab_cache_state (arena)->ahead.n > room || read_ahead (arena).n > room)
    return cab_state_refuse (diag, NAME, "it has more words to come than there are");
  return 0;
}

static void
add_tally (struct cab_arena *into, uint32_t target, const struct cab_tally *tally)
{
  struct cab_tally *to = (struct cab_tally *) cab_space_elements (into,
								  cab_cache_state (into)->tallies)
		       + target;
  for (size_t i = 0; i < sizeof *tally / 8; i++)
    ((uint64_t *) to)[i] += ((const uint64_t *) tally)[i];
}

static int
cache_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	     struct cab_diag *diag)
{
  struct cab_cache_row row;
  struct cab_simulating caches;
  if (!cab_cache_state (into) && cab_cache_open (into, "", diag) < 0)
    return -1;
  cab_simulate_begin (&caches, into, CAB_CACHE_CACHES);   /* takes back what was cut off */
  if (cab_cache_state (from) && (cache_applied (from) || cache_lost (from)))
    cab_simulate_merge (&cab_cache_state (into)->caches, &cab_cache_state (from)->caches,
			!cache_applied (into) && !cache_lost (into));
  cab_cache_state (into)->lost += cache_lost (from);
  cab_cache_state (into)->ahead.again += cab_cache_again (from);
  for (uint64_t cursor = 0; cab_cache_next (from, &cursor, &row);)
    {
      uint32_t target = map ? cab_space_mapped (map->access, map->n_access, row.number)
			    : row.number;
      struct cab_tally tally = read_tally (from, row.number);
      if ((!target && row.number) || !cab_cache_make_tally (into, target))
	cab_cache_state (into)->lost += row.rows;
      else
	add_tally (into, target, &tally);
    }
  return 0;
}

static const struct cab_sectioned sectioned = {
  .begin = cab_cache_sections_begin,
  .take = cab_cache_take_section,
  .rounds_fed = cab_cache_rounds_fed,
  .round_words = cab_cache_round_words,
  .round_begin = cab_cache_round_begin,
  .round_end = cab_cache_round_end,
  .round_repeat = cab_cache_round_repeat,
  .ahead_room = cab_cache_ahead_room,
  .ahead = cab_cache_ahead,
  .ahead_end = cab_cache_ahead_end
};

const struct cab_analysis cab_cache = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "which accesses miss in which cache",
  .kinds = 1u << CAB_EV_ACCESS,
  .wants = CAB_WANTS_REGIONS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .options = cab_cache_options,
  .open = cab_cache_open,
  .feed = cab_cache_feed,
  .applied = cache_applied,
  .lost = cache_lost,
  .check = cache_check,
  .merge = cache_merge,
  .resume = cache_resume,
  .let_go = cache_let_go,
  .begin_thread = cache_begin_thread,
  .carry = cache_carry,
  .settle = cab_cache_settle,
  .sectioned = &sectioned
};
