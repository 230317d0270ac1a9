/* region_events.c - see region_events.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/wire/expand.h"
#include "testsuite/unit/region_events.h"
#include "testsuite/unit/section_feed.h"
#include "analyses/live/cache/an_cache.h"

/* The columns are access, region, place, flags, bytes, word, offset, step, part, loop: the last
   words of regions 2 to 6, of 8, and of 10 to 12, are their counts. Accesses of region 8 lie in two
   lines after one that stays, and leave either of these first. Region 9 has a range. 10 to 12 have
   many accesses, twins among them, that are on each other's lines, or meet in sets. */
static const char record[] = "R\t0\t1\t-\n"
			     "A\t0\t0\t0:1:1\tr\t8\t0\t0\t-\t0\t-\n"
			     "A\t1\t0\t0:1:2\tw\t8\t0\t8\t-\t0\t-\n"
			     "A\t2\t0\t0:1:3\trw\t4\t0\t44\t-\t0\t-\n"
			     "R\t1\t2\t-\n"
			     "A\t3\t1\t0:2:1\tr\t4\t0\t0\t-\t0\t-\n"
			     "A\t4\t1\t0:2:2\tr\t8\t1\t-200\t-\t0\t-\n"
			     "A\t5\t1\t0:2:3\tw\t16\t0\t-16\t-\t0\t-\n"
			     "R\t2\t2\t1\n"
			     "A\t6\t2\t0:3:1\tr\t8\t0\t0\t8\t0\t-\n"
			     "A\t7\t2\t0:3:2\tw\t8\t0\t1024\t8\t0\t-\n"
			     "A\t8\t2\t0:3:3\tr\t8\t0\t2048\t-\t0\t-\n"
			     "R\t3\t4\t3\n"
			     "A\t9\t3\t0:4:1\tr\t4\t0\t0\tw2\t0\t-\n"
			     "A\t10\t3\t0:4:2\tr\t1\t1\t0\t1\t0\t-\n"
			     "R\t4\t2\t1\n"
			     "A\t11\t4\t0:5:1\tr\t8\t0\t0\t-8\t0\t-\n"
			     "A\t12\t4\t0:5:2\tw\t8\t0\t4\t3\t1\t-\n"
			     "A\t13\t4\t0:5:3\tr\t2\t0\t9\t-2\t2\t-\n"
			     "R\t5\t1\t-\n"
			     "A\t14\t5\t0:6:1\tr\t100\t0\t0\t-\t0\t-\n"
			     "A\t15\t5\t0:6:2\tr\t8\t0\t0\t-\t0\t-\n"
			     "R\t6\t2\t1\n"
			     "A\t16\t6\t0:7:1\tr\t8\t0\t0\t1024\t0\t-\n"
			     "A\t17\t6\t0:7:2\tr\t8\t0\t0\t-\t0\t-\n"
			     "A\t18\t6\t0:7:3\tw\t4\t0\t60\t-4\t0\t-\n"
			     "R\t7\t1\t-\n"
			     "A\t19\t7\t0:8:1\tr\t8\t-\t5000\t-\t0\t-\n"
			     "A\t20\t7\t0:8:2\tw\t8\t0\t0\t-\t0\t-\n"
			     "R\t8\t3\t2\n"
			     "A\t21\t8\t0:9:1\tr\t8\t1\t0\t-\t0\t-\n"
			     "A\t22\t8\t0:9:2\tw\t8\t0\t0\t1\t0\t-\n"
			     "A\t23\t8\t0:9:3\tw\t8\t0\t128\t-1\t0\t-\n"
			     "R\t9\t2\t-\n"
			     "A\t24\t9\t0:10:1\tr\t4\t0\t0\t-\t0\t-\n"
			     "A\t25\t9\t0:10:2\twg\t1\t0\t100\t-\t0\t-\n"
			     "A\t26\t9\t0:10:3\tw\t8\t0\t8\t-\t0\t-\n"
			     "R\t10\t4\t3\n"
			     "A\t27\t10\t0:11:1\tr\t8\t0\t0\t8\t0\t-\n"
			     "A\t28\t10\t0:11:2\tr\t8\t0\t8\t8\t0\t-\n"
			     "A\t29\t10\t0:11:3\tr\t8\t0\t16\t8\t0\t-\n"
			     "A\t30\t10\t0:11:4\tr\t8\t1\t0\tw2\t0\t-\n"
			     "A\t31\t10\t0:11:5\tw\t8\t0\t8\t8\t0\t-\n"
			     "A\t32\t10\t0:11:6\tw\t8\t1\t0\tw2\t0\t-\n"
			     "A\t33\t10\t0:11:7\tr\t8\t0\t4096\t8\t0\t-\n"
			     "A\t34\t10\t0:11:8\tr\t8\t1\t4096\tw2\t0\t-\n"
			     "A\t35\t10\t0:11:9\tw\t8\t0\t8192\t8\t0\t-\n"
			     "A\t36\t10\t0:11:10\tw\t8\t0\t4096\t8\t0\t-\n"
			     "A\t37\t10\t0:11:11\tr\t4\t0\t2\t8\t0\t-\n"
			     "A\t38\t10\t0:11:12\tr\t1\t1\t5\t-1\t0\t-\n"
			     "A\t39\t10\t0:11:13\tr\t8\t0\t12288\t24\t0\t-\n"
			     "A\t40\t10\t0:11:14\tw\t8\t0\t8192\t8\t0\t-\n"
			     "R\t11\t4\t3\n"
			     "A\t41\t11\t0:12:1\tr\t8\t1\t0\tw2\t0\t-\n"
			     "A\t42\t11\t0:12:2\tr\t8\t0\t0\t8\t0\t-\n"
			     "A\t43\t11\t0:12:3\tr\t8\t0\t8192\t8\t0\t-\n"
			     "A\t44\t11\t0:12:4\tr\t8\t0\t16384\t8\t0\t-\n"
			     "A\t45\t11\t0:12:5\tw\t8\t0\t0\t8\t0\t-\n"
			     "A\t46\t11\t0:12:6\tr\t8\t0\t24576\t8\t0\t-\n"
			     "A\t47\t11\t0:12:7\tw\t8\t0\t16384\t8\t0\t-\n"
			     "A\t48\t11\t0:12:8\tr\t8\t0\t24608\t-8\t0\t-\n"
			     "A\t49\t11\t0:12:9\tw\t8\t0\t8192\t8\t0\t-\n"
			     "A\t50\t11\t0:12:10\tr\t4\t1\t64\tw2\t0\t-\n"
			     "A\t51\t11\t0:12:11\tw\t8\t0\t0\t8\t0\t-\n"
			     "R\t12\t2\t1\n"
			     "A\t52\t12\t0:13:1\tr\t8\t0\t0\t32\t0\t-\n"
			     "A\t53\t12\t0:13:2\tr\t8\t0\t1216\t32\t0\t-\n"
			     "A\t54\t12\t0:13:3\tr\t8\t0\t2240\t32\t0\t-\n"
			     "A\t55\t12\t0:13:4\tr\t4\t0\t4096\t4\t0\t-\n"
			     "A\t56\t12\t0:13:5\tr\t8\t0\t0\t32\t0\t-\n";
