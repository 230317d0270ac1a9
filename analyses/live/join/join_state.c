/* join_state.c - the table of rows of the analysis `join': see join_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/join/join_state.h"

#define LEAST 256

/* Return the row of FACTS in TABLE, or the free one where it belongs; null: there is no table, or
   all are in use. */
static inline struct cab_join_count *
probe (const struct cab_arena *arena, uint64_t table, const struct cab_join_facts *facts)
{
  struct cab_join_count *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table);
  uint64_t h = facts->key * UINT64_C (0x9e3779b97f4a7c15)
	     ^ (facts->what + (facts->block ^ facts->who << 40)) * UINT64_C (0xd6e8feb86659fd93)
	     ^ facts->path * UINT64_C (0xff51afd7ed558ccd),
	   i = h ^ h >> 32;
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct cab_join_count *row = &rows[i & (capacity - 1)];
      if (cab_join_is_same (&row->facts, facts) || !row->facts.key)
	return row;
    }
  return NULL;
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t old = cab_join_state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST,
				    sizeof (struct cab_join_count));
  if (!table)
    return false;
  const struct cab_join_count *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].facts.key)
      *probe (arena, table, &rows[i].facts) = rows[i];
  cab_space_order ();
  cab_join_state_of (arena)->rows = table;
  return true;
}

/* Insert a row of FACTS, which exists once its key is stored.  Return null if there is no room. */
static struct cab_join_count * __attribute__ ((noinline))
insert (struct cab_arena *arena, const struct cab_join_facts *facts)
{
  struct cab_join_state *state = cab_join_state_of (arena);
  if (state->n_rows >= cab_space_capacity (arena, state->rows) / 2 && !double_rows (arena))
    return NULL;
  state = cab_join_state_of (arena);
  struct cab_join_count *row = probe (arena, state->rows, facts);
  if (!row)
    return NULL;
  state->n_rows++;
  row->facts.block = facts->block;
  row->facts.who = facts->who;
  row->facts.what = facts->what;
  row->facts.path = facts->path;
  cab_space_order ();
  row->facts.key = facts->key;
  cab_space_order ();
  return row;
}

struct cab_join_count *
cab_join_row_of (struct cab_arena *arena, const struct cab_join_facts *facts)
{
  struct cab_join_count *row = probe (arena, cab_join_state_of (arena)->rows, facts);
  return row && row->facts.key ? row : insert (arena, facts);
}

bool
cab_join_each (const struct cab_arena *arena, uint64_t *cursor, struct cab_join_count *count)
{
  const struct cab_join_state *state = cab_join_state_of (arena);
  if (!state)
    return false;
  uint64_t capacity = cab_space_capacity (arena, state->rows), n_held = state->n_held;
  const struct cab_join_count *rows = cab_space_elements (arena, state->rows),
			      *held = cab_space_elements (arena, state->held);
  cab_redo_overlay (&state->redo, offsetof (struct cab_join_state, n_held), &n_held, 1);
  while (*cursor < capacity)
    {
      const struct cab_join_count *row = &rows[(*cursor)++];
      *count = *row;
      cab_redo_overlay (&state->redo, (const unsigned char *) &row->n - arena->base, &count->n, 1);
      if (count->facts.key && count->n)
	return true;
    }
  while (*cursor - capacity < n_held)
    {
      *count = held[(*cursor)++ - capacity];
      if (count->facts.key)
	return true;
    }
  return false;
}
