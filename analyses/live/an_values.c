/* an_values.c - count which values each place in the code has, in programs that were compiled for
 * values.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A state holds, for each access (and for each argument, returned value and name, where
 *             these are recorded), by the type of the value: how often it happened, was zero, was
 *             the same as the previous one in the same thread, differed from that by as much as
 *             that one from its predecessor (but not by 0), and by how much; the least and the
 *             greatest value; and a table of the most frequent ones, see top_values.h.  If a value
 *             is wider than what is recorded (CAB_VALUE_PART), all this is about the recorded part.
 *             Tables are those of one thread.  When another thread begins, their values move to
 *             where those of merged states are, whatever the number of places: none has to leave.
 */
#include "analyses/live/choice.h"
#include "analyses/live/value_order.h"
#include "analyses/live/values_state.h"
#include "analyses/live/an_values.h"

static int
values_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  uint64_t places = CAB_TOP_PLACES, clear = CAB_TOP_CLEAR;
  if (!cab_choice_number (arguments, "places", CAB_TOP_PLACES_LEAST, CAB_TOP_PLACES_MOST, &places))
    return cab_state_refuse (diag, CAB_VALUES_NAME, "places= is a number of values from 2 to 256");
  if (!cab_choice_number (arguments, "clear", 1, 1000000000, &clear))
    return cab_state_refuse (diag, CAB_VALUES_NAME,
			     "clear= is a number of executions from 1 to 1000000000");
  if (cab_state_open (arena, sizeof (struct cab_values_state), 0, CAB_VALUES_NAME, "", diag) < 0)
    return -1;
  cab_values_state_at (arena)->places = places;
  cab_values_state_at (arena)->clear = clear;
  cab_space_order ();
  *(volatile uint32_t *) arena->base = CAB_VALUES_MAGIC;
  cab_space_order ();
  return 0;
}

#define FEW 4   /* places of a row's first table; most rows have few values */

/* Give the row of KEY, which exists, a larger table with the same values.  Return false if there is
   no room.  May move the arena. */
static bool
make_place (struct cab_arena *arena, uint64_t key)
{
  struct cab_top_table from, to;
  unsigned places = cab_values_table (arena, cab_values_row_of (arena, key)->table, &from),
	   most = cab_values_state (arena)->places;
  unsigned more = places ? 2 * places : FEW;
  uint64_t table = cab_values_table_new (arena, more < most ? more : most);
  if (!table)
    return false;
  struct cab_values_held *row = cab_values_row_of (arena, key);
  cab_values_table (arena, row->table, &from);
  cab_values_table (arena, table, &to);
  for (unsigned i = 0; i < places; i++)
    to.values[i] = from.values[i], to.counts[i] = from.counts[i];
  cab_space_order ();
  row->table = table;
  cab_space_order ();
  return true;
}

