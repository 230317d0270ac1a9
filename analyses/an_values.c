/* an_values.c - which values does each access read or write?  Of programs that were compiled for values.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for each access, how often it had a value, that was zero, the same as the time before in the same thread, the least and the greatest;
 *             and how often each of the first CAB_VALUES_KEPT different values came, exactly.  Of the values behind them only the number is known.
 *             Of an access that is wider than what is told of it (CAB_VALUE_PART) all this is said of the part.
 *             In a merged state there may be more values: as many as its sources held.  One that a source did not hold is counted without it.
 *
 * State: two hash tables, of accesses and of (access, value).  An access without a value is counted by one store, one with by a list of stores that
 * happen all or not at all (redo.h).
 */
#include "redo.h"
#include "states.h"

#define NAME "values"
#define MAGIC 0x76616c75u
#define LEAST 64

/* Key: (number of the access << 8 | type of the value) + 1; 0: none. */
struct row
{
  uint64_t key;
  uint64_t events, zero, same, last;
  uint64_t low, high;   /* complement of the least rank (see rank), and the greatest; both 0: there is none yet */
  uint64_t where;       /* thread of the last event << 32 | values that are kept */
};

struct entry
{
  uint64_t key, value, n;
};

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t rows, n_rows;         /* table of struct row, and how many are in use, or a few more; capacity: a power of two */
  uint64_t entries, n_entries;   /* the same of struct entry */
  struct cab_redo redo;
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
values_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

static uint64_t
key_of (uint32_t number, uint8_t type)
{
  return ((uint64_t) number << 8 | type) + 1;
}

static uint32_t
number_of (uint64_t key)
{
  return (key - 1) >> 8;
}

static uint8_t
type_of (uint64_t key)
{
  return key - 1;
}

/* The place of KEY in TABLE, or the free one where it belongs, or null: the table is full. */
static struct row *
probe_row (const struct cab_arena *arena, uint64_t table, uint64_t key)
{
  struct row *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table), i = cab_space_hash (key, key >> 32, 1);
  for (uint64_t n = 0; n < capacity; n++, i++)
    if (!rows[i & (capacity - 1)].key || rows[i & (capacity - 1)].key == key)
      return &rows[i & (capacity - 1)];
  return NULL;
}

static struct entry *
probe_entry (const struct cab_arena *arena, uint64_t table, uint64_t key, uint64_t value)
{
  struct entry *entries = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table), i = cab_space_hash (key >> 8 ^ key << 24, value, value >> 32);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct entry *e = &entries[i & (capacity - 1)];
      if (!e->key || (e->key == key && e->value == value))
	return e;
    }
  return NULL;
}

/* A table of ELEMENT bytes in place of TABLE, twice as large and empty; 0: no room. */
static uint64_t
larger (struct cab_arena *arena, uint64_t table, size_t element)
{
  uint64_t capacity = cab_space_capacity (arena, table);
  return cab_space_table (arena, capacity ? capacity * 2 : LEAST, element);
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->rows, table = larger (arena, old, sizeof (struct row));
  const struct row *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; table && i < cab_space_capacity (arena, old); i++)
    if (rows[i].key)
      *probe_row (arena, table, rows[i].key) = rows[i];
  cab_space_order ();
  state_of (arena)->rows = table ? table : old;
  cab_space_order ();
  return table;
}

static bool
double_entries (struct cab_arena *arena)
{
  uint64_t old = state_of (arena)->entries, table = larger (arena, old, sizeof (struct entry));
  const struct entry *entries = cab_space_elements (arena, old);
  for (uint64_t i = 0; table && i < cab_space_capacity (arena, old); i++)
    if (entries[i].key)
      *probe_entry (arena, table, entries[i].key, entries[i].value) = entries[i];
  cab_space_order ();
  state_of (arena)->entries = table ? table : old;
  cab_space_order ();
  return table;
}

/* The row of KEY, made if need be, or null: no room.  May move the arena. */
static struct row *
row_of (struct cab_arena *arena, uint64_t key)
{
  struct state *state = state_of (arena);
  struct row *row = probe_row (arena, state->rows, key);
  if (row && row->key)
    return row;
  if (state->n_rows >= cab_space_capacity (arena, state->rows) / 2 && !double_rows (arena))
    return NULL;
  state = state_of (arena);
  row = probe_row (arena, state->rows, key);
  if (!row)
    return NULL;
  state->n_rows++;
  cab_space_order ();
  row->key = key;
  cab_space_order ();
  return row;
}

static struct entry *
find_entry (const struct cab_arena *arena, uint64_t key, uint64_t value)
{
  struct entry *entry = probe_entry (arena, state_of (arena)->entries, key, value);
  return entry && entry->key ? entry : NULL;
}

