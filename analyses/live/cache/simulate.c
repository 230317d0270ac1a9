/* simulate.c - see simulate.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/simulate.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/cache_arguments.h"
#include "analyses/live/cache/live_steps.h"

#define CARRIED_WORDS 512u   /* compared, and copied, at a time */
#define CACHES(at) ((at) + offsetof (struct cab_simulate, caches))

static struct cab_simulate *
state_at (const struct cab_arena *arena, uint64_t at)
{
  return (struct cab_simulate *) (arena->base + at);
}

static uint64_t
sum_of (const struct cab_cachesim_config *config)
{
  const unsigned char *p = (const unsigned char *) config;
  uint64_t sum = UINT64_C (0xcbf29ce484222325);
  for (size_t i = 0; i < sizeof *config; i++)
    sum = (sum ^ p[i]) * UINT64_C (0x100000001b3);
  return sum;
}

void
cab_simulate_configure (struct cab_simulate *state, const struct cab_cachesim_config *config)
{
  memcpy (&state->config, config, sizeof *config);
  state->config_sum = sum_of (config);
}

int
cab_simulate_open (struct cab_arena *arena, const char *name, size_t bytes, uint32_t magic,
		   uint64_t at, const char *arguments, struct cab_diag *diag)
{
  struct cab_cachesim_config config;
  if (cab_cache_configure (arguments, &config, diag) < 0
      || cab_state_open (arena, bytes, 0, name, "", diag) < 0)
    return -1;
  cab_simulate_configure (state_at (arena, at), &config);
  cab_space_order ();
  *(volatile uint32_t *) arena->base = magic;
  cab_space_order ();
  return 0;
}

bool
cab_simulate_make (struct cab_arena *arena, uint64_t at)
{
  const struct cab_cachesim_config config = state_at (arena, at)->config;   /* copied, as the arena
									       may move */
  return state_at (arena, at)->caches.tags || cab_live_make (arena, CACHES (at), &config) == 0;
}

bool
cab_simulate_reserve (struct cab_arena *arena, uint64_t at, uint64_t n)
{
  return cab_live_reserve (arena, CACHES (at), n);
}

void
cab_simulate_begin (struct cab_simulating *s, const struct cab_arena *arena, uint64_t at)
{
  s->state = state_at (arena, at)->caches.tags ? state_at (arena, at) : NULL;
  if (!s->state)
    return;
  cab_live_begin (&s->live, arena, CACHES (at), &s->state->config);
  s->quick = cab_live_quick (&s->live);
}

void
cab_simulate_empty (const struct cab_arena *arena, uint64_t at)
{
  struct cab_simulating s;
  cab_simulate_begin (&s, arena, at);
  if (!s.state)
    return;
  memset (&s.state->begun, 0, sizeof s.state->begun);
  cab_live_empty (&s.live);
}

/* Copy the words of TABLE in FROM to those of table TO in ARENA.  Pages that are equal are not
   written: large caches are mostly empty. */
static void
copy_table (struct cab_arena *arena, uint64_t to, const struct cab_arena *from, uint64_t table)
{
  uint64_t n = cab_space_capacity (from, table);
  uint64_t *words = cab_space_elements (arena, to);
  const uint64_t *others = cab_space_elements (from, table);
  if (n != cab_space_capacity (arena, to))
    return;
  for (uint64_t at = 0, some; at < n; at += some)
    {
      some = n - at < CARRIED_WORDS ? n - at : CARRIED_WORDS;
      if (memcmp (words + at, others + at, some * sizeof *words))
	memcpy (words + at, others + at, some * sizeof *words);
    }
}

void
cab_simulate_carry (struct cab_arena *arena, const struct cab_arena *from, uint64_t at)
{
  const struct cab_live_caches *other = &((const struct cab_simulate *) (from->base + at))->caches;
  struct cab_simulating s;
  if (!other->tags)
    {
      cab_simulate_empty (arena, at);
      return;
    }
  if (!cab_simulate_make (arena, at))
    return;
  cab_simulate_begin (&s, arena, at);
  memset (&s.state->begun, 0, sizeof s.state->begun);
  copy_table (arena, s.state->caches.tags, from, other->tags);
  copy_table (arena, s.state->caches.recent, from, other->recent);
}

/* In a step, add MISSED to COUNTERS. */
static void
count_missed (struct cab_simulating *s, uint64_t *counters, const uint64_t *missed)
{
  for (unsigned level = 0; level < CAB_LIVE_LEVELS; level++)
    if (missed[level])
      cab_live_put (&s->live, &counters[level], counters[level] + missed[level]);
}

