/* deps_rows.c - see deps_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each byte has a list of the accesses to it since it was allocated, and each access has a copy of
 * the stack of loops.  A dependence is found by going back through a list.
 */
#include "testsuite/unit/deps_rows.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/deps/an_deps.h"

#define LOOPS 4
#define DEEP 31              /* levels that are told apart */
#define DEEPEST 255
#define BYTES 16384          /* the tests' accesses are below */

uint8_t
deps_form (const struct events *e, size_t i)
{
  static const uint8_t forms[] = { CAB_ROW_BEGINS, CAB_ROW_ITERATES, CAB_ROW_ITERATES,
				   CAB_ROW_ENDS };
  return e->path[i] > 1 ? e->access_form[i] : forms[2 * e->path[i] + e->depth[i] % 2];
}

uint32_t
deps_site (const struct events *e, size_t i)
{
  return e->site[i] && deps_form (e, i) & CAB_ROW_LOOP ? 1 + e->site[i] % LOOPS : e->site[i];
}

/* A loop in progress. */
struct turn
{
  uint32_t loop;
  uint64_t execution, iteration;
};

struct access
{
  uint32_t site;
  uint64_t time;
  bool writes;
  unsigned depth;
  struct turn stack[DEEP];
};

struct history
{
  uint32_t *access;          /* indices, the oldest first */
  size_t n, room;
};

struct model
{
  struct rows *rows;
  struct access *accesses;
  size_t n_accesses, room;
  struct history bytes[BYTES];
  struct turn stack[DEEPEST];
  unsigned depth;
  uint64_t time, executions;
  struct { uint64_t start, end; } blocks[6000];
  size_t n_blocks;
};

/* Return the key of the place of DEPTH loops. */
static uint64_t
place_of (const struct turn *stack, unsigned depth)
{
  uint64_t key = 0;
  for (unsigned k = 0; k < depth; k++)
    key = mix (key, stack[k].loop, 61);
  return key;
}

static void
add_dependence (struct rows *rows, uint64_t place, uint64_t from_place,
		const struct cab_deps_row *row)
{
  uint64_t key = mix (mix (row->kind, row->from, row->to), place, from_place);
  add (rows, mix (key, row->level << 1 | row->carried, row->distance << 1 | row->covered),
       row->count);
}

/* Find the innermost loop of NOW whose execution THEN shares.  Return its level, and set *DISTANCE
   to how many iterations before THEN was. */
static unsigned
shared (const struct access *now, const struct access *then, uint64_t *distance)
{
  unsigned level = 0;
  *distance = 0;
  while (level < now->depth && level < then->depth && !*distance
	 && now->stack[level].execution == then->stack[level].execution)
    {
      *distance = now->stack[level].iteration - then->stack[level].iteration;
      level++;
    }
  return level;
}

/* Count that access NOW depends on THEN; null: nothing wrote before.  COVER is as in a unit. */
static void
depend (struct model *m, const struct access *now, const struct access *then,
	enum cab_deps_kind kind, unsigned cover)
{
  uint64_t distance = 0;
  unsigned level = then ? shared (now, then, &distance) : 0;
  struct cab_deps_row row = { .kind = kind,
			      .from = then ? then->site : 0,
			      .to = now->site,
			      .level = level,
			      .carried = distance,
			      .distance = distance < CAB_DEPS_FAR ? distance : CAB_DEPS_FAR,
			      .covered = distance && kind == CAB_DEPS_WAR && cover >= level,
			      .count = 1 };
  add_dependence (m->rows, place_of (now->stack, now->depth),
		  then && kind != CAB_DEPS_WAR ? place_of (then->stack, then->depth) : 0, &row);
}

/* What an access to a line depends on. */
struct found
{
  const struct access *then;
  enum cab_deps_kind kind;
  unsigned cover;
};