/* The same for VALUE of KEY. */
static struct entry *
entry_of (struct cab_arena *arena, uint64_t key, uint64_t value)
{
  struct state *state = state_of (arena);
  struct entry *entry = find_entry (arena, key, value);
  if (entry)
    return entry;
  if (state->n_entries >= cab_space_capacity (arena, state->entries) / 2 && !double_entries (arena))
    return NULL;
  state = state_of (arena);
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

static bool
is_zero (uint64_t value, uint8_t type)
{
  unsigned kind = type & CAB_VALUE_TYPE;
  return (kind == CAB_VALUE_FLOAT ? value & INT32_MAX : kind == CAB_VALUE_DOUBLE ? value << 1 : value) == 0;
}

/* Bits of a float, the sign at SIGN, as a number that is in the order of the values. */
static uint64_t
rank_bits (uint64_t bits, uint64_t sign)
{
  return bits & sign ? ~bits & (sign | (sign - 1)) : bits | sign;
}

/* VALUE as a number in the order of its type's values; false: it has none (bits, parts of wider integers, no number). */
static bool
rank (uint64_t value, uint8_t type, uint64_t *to)
{
  const uint64_t sign = UINT64_C (1) << 63, sign_of_float = UINT64_C (1) << 31;
  unsigned kind = type & CAB_VALUE_TYPE;
  bool part = type & CAB_VALUE_PART;
  *to = kind == CAB_VALUE_SIGNED ? value ^ sign : kind == CAB_VALUE_FLOAT ? rank_bits (value & UINT32_MAX, sign_of_float)
	: kind == CAB_VALUE_DOUBLE ? rank_bits (value, sign) : value;
  if (kind == CAB_VALUE_FLOAT)
    return (value & INT32_MAX) <= UINT32_C (0x7f800000);
  if (kind == CAB_VALUE_DOUBLE)
    return (value & ~sign) <= UINT64_C (0x7ff) << 52;
  return !part && (kind == CAB_VALUE_UNSIGNED || kind == CAB_VALUE_SIGNED);
}

/* The value of rank RANK. */
static uint64_t
of_rank (uint64_t rank, uint8_t type)
{
  const uint64_t sign = UINT64_C (1) << 63, sign_of_float = UINT64_C (1) << 31;
  switch (type & CAB_VALUE_TYPE)
    {
    case CAB_VALUE_SIGNED: return rank ^ sign;
    case CAB_VALUE_FLOAT: return rank & sign_of_float ? rank ^ sign_of_float : ~rank & UINT32_MAX;
    case CAB_VALUE_DOUBLE: return rank & sign ? rank ^ sign : ~rank;
    default: return rank;
    }
}

static uint64_t
greater (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static void
put (struct cab_redo_list *list, const uint64_t *word, uint64_t value)
{
  if (*word != value)
    cab_redo_put (list, word, value);
}

/* ROW has VALUE once more in THREAD; ENTRY, if not null, counts that value. */
static void
count (struct cab_arena *arena, const struct row *row, const struct entry *entry, uint64_t value, uint32_t thread)
{
  uint64_t order;
  uint8_t type = type_of (row->key);
  struct cab_redo_list list = cab_redo_begin (arena, offsetof (struct state, redo));
  put (&list, &row->events, row->events + 1);
  put (&list, &row->zero, row->zero + is_zero (value, type));
  put (&list, &row->same, row->same + (row->events && row->where >> 32 == thread && row->last == value));
  put (&list, &row->last, value);
  put (&list, &row->where, (uint64_t) thread << 32 | ((uint32_t) row->where + (entry && !entry->n)));
  if (rank (value, type, &order))
    {
      put (&list, &row->low, greater (row->low, ~order));
      put (&list, &row->high, greater (row->high, order));
    }
  if (entry)
    put (&list, &entry->n, entry->n + 1);
  cab_redo_end (&list);
}

/* Access NUMBER had VALUE of TYPE; false: no room. */
static bool
apply (struct cab_arena *arena, uint32_t number, uint8_t type, uint64_t value, uint32_t thread)
{
  uint64_t key = key_of (number, type);
  struct row *row = row_of (arena, key);
  if (!row)
    return false;
  if (!type)
    {
      cab_space_count (&row->events);
      return true;
    }
  struct entry *entry = find_entry (arena, key, value);
  if (!entry && (uint32_t) row->where < CAB_VALUES_KEPT)
    {
      entry = entry_of (arena, key, value);
      if (!entry)
	return false;
      row = row_of (arena, key);
    }
  count (arena, row, entry, value, thread);
  return true;
}

static void
values_feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions, const struct cab_out *out)
{
  (void) functions, (void) out;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && values_open (arena, "", NULL) < 0))
    return;
  cab_redo_settle (arena, &state_of (arena)->redo);
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint8_t type = batch->value_type ? batch->value_type[i] : CAB_VALUE_NONE;
      if (!apply (arena, batch->site[i], type, type ? batch->value[i] : 0, batch->thread))
	cab_space_count (&state_of (arena)->lost);
    }
}

/* A copy of the N words at FROM, with what a change that was cut off makes of them. */
static void
read_words (const struct cab_arena *arena, const void *from, void *copy, size_t n)
{
  memcpy (copy, from, n * 8);
  cab_redo_overlay (&state_of (arena)->redo, (const unsigned char *) from - arena->base, copy, n);
}

