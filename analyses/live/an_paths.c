/* an_paths.c - count how often each path was taken, from path events.  The table has the same
 * layout as the counters of programs that count in place.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Each counter stands in two banks, which take turns: with one bank, a loop that takes the same
 * path again and again would wait for its own last store at every event.
 */
#include "analyses/live/space.h"
#include "analyses/live/an_paths.h"
#include <string.h>
#include "cabprof/abi.h"

#define NAME "paths"
#define MAGIC 0x70617468u
#define LEAST 4096
#define CACHE 256            /* functions whose place is cached within a batch */
#define FEW CAB_PATHS_FEW    /* rows for which it takes longer to empty that cache */
#define MOST (UINT64_C (1) << 40)

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t counts;  /* table of struct count, by counter */
};

#define N_BANKS 2u
struct count
{
  uint64_t bank[N_BANKS];
};

/* Where a function's paths are counted: path k at path[k], which lies BYTES_OF its row after
   path[0].  Only offsets less than `bytes' are valid; `bytes' is 0 if the place is unknown or the
   table ends before it. */
struct place
{
  uint32_t fn, bytes;
  struct count *path;
};
#define BYTES_OF(row) ((row) & CAB_EV_PATH_MASK << CAB_EV_PATH_SHIFT)
#define MOST_BYTES (UINT32_MAX / sizeof (struct count) * sizeof (struct count))
_Static_assert (sizeof (struct count) == 1 << CAB_EV_PATH_SHIFT,
	       "a row holds its path where an offset in bytes is");

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
paths_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

/* Return counter INDEX, making room for it if need be; null if there is no room.  May move the
   arena. */
static struct count *
counter (struct cab_arena *arena, uint64_t index)
{
  uint64_t table = cab_space_table_for (arena, state_of (arena)->counts, index, LEAST,
					sizeof (struct count));
  if (!table)
    return NULL;
  state_of (arena)->counts = table;
  return (struct count *) cab_space_elements (arena, table) + index;
}

/* What is needed to count a batch. */
struct view
{
  struct place places[CACHE];   /* direct mapped: the place of function FN is at FN % CACHE */
  struct cab_arena *arena;
  const struct cab_functions *functions;
};

/* Store to *FIRST the first path counter of FN, and return how many it has, whether or not the
   table reaches that far.  Return 0 if that is unknown. */
static uint32_t
paths_of (const struct cab_functions *functions, uint32_t fn, uint64_t *first)
{
  uint32_t n;
  if (!functions || functions->counters (functions->host, fn, first, &n) <= 0
      || *first > MOST || n < CAB_COUNTER_PATHS)
    return 0;
  *first += CAB_COUNTER_PATHS;
  return n - CAB_COUNTER_PATHS;
}

/* Fill the cached place of function FN, as far as the table reaches. */
static void __attribute__ ((noinline, cold))
look_up (struct view *v, uint32_t fn)
{
  uint64_t table = state_of (v->arena)->counts, room = cab_space_capacity (v->arena, table), first,
	   n = paths_of (v->functions, fn, &first);
  struct place *place = &v->places[fn % CACHE];
  *place = (struct place) { .fn = fn };
  if (n && first < room)
    {
      uint64_t bytes = (n < room - first ? n : room - first) * sizeof (struct count);
      place->bytes = bytes < MOST_BYTES ? bytes : MOST_BYTES;
      place->path = (struct count *) cab_space_elements (v->arena, table) + first;
    }
}

/* Count PATH of FN, TIMES times, when its counter is beyond the table, or does not exist.  The
   table may move, so all cached places are dropped. */
static void __attribute__ ((noinline, cold))
count_slow (struct view *v, uint32_t fn, uint64_t path, uint64_t times)
{
  uint64_t first, n = paths_of (v->functions, fn, &first);
  struct count *count = path < n ? counter (v->arena, first + path) : NULL;
  cab_space_add (count ? count->bank : &state_of (v->arena)->lost, times);
  memset (v->places, 0, sizeof v->places);
}

/* Count ROW, which happened N times, and whose path's counter is BYTES after its function's first
   one. */
static inline void
count (struct view *v, uint64_t row, uint64_t bytes, uint64_t n, unsigned bank)
{
  uint32_t fn = row >> CAB_EV_FN_SHIFT;
  if (__builtin_expect (v->places[fn % CACHE].fn != fn, 0))
    look_up (v, fn);
  if (__builtin_expect (bytes < v->places[fn % CACHE].bytes, 1))
    cab_space_add (&((struct count *) ((char *) v->places[fn % CACHE].path + bytes))->bank[bank],
		   n);
  else
    count_slow (v, fn, bytes / sizeof (struct count), n);
}