void
cab_simulate_step (struct cab_simulating *s, uint64_t *rows, uint64_t value, uint64_t *missed,
		   uint64_t first, uint64_t last)
{
  uint32_t line_log2 = s->quick.line_log2;
  if (s->live.straight && first >> line_log2 == last >> line_log2)
    {
      cab_live_miss (&s->live, first, rows, value, missed);
      return;
    }
  unsigned mark = cab_live_access (&s->live, first, last);
  cab_live_put (&s->live, rows, value);
  count_missed (
    s, missed,
    (const uint64_t[CAB_LIVE_LEVELS]) { mark & 1, mark >> 1 & 1, mark >> 2 & 1, mark >> 3 });
  cab_live_end (&s->live, last);
}

/* In the last step of a range, count a row of FORM, with MORE accesses beyond its own. */
static void
count_range (struct cab_simulating *s, struct cab_tally *t, unsigned form, const uint64_t *missed,
	     uint64_t more)
{
  unsigned row = form == CAB_ROW_WRITE;
  cab_live_put (&s->live, &t->n[form], t->n[form] + 1);
  cab_live_put (&s->live, &t->more[row], t->more[row] + more);
  count_missed (s, t->missed[row], missed);
}

/* Access each line from FIRST to LAST, in a step for each. */
static void
apply_lines (struct cab_simulating *s, struct cab_tally *t, unsigned form, uint64_t first,
	     uint64_t last)
{
  struct cab_begun *begun = &s->state->begun;
  uint32_t line_log2 = s->quick.line_log2;
  uint64_t line = first >> line_log2, n = (last >> line_log2) - line + 1, missed[CAB_LIVE_LEVELS];
  for (uint64_t i = begun->lines < n ? begun->lines : 0; i < n; i++)
    {
      uint64_t from = i ? (line + i) << line_log2 : first,
	       to = i + 1 < n ? ((line + i + 1) << line_log2) - 1 : last;
      unsigned mark = cab_live_access (&s->live, from, to);
      bool over = i + 1 == n;
      for (unsigned level = 0; level < CAB_LIVE_LEVELS; level++)
	{
	  missed[level] = begun->missed[level] + (mark >> level & 1);
	  cab_live_put (&s->live, &begun->missed[level], over ? 0 : missed[level]);
	}
      cab_live_put (&s->live, &begun->lines, over ? 0 : i + 1);
      if (over)
	count_range (s, t, form, missed, n - 1);
      cab_live_end (&s->live, to);
    }
}

void
cab_simulate_row (struct cab_simulating *s, struct cab_tally *t, unsigned form, uint64_t first,
		  uint64_t bytes)
{
  bool range = form & CAB_ROW_RANGE;
  uint32_t line_log2 = s->quick.line_log2;
  form &= CAB_ROW_READ | CAB_ROW_WRITE;
  if (!form || !bytes || cab_live_is_recent (&s->quick, first, bytes))
    {
      cab_space_count (&t->n[bytes ? form : 0]);
      return;
    }
  bytes = bytes > CAB_CACHE_RANGE_MOST ? CAB_CACHE_RANGE_MOST : bytes;
  uint64_t last = cab_simulate_last (first, bytes);
  if ((range || bytes > s->state->config.d1.line) && first >> line_log2 != last >> line_log2)
    apply_lines (s, t, form, first, last);
  else if (cab_live_reuse (&s->live, first, last))
    cab_space_count (&t->n[form]);
  else
    cab_simulate_step (s, &t->n[form], t->n[form] + 1, t->missed[form == CAB_ROW_WRITE], first,
		       last);
}

void
cab_simulate_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy,
		      uint64_t n)
{
  if (state_at (arena, at)->caches.n_saved)
    cab_live_overlay (arena, CACHES (at), offset, copy, n);
}

bool
cab_simulate_is_begun (uint64_t at, uint64_t offset)
{
  return offset - at - offsetof (struct cab_simulate, begun) < sizeof (struct cab_begun);
}

bool
cab_simulate_ok (const struct cab_arena *arena, uint64_t at,
		 bool (*own) (const struct cab_arena *arena, uint64_t offset))
{
  const struct cab_simulate *state = state_at (arena, at);
  struct cab_diag inner;
  return state->config_sum == sum_of (&state->config)
      && (unsigned) state->config.model <= CAB_CACHESIM_INCLUSIVE
      && cab_cachesim_bytes (&state->config, &inner)
      && cab_live_ok (arena, CACHES (at), &state->config, own);
}

void
cab_simulate_merge (struct cab_simulate *into, const struct cab_simulate *from, bool empty)
{
  int order = memcmp (&from->config, &into->config, sizeof into->config);
  into->mixed |= from->mixed | (!empty && order);
  if (!order || (!empty && order < 0))
    return;
  cab_simulate_configure (into, &from->config);
  into->caches = (struct cab_live_caches) { 0 };
}