/* The next row behind *CURSOR. */
static bool
next_row (const struct cab_arena *arena, uint64_t *cursor, struct row *row)
{
  const struct state *state = state_of (arena);
  while (state && *cursor < cab_space_capacity (arena, state->rows))
    {
      const struct row *found = (const struct row *) cab_space_elements (arena, state->rows) + (*cursor)++;
      if (!found->key)
	continue;
      read_words (arena, found, row, sizeof *row / 8);
      return true;
    }
  return false;
}

bool
cab_values_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_row *to)
{
  struct row row;
  while (next_row (arena, cursor, &row))
    if (row.events)
      {
	uint8_t type = type_of (row.key);
	*to = (struct cab_values_row) {
	  .number = number_of (row.key), .type = type, .ordered = row.low || row.high, .events = row.events, .zero = row.zero, .same = row.same,
	  .least = of_rank (~row.low, type), .greatest = of_rank (row.high, type)
	};
	return true;
      }
  return false;
}

bool
cab_values_value_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_value *to)
{
  const struct state *state = state_of (arena);
  while (state && *cursor < cab_space_capacity (arena, state->entries))
    {
      const struct entry *found = (const struct entry *) cab_space_elements (arena, state->entries) + (*cursor)++;
      struct entry entry;
      if (!found->key)
	continue;
      read_words (arena, found, &entry, sizeof entry / 8);
      *to = (struct cab_values_value) { number_of (entry.key), type_of (entry.key), entry.value, entry.n };
      if (entry.n)
	return true;
    }
  return false;
}

static uint64_t
values_applied (const struct cab_arena *arena)
{
  struct row row;
  uint64_t sum = 0;
  for (uint64_t cursor = 0; next_row (arena, &cursor, &row);)
    sum += row.events;
  return sum;
}

static uint64_t
values_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

/* Does a change alter the word at OFFSET: one of a row or of an entry, but no key or value that they are found by? */
static bool
may_change (const struct cab_arena *arena, uint64_t offset)
{
  const struct state *state = state_of (arena);
  uint64_t head = sizeof (struct cab_table_head);
  if (cab_space_has (arena, state->rows, sizeof (struct row), offset))
    return (offset - state->rows - head) % sizeof (struct row) != offsetof (struct row, key);
  return cab_space_has (arena, state->entries, sizeof (struct entry), offset)
	 && (offset - state->entries - head) % sizeof (struct entry) == offsetof (struct entry, n);
}

static int
values_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0) ? 0 : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (!cab_space_hash_ok (arena, state->rows, state->n_rows, sizeof (struct row))
      || !cab_space_hash_ok (arena, state->entries, state->n_entries, sizeof (struct entry)))
    return cab_state_refuse (diag, NAME, "a table leaves the arena, or has an impossible size");
  const struct cab_state_table tables[] = { { state->rows, sizeof (struct row) }, { state->entries, sizeof (struct entry) } };
  if (!cab_state_apart (arena, tables, 2, sizeof *state))
    return cab_state_refuse (diag, NAME, "its tables overlap");
  if (!cab_redo_ok (arena, &state->redo, may_change))
    return cab_state_refuse (diag, NAME, "its list of changes is of another state");
  return 0;
}

/* KEY in the terms of the target, of which MAP may be null; 0: it has no name there. */
static uint64_t
mapped (const struct cab_idmap *map, uint64_t key)
{
  uint32_t old = number_of (key), number = map ? cab_space_mapped (map->access, map->n_access, old) : old;
  return old && !number ? 0 : key_of (number, type_of (key));
}

static void
merge_entries (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map)
{
  struct cab_values_value value;
  for (uint64_t cursor = 0; cab_values_value_next (from, &cursor, &value);)
    {
      uint64_t key = mapped (map, key_of (value.number, value.type));
      struct row *row = key ? probe_row (into, state_of (into)->rows, key) : NULL;
      struct entry *entry = row && row->key ? entry_of (into, key, value.value) : NULL;
      if (!entry)
	continue;
      probe_row (into, state_of (into)->rows, key)->where += !entry->n;
      entry->n += value.n;
    }
}

static int
values_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map, struct cab_diag *diag)
{
  struct row row;
  if (!state_of (into) && values_open (into, "", diag) < 0)
    return -1;
  cab_redo_settle (into, &state_of (into)->redo);
  for (uint64_t cursor = 0; next_row (from, &cursor, &row);)
    {
      uint64_t key = mapped (map, row.key);
      struct row *to = key ? row_of (into, key) : NULL;
      if (!to)
	{
	  state_of (into)->lost += row.events;
	  continue;
	}
      to->events += row.events;
      to->zero += row.zero;
      to->same += row.same;
      to->low = greater (to->low, row.low);
      to->high = greater (to->high, row.high);
    }
  merge_entries (into, from, map);
  state_of (into)->lost += values_lost (from);
  return 0;
}

const struct cab_analysis cab_values = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "which values each access reads or writes",
  .kinds = 1u << CAB_EV_ACCESS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = values_open,
  .feed = values_feed,
  .applied = values_applied,
  .lost = values_lost,
  .check = values_check,
  .merge = values_merge
};