static uint64_t
greater (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* Add to LIST that WORD becomes VALUE, unless it is VALUE already. */
static void
put (struct cab_redo_list *list, const uint64_t *word, uint64_t value)
{
  if (*word != value)
    cab_redo_put (list, word, value);
}

/* A row whose next value is being counted. */
struct counting
{
  struct cab_values_held *row;
  struct cab_top_table table;    /* that of the row; if cleared: the spare one, which is going to
				    become the row's */
  unsigned places, used;
  bool cleared;
};

/* Set *C to the row of KEY, which exists, as it is. */
static void
begin (struct cab_arena *arena, uint64_t key, struct counting *c)
{
  c->row = cab_values_row_of (arena, key);
  c->places = cab_values_table (arena, c->row->table, &c->table);
  c->used = cab_values_used (c->row, c->places);
  c->cleared = false;
}

/* Clear the clearing part of C's table: what remains goes to the spare table, which C has from then
   on.  Without room for a spare table nothing changes.  May move the arena. */
static void
clear (struct cab_arena *arena, uint64_t key, struct counting *c)
{
  struct cab_top_table to;
  unsigned most = cab_values_state (arena)->places;
  if (cab_values_table (arena, c->row->spare, &to) < most)
    {
      uint64_t spare = cab_values_table_new (arena, most);
      if (!spare)
	return;
      begin (arena, key, c);
      c->row->spare = spare;
      cab_space_order ();
      cab_values_table (arena, spare, &to);
    }
  c->used = cab_top_clear (&to, &c->table, c->used, most);
  c->table = to;
  c->places = most;
  c->cleared = true;
}

/* Add to LIST what the steps between values become when ROW's next value is VALUE.  AGAIN: the
   previous one was in the same thread.  Return the flags of `where'. */
static uint64_t
count_step (struct cab_redo_list *list, const struct cab_values_held *row, uint64_t value,
	    bool again)
{
  uint64_t flags = row->where & (CAB_VALUES_HAS_STRIDE | CAB_VALUES_STRIDES),
	   step = value - row->last;
  if (!again || !cab_value_has_steps (cab_values_type (row->key)))
    return flags;
  if (row->where & CAB_VALUES_HAS_STEP && step == row->step && step)
    {
      put (list, &row->strides, row->strides + 1);
      if (!flags)
	put (list, &row->stride, step);
      flags |= flags && row->stride != step ? CAB_VALUES_STRIDES : CAB_VALUES_HAS_STRIDE;
    }
  put (list, &row->step, step);
  return flags | CAB_VALUES_HAS_STEP;
}

/* Add to LIST what C's table becomes when the next value is VALUE, which is in place AT, or in none
   (-1).  Return how many places are in use then. */
static unsigned
count_value (struct cab_redo_list *list, const struct counting *c, uint64_t value, int at)
{
  const struct cab_values_held *row = c->row;
  uint64_t clear = cab_values_state (list->arena)->clear;
  unsigned used = c->used;
  if (c->cleared)
    {
      put (list, &row->table, row->spare);
      put (list, &row->spare, row->table);
      put (list, &row->due, row->events + cab_top_interval (&c->table, c->places, clear));
    }
  if (at >= 0)
    {
      put (list, &c->table.counts[at], c->table.counts[at] + 1);
      return used;
    }
  if (used == c->places && !row->lossy)
    {
      put (list, &row->lossy, 1);
      put (list, &row->due, row->events + 1 + cab_top_interval (&c->table, c->places, clear));
    }
  at = used < c->places ? used++ : cab_top_victim (&c->table, c->places);
  put (list, &c->table.values[at], value);
  put (list, &c->table.counts[at], row->lossy ? 1 | CAB_TOP_LOWER : 1);
  return used;
}

/* Count VALUE once more, in THREAD, in C's row.  It is in place AT of C's table, or AT is -1; then
   the table has a free place, or as many places as it may have. */
static void
count (struct cab_arena *arena, const struct counting *c, uint64_t value, int at, uint32_t thread)
{
  uint64_t order;
  const struct cab_values_held *row = c->row;
  uint8_t type = cab_values_type (row->key);
  bool again = (row->events || row->where & CAB_VALUES_CARRIED) && row->where >> 32 == thread;
  struct cab_redo_list list = cab_redo_begin (arena, offsetof (struct cab_values_state, redo));
  put (&list, &row->events, row->events + 1);
  put (&list, &row->zero, row->zero + cab_value_is_zero (value, type));
  put (&list, &row->same, row->same + (again && row->last == value));
  uint64_t flags = count_step (&list, row, value, again);
  put (&list, &row->where, (uint64_t) thread << 32 | flags | count_value (&list, c, value, at));
  put (&list, &row->last, value);
  if (cab_value_rank (value, type, &order))
    {
      put (&list, &row->low, greater (row->low, ~order));
      put (&list, &row->high, greater (row->high, order));
    }
  cab_redo_end (&list);
}

/* Count that access NUMBER had VALUE of TYPE in THREAD.  Return false if there is no room. */
static bool
apply (struct cab_arena *arena, uint32_t number, uint8_t type, uint64_t value, uint32_t thread)
{
  struct counting c;
  uint64_t key = cab_values_key (number, type);
  if (!cab_values_row_of (arena, key))
    return false;
  begin (arena, key, &c);
  if (!type)
    {
      cab_space_count (&c.row->events);
      return true;
    }
  if (c.row->lossy && c.row->events >= c.row->due)
    clear (arena, key, &c);
  int at = cab_top_find (&c.table, c.used, value);
  if (at < 0 && c.used == c.places && c.places < cab_values_state (arena)->places)
    {
      if (!make_place (arena, key))
	return false;
      begin (arena, key, &c);
    }
  count (arena, &c, value, at, thread);
  return true;
}

static void
values_feed (struct cab_arena *arena, const struct cab_batch *batch,
	     const struct cab_functions *functions)
{
  (void) functions;
  if (batch->kind != CAB_EV_VALUE
      || (!cab_values_state (arena) && values_open (arena, "", NULL) < 0))
    return;
  cab_redo_settle (arena, &cab_values_state (arena)->redo);
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint8_t type = batch->value_type ? batch->value_type[i] : CAB_VALUE_NONE;
      if (!apply (arena, batch->site[i], type, type ? batch->value[i] : 0, batch->thread))
	cab_space_count (&cab_values_state (arena)->lost);
    }
}

