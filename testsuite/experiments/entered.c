/* entered.c - count how often each function was entered, from the events of calls: what the
 * analysis `methods' counts in place.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <cabprof/analysis.h>

#define N 65536   /* functions; the others share the last one's count */

struct state
{
  uint64_t n, entered[N];
};
#define STATE(arena) ((struct state *) (arena)->base)

static int
open_state (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  arena->used = sizeof (struct state);
  return 0;
}

static void
feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions)
{
  struct state *s = STATE (arena);
  (void) functions;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t fn = cab_ev_callee (batch->events[i]);
      s->entered[fn < N ? fn : N - 1]++;
    }
  s->n += batch->n;
}

static uint64_t
applied (const struct cab_arena *arena)
{
  return arena->used ? STATE (arena)->n : 0;
}

static uint64_t
lost (const struct cab_arena *arena)
{
  (void) arena;
  return 0;
}

static int
check (const struct cab_arena *arena, struct cab_diag *diag)
{
  (void) diag;
  return arena->used && arena->used < sizeof (struct state) ? -1 : 0;
}

static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) diag;
  for (uint32_t i = 0; from->used && i < N; i++)
    {
      uint32_t to = i < map->n_fn ? map->fn[i] : N - 1;
      STATE (into)->entered[to < N ? to : N - 1] += STATE (from)->entered[i];
    }
  STATE (into)->n += applied (from);
  return 0;
}

CAB_ANALYSIS_EXPORT = {
  CAB_ANALYSIS_HEAD, .name = "entered", .summary = "Entries of functions",
  .kinds = 1u << CAB_EV_CALL,
  .arena_bytes = 1 << 20, .open = open_state, .feed = feed, .applied = applied, .lost = lost,
  .check = check, .merge = merge
};
