/* an_reuse.c - count how many other lines of memory are used between two uses of the same one.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      An access uses each line of memory that it touches, in ascending order.  A use's
 *             distance is the number of other lines used since the last use of its line: in a fully
 *             associative cache that drops the least recently used line it hits if, and only if,
 *             the cache has more lines than that.  Of lines that are not among the last `depth'
 *             ones it is known only that the distance is no less than the depth, or that this is
 *             the first use.
 * Threads:    each thread has a cache of its own.
 *
 * State:      a row for each access, with uses by the binary digits of their distance; uses of all
 *             accesses by distance; and the lines.  A use without any other line in between changes
 *             one counter; any other changes several words, all or none (redo.h).  `part' says how
 *             many lines of an access of several lines are done.
 */
#include "analyses/live/choice.h"
#include "analyses/live/lru.h"
#include "analyses/live/an_reuse.h"

#define NAME "reuse"
#define MAGIC 0x72657573u
#define LEAST 64
#define DEPTH (1u << 18)
#define LINE_LOG2 6
#define DEEP (CAB_REUSE_BUCKETS - 1)

struct place
{
  uint64_t adjust;                  /* events less uses, modulo 2^64; an event counts when its last
				       line is done */
  uint64_t n[CAB_REUSE_BUCKETS];
};

struct state
{
  uint32_t magic, line_log2;
  uint64_t lost;
  uint64_t places;     /* table of struct place, by number of the access */
  uint64_t part;       /* number of lines of the next event that are done already */
  uint64_t nowhere[CAB_REUSE_BUCKETS];   /* uses by accesses that a merge could not name */
  struct cab_redo redo;
  struct cab_lru lru;
};

#define REDO offsetof (struct state, redo)
#define LRU offsetof (struct state, lru)

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

/* Store to *LOG2 the logarithm of the power of two that KEY has in ARGUMENTS; leave *LOG2 as it is
   if KEY is not there.  Return false if the value is not a power of two from 2^LEAST to 2^MOST. */
static bool
power_of (const char *arguments, const char *key, unsigned least, unsigned most, unsigned *log2)
{
  uint64_t value = UINT64_C (1) << *log2;
  if (!cab_choice_number (arguments, key, UINT64_C (1) << least, UINT64_C (1) << most, &value)
      || value & (value - 1))
    return false;
  *log2 = __builtin_ctzll (value);
  return true;
}

static int
reuse_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  unsigned line = LINE_LOG2, depth = __builtin_ctz (DEPTH);
  if (!power_of (arguments, "depth", 7, 24, &depth))
    return cab_state_refuse (diag, NAME, "depth= is in lines, a power of two from 128 to 16777216");
  if (!power_of (arguments, "line", 3, 16, &line))
    return cab_state_refuse (diag, NAME, "line= is in bytes, a power of two from 8 to 65536");
  if (cab_space_reserve (arena, sizeof (struct state)) < 0)
    return cab_state_refuse (diag, NAME, "no memory for its state: free some");
  struct state *state = (struct state *) arena->base;
  memset (state, 0, sizeof *state);
  state->line_log2 = line;
  state->lru.depth = UINT64_C (1) << depth;
  arena->used = sizeof *state;
  if (arena->publish)
    arena->publish (arena);
  cab_space_order ();
  *(volatile uint32_t *) &state->magic = MAGIC;
  cab_space_order ();
  return 0;
}

/* Return the row of access NUMBER, making room for it if need be; null if there is no room.  May
   move the arena. */
static struct place *
place_of (struct cab_arena *arena, uint32_t number)
{
  if (number >= cab_space_capacity (arena, state_of (arena)->places))
    {
      uint64_t larger = number > CAB_ACCESS_MAX
			? 0
			: cab_space_table_for (arena, state_of (arena)->places, number, LEAST,
					       sizeof (struct place));
      if (!larger)
	return NULL;
      state_of (arena)->places = larger;
    }
  return (struct place *) cab_space_elements (arena, state_of (arena)->places) + number;
}

/* Return the bucket of DISTANCE: 0 for 0, else the number of its binary digits. */
static unsigned
bucket_of (uint64_t distance)
{
  return distance ? 64 - __builtin_clzll (distance) : 0;
}

/* Add to LIST what USES uses of an event of N_LINES lines change besides the lines; PART of the
   lines are done after them. */
static void
put_progress (struct cab_redo_list *list, struct place *p, uint64_t part, uint64_t n_lines,
	      uint64_t uses)
{
  struct state *state = state_of (list->arena);
  bool ends = part == n_lines;
  if (n_lines == 1)
    return;
  cab_redo_put (list, &p->adjust, p->adjust - uses + ends);
  cab_redo_put (list, &state->part, ends ? 0 : part);
}

