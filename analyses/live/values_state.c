/* values_state.c - the state of the analysis `values', see values_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/values_state.h"
#include "analyses/live/value_order.h"
#include "analyses/live/an_values.h"

#define LEAST 64

struct cab_values_held *
cab_values_find (const struct cab_arena *arena, uint64_t table, uint64_t key)
{
  struct cab_values_held *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table), i = cab_space_hash (key, key >> 32, 1);
  for (uint64_t n = 0; n < capacity; n++, i++)
    if (!rows[i & (capacity - 1)].key || rows[i & (capacity - 1)].key == key)
      return &rows[i & (capacity - 1)];
  return NULL;
}

/* Return the entry of VALUE of KEY in TABLE, or the free one where it belongs; null if the table is
   full. */
static struct cab_values_entry *
probe_entry (const struct cab_arena *arena, uint64_t table, uint64_t key, uint64_t value)
{
  struct cab_values_entry *entries = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table),
	   i = cab_space_hash (key >> 8 ^ key << 24, value, value >> 32);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct cab_values_entry *e = &entries[i & (capacity - 1)];
      if (!e->key || (e->key == key && e->value == value))
	return e;
    }
  return NULL;
}

/* Make an empty table for elements of ELEMENT bytes, twice as large as TABLE, which it is to
   replace.  Return its offset, or 0 if there is no room. */
static uint64_t
larger (struct cab_arena *arena, uint64_t table, size_t element)
{
  uint64_t capacity = cab_space_capacity (arena, table);
  return cab_space_table (arena, capacity ? capacity * 2 : LEAST, element);
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t old = cab_values_state (arena)->rows,
	   table = larger (arena, old, sizeof (struct cab_values_held));
  const struct cab_values_held *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; table && i < cab_space_capacity (arena, old); i++)
    if (rows[i].key)
      *cab_values_find (arena, table, rows[i].key) = rows[i];
  cab_space_order ();
  cab_values_state (arena)->rows = table ? table : old;
  cab_space_order ();
  return table;
}

static bool
double_entries (struct cab_arena *arena)
{
  uint64_t old = cab_values_state (arena)->entries,
	   table = larger (arena, old, sizeof (struct cab_values_entry));
  const struct cab_values_entry *entries = cab_space_elements (arena, old);
  for (uint64_t i = 0; table && i < cab_space_capacity (arena, old); i++)
    if (entries[i].key)
      *probe_entry (arena, table, entries[i].key, entries[i].value) = entries[i];
  cab_space_order ();
  cab_values_state (arena)->entries = table ? table : old;
  cab_space_order ();
  return table;
}

struct cab_values_held *
cab_values_row_of (struct cab_arena *arena, uint64_t key)
{
  struct cab_values_state *state = cab_values_state (arena);
  struct cab_values_held *row = cab_values_find (arena, state->rows, key);
  if (row && row->key)
    return row;
  if (state->n_rows >= cab_space_capacity (arena, state->rows) / 2 && !double_rows (arena))
    return NULL;
  state = cab_values_state (arena);
  row = cab_values_find (arena, state->rows, key);
  if (!row)
    return NULL;
  state->n_rows++;
  cab_space_order ();
  row->key = key;
  cab_space_order ();
  return row;
}

struct cab_values_entry *
cab_values_entry_of (struct cab_arena *arena, uint64_t key, uint64_t value)
{
  struct cab_values_state *state = cab_values_state (arena);
  struct cab_values_entry *entry = probe_entry (arena, state->entries, key, value);
  if (entry && entry->key)
    return entry;
  if (state->n_entries >= cab_space_capacity (arena, state->entries) / 2 && !double_entries (arena))
    return NULL;
  state = cab_values_state (arena);
  entry = probe_entry (arena, state->entries, key, value);
  if (!entry)
    return NULL;
  state->n_entries++;
  entry->value = value;
  cab_space_order ();
  entry->key = key;
  cab_space_order ();
  return entry;
}

unsigned
cab_values_table (const struct cab_arena *arena, uint64_t ref, struct cab_top_table *table)
{
  const struct cab_values_state *state = cab_values_state (arena);
  uint64_t first = ref >> 16, places = ref & UINT16_MAX,
	   words = cab_space_capacity (arena, state->pool);
  if (places > CAB_TOP_PLACES_MOST || first > words || words - first < 2 * places)
    places = first = 0;
  table->values = (uint64_t *) cab_space_elements (arena, state->pool) + first;
  table->counts = table->values + places;
  return places;
}

