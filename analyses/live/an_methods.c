/* an_methods.c - count how often each function was entered, from call events.  It is the smallest
 * analysis, and so the one to read first.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/space.h"
#include "analyses/live/an_methods.h"

#define NAME "methods"
#define MAGIC 0x6d657468u
#define LEAST 1024

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t counts;  /* table of uint64_t, by function number */
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
methods_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

/* Return the counter of FN, making room for it if need be; null if there is no room.  May move the
   arena. */
static uint64_t *
counter (struct cab_arena *arena, uint32_t fn)
{
  if (!fn || fn > CAB_EV_ID_MAX)
    return NULL;
  uint64_t table = cab_space_table_for (arena, state_of (arena)->counts, fn, LEAST,
					sizeof (uint64_t));
  if (!table)
    return NULL;
  state_of (arena)->counts = table;
  return (uint64_t *) cab_space_elements (arena, table) + fn;
}

void
cab_methods_feed (struct cab_arena *arena, const struct cab_batch *batch,
		  const struct cab_functions *functions)
{
  uint32_t k = 0;
  (void) functions;
  if (batch->kind != CAB_EV_CALL || (!state_of (arena) && methods_open (arena, "", NULL) < 0))
    return;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t *count = counter (arena, cab_ev_callee (batch->events[i]));
      cab_space_add (count ? count : &state_of (arena)->lost, cab_batch_weight (batch, i, &k));
    }
}

static uint64_t
methods_applied (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  return state ? cab_state_sum (cab_space_elements (arena, state->counts),
				cab_space_capacity (arena, state->counts))
	       : 0;
}

static uint64_t
methods_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

static int
methods_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_table_ok (arena, state->counts, sizeof (uint64_t)))
    return cab_state_refuse (diag, NAME, "the table of counts leaves the arena");
  return 0;
}

static int
methods_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	       struct cab_diag *diag)
{
  const struct state *state = state_of (from);
  if (!state_of (into) && methods_open (into, "", diag) < 0)
    return -1;
  for (uint32_t fn = 0; fn < cab_methods_n (from); fn++)
    {
      uint64_t n = cab_methods_count (from, fn);
      uint32_t target = map ? cab_space_mapped (map->fn, map->n_fn, fn) : fn;
      uint64_t *count = n ? counter (into, target) : NULL;
      if (n)
	*(count ? count : &state_of (into)->lost) += n;
    }
  state_of (into)->lost += state ? state->lost : 0;
  return 0;
}

uint32_t
cab_methods_n (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  uint64_t n = state ? cab_space_capacity (arena, state->counts) : 0;
  return n > CAB_EV_ID_MAX ? CAB_EV_ID_MAX + 1 : n;
}

uint64_t
cab_methods_count (const struct cab_arena *arena, uint32_t fn)
{
  return fn < cab_methods_n (arena)
	 ? ((uint64_t *) cab_space_elements (arena, state_of (arena)->counts))[fn]
	 : 0;
}

const struct cab_analysis cab_methods = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how often each function was entered",
  .kinds = 1u << CAB_EV_CALL,
  .wants = CAB_TAKES_BURSTS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = methods_open,
  .feed = cab_methods_feed,
  .applied = methods_applied,
  .lost = methods_lost,
  .check = methods_check,
  .merge = methods_merge,
  .carry = cab_carry_nothing
};