static inline void
count_row (struct view *v, uint64_t row, unsigned bank, bool has_runs)
{
  if (has_runs && __builtin_expect (cab_ev_is_run (row), 0))
    count (v, row, cab_ev_path (row) * sizeof (struct count), cab_ev_times (row), bank);
  else
    count (v, row, BYTES_OF (row), 1, bank);
}

static inline __attribute__ ((always_inline)) void
count_rows (struct view *v, const uint64_t *row, uint32_t n, bool has_runs)
{
  for (const uint64_t *end = row + n / N_BANKS * N_BANKS; row < end; row += N_BANKS)
    {
      count_row (v, row[0], 0, has_runs);
      count_row (v, row[1], 1, has_runs);
    }
  if (n % N_BANKS)
    count_row (v, *row, 0, has_runs);
}

/* Count the rows of BATCH by the weights of their bursts. */
static void
count_bursts (struct view *v, const struct cab_batch *batch)
{
  uint32_t k = 0;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t row = batch->events[i];
      count (v, row, cab_ev_path (row) * sizeof (struct count),
	     cab_ev_times (row) * cab_batch_weight (batch, i, &k), 0);
    }
}

/* Count the few rows of BATCH, none of which has a weight. */
static void
count_few (struct cab_arena *arena, const struct cab_batch *batch,
	   const struct cab_functions *functions)
{
  for (const uint64_t *row = batch->events, *end = row + batch->n; row < end; row++)
    {
      uint64_t first, n = paths_of (functions, cab_ev_fn (*row), &first), path = cab_ev_path (*row);
      struct count *count = path < n ? counter (arena, first + path) : NULL;
      cab_space_add (count ? count->bank : &state_of (arena)->lost, cab_ev_times (*row));
    }
}

/* Not inlined, as its frame is large. */
static void __attribute__ ((noinline))
count_many (struct cab_arena *arena, const struct cab_batch *batch,
	    const struct cab_functions *functions)
{
  struct view v = { .arena = arena, .functions = functions };
  if (batch->burst)
    count_bursts (&v, batch);
  else if (batch->has_runs)
    count_rows (&v, batch->events, batch->n, true);
  else
    count_rows (&v, batch->events, batch->n, false);
}

void
cab_paths_feed (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions)
{
  if (batch->kind != CAB_EV_PATH || (!state_of (arena) && paths_open (arena, "", NULL) < 0))
    return;
  if (batch->n <= FEW && !batch->burst)
    count_few (arena, batch, functions);
  else
    count_many (arena, batch, functions);
}

static uint64_t
paths_applied (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  return state ? cab_state_sum (cab_space_elements (arena, state->counts),
				N_BANKS * cab_space_capacity (arena, state->counts))
	       : 0;
}

static uint64_t
paths_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

static int
paths_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_table_ok (arena, state->counts, sizeof (struct count)))
    return cab_state_refuse (diag, NAME, "the table of counts leaves the arena");
  return 0;
}

/* Add N to counter INDEX of INTO, or to its lost events if INTO does not know the function (KNOWN
   is false), or has no room. */
static void
add (struct cab_arena *into, uint64_t index, uint64_t n, bool known)
{
  struct count *count = n && known && index < MOST ? counter (into, index) : NULL;
  if (n)
    *(count ? count->bank : &state_of (into)->lost) += n;
}

static int
paths_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	     struct cab_diag *diag)
{
  uint64_t n = cab_paths_n (from), moved = 0;
  if (!state_of (into) && paths_open (into, "", diag) < 0)
    return -1;
  if (!map || !map->first_from)
    for (uint64_t i = 0; i < n; i++)
      add (into, i, cab_paths_counter (from, i), true);
  else
    {
      for (uint32_t fn = 1; fn < map->n_fn; fn++)
	for (uint32_t i = 0; map->fn[fn] && i < map->n_counters[fn]; i++)
	  {
	    uint64_t count = cab_paths_counter (from, map->first_from[fn] + i);
	    add (into, map->first_to[fn] + i, count, true);
	    moved += count;
	  }
      state_of (into)->lost += paths_applied (from) - moved;
    }
  state_of (into)->lost += paths_lost (from);
  return 0;
}

uint64_t
cab_paths_n (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  return state ? cab_space_capacity (arena, state->counts) : 0;
}

uint64_t
cab_paths_counter (const struct cab_arena *arena, uint64_t index)
{
  if (index >= cab_paths_n (arena))
    return 0;
  const struct count *count = (const struct count *) cab_space_elements (arena,
									 state_of (arena)->counts)
			    + index;
  return count->bank[0] + count->bank[1];
}

const struct cab_analysis cab_paths = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how often each path was taken",
  .kinds = 1u << CAB_EV_PATH,
  .wants = CAB_TAKES_BURSTS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = paths_open,
  .feed = cab_paths_feed,
  .applied = paths_applied,
  .lost = paths_lost,
  .check = paths_check,
  .merge = paths_merge,
  .carry = cab_carry_nothing
};