uint64_t
cab_values_table_new (struct cab_arena *arena, unsigned places)
{
  uint64_t first = cab_values_state (arena)->n_pool;
  uint64_t pool = cab_space_table_for (arena, cab_values_state (arena)->pool,
				       first + 2 * places - 1, 4 * LEAST, sizeof (uint64_t));
  if (!pool)
    return 0;
  cab_values_state (arena)->pool = pool;
  cab_space_order ();
  cab_values_state (arena)->n_pool = first + 2 * places;
  cab_space_order ();
  return first << 16 | places;
}

/* Copy the N words at FROM to COPY, with a change that was cut off applied. */
static void
read_words (const struct cab_arena *arena, const void *from, void *copy, size_t n)
{
  memcpy (copy, from, n * 8);
  cab_redo_overlay (&cab_values_state (arena)->redo, (const unsigned char *) from - arena->base,
		    copy, n);
}

bool
cab_values_held_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_held *row)
{
  const struct cab_values_state *state = cab_values_state (arena);
  while (state && *cursor < cab_space_capacity (arena, state->rows))
    {
      const struct cab_values_held *found = (const struct cab_values_held *) cab_space_elements (
					      arena, state->rows)
					  + (*cursor)++;
      if (!found->key)
	continue;
      read_words (arena, found, row, sizeof *row / 8);
      return true;
    }
  return false;
}

/* Return how many different strides ROW had. */
static enum cab_values_stride
stride_of (const struct cab_values_held *row)
{
  return row->where & CAB_VALUES_STRIDES ? CAB_STRIDE_SEVERAL
       : row->where & CAB_VALUES_HAS_STRIDE ? CAB_STRIDE_ONE
       : CAB_STRIDE_NONE;
}

bool
cab_values_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_row *to)
{
  struct cab_values_held row;
  while (cab_values_held_next (arena, cursor, &row))
    if (row.events)
      {
	uint8_t type = cab_values_type (row.key);
	*to = (struct cab_values_row) { .number = cab_values_number (row.key),
					.type = type,
					.ordered = row.low || row.high,
					.events = row.events,
					.zero = row.zero,
					.same = row.same,
					.least = cab_value_of_rank (~row.low, type),
					.greatest = cab_value_of_rank (row.high, type),
					.strides = row.strides,
					.has_stride = stride_of (&row),
					.stride = row.stride,
					.lossy = row.lossy + row.lossy_before };
	return true;
      }
  return false;
}

/* Store to *TO the value in PLACE of the table of ROW, which is a copy.  Return false if there is
   none. */
static bool
value_in (const struct cab_arena *arena, const struct cab_values_held *row, unsigned place,
	  struct cab_values_entry *to)
{
  struct cab_top_table table;
  if (place >= cab_values_used (row, cab_values_table (arena, row->table, &table)))
    return false;
  to->key = row->key;
  read_words (arena, &table.values[place], &to->value, 1);
  read_words (arena, &table.counts[place], &to->n, 1);
  to->exact = to->n & CAB_TOP_LOWER ? 0 : row->lossy;
  to->n = cab_top_count (to->n);
  return true;
}

#define PLACE_BITS 9   /* low bits of a cursor that hold the place; those above them hold the row */

/* Store to TO the next value after *CURSOR in the tables of rows.  Return false at their end. */
static bool
next_in_tables (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_entry *to)
{
  uint64_t at, n = cab_space_capacity (arena, cab_values_state (arena)->rows);
  while ((at = *cursor >> PLACE_BITS) < n)
    {
      struct cab_values_held row;
      read_words (
	arena,
	(const struct cab_values_held *) cab_space_elements (arena, cab_values_state (arena)->rows)
	  + at,
	&row, sizeof row / 8);
      if (row.key && value_in (arena, &row, *cursor & ((1u << PLACE_BITS) - 1), to))
	{
	  ++*cursor;
	  return true;
	}
      *cursor = (at + 1) << PLACE_BITS;
    }
  return false;
}

bool
cab_values_entry_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_entry *to)
{
  const struct cab_values_state *state = cab_values_state (arena);
  if (!state)
    return false;
  if (next_in_tables (arena, cursor, to))
    return true;
  uint64_t tables = cab_space_capacity (arena, state->rows) << PLACE_BITS,
	   n = cab_space_capacity (arena, state->entries);
  for (const struct cab_values_entry *entries = cab_space_elements (arena, state->entries);
       *cursor - tables < n;)
    {
      read_words (arena, &entries[(*cursor)++ - tables], to, sizeof *to / 8);
      if (to->key)
	return true;
    }
  return false;
}

