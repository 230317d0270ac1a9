/* foreign_access.c - what threads did to memory that they had not allocated, see foreign_access.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/foreign_access.h"

#define LEAST 64

static struct cab_foreign *
foreign_of (const struct cab_arena *arena, uint64_t at)
{
  return (struct cab_foreign *) (arena->base + at);
}

/* Return the address of the row for ADDRESS: that of the 16 bytes, or ADDRESS itself for a
   block. */
static uint64_t
start_of (uint64_t address, uint64_t site)
{
  return site ? address : address & ~(uint64_t) (CAB_FOREIGN_GRANULE - 1);
}

/* Return the row in TABLE, or the free one where it belongs; null if the table is full. */
static struct cab_foreign_access *
probe (const struct cab_arena *arena, uint64_t table, uint64_t address, uint64_t who, uint64_t site)
{
  struct cab_foreign_access *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table),
	   i = cab_space_hash (address / 8, address >> 35 ^ who, site ^ who >> 32 << 16);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct cab_foreign_access *row = &rows[i & (capacity - 1)];
      if (!row->who || (row->address == address && row->who == who && row->site == site))
	return row;
    }
  return NULL;
}

static bool
double_rows (struct cab_arena *arena, uint64_t at)
{
  uint64_t old = foreign_of (arena, at)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST,
				    sizeof (struct cab_foreign_access));
  if (!table)
    return false;
  const struct cab_foreign_access *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].who)
      *probe (arena, table, rows[i].address, rows[i].who, rows[i].site) = rows[i];
  cab_space_order ();
  foreign_of (arena, at)->rows = table;
  return true;
}

/* Return true if S may have one more row of the kind that SITE says. */
static bool
may_make (const struct cab_foreign *s, uint64_t site)
{
  return site ? s->n_homes < CAB_FOREIGN_MOST_HOMES : s->n < CAB_FOREIGN_MOST;
}

struct cab_foreign_access *
cab_foreign_row (struct cab_arena *arena, uint64_t at, uint64_t address, uint64_t who,
		 uint64_t site)
{
  uint64_t start = start_of (address, site);
  struct cab_foreign *s = foreign_of (arena, at);
  struct cab_foreign_access *row = probe (arena, s->rows, start, who, site);
  if (row && row->who)
    return row;
  if (!may_make (s, site)
      || (s->n + s->n_homes >= cab_space_capacity (arena, s->rows) / 2 && !double_rows (arena, at)))
    return NULL;
  s = foreign_of (arena, at);
  row = probe (arena, s->rows, start, who, site);
  if (!row)
    return NULL;
  ++*(site ? &s->n_homes : &s->n);
  row->address = start;
  row->site = site;
  cab_space_order ();
  row->who = who;
  cab_space_order ();
  return row;
}

uint64_t
cab_foreign_find (const struct cab_arena *arena, uint64_t at, uint64_t address, uint64_t who,
		  uint64_t site)
{
  const struct cab_foreign_access *row = probe (arena, foreign_of (arena, at)->rows,
						start_of (address, site), who, site);
  return row && row->who ? (uint64_t) ((const unsigned char *) row - arena->base) : 0;
}

uint64_t
cab_foreign_next (const struct cab_arena *arena, uint64_t at, uint64_t *cursor,
		  struct cab_foreign_access *row)
{
  uint64_t table = foreign_of (arena, at)->rows, capacity = cab_space_capacity (arena, table);
  while (*cursor < capacity)
    {
      const struct cab_foreign_access *found
	= (const struct cab_foreign_access *) cab_space_elements (arena, table) + (*cursor)++;
      *row = *found;
      if (found->who)
	return (const unsigned char *) found - arena->base;
    }
  return 0;
}

bool
cab_foreign_ok (const struct cab_arena *arena, uint64_t at)
{
  const struct cab_foreign *s = foreign_of (arena, at);
  return cab_space_hash_ok (arena, s->rows, s->n > s->n_homes ? s->n : s->n_homes,
			    sizeof (struct cab_foreign_access));
}