static void
find (struct found *found, unsigned *n, const struct access *then, enum cab_deps_kind kind,
      unsigned cover)
{
  for (unsigned i = 0; i < *n; i++)
    if (found[i].kind == kind
	&& (found[i].then == then
	    || (then && found[i].then && found[i].then->site == then->site
		&& found[i].then->time == then->time)))
      {
	found[i].cover = cover < found[i].cover ? cover : found[i].cover;
	return;
      }
  found[(*n)++] = (struct found) { then, kind, cover };
}

/* Find what a write NOW to the byte of H depends on among its reads after the write number LAST
   (-1: none), the latest of each position. */
static void
find_reads (const struct model *m, const struct history *h, long last, const struct access *now,
	    struct found *found, unsigned *n)
{
  bool seen[DEEP + 1][2] = { { false } };
  for (long k = (long) h->n - 1; k > last; k--)
    {
      const struct access *read = &m->accesses[h->access[k]];
      uint64_t distance, apart = 0;
      unsigned level = shared (now, read, &distance),
	       cover = last < 0 ? 0 : shared (read, &m->accesses[h->access[last]], &apart);
      if (!seen[level][distance > 0])
	find (found, n, read, CAB_DEPS_WAR, cover - (apart > 0));
      seen[level][distance > 0] = true;
    }
}

/* Apply the access NOW, number NUMBER, to bytes [FROM, TO) of one line. */
static void
touch_line (struct model *m, uint32_t number, uint64_t from, uint64_t to)
{
  struct found found[4096];
  unsigned n = 0;
  const struct access *now = &m->accesses[number];
  for (uint64_t at = from; at < to; at++)
    {
      const struct history *h = &m->bytes[at];
      long last = (long) h->n - 1;
      while (last >= 0 && !m->accesses[h->access[last]].writes)
	last--;
      if (!now->writes)
	find (found, &n, last < 0 ? NULL : &m->accesses[h->access[last]], CAB_DEPS_RAW, 0);
      else if (last >= 0)
	find (found, &n, &m->accesses[h->access[last]], CAB_DEPS_WAW, 0);
      if (now->writes)
	find_reads (m, h, last, now, found, &n);
    }
  for (unsigned i = 0; i < n; i++)
    depend (m, now, found[i].then, found[i].kind, found[i].cover);
  for (uint64_t at = from; at < to; at++)
    {
      struct history *h = &m->bytes[at];
      if (h->n == h->room)
	h->access = XRESIZEVEC (uint32_t, h->access, h->room = 2 * h->room + 8);
      h->access[h->n++] = number;
    }
}

static void
touch (struct model *m, uint32_t site, uint64_t start, uint64_t bytes, bool writes)
{
  if (m->n_accesses == m->room)
    m->accesses = XRESIZEVEC (struct access, m->accesses, m->room = 2 * m->room + 64);
  struct access *now = &m->accesses[m->n_accesses];
  *now = (struct access) { .site = site, .time = m->time, .writes = writes };
  now->depth = m->depth < DEEP ? m->depth : DEEP;
  memcpy (now->stack, m->stack, now->depth * sizeof *m->stack);
  for (uint64_t at = start; at < start + bytes;)
    {
      uint64_t end = at / 64 * 64 + 64 < start + bytes ? at / 64 * 64 + 64 : start + bytes;
      touch_line (m, m->n_accesses, at, end);
      at = end;
    }
  m->n_accesses++;
}

static void
forget (struct model *m, uint64_t start, uint64_t end)
{
  for (uint64_t at = start; at < end; at++)
    m->bytes[at].n = 0;
}

/* Return the end of the block at START; START if there is none. */
static uint64_t
end_of (const struct model *m, uint64_t start)
{
  for (size_t i = 0; i < m->n_blocks; i++)
    if (m->blocks[i].start == start)
      return m->blocks[i].end;
  return start;
}

/* Drop the blocks that begin in [START, END), and, unless INSIDE, those that reach into it from
   before, and end there. */
static void
drop (struct model *m, uint64_t start, uint64_t end, bool inside)
{
  for (size_t i = m->n_blocks; i-- > 0;)
    {
      uint64_t a = m->blocks[i].start, b = m->blocks[i].end;
      if ((a >= start && a < end) || (!inside && a < start && b > start && b < end))
	m->blocks[i] = m->blocks[--m->n_blocks];
    }
}

