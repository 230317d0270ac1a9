/* blocks_join.c - see blocks_join.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/blocks_join.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/live/foreign_access.h"
#include "analyses/live/an_blocks.h"

/* Where threads had blocks, by process and start.  `reach' is the greatest end up to here. */
struct home
{
  uint64_t process, start, end, reach, who, site;
};

struct homes
{
  size_t n, room;
  struct home *items;
};

static int
by_place (const void *a, const void *b)
{
  const struct home *x = a, *y = b;
  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return (x->start > y->start) - (x->start < y->start);
}

static struct homes
homes_of (const struct cab_arena *state, bool by_context)
{
  struct homes homes = { 0 };
  struct cab_foreign_access s;
  for (uint64_t cursor = 0; cab_blocks_foreign (state, &cursor, &s);)
    if (s.site && s.end)
      {
	if (homes.n == homes.room)
	  homes.items = XRESIZEVEC (struct home, homes.items, homes.room = 2 * homes.room + 64);
	homes.items[homes.n++] = (struct home) {
	  s.who >> 32, s.address, s.end,
	  s.end,       s.who,	  by_context ? s.site : cab_blocks_alone (s.site)
	};
      }
  if (homes.n)
    qsort (homes.items, homes.n, sizeof *homes.items, by_place);
  for (size_t i = 1; i < homes.n; i++)
    if (homes.items[i].process == homes.items[i - 1].process
	&& homes.items[i].reach < homes.items[i - 1].reach)
      homes.items[i].reach = homes.items[i - 1].reach;
  return homes;
}

/* Return how many homes begin before the address AT of PROCESS. */
static size_t
before (const struct homes *homes, uint64_t process, uint64_t at)
{
  size_t low = 0, high = homes->n;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      const struct home *h = &homes->items[middle];
      if (h->process < process || (h->process == process && h->start < at))
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

#define NONE 0
#define SEVERAL UINT64_MAX

/* Return the one allocation of which threads other than S's had blocks where S is, or NONE, or
   SEVERAL.  With BEGINS, only blocks that begin there count. */
static uint64_t
owner (const struct homes *homes, const struct cab_foreign_access *s, bool begins)
{
  uint64_t process = s->who >> 32, end = s->address + CAB_FOREIGN_GRANULE, site = NONE;
  for (size_t i = before (homes, process, end > s->address ? end : UINT64_MAX); i-- > 0;)
    {
      const struct home *h = &homes->items[i];
      if (h->process != process || h->reach <= s->address)
	break;
      if (h->end <= s->address || h->who == s->who || (begins && h->start < s->address))
	continue;
      if (site && site != h->site)
	return SEVERAL;
      site = h->site;
    }
  return site;
}

static int
by_key (const void *a, const void *b)
{
  const struct cab_blocks_row *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

static void
add (struct cab_blocks_sums *to, const struct cab_blocks_sums *sums)
{
  to->reads += sums->reads;
  to->writes += sums->writes;
  to->updates += sums->updates;
  to->released += sums->released;
}

/* Record SUMS for the blocks of SITE.  Rows of the same site are merged later. */
static void
put (struct cab_blocks_join *join, size_t *room, uint64_t site, struct cab_blocks_sums sums)
{
  if (site == SEVERAL)
    {
      add (&join->several, &sums);
      return;
    }
  if (join->n == *room)
    join->rows = XRESIZEVEC (struct cab_blocks_row, join->rows, *room = 2 * *room + 64);
  join->rows[join->n++] = (struct cab_blocks_row) { site, sums };
}

static void
settle (struct cab_blocks_join *join)
{
  size_t n = 0;
  if (join->n)
    qsort (join->rows, join->n, sizeof *join->rows, by_key);
  for (size_t i = 0; i < join->n; i++)
    if (n && join->rows[n - 1].key == join->rows[i].key)
      add (&join->rows[n - 1].sums, &join->rows[i].sums);
    else
      join->rows[n++] = join->rows[i];
  join->n = n;
}

void
cab_blocks_join_init (struct cab_blocks_join *join, const struct cab_arena *state, bool by_context)
{
  struct homes homes = homes_of (state, by_context);
  struct cab_foreign_access s;
  size_t room = 0;
  *join = (struct cab_blocks_join) { 0 };
  for (uint64_t cursor = 0; cab_blocks_foreign (state, &cursor, &s);)
    {
      struct cab_blocks_sums sums = { .reads = s.reads, .writes = s.writes, .updates = s.updates };
      uint64_t site = s.site ? NONE : owner (&homes, &s, false),
	       released = s.site || !s.releases ? NONE : owner (&homes, &s, true);
      if (site)
	put (join, &room, site, sums);
      if (site)
	add (&join->taken, &sums);
      if (released)
	put (join, &room, released, (struct cab_blocks_sums) { .released = s.releases });
    }
  settle (join);
  free (homes.items);
}

void
cab_blocks_join_fini (struct cab_blocks_join *join)
{
  free (join->rows);
}

void
cab_blocks_join_row (const struct cab_blocks_join *join, struct cab_blocks_row *row)
{
  const struct cab_blocks_row *more = join->n
				      ? bsearch (row, join->rows, join->n, sizeof *row, by_key)
				      : NULL;
  if (more)
    add (&row->sums, &more->sums);
  if (row->key != 1)
    return;
  row->sums.reads -= join->taken.reads;
  row->sums.writes -= join->taken.writes;
  row->sums.updates -= join->taken.updates;
}