/* Return row I of the hash table, which may be free. */
static struct cab_values_held *
row_at (const struct cab_arena *arena, uint64_t i)
{
  return (struct cab_values_held *) cab_space_elements (arena, cab_values_state (arena)->rows) + i;
}

/* Move the value in PLACE of the table of row I to the values of earlier threads.  Return false if
   there is no room.  May move the arena. */
static bool
pour_value (struct cab_arena *arena, uint64_t i, unsigned place)
{
  struct cab_top_table table;
  const struct cab_values_held *row = row_at (arena, i);
  cab_values_table (arena, row->table, &table);
  uint64_t count = table.counts[place];
  struct cab_values_entry *entry = cab_top_count (count)
				   ? cab_values_entry_of (arena, row->key, table.values[place])
				   : NULL;
  if (!entry)
    return !cab_top_count (count);
  row = row_at (arena, i);
  cab_values_table (arena, row->table, &table);
  struct cab_redo_list list = cab_redo_begin (arena, offsetof (struct cab_values_state, redo));
  put (&list, &entry->n, entry->n + cab_top_count (count));
  put (&list, &entry->exact, entry->exact + (count & CAB_TOP_LOWER ? 0 : row->lossy));
  put (&list, &table.counts[place], 0);
  cab_redo_end (&list);
  return true;
}

/* Empty the table of row I: its values become those of earlier threads, one by one, and then its
   losses.  If there is no room, the rest stays. */
static void
pour_row (struct cab_arena *arena, uint64_t i)
{
  struct cab_top_table table;
  const struct cab_values_held *row = row_at (arena, i);
  unsigned used = row->key ? cab_values_used (row, cab_values_table (arena, row->table, &table))
			   : 0;
  for (unsigned place = 0; place < used; place++)
    if (!pour_value (arena, i, place))
      return;
  row = row_at (arena, i);
  struct cab_redo_list list = cab_redo_begin (arena, offsetof (struct cab_values_state, redo));
  put (&list, &row->lossy_before, row->lossy_before + row->lossy);
  put (&list, &row->lossy, 0);
  put (&list, &row->where, row->where & ~(CAB_VALUES_USED | CAB_VALUES_HAS_STEP));
  cab_redo_end (&list);
}

/* Empty the tables of all rows, since the next thread has tables of its own. */
static void
pour (struct cab_arena *arena)
{
  for (uint64_t i = 0; i < cab_space_capacity (arena, cab_values_state (arena)->rows); i++)
    pour_row (arena, i);
}

static void
values_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (!cab_values_state (arena))
    return;
  cab_redo_settle (arena, &cab_values_state (arena)->redo);
  pour (arena);
}

/* Make the last values of FROM's rows the ones before the next values of ARENA's. */
static void
values_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  if (!cab_values_state (arena) || !cab_values_state (from))
    return;
  cab_redo_settle (arena, &cab_values_state (arena)->redo);
  for (uint64_t i = 0; i < cab_space_capacity (from, cab_values_state (from)->rows); i++)
    {
      const struct cab_values_held *other = row_at (from, i);
      bool has_last = other->key && cab_values_type (other->key)
		   && (other->events || other->where & CAB_VALUES_CARRIED)
		   && other->where >> 32 == thread;
      struct cab_values_held *row = has_last ? cab_values_row_of (arena, other->key) : NULL;
      if (!row)
	continue;
      uint64_t kept = row->where & (CAB_VALUES_USED | CAB_VALUES_HAS_STRIDE | CAB_VALUES_STRIDES);
      row->last = other->last;
      row->step = other->step;
      row->where = (uint64_t) thread << 32 | kept | CAB_VALUES_CARRIED
		 | (other->where & CAB_VALUES_HAS_STEP);
    }
}

