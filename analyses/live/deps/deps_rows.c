/* deps_rows.c - see deps_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/deps/deps_rows.h"

#define LEAST_ROWS (4 * CAB_DEPS_NEW_ROWS)

/* Fields of an entry. */
#define USED (UINT64_C (1) << 63)
#define KIND_SHIFT 56u
#define CARRIED (UINT64_C (1) << 58)
#define COVERED (UINT64_C (1) << 59)
#define SITE_MASK ((UINT64_C (1) << CAB_DEPS_SITE_BITS) - 1)
#define LEVEL_SHIFT 48u
#define DISTANCE_SHIFT 54u

void
cab_deps_pack (const struct cab_deps_row *row, uint64_t *sites, uint64_t *place)
{
  *sites = USED | row->to | (uint64_t) row->from << CAB_DEPS_SITE_BITS
	 | (uint64_t) row->kind << KIND_SHIFT | (row->carried ? CARRIED : 0)
	 | (row->covered ? COVERED : 0);
  *place = row->node | (uint64_t) row->from_node << 24 | (uint64_t) row->level << LEVEL_SHIFT
	 | (uint64_t) row->distance << DISTANCE_SHIFT;
}

void
cab_deps_unpack (uint64_t sites, uint64_t place, struct cab_deps_row *row)
{
  *row = (struct cab_deps_row) { .kind = sites >> KIND_SHIFT & 3,
				 .from = sites >> CAB_DEPS_SITE_BITS & SITE_MASK,
				 .to = sites & SITE_MASK,
				 .node = place & CAB_DEPS_NODE_MOST,
				 .from_node = place >> 24 & CAB_DEPS_NODE_MOST,
				 .level = place >> LEVEL_SHIFT & 63,
				 .carried = sites & CARRIED,
				 .distance = place >> DISTANCE_SHIFT & 511,
				 .covered = sites & COVERED };
}

/* Return the entry among ROWS, or the free one where it belongs; null if there is neither. */
static inline struct cab_deps_entry *
probe (const struct cab_arena *arena, uint64_t table, uint64_t sites, uint64_t place)
{
  struct cab_deps_entry *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table);
  uint64_t i = cab_space_hash (sites ^ sites >> 32, place >> 32, place);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct cab_deps_entry *row = &rows[i & (capacity - 1)];
      if (!row->sites || (row->sites == sites && row->place == place))
	return row;
    }
  return NULL;
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t old = cab_deps_state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? 2 * capacity : LEAST_ROWS,
				    sizeof (struct cab_deps_entry));
  if (!table)
    return false;
  const struct cab_deps_entry *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].sites)
      *probe (arena, table, rows[i].sites, rows[i].place) = rows[i];
  cab_space_order ();
  cab_deps_state_of (arena)->rows = table;
  return true;
}

bool
cab_deps_rows_for (struct cab_arena *arena)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  return s->n_rows + CAB_DEPS_NEW_ROWS <= cab_space_capacity (arena, s->rows) / 2
      || double_rows (arena);
}

struct cab_deps_entry *
cab_deps_row_of (struct cab_arena *arena, uint64_t sites, uint64_t place)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  struct cab_deps_entry *row = probe (arena, s->rows, sites, place);
  if (row && row->sites)
    return row;
  if (!row || s->n_rows >= cab_space_capacity (arena, s->rows) / 2)
    return NULL;
  s->n_rows++;
  row->place = place;
  cab_space_order ();
  row->sites = sites;
  cab_space_order ();
  return row;
}

struct cab_deps_entry *
cab_deps_entry_of (struct cab_arena *arena, uint64_t sites, uint64_t place)
{
  struct cab_deps_entry *row = cab_deps_row_of (arena, sites, place);
  return row || !double_rows (arena) ? row : cab_deps_row_of (arena, sites, place);
}