/* Use LINE, after PART others of the N_LINES lines of an event of access NUMBER.  Return false if
   there is no room for lines. */
static bool
use_line (struct cab_arena *arena, uint32_t number, uint64_t line, uint64_t part, uint64_t n_lines)
{
  struct cab_lru_use use;
  if (!cab_lru_reserve (arena, LRU))
    return false;
  struct state *state = state_of (arena);
  struct place *p = place_of (arena, number);
  cab_lru_look (arena, LRU, line, &use);
  unsigned bucket = use.distance < state->lru.depth ? bucket_of (use.distance) : DEEP;
  struct cab_redo_list list = cab_redo_begin (arena, REDO);
  cab_redo_put (&list, &p->n[bucket], p->n[bucket] + 1);
  if (use.distance && use.distance < cab_space_capacity (arena, state->lru.distances)
      && bucket != DEEP)
    {
      uint64_t *exact = (uint64_t *) cab_space_elements (arena, state->lru.distances)
		      + use.distance;
      cab_redo_put (&list, exact, *exact + 1);
    }
  if (use.distance)
    cab_lru_put (&list, LRU, &use);
  put_progress (&list, p, part + 1, n_lines, 1);
  cab_redo_end (&list);
  if (use.distance)
    cab_lru_moved (arena, LRU, &use);
  return true;
}

/* Count an event as lost for which there was no room, perhaps after some of its lines. */
static void
lose (struct cab_arena *arena)
{
  struct state *state = state_of (arena);
  struct cab_redo_list list = cab_redo_begin (arena, REDO);
  cab_redo_put (&list, &state->lost, state->lost + 1);
  cab_redo_put (&list, &state->part, 0);
  cab_redo_end (&list);
}

/* Apply an event of lines FIRST to LAST.  All lines after its first `depth' ones are new to what is
   kept by then, and of the event only the last `depth' lines leave a trace, so the lines between
   are only counted. */
static void
use_lines (struct cab_arena *arena, uint32_t number, uint64_t first, uint64_t last)
{
  uint64_t n = last - first + 1, part = state_of (arena)->part;
  part = part < n ? part : 0;
  do
    {
      uint64_t depth = state_of (arena)->lru.depth;
      if (part >= depth && n - part > depth)
	{
	  struct place *p = place_of (arena, number);
	  struct cab_redo_list list = cab_redo_begin (arena, REDO);
	  uint64_t skipped = n - part - depth;
	  cab_redo_put (&list, &p->n[DEEP], p->n[DEEP] + skipped);
	  put_progress (&list, p, part + skipped, n, skipped);
	  cab_redo_end (&list);
	}
      else if (!use_line (arena, number, first + part, part, n))
	{
	  lose (arena);
	  return;
	}
      part = state_of (arena)->part;
    }
  while (part && n > 1);
}

/* Apply an event of access NUMBER.  A use of the line that was used last is one store. */
static void
use (struct cab_arena *arena, uint32_t number, unsigned form, uint64_t address, uint64_t bytes)
{
  unsigned shift = state_of (arena)->line_log2;
  uint64_t end = bytes && address + bytes - 1 < address ? UINT64_MAX : address + bytes - 1;
  struct place *p = place_of (arena, number);
  const struct state *state = state_of (arena);
  if (!p)
    lose (arena);
  else if (!bytes || !(form & (CAB_ROW_READ | CAB_ROW_WRITE)))
    cab_space_count (&p->adjust);
  else if (address >> shift == end >> shift
	   && cab_lru_is_last (arena, &state->lru, address >> shift))
    cab_space_count (&p->n[0]);
  else
    use_lines (arena, number, address >> shift, end >> shift);
}

static void
reuse_feed (struct cab_arena *arena, const struct cab_batch *batch,
	    const struct cab_functions *functions)
{
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && reuse_open (arena, "", NULL) < 0))
    return;
  cab_redo_settle (arena, &state_of (arena)->redo);
  cab_lru_enter (arena, LRU);
  for (uint32_t i = 0; i < batch->n; i++)
    use (arena, batch->site[i], batch->form[i], batch->address[i], batch->bytes[i]);
  cab_lru_leave (arena, LRU);
}

static void
reuse_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena))
    return;
  cab_redo_settle (arena, &state_of (arena)->redo);
  state_of (arena)->part = 0;
  cab_lru_empty (arena, LRU);
}