#define FIRST 1
#define N_REGIONS 13
#define N_SMALL 10
#define HIGH (UINT64_C (1) << 20)   /* steps down do not reach address 0: no program has accesses
				       across the end of memory */
#define FAR (UINT64_C (1) << 39)    /* numbers of lines at this distance are equal in their low
				       halves */

static struct cab_regions *
make_table (void)
{
  struct cab_regions *table = xmalloc (cab_regions_bytes (record, sizeof record));
  if (cab_regions_parse (table, record, sizeof record, FIRST) < 0 || table->n_regions != N_REGIONS)
    abort ();
  return table;
}

/* Make addresses near those before, and steps of all kinds. */
static void
make_words (const struct cab_region *r, uint64_t *words, const uint64_t *before)
{
  static const uint64_t steps[] = { 0,	 4, -UINT64_C (4),    8,  64,
				    512, 7, -UINT64_C (1024), 24, -UINT64_C (16) };
  const uint64_t aligned = r->shape.n > 3 && draw (4) ? 7 : 0;
  for (unsigned i = 0; i < r->words; i++)
    words[i] = ~aligned
	     & (draw (3) ? before[0] + draw (2) * draw (80)
			 : HIGH + draw (20) * draw (400) + draw (2) * FAR);
  if (r->ranged != UINT32_MAX)
    words[1] = draw (300);
  if (r->words == 4)
    words[2] = steps[draw (10)];
  if (r->shape.n == 5 && draw (2))
    words[0] = HIGH * (2 + draw (99));
  if (r->count != CAB_NO_WORD)
    words[r->count] = draw (draw (4) ? 6
			    : r->shape.n == 5 ? 100
			    : 40)
		     << 8
		    | (draw (2) ? draw (3) : 0);
}

