/* stretch_rows.c - see stretch_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "testsuite/unit/stretch_rows.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "testsuite/unit/seeded.h"

#define LOOPS 6
#define SITES 12
#define DEPTH 4
#define START 0x10000        /* of the arrays */
#define PAGE 4096
#define BYTES 3000           /* of an array, where walks of many iterations begin */

/* Rows under construction, and the loops in progress. */
struct making
{
  struct stretch_rows rows;
  uint32_t loop[DEPTH];
  unsigned depth;
  uint64_t times;
  uint64_t block;             /* that was allocated; 0: none */
};

static void
put (struct making *m, unsigned form, uint32_t site, uint64_t address, uint64_t bytes)
{
  struct stretch_rows *r = &m->rows;
  if (r->n == r->room)
    {
      r->room = 2 * r->room + 64;
      r->form = XRESIZEVEC (uint8_t, r->form, r->room);
      r->site = XRESIZEVEC (uint32_t, r->site, r->room);
      r->address = XRESIZEVEC (uint64_t, r->address, r->room);
      r->other = XRESIZEVEC (uint64_t, r->other, r->room);
      r->bytes = XRESIZEVEC (uint64_t, r->bytes, r->room);
      r->times = XRESIZEVEC (uint64_t, r->times, r->room);
      r->step = XRESIZEVEC (uint64_t, r->step, r->room);
    }
  r->form[r->n] = form;
  r->site[r->n] = site;
  r->address[r->n] = address;
  r->bytes[r->n] = bytes;
  r->other[r->n] = r->times[r->n] = r->step[r->n] = 0;
  r->n++;
}

static uint64_t
draw_bytes (void)
{
  static const uint8_t bytes[] = { 8, 8, 8, 8, 4, 4, 2, 1, 16, 3 };
  return bytes[draw (sizeof bytes)];
}

/* Return an address in one of two arrays, mostly a multiple of BYTES and near the beginning. */
static uint64_t
draw_address (uint64_t bytes)
{
  uint64_t at = draw (3) ? draw (20) * 8 : draw (BYTES);
  return START + draw (2) * 4 * BYTES + (draw (12) ? at / bytes * bytes : at);
}

static void
put_access (struct making *m, unsigned most_bytes)
{
  uint64_t bytes = draw (20) ? draw_bytes () : 1 + draw (most_bytes);
  put (m, draw (8) ? 1 + draw (2) : 3, 1 + draw (SITES), draw_address (bytes), bytes);
}

static void
put_allocation (struct making *m)
{
  static const uint8_t forms[] = { CAB_ROW_ALLOCATED, CAB_ROW_RELEASED, CAB_ROW_MOVED };
  unsigned form = forms[draw (3)];
  put (m, form, 1, draw (9) ? draw_address (8) : m->block, 8 * draw (draw (5) ? 100 : 3000));
  if (form == CAB_ROW_MOVED)
    m->rows.other[m->rows.n - 1] = m->block;
  m->block = form != CAB_ROW_RELEASED && draw (3) ? m->rows.address[m->rows.n - 1] : m->block;
}

/* Put the accesses of an iteration that happens TIMES times. */
static void
put_stretch (struct making *m, uint64_t times)
{
  static const int8_t steps[] = { 1, 1, 1, 1, 1, -1, -1, 2, -2, 0, 8, 3 };
  struct stretch_rows *r = &m->rows;
  uint32_t first = r->n;
  int64_t way = steps[draw (sizeof steps)];
  uint64_t bytes = draw_bytes ();
  put (m, CAB_ROW_ITERATES, m->loop[m->depth - 1], 0, 0);
  for (unsigned n = draw (6); n; n--)
    {
      way = draw (6) ? way : steps[draw (sizeof steps)];
      bytes = draw (6) ? bytes : draw_bytes ();
      int64_t step = draw (20) ? way * (int64_t) bytes : (int64_t) draw (40) - 20;
      put (m, draw (8) ? 1 + draw (2) : 3, SITES + 1 + draw (SITES),
	   draw_address (bytes) + (step < 0 ? -step * times : 0), bytes);
      r->step[r->n - 1] = step;
      if (times < 1000 && draw (8) == 0)   /* the last one reaches across the border of a page */
	r->address[r->n - 1] = START + PAGE * (1 + draw (4)) - draw (bytes) - step * (times - 1);
    }
  for (uint32_t i = first; i < r->n; i++)
    r->times[i] = times;
}

/* Put iterations one by one that go through units. */
static void
put_walk (struct making *m)
{
  uint64_t bytes = draw_bytes (), address = draw_address (bytes);
  uint32_t site = 1 + draw (SITES);
  unsigned form = 1 + draw (2);
  for (unsigned n = draw (60); n; n--, address += bytes)
    {
      put (m, CAB_ROW_ITERATES, m->loop[m->depth - 1], 0, 0);
      put (m, form, site, address, bytes);
    }
}

/* Put an execution of a loop that goes through an array, first in its own iterations and then in
   those of a loop within it, a few times. */