/* Return a copy of the entry of VALUE of KEY in the hash table; all zero if it is not there. */
static struct cab_values_entry
entry_before (const struct cab_arena *arena, uint64_t key, uint64_t value)
{
  struct cab_values_entry copy = { .key = 0 };
  const struct cab_values_entry *found = probe_entry (arena, cab_values_state (arena)->entries, key,
						      value);
  if (found && found->key)
    read_words (arena, found, &copy, sizeof copy / 8);
  return copy;
}

/* Return true if VALUE is in the table of ROW, with a count. */
static bool
is_in_table (const struct cab_arena *arena, const struct cab_values_held *row, uint64_t value)
{
  struct cab_values_entry entry;
  for (unsigned place = 0; value_in (arena, row, place, &entry); place++)
    if (entry.n && entry.value == value)
      return true;
  return false;
}

bool
cab_values_value_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_value *to)
{
  struct cab_values_entry entry, before;
  while (cab_values_entry_next (arena, cursor, &entry))
    {
      struct cab_values_held row = { .lossy = 0 };
      bool in_table = *cursor <= cab_space_capacity (arena, cab_values_state (arena)->rows)
				   << PLACE_BITS;
      const struct cab_values_held *found = cab_values_find (arena, cab_values_state (arena)->rows,
							     entry.key);
      if (found && found->key)
	read_words (arena, found, &row, sizeof row / 8);
      if (!entry.n || (!in_table && is_in_table (arena, &row, entry.value)))
	continue;
      before = in_table ? entry_before (arena, entry.key, entry.value)
			: (struct cab_values_entry) { .key = 0 };
      *to = (struct cab_values_value) { .number = cab_values_number (entry.key),
					.type = cab_values_type (entry.key),
					.value = entry.value,
					.n = entry.n + before.n,
					.lower = entry.exact + before.exact
					      != row.lossy + row.lossy_before };
      return true;
    }
  return false;
}

/* Return true if a change may alter the word at OFFSET: one of a row but its key, a count of an
   entry, or a word of the pool.  References to tables need no check here, as they are checked at
   each use. */
static bool
may_change (const struct cab_arena *arena, uint64_t offset)
{
  const struct cab_values_state *state = cab_values_state (arena);
  uint64_t head = sizeof (struct cab_table_head);
  if (cab_space_has (arena, state->rows, sizeof (struct cab_values_held), offset))
    return (offset - state->rows - head) % sizeof (struct cab_values_held)
	!= offsetof (struct cab_values_held, key);
  if (cab_space_has (arena, state->entries, sizeof (struct cab_values_entry), offset))
    return (offset - state->entries - head) % sizeof (struct cab_values_entry)
	>= offsetof (struct cab_values_entry, n);
  return cab_space_has (arena, state->pool, sizeof (uint64_t), offset);
}

int
cab_values_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct cab_values_state *state = cab_values_state (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct cab_values_state), 0)
	   ? 0
	   : cab_state_refuse (diag, CAB_VALUES_NAME, "the state has a foreign mark");
  if (!cab_space_hash_ok (arena, state->rows, state->n_rows, sizeof (struct cab_values_held))
      || !cab_space_hash_ok (arena, state->entries, state->n_entries,
			     sizeof (struct cab_values_entry))
      || !cab_space_table_ok (arena, state->pool, sizeof (uint64_t))
      || state->n_pool > cab_space_capacity (arena, state->pool))
    return cab_state_refuse (diag, CAB_VALUES_NAME,
			     "a table leaves the arena, or has an impossible size");
  if (state->places < CAB_TOP_PLACES_LEAST || state->places > CAB_TOP_PLACES_MOST)
    return cab_state_refuse (diag, CAB_VALUES_NAME,
			     "its tables have an impossible number of places");
  const struct cab_state_table tables[] = { { state->rows, sizeof (struct cab_values_held) },
					    { state->entries, sizeof (struct cab_values_entry) },
					    { state->pool, 8 } };
  if (!cab_state_apart (arena, tables, 3, sizeof *state))
    return cab_state_refuse (diag, CAB_VALUES_NAME, "its tables overlap");
  if (!cab_redo_ok (arena, &state->redo, may_change))
    return cab_state_refuse (diag, CAB_VALUES_NAME, "its list of changes is of another state");
  return 0;
}