/* Give ARENA the lines of FROM, in the order of their last use. */
static void
reuse_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  reuse_begin_thread (arena, thread);
  if (!state_of (arena) || !state_of (from) || !cab_lru_now (&state_of (from)->lru))
    return;
  const struct cab_lru *lines = &state_of (from)->lru;
  cab_lru_enter (arena, LRU);
  for (uint64_t i = 0; i < cab_lru_now (lines); i++)
    {
      uint64_t line = cab_lru_slots (from, lines)[i];
      struct cab_lru_use use;
      if (!line || !cab_lru_reserve (arena, LRU))
	continue;
      cab_lru_look (arena, LRU, line - 1, &use);
      struct cab_redo_list list = cab_redo_begin (arena, REDO);
      cab_lru_put (&list, LRU, &use);
      cab_redo_end (&list);
      cab_lru_moved (arena, LRU, &use);
    }
  cab_lru_leave (arena, LRU);
}

/* Return how many events ROW has counted. */
static uint64_t
events_of (const struct cab_reuse_row *row)
{
  return row->adjust + cab_state_sum (row->n, CAB_REUSE_BUCKETS);
}

bool
cab_reuse_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_reuse_row *row)
{
  const struct state *state = state_of (arena);
  uint64_t n = state ? cab_space_capacity (arena, state->places) : 0;
  for (; *cursor < n; ++*cursor)
    {
      const struct place *p = (const struct place *) cab_space_elements (arena, state->places)
			    + *cursor;
      struct place copy = *p;
      cab_redo_overlay (&state->redo, (const unsigned char *) p - arena->base, (uint64_t *) &copy,
			sizeof copy / 8);
      row->number = *cursor;
      row->adjust = copy.adjust;
      memcpy (row->n, copy.n, sizeof row->n);
      if (!row->adjust && !cab_state_sum (row->n, CAB_REUSE_BUCKETS))
	continue;
      ++*cursor;
      return true;
    }
  return false;
}

uint64_t
cab_reuse_depth (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lru.depth : DEPTH;
}

uint32_t
cab_reuse_line (const struct cab_arena *arena)
{
  return 1u << (state_of (arena) ? state_of (arena)->line_log2 : LINE_LOG2);
}

uint64_t
cab_reuse_uses (const struct cab_arena *arena, uint64_t distance)
{
  const struct state *state = state_of (arena);
  struct cab_reuse_row row;
  bool deep = state && distance >= state->lru.depth;
  if (!state || (distance && !deep && distance >= cab_space_capacity (arena, state->lru.distances)))
    return 0;
  uint64_t n = state->nowhere[deep ? DEEP : 0];
  if (distance && !deep)
    {
      const uint64_t *exact = (const uint64_t *) cab_space_elements (arena, state->lru.distances)
			    + distance;
      n = *exact;
      cab_redo_overlay (&state->redo, (const unsigned char *) exact - arena->base, &n, 1);
      return n;
    }
  for (uint64_t cursor = 0; cab_reuse_next (arena, &cursor, &row);)
    n += row.n[deep ? DEEP : 0];
  return n;
}

static uint64_t
reuse_applied (const struct cab_arena *arena)
{
  struct cab_reuse_row row;
  uint64_t sum = 0;
  for (uint64_t cursor = 0; cab_reuse_next (arena, &cursor, &row);)
    sum += events_of (&row);
  return sum;
}

static uint64_t
reuse_lost (const struct cab_arena *arena)
{
  uint64_t lost = state_of (arena) ? state_of (arena)->lost : 0;
  if (state_of (arena))
    cab_redo_overlay (&state_of (arena)->redo, offsetof (struct state, lost), &lost, 1);
  return lost;
}

/* Return true if a change that was cut off may store to OFFSET. */
static bool
may_change (const struct cab_arena *arena, uint64_t offset)
{
  const struct state *state = state_of (arena);
  const struct { uint64_t table; size_t element;
  } t[] = { { state->places, sizeof (struct place) },
	    { state->lru.distances, 8 },
	    { state->lru.slots[0], 8 },
	    { state->lru.slots[1], 8 } };
  for (int i = 0; i < 4; i++)
    {
      uint64_t first = t[i].table + sizeof (struct cab_table_head);
      if (t[i].table && offset >= first
	  && offset - first < cab_space_capacity (arena, t[i].table) * t[i].element)
	return true;
    }
  return offset == offsetof (struct state, lost) || offset == offsetof (struct state, part)
	 || offset == LRU + offsetof (struct cab_lru, head);
}

static int
reuse_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (state->line_log2 < 3 || state->line_log2 > 16
      || !cab_space_table_ok (arena, state->places, sizeof (struct place))
      || !cab_lru_ok (arena, LRU))
    return cab_state_refuse (diag, NAME,
			     "the tables of lines leave the arena, or have an impossible size");
  const struct cab_state_table tables[] = { { state->places, sizeof (struct place) },
					    { state->lru.distances, 8 },
					    { state->lru.slots[0], 8 },
					    { state->lru.slots[1], 8 },
					    { state->lru.index, 8 } };
  if (!cab_state_apart (arena, tables, 5, sizeof *state))
    return cab_state_refuse (diag, NAME, "its tables overlap");
  if (!cab_redo_ok (arena, &state->redo, may_change))
    return cab_state_refuse (diag, NAME, "its list of changes is of another state");
  return 0;
}