static void
put_scene (struct making *m)
{
  uint32_t loop = m->loop[m->depth++] = SITES * 3 + draw (LOOPS);
  unsigned n = 8 + draw (40), site = 1 + draw (SITES), form = 1 + draw (2);
  unsigned copies = draw (3) ? 1 : 8;
  put (m, CAB_ROW_BEGINS, loop, 0, 0);
  for (unsigned i = 0; i < n; i++)
    {
      put (m, CAB_ROW_ITERATES, loop, 0, 0);
      put (m, form, site + i % copies, START + 8 * i, 8);
      if (draw (10))
	continue;
      m->loop[m->depth++] = SITES * 3 + draw (LOOPS);
      put (m, CAB_ROW_BEGINS, m->loop[m->depth - 1], 0, 0);
      put (m, CAB_ROW_ITERATES, m->loop[m->depth - 1], 0, 0);
      for (unsigned k = 1 + draw (3), times = 8 + draw (40); k; k--)
	{
	  m->rows.times[m->rows.n - 1] = times;
	  put (m, 1 + draw (2), 1 + draw (SITES), START + 8 * draw (9), 8);
	  m->rows.times[m->rows.n - 1] = times;
	  m->rows.step[m->rows.n - 1] = 8;
	}
      put (m, CAB_ROW_ENDS, m->loop[--m->depth], 0, 0);
    }
  put (m, CAB_ROW_ENDS, loop, 0, 0);
  m->depth--;
}

/* Put the rows of a loop, or of what is outside of all loops. */
static void
put_body (struct making *m)
{
  bool in_loop = m->depth;
  switch (draw (in_loop ? 12 : 6))
    {
    case 0:
      put_allocation (m);
      break;
    case 1:
    case 2:
      put_access (m, 200);
      break;
    case 3:
      if (m->depth == DEPTH)
	break;
      m->loop[m->depth++] = SITES * 3 + draw (LOOPS);
      put (m, CAB_ROW_BEGINS, m->loop[m->depth - 1], 0, 0);
      break;
    case 4:
    case 5:
      if (m->depth < DEPTH - 1)
	put_scene (m);
      break;
    case 6:
      put (m, CAB_ROW_ITERATES, m->loop[draw (20) ? m->depth - 1 : draw (m->depth)], 0, 0);
      break;
    case 7:
      put (m, CAB_ROW_ENDS, m->loop[--m->depth], 0, 0);
      break;
    case 8:
      put_walk (m);
      break;
    default:
      put_stretch (m, 1 + (draw (4) ? draw (20) : draw (m->times)));
    }
}

struct stretch_rows
make_stretch_rows (uint32_t n, uint64_t times)
{
  struct making m = { .times = times };
  while (m.rows.n < n)
    put_body (&m);
  return m.rows;
}

void
free_stretch_rows (struct stretch_rows *rows)
{
  free (rows->form);
  free (rows->site);
  free (rows->address);
  free (rows->other);
  free (rows->bytes);
  free (rows->times);
  free (rows->step);
}

uint32_t
stretch_end (const struct stretch_rows *rows, uint32_t i)
{
  uint32_t end = i + 1;
  while (rows->times[i] && end < rows->n && rows->times[end]
	 && !(rows->form[end] & CAB_ROW_LOOP))
    end++;
  return end;
}

uint64_t
stretch_events (const struct stretch_rows *rows, uint32_t n)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += rows->times[i] ? rows->times[i] : 1;
  return sum;
}

/* Feed rows [FROM, TO) as they are. */
static void
feed_rows (const struct cab_analysis *analysis, struct cab_arena *arena,
	   const struct stretch_rows *rows, uint32_t from, uint32_t to)
{
  struct cab_batch batch = { .kind = CAB_EV_ACCESS,
			     .n = to - from,
			     .site = rows->site + from,
			     .form = rows->form + from,
			     .address = rows->address + from,
			     .other = rows->other + from,
			     .bytes = rows->bytes + from,
			     .times = rows->times + from,
			     .step = rows->step + from,
			     .part = rows->part,
			     .n_parts = rows->n_parts };
  analysis->feed (arena, &batch, NULL);
}

void
feed_stretch_rows (const struct cab_analysis *analysis, struct cab_arena *arena,
		   const struct stretch_rows *rows, uint32_t from, uint32_t to, bool singly)
{
  if (!singly)
    {
      feed_rows (analysis, arena, rows, from, to);
      return;
    }
  struct making m = { .rows = { .part = rows->part, .n_parts = rows->n_parts } };
  for (uint32_t end; from < to; from = end)
    {
      end = stretch_end (rows, from);
      uint64_t times = rows->times[from] ? rows->times[from] : 1;
      for (uint64_t k = 0; k < times; k++)
	for (uint32_t i = from; i < end; i++)
	  {
	    put (&m, rows->form[i], rows->site[i], rows->address[i] + k * rows->step[i],
		 rows->bytes[i]);
	    m.rows.other[m.rows.n - 1] = rows->other[i];
	  }
    }
  feed_rows (analysis, arena, &m.rows, 0, m.rows.n);
  free_stretch_rows (&m.rows);
}