static uint64_t
values_applied (const struct cab_arena *arena)
{
  struct cab_values_held row;
  uint64_t sum = 0;
  for (uint64_t cursor = 0; cab_values_held_next (arena, &cursor, &row);)
    sum += row.events;
  return sum;
}

static uint64_t
values_lost (const struct cab_arena *arena)
{
  return cab_values_state (arena) ? cab_values_state (arena)->lost : 0;
}

/* Return KEY with its number mapped by MAP, which may be null; 0 if it is not in MAP. */
static uint64_t
mapped (const struct cab_idmap *map, uint64_t key)
{
  uint32_t old = cab_values_number (key),
	   number = map ? cab_space_mapped (map->access, map->n_access, old) : old;
  return old && !number ? 0 : cab_values_key (number, cab_values_type (key));
}

/* Add the counts of VALUE, `n' and `exact', of the row of KEY, to INTO.  Without room they are
   dropped. */
static void
add_value (struct cab_arena *into, uint64_t key, const struct cab_values_entry *value)
{
  struct cab_values_entry *entry = cab_values_entry_of (into, key, value->value);
  if (!entry)
    return;
  entry->n += value->n;
  entry->exact += value->exact;
}

/* Add the strides of ROW, of another state, to those of TO. */
static void
merge_strides (struct cab_values_held *to, const struct cab_values_held *row)
{
  uint64_t flags = row->where & (CAB_VALUES_HAS_STRIDE | CAB_VALUES_STRIDES);
  to->strides += row->strides;
  if (!flags)
    return;
  if (!(to->where & CAB_VALUES_HAS_STRIDE))
    to->stride = row->stride;
  to->where |= flags | (to->stride != row->stride ? CAB_VALUES_STRIDES : 0);
}

/* Add ROW, of another state, to TO, but for its values. */
static void
merge_row (struct cab_values_held *to, const struct cab_values_held *row)
{
  to->events += row->events;
  to->zero += row->zero;
  to->same += row->same;
  to->low = greater (to->low, row->low);
  to->high = greater (to->high, row->high);
  to->lossy_before += row->lossy_before + row->lossy;
  merge_strides (to, row);
}

static int
values_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	      struct cab_diag *diag)
{
  struct cab_values_held row;
  struct cab_values_entry value;
  if (!cab_values_state (into) && values_open (into, "", diag) < 0)
    return -1;
  cab_redo_settle (into, &cab_values_state (into)->redo);
  pour (into);
  for (uint64_t cursor = 0; cab_values_held_next (from, &cursor, &row);)
    {
      uint64_t key = mapped (map, row.key);
      struct cab_values_held *to = key ? cab_values_row_of (into, key) : NULL;
      if (to)
	merge_row (to, &row);
      else
	cab_values_state (into)->lost += row.events;
    }
  for (uint64_t cursor = 0; cab_values_entry_next (from, &cursor, &value);)
    {
      uint64_t key = mapped (map, value.key);
      struct cab_values_held *to = key ? cab_values_find (into, cab_values_state (into)->rows, key)
				       : NULL;
      if (to && to->key)
	add_value (into, key, &value);
    }
  cab_values_state (into)->lost += values_lost (from);
  return 0;
}

static const struct cab_option options[] = {
  { "places", "N", "values that a table holds" },
  { "clear", "N", "executions after which half of a full table is cleared" },
  { NULL, NULL, NULL }
};

const struct cab_analysis cab_values = {
  .abi = CAB_ANALYSIS_ABI,
  .name = CAB_VALUES_NAME,
  .summary = "which values each access reads or writes, and calls, results and variables have",
  .options = options,
  .kinds = 1u << CAB_EV_VALUE,
  .shard = CAB_SHARD_KEY,
  .key = CAB_KEY_SITE,
  .arena_bytes = 65536,
  .open = values_open,
  .feed = values_feed,
  .applied = values_applied,
  .lost = values_lost,
  .check = cab_values_check,
  .merge = values_merge,
  .begin_thread = values_begin_thread,
  .carry = values_carry
};