static void
allocation (struct model *m, const struct events *e, size_t i)
{
  uint64_t address = e->address[i], bytes = e->bytes[i], other = e->other[i];
  unsigned form = e->access_form[i];
  bool moved = form == CAB_ROW_MOVED, released = form == CAB_ROW_RELEASED;
  uint64_t old = released ? address : moved && (address || !bytes) ? other : 0,
	   old_end = old ? end_of (m, old) : 0, had = old_end - old;
  if (!released && address && old != address)
    forget (m, address, address + bytes);
  if (moved && old && old == address)
    forget (m, had < bytes ? old_end : address + bytes, had < bytes ? address + bytes : old_end);
  uint64_t copied = had < bytes ? had : bytes;
  if (moved && old && address && old != address && copied)
    {
      touch (m, e->site[i], old, copied, false);
      touch (m, e->site[i], address, copied, true);
    }
  if (old && old != (moved ? address : 0))
    forget (m, old, old_end);
  if (old)
    drop (m, old, old_end, true);
  if (released || !address)
    return;
  uint64_t end = address + (bytes ? bytes : 1);
  drop (m, address, end, false);
  m->blocks[m->n_blocks].start = address;
  m->blocks[m->n_blocks++].end = end;
}

static void
mark (struct model *m, unsigned form, uint32_t loop)
{
  unsigned found = form == CAB_ROW_BEGINS ? 0 : m->depth;
  while (found && m->stack[found - 1].loop != loop)
    found--;
  m->time++;
  if (found)
    m->depth = found - (form == CAB_ROW_ENDS);
  else if (form != CAB_ROW_ENDS)
    {
      m->stack[m->depth++] = (struct turn) { loop, ++m->executions, 0 };
      if (m->depth <= DEEP)
	add (m->rows, mix (place_of (m->stack, m->depth), 1, 62), 1);
    }
  if (form != CAB_ROW_ITERATES || !m->depth)
    return;
  m->stack[m->depth - 1].iteration++;
  if (m->depth <= DEEP)
    add (m->rows, mix (place_of (m->stack, m->depth), 2, 62), 1);
}

void
expect_deps (struct rows *rows, const struct events *e, size_t to)
{
  struct model *m = XCNEW (struct model);
  m->rows = rows;
  for (size_t i = 0; i < to; i++)
    {
      unsigned form = deps_form (e, i), depth = m->depth < DEEP ? m->depth : DEEP;
      if (form & CAB_ROW_LOOP)
	mark (m, form, deps_site (e, i));
      else if (form & CAB_ROW_MOVED)
	allocation (m, e, i);
      else if (e->bytes[i])
	{
	  add (rows, mix (place_of (m->stack, depth), 3, 62), 1);
	  if (form & CAB_ROW_READ)
	    touch (m, e->site[i], e->address[i], e->bytes[i], false);
	  if (form & CAB_ROW_WRITE)
	    touch (m, e->site[i], e->address[i], e->bytes[i], true);
	}
    }
  for (size_t at = 0; at < BYTES; at++)
    free (m->bytes[at].access);
  free (m->accesses);
  free (m);
}

void
rows_of_deps (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_deps_place place;
  struct cab_deps_row row;
  uint64_t *key = NULL;
  for (uint64_t cursor = 0; cab_deps_next_place (arena, &cursor, &place);)
    {
      key = XRESIZEVEC (uint64_t, key, cursor);
      key[place.node] = place.node ? mix (key[place.parent], place.loop, 61) : 0;
      add (rows, mix (key[place.node], 1, 62), place.executions);
      add (rows, mix (key[place.node], 2, 62), place.iterations);
      add (rows, mix (key[place.node], 3, 62), place.accesses);
    }
  for (uint64_t cursor = 0; cab_deps_next (arena, &cursor, &row);)
    add_dependence (rows, key[row.node], key[row.from_node], &row);
  free (key);
}