/* Add the rows of event I to E. */
static void
flatten (struct region_events *e, size_t i, struct cab_expand_rows *rows, struct cab_expand *expand)
{
  size_t at = e->first[i];
  if (!cab_expand_begin (expand, e->table, e->region[i], e->words[i], e->region[i]->words))
    abort ();
  for (rows->n = 0; expand->n_accesses || rows->n; rows->n = 0)
    {
      cab_expand_rows (expand, rows);
      for (uint32_t k = 0; k < rows->n; k++, at++)
	{
	  e->rows.site[at] = rows->site[k];
	  e->rows.access_form[at] = rows->form[k];
	  e->rows.address[at] = rows->address[k];
	  e->rows.bytes[at] = rows->bytes[k];
	  e->rows.other[at] = 0;
	}
    }
  e->first[i + 1] = at;
}

#define MOST_ROWS 580   /* of an event: 40 passes and a part, of 14 accesses */

struct region_events
make_region_events (size_t n, bool large)
{
  struct region_events e = { .table = make_table (), .n = n, .rows = make_events (n * MOST_ROWS) };
  struct cab_expand_rows *rows = XNEW (struct cab_expand_rows);
  struct cab_expand expand = { .loops = false };
  uint64_t start[CAB_ACCESS_WORDS] = { HIGH };
  e.region = XNEWVEC (const struct cab_region *, n);
  e.words = xcalloc (n, sizeof *e.words);
  e.first = XCNEWVEC (size_t, n + 1);
  for (size_t i = 0; i < n; i++)
    {
      e.region[i] = cab_regions_at (e.table, draw (large ? N_REGIONS : N_SMALL));
      make_words (e.region[i], e.words[i], i ? e.words[i - 1 - draw (i < 4 ? i : 4)] : start);
      flatten (&e, i, rows, &expand);
    }
  e.rows.n = e.first[n];
  free (rows);
  return e;
}

void
free_region_events (struct region_events *e)
{
  free_events (&e->rows);
  free (e->region);
  free (e->words);
  free (e->first);
  free (e->table);
}

void
feed_region_events (struct cab_arena *arena, const struct region_events *e)
{
  struct cab_region_event event[64];
  for (size_t at = 0, to; at < e->n; at = to)
    {
      to = at + 1 + draw (e->n - at < 64 ? e->n - at : 64);
      if (draw (4) == 0)
	{
	  feed (&cab_cache, arena, &e->rows, e->first[at], e->first[to]);
	  continue;
	}
      for (size_t i = at; i < to; i++)
	event[i - at] = (struct cab_region_event) { e->region[i], e->words[i] };
      struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = to - at, .region = event,
				 .accesses = e->first[to] - e->first[at] };
      if (draw (2) || !feed_by_sections (arena, &batch, true))
	cab_cache.feed (arena, &batch, &functions);
    }
}