/* Return true if the state in ARENA, which is open, has counted nothing. */
static bool
is_empty (const struct cab_arena *arena)
{
  uint64_t cursor = 0;
  struct cab_reuse_row row;
  return !cab_reuse_next (arena, &cursor, &row)
      && !cab_state_sum (state_of (arena)->nowhere, CAB_REUSE_BUCKETS);
}

/* Lower the depth to DEPTH: distances no less than that become unknown ones. */
static void
lower_depth (struct cab_arena *arena, uint64_t depth)
{
  struct state *state = state_of (arena);
  struct place *places = cab_space_elements (arena, state->places);
  if (depth >= state->lru.depth)
    return;
  state->lru.depth = depth;
  for (uint64_t i = 0; i <= cab_space_capacity (arena, state->places); i++)
    {
      uint64_t *n = i < cab_space_capacity (arena, state->places) ? places[i].n : state->nowhere;
      for (unsigned b = bucket_of (depth); b < DEEP; b++)
	{
	  n[DEEP] += n[b];
	  n[b] = 0;
	}
    }
}

/* Add the uses by distance of FROM, below DEPTH, to INTO.  Return false if there is no room. */
static bool
merge_distances (struct cab_arena *into, const struct cab_arena *from, uint64_t depth)
{
  uint64_t capacity = cab_space_capacity (from, state_of (from)->lru.distances);
  uint64_t most = capacity < depth ? capacity : depth;
  if (!most)
    return true;
  uint64_t table = cab_space_table_for (into, state_of (into)->lru.distances, most - 1,
					CAB_LRU_DEPTH_MIN, 8);
  if (!table)
    return false;
  state_of (into)->lru.distances = table;
  uint64_t *to = cab_space_elements (into, table);
  for (uint64_t d = 1; d < most; d++)
    to[d] += cab_reuse_uses (from, d);
  return true;
}

/* Add ROW to access TARGET of INTO, or to those without a name if TARGET is 0. */
static void
merge_row (struct cab_arena *into, const struct cab_reuse_row *row, uint32_t target, uint64_t depth)
{
  struct place *p = target || !row->number ? place_of (into, target) : NULL;
  uint64_t *n = p ? p->n : state_of (into)->nowhere;
  for (unsigned b = 0; b < CAB_REUSE_BUCKETS; b++)
    n[b < bucket_of (depth) ? b : DEEP] += row->n[b];
  if (p)
    p->adjust += row->adjust;
  else
    state_of (into)->lost += events_of (row);
}

/* Add the sums of FROM.  The lines stay those of INTO, which is not fed any more. */
static int
reuse_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	     struct cab_diag *diag)
{
  struct cab_reuse_row row;
  if (!state_of (into) && reuse_open (into, "", diag) < 0)
    return -1;
  cab_redo_settle (into, &state_of (into)->redo);
  state_of (into)->lost += reuse_lost (from);
  if (!state_of (from) || is_empty (from))
    return 0;
  if (is_empty (into))
    {
      state_of (into)->line_log2 = state_of (from)->line_log2;
      state_of (into)->lru.depth = state_of (from)->lru.depth;
    }
  if (state_of (into)->line_log2 != state_of (from)->line_log2)
    return cab_state_refuse (diag, NAME,
			     "states of lines of different lengths do not add up: report on these "
			     "processes by themselves");
  lower_depth (into, state_of (from)->lru.depth);
  uint64_t depth = state_of (into)->lru.depth;
  if (!merge_distances (into, from, depth))
    return cab_state_refuse (diag, NAME, "no memory to add states up: free some");
  for (uint64_t cursor = 0; cab_reuse_next (from, &cursor, &row);)
    merge_row (into, &row,
	       map ? cab_space_mapped (map->access, map->n_access, row.number) : row.number, depth);
  for (unsigned b = 0; b < CAB_REUSE_BUCKETS; b++)
    state_of (into)->nowhere[b < bucket_of (depth) ? b : DEEP] += state_of (from)->nowhere[b];
  return 0;
}

static const struct cab_option options[] = {
  { "depth", "LINES", "largest distance that is exact" },
  { "line", "BYTES", "length of a line" },
  { NULL, NULL, NULL }
};

const struct cab_analysis cab_reuse = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "how many other lines of memory are used between two uses of one",
  .kinds = 1u << CAB_EV_ACCESS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .options = options,
  .open = reuse_open,
  .feed = reuse_feed,
  .applied = reuse_applied,
  .lost = reuse_lost,
  .check = reuse_check,
  .merge = reuse_merge,
  .begin_thread = reuse_begin_thread,
  .carry = reuse_carry
};
