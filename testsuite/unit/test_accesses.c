/* test_accesses.c - records of regions are read, and events of accesses become rows, as a naive
 * expansion of random regions gives them; hostile records and events that are cut off do no harm.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "testsuite/unit/one_function.h"
#include "testsuite/unit/seeded.h"

#define MOST_ACCESSES 9
#define MOST_COPIES 5
#define N_REGIONS 12

/* A made-up region; -1: none. */
struct access
{
  int number, form, word, step_word, part;
  int64_t offset, step, bytes;   /* bytes of a range: number of the word */
};

struct region
{
  int n, words, count;
  struct access access[MOST_ACCESSES + MOST_COPIES];
};

struct row
{
  uint64_t site, form, address, other, bytes;
};

struct rows
{
  struct row *row;
  size_t n, room;
};

static struct region regions[N_REGIONS];
static int n_accesses;

static void
put (struct rows *rows, struct row row)
{
  if (rows->n == rows->room)
    rows->row = XRESIZEVEC (struct row, rows->row, rows->room = 2 * rows->room + 64);
  rows->row[rows->n++] = row;
}

static int
maybe_word (const struct region *r)
{
  return r->words && draw (2) ? (int) draw (r->words) : -1;
}

static void
make_access (struct region *r, struct access *a)
{
  *a = (struct access) { .number = n_accesses++, .form = 1 + draw (3), .word = maybe_word (r),
			 .offset = draw (100000) - INT64_C (50000) };
  a->bytes = 1 << draw (5);
  if (r->words && draw (4) == 0)
    {
      a->form |= CAB_ROW_RANGE;
      a->bytes = draw (r->words);
    }
  a->step_word = r->count >= 0 ? maybe_word (r) : -1;
  a->step = r->count >= 0 && a->step_word < 0 ? draw (64) - INT64_C (32) : 0;
  a->part = r->count >= 0 ? draw (3) : 0;
}

static size_t
write_access (char *text, const struct access *a, int region)
{
  char word[16] = "-", step[16] = "-";
  if (a->word >= 0)
    sprintf (word, "%d", a->word);
  if (a->step_word >= 0)
    sprintf (step, "w%d", a->step_word);
  else if (a->step)
    sprintf (step, "%ld", (long) a->step);
  return sprintf (text, "A\t%d\t%d\t0:1:1\t%s%s%s\t%ld\t%s\t%ld\t%s\t%d\t-\tt.f[]\n", a->number,
		  region, a->form & 1 ? "r" : "",
		  a->form & 2 ? "w" : "", a->form & 4 ? "g" : "", (long) a->bytes, word,
		  (long) a->offset, step, a->part);
}

/* Return true if region R can have accesses of FROM, as another path has them. */
static bool
can_copy (const struct region *r, const struct region *from)
{
  return r != from && r->count < 0 && from->count < 0 && from->words <= r->words && from->n;
}

/* Make some accesses of region FROM, which are adjacent, also region I's, from number ACCESS on. */
static size_t
copy_run (char *text, struct region *r, const struct region *from, int most)
{
  int first = draw (from->n), n = 1 + draw (from->n - first);
  for (int k = 0; k < n && k < most; k++)
    {
      r->access[r->n] = from->access[first + k];
      r->access[r->n++].number = n_accesses++;
    }
  n = n < most ? n : most;
  int number = from->access[first].number;
  return n == 1 ? sprintf (text, draw (2) ? "%d" : "%d-%d", number, number)
      : sprintf (text, "%d-%d", number, number + n - 1);
}

/* Write the P line of region I, if it can have accesses of FROM, of which N are its own. */
static size_t
write_copies (char *text, int i, const struct region *from, int n)
{
  char *to = text;
  struct region own = *from;
  own.n = n;
  if (!can_copy (&regions[i], &own))
    return 0;
  int left = MOST_COPIES, before = regions[i].n;
  to += sprintf (to, "P\t%d\t%d\t", i, n_accesses);
  to += copy_run (to, &regions[i], &own, left);
  left -= regions[i].n - before;
  if (left && draw (2))
    {
      *to++ = ',';
      to += copy_run (to, &regions[i], &own, left);
    }
  *to++ = '\n';
  return to - text;
}

/* Write lines of region I, some of whose accesses may be those of the DONE regions before it, in
   the ORDER that they have in the record. OWN: how many accesses are no copies. */
static size_t
write_region (char *text, int i, const int *order, int done, const int *own)
{
  const struct region *r = &regions[i];
  size_t n = sprintf (text, "R\t%d\t%d\t", i, r->words);
  n += r->count < 0 ? sprintf (text + n, "-\n") : sprintf (text + n, "%d\n", r->count);
  for (int k = 0; k < own[i]; k++)
    n += write_access (text + n, &r->access[k], i);
  if (done)
    {
      int from = order[draw (done)];
      n += write_copies (text + n, i, &regions[from], own[from]);
    }
  return n;
}

/* Return the record of the regions, in any order. */
static char *
make_record (void)
{
  char *text = xmalloc (N_REGIONS * MOST_ACCESSES * 200);
  size_t n = sprintf (text, "\1F1\tf\tf\nf\tA\nZ\tlater\nM\t0\t0:1:1\tmalloc\t?\n");
  int own[N_REGIONS], order[N_REGIONS];
  n_accesses = 0;
  for (int i = 0; i < N_REGIONS; i++)
    {
      struct region *r = &regions[i];
      r->words = draw (CAB_ACCESS_WORDS + 1);
      r->n = own[i] = draw (MOST_ACCESSES + 1);
      r->count = maybe_word (r);
      for (int k = 0; k < r->n; k++)
	make_access (r, &r->access[k]);
      int at = draw (i + 1);
      order[i] = order[at];
      order[at] = i;
    }
  for (int done = 0; done < N_REGIONS; done++)
    n += write_region (text + n, order[done], order, done, own);
  return text;
}

static bool
has_ranges (const struct region *r)
{
  for (int k = 0; k < r->n; k++)
    if (r->access[k].form & CAB_ROW_RANGE)
      return true;
  return false;
}

/* Add the rows of an event of region I with these raw words, one by one, from pass PASS on. */
static void
expand (struct rows *rows, int i, const uint64_t *words, uint64_t pass)
{
  const struct region *r = &regions[i];
  uint64_t passes = r->count < 0 ? 1 : words[r->count] >> 8, parts = r->count < 0 ? 0
      : words[r->count] & 255;
  for (; pass <= passes; pass++)
    for (int k = 0; k < r->n; k++)
      {
	const struct access *a = &r->access[k];
	uint64_t step = a->step_word < 0 ? (uint64_t) a->step : words[a->step_word];
	if (pass < passes || (uint64_t) a->part < parts)
	  put (rows, (struct row) { FIRST + a->number, a->form, (a->word < 0 ? 0 : words[a->word])
				    + a->offset + pass * step, 0,
				    a->form & CAB_ROW_RANGE ? words[a->bytes]
					: (uint64_t) a->bytes });
      }
}

/* Words of a ring, and what they must give. */
struct stream
{
  uint64_t words[4000];
  size_t n, calls, paths, accesses, raw;
  struct rows rows, singly;   /* those that may come one by one where shapes are asked for */
};

static void
add_region (struct stream *s, int i)
{
  const struct region *r = &regions[i];
  uint64_t *words = s->words + s->n + 1;
  s->words[s->n] = header (FN, i, CAB_ACCESS_REGION, r->words);
  for (int k = 0; k < r->words; k++)
    words[k] = draw (4) ? draw (UINT64_C (1) << 31) << draw (33) : draw (2) ? 0 : UINT64_MAX;
  if (r->count >= 0)
    words[r->count] = draw (draw (8) ? 6 : 1500) << 8 | draw (4);
  expand (&s->rows, i, words, 0);
  expand (&s->singly, i, words, has_ranges (r) ? 0 : r->count < 0 ? 1 : words[r->count] >> 8);
  s->n += 1 + r->words;
  s->raw += r->words;
  s->accesses++;
}

static void
add_block (struct stream *s)
{
  static const int words[] = { 0, 2, 1, 3 }, forms[] = { 0, CAB_ROW_ALLOCATED, CAB_ROW_RELEASED,
							 CAB_ROW_MOVED };
  int form = 1 + draw (3);
  bool is_known = draw (2);
  uint64_t *to = s->words + s->n;
  to[0] = header (is_known ? FN : 1, 0, form, words[form]);
  for (int k = 1; k <= words[form]; k++)
    to[k] = draw (3) ? draw (1 << 30) : 0;
  struct row row = { is_known ? FIRST + n_accesses : 0, forms[form], form == CAB_ACCESS_MOVED
		     ? to[2] : to[1],
		     form == CAB_ACCESS_MOVED ? to[1] : 0,
		     form == CAB_ACCESS_RELEASED ? 0 : form == CAB_ACCESS_MOVED ? to[3] : to[2] };
  put (&s->rows, row);
  put (&s->singly, row);
  s->n += 1 + words[form];
  s->raw += words[form];
  s->accesses++;
}

static void
make_stream (struct stream *s)
{
  size_t n = 1 + draw (sizeof s->words / sizeof *s->words - 64);   /* the last event may go on */
  memset (s, 0, offsetof (struct stream, rows));
  s->rows.n = s->singly.n = 0;
  unsigned plain = draw (2) ? 20 : 3;
  while (s->n < n)
    {
      uint64_t what = draw (plain + 4);
      if (what == 0)
	add_block (s);
      else if (what < 3)
	add_region (s, draw (N_REGIONS));
      else if (what == 3)
	s->words[s->n++] = draw (2) ? 0 : UINT64_MAX, s->raw++;
      else if (draw (plain > 3 ? 40 : 2))
	s->words[s->n++] = UINT64_C (1) << CAB_EV_CALLEE_SHIFT | CAB_EV_CALL, s->calls++;
      else
	s->words[s->n++] = UINT64_C (1) << CAB_EV_FN_SHIFT | CAB_EV_PATH, s->paths++;
    }
}

static void
take (const struct cab_batch *b, struct rows *got)
{
  CU_ASSERT (b->kind == CAB_EV_ACCESS && b->n <= CAB_BATCH_MAX && b->thread == 3);
  for (uint32_t i = 0; i < b->n; i++)
    put (got, (struct row) { b->site[i], b->form[i], b->address[i], b->other[i], b->bytes[i] });
}

/* Decode S run by run, or as much at once as possible. */
static void
check_stream (struct cab_decode *d, const struct stream *s, bool by_runs)
{
  struct rows got = { 0 };
  size_t at = 0, calls = 0, paths = 0;
  d->n_raw = d->n_accesses = d->n_unknown = d->n_unregistered = 0;
  while (at < s->n)
    {
      at += cab_decode (d, s->words + at, by_runs ? cab_decode_run (s->words + at, s->n - at)
			: s->n - at, 3);
      calls += d->call.n;
      paths += d->path.n;
      for (take (&d->access, &got); cab_decode_pending (d); take (&d->access, &got))
	CU_ASSERT_EQUAL (cab_decode (d, s->words, 0, 3), 0);
    }
  CU_ASSERT_EQUAL (at, s->n);
  CU_ASSERT (calls == s->calls && paths == s->paths);
  CU_ASSERT (d->n_raw == s->raw && d->n_accesses == s->accesses && !d->n_unknown
	     && !d->n_unregistered);
  CU_ASSERT_EQUAL (got.n, s->rows.n);
  CU_ASSERT (got.n != s->rows.n || !got.n
	     || !memcmp (got.row, s->rows.row, got.n * sizeof *got.row));
  free (got.row);
}

/* Count that ROW happened N times. */
static void
put_counted (struct rows *sums, struct row row, uint64_t n)
{
  for (size_t i = 0; i < sums->n; i++)
    if (sums->row[i].site == row.site && sums->row[i].form == row.form
	&& sums->row[i].bytes == row.bytes)
      {
	sums->row[i].address += n;
	return;
      }
  put (sums, (struct row) { row.site, row.form, n, 0, row.bytes });
}

static int
by_site (const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  return x->site != y->site ? (x->site > y->site) - (x->site < y->site)
	 : x->form != y->form ? (x->form > y->form) - (x->form < y->form) : (x->bytes > y->bytes)
	     - (x->bytes < y->bytes);
}

static void
sort (struct rows *rows)
{
  if (rows->n)
    qsort (rows->row, rows->n, sizeof *rows->row, by_site);
}

static int
by_all (const void *a, const void *b)
{
  return memcmp (a, b, sizeof (struct row));
}

/* Check that each of SOME, which came one by one, is one of ALL. */
static void
check_among (const struct rows *some, const struct rows *all)
{
  size_t bytes = all->n * sizeof *all->row, found = 0;
  struct row *sorted = all->n ? memcpy (xmalloc (bytes), all->row, bytes) : NULL;
  if (sorted)
    qsort (sorted, all->n, sizeof *sorted, by_all);
  for (size_t i = 0; sorted && i < some->n; i++)
    found += bsearch (some->row + i, sorted, all->n, sizeof *sorted, by_all) != NULL;
  CU_ASSERT_EQUAL (found, some->n);
  free (sorted);
}

static uint64_t
count_shapes (const struct cab_batch *b, struct rows *sums)
{
  uint64_t accesses = 0;
  CU_ASSERT (b->kind == CAB_EV_ACCESS && b->n <= CAB_BATCH_MAX && b->thread == 3 && !b->site
	     && !b->address);
  for (uint32_t i = 0; i < b->n; i++)
    {
      const struct cab_shape *shape = b->shape[i];
      uint64_t passes = b->passes ? b->passes[i] : 1;
      CU_ASSERT (shape->id >= FIRST && shape->id < FIRST + (uint32_t) n_accesses && shape->n
		 && passes);
      for (uint32_t k = 0; k < shape->n; k++)
	{
	  CU_ASSERT (!(shape->form[k] & CAB_ROW_RANGE));
	  put_counted (sums, (struct row) { shape->site[k], shape->form[k], 0, 0, shape->bytes[k] },
		       passes);
	}
      accesses += passes * shape->n;
    }
  CU_ASSERT_EQUAL (accesses, b->accesses);
  CU_ASSERT_EQUAL (accesses, cab_batch_events (b));
  return accesses;
}

/* Check that shapes, and rows outside of shapes, are together what the rows are. */
static void
check_shapes (struct cab_decode *d, const struct stream *s)
{
  struct rows got = { 0 }, rows = { 0 }, want = { 0 };
  uint64_t accesses = 0;
  d->n_raw = d->n_accesses = d->n_unknown = d->n_unregistered = 0;
  d->by_shape = true;
  for (size_t at = 0; at < s->n || cab_decode_pending (d);)
    {
      at += cab_decode (d, s->words + at, cab_decode_pending (d) ? 0 : s->n - at, 3);
      accesses += count_shapes (&d->shapes, &got);
      take (&d->access, &rows);
    }
  d->by_shape = false;
  check_among (&rows, &s->singly);
  for (size_t i = 0; i < rows.n; i++)
    put_counted (&got, rows.row[i], 1);
  for (size_t i = 0; i < s->rows.n; i++)
    put_counted (&want, s->rows.row[i], 1);
  sort (&got);
  sort (&want);
  CU_ASSERT (d->n_raw == s->raw && d->n_accesses == s->accesses && !d->n_unknown
	     && !d->n_unregistered);
  CU_ASSERT_EQUAL (accesses + rows.n, s->rows.n);
  CU_ASSERT (got.n == want.n && (!got.n || !memcmp (got.row, want.row, got.n * sizeof *got.row)));
  free (got.row);
  free (rows.row);
  free (want.row);
}

/* Regions are the same in whatever order they are read, except for their places. */
static void
check_read (const char *text)
{
  struct cab_regions *all = table;
  struct cab_regions sizes;
  table = xcalloc (1, cab_regions_measure (&sizes, text, strlen (text) + 1));
  CU_ASSERT (!cab_regions_begin (table, &sizes, FIRST) && table->n_regions == N_REGIONS);
  for (int k = 0; k < 2 * N_REGIONS; k++)
    {
      uint32_t i = k < N_REGIONS ? draw (N_REGIONS) : (uint32_t) k - N_REGIONS;
      const struct cab_region *r = cab_regions_read (table, i), *want = cab_regions_at (all, i);
      CU_ASSERT_FATAL (r == cab_regions_at (table, i) && r->shape.n == want->shape.n
		       && r->words == want->words && r->count == want->count);
      CU_ASSERT (r->shape.id == want->shape.id && r->fixed.id == want->fixed.id
		 && r->fixed.n == want->fixed.n && r->told == want->told);
      CU_ASSERT (r->n_spans == want->n_spans
		 && !memcmp (r->span, want->span, r->n_spans * sizeof *r->span));
      CU_ASSERT (!memcmp (r->access, want->access, r->shape.n * sizeof *r->access));
      CU_ASSERT (!memcmp (r->shape.site, want->shape.site, r->shape.n * sizeof *r->shape.site));
    }
  free (table);
  table = all;
}

static void
test_rows (void)
{
  struct cab_decode *d = XCNEW (struct cab_decode);
  struct stream *s = XCNEW (struct stream);
  for (int round = 0; round < 60; round++)
    {
      char *text = make_record ();
      CU_ASSERT_FATAL (parse (text));
      CU_ASSERT (table->n_regions == N_REGIONS && table->n_accesses == (uint32_t) n_accesses
		 && table->n_allocations == 1);
      check_read (text);
      if (round % 2)
	CU_ASSERT (begin (text));
      memset (d, 0, sizeof *d);
      d->records = &records;
      make_stream (s);
      check_stream (d, s, false);
      check_stream (d, s, true);
      check_shapes (d, s);
      free (text);
    }
  free (s->rows.row);
  free (s->singly.row);
  free (s);
  free (d);
}

/* A record with any contents is refused, or its regions can be expanded without harm. */
static void
test_hostile_records (void)
{
  struct cab_expand_rows *rows = XCNEW (struct cab_expand_rows);
  struct cab_expand e = { .loops = false };
  uint64_t words[CAB_ACCESS_WORDS] = { 0 };
  int refused = 0;
  for (int round = 0; round < 4000; round++)
    {
      static const char letters[] = "\t\n-w09RAMP1234567,";
      char *text = make_record ();
      for (uint64_t n = 1 + draw (4); n > 0; n--)
	text[draw (strlen (text))] = letters[draw (sizeof letters - 1)];
      if (draw (4) == 0)
	text[draw (strlen (text))] = 0;
      text = xrealloc (text, strlen (text) + 1);
      refused += !parse (text);
      if (begin (text))
	for (uint32_t i = 0; i < table->n_regions; i++)
	  for (unsigned n = 0; n <= CAB_ACCESS_WORDS; n++)
	    {
	      for (int k = 0; k < CAB_ACCESS_WORDS; k++)
		words[k] = draw (2000);
	      rows->n = draw (CAB_BATCH_MAX);
	      if (cab_expand_begin (&e, table, cab_regions_read (table, i), words, n))
		cab_expand_rows (&e, rows);
	      CU_ASSERT (rows->n <= CAB_BATCH_MAX);
	    }
      free (text);
    }
  CU_ASSERT (refused > 400);
  free (rows);
}

#define ONE "R\t0\t1\t-\nA\t0\t0\t0:1:1\tr\t4\t0\t0\t-\t0\t-\tx\n"
#define TWO ONE "R\t1\t1\t-\n"

static void
test_refused (void)
{
  static const char *const bad[] = {
    "R\t1\t0\t-\n", "R\t0\t15\t-\n", "R\t0\t1\t1\n", "R\t0\t1\t\n", "R\t0\t1\n",
    "R\t0\t0\t-\nR\t0\t0\t-\n", "R\t99999999999999999999\t0\t-\n",
    "A\t0\t0\t0:1:1\tr\t4\t-\t0\t-\t0\t-\tx\n",
    "R\t0\t1\t-\nA\t1\t0\t0:1:1\tr\t4\t-\t0\t-\t0\t-\tx\n",
    "R\t0\t1\t-\nA\t0\t0\t0:1:1\tv\t4\t-\t0\t-\t0\t-\tx\n",
    "R\t0\t1\t-\nA\t0\t0\t0:1:1\tr\t4\t1\t0\t-\t0\t-\tx\n",
    "R\t0\t1\t-\nA\t0\t0\t0:1:1\trg\t1\t0\t0\t-\t0\t-\tx\n",
    "R\t0\t1\t-\nA\t0\t0\t0:1:1\tr\t4\t0\t0\tw1\t0\t-\tx\n",
    "R\t0\t1\t-\nA\t0\t0\t0:1:1\tr\t4\t0\t\t-\t0\t-\tx\n",
    "R\t0\t1\t-\nA\t0\t0\t0:1:1\tr\t4\t0\t0\t-\t0\t-\tx\nA\t0\t0\t0:1:2\tr\t4\t0\t0\t-\t0\t-\tx\n",
    TWO "P\t1\t1\t0,\n", TWO "P\t1\t1\t\n", TWO "P\t1\t1\n", TWO "P\t1\t1\t1-0\n",
    TWO "P\t1\t1\t0-1\n", TWO "P\t1\t0\t0\n", TWO "P\t1\t2\t0\n", TWO "P\t2\t1\t0\n",
    TWO "P\t1\t1\t0\nP\t1\t2\t1\n", TWO "P\t1\t1\t0-4294967294\n", TWO "P\t1\t1\t0-9999999\n",
    TWO "P\t1\t1\tx\n",
    ONE "R\t1\t0\t-\nP\t1\t1\t0\n", ONE "R\t1\t1\t0\nP\t1\t1\t0\n",
    TWO "A\t1\t0\t0:1:1\tr\t4\t0\t0\t-\t0\t-\tx\n", TWO "P\t0\t1\t0\n",
    "R\t1\t1\t-\nP\t1\t1\t0\n" ONE,
    "R\t0\t1\t-\nA\t0\t0\t0:1:1\tr\t4\t0\t0\t-\t256\t-\tx\n",
    "R\t0\t1\t-\nA\t0\t0\t0:1:1\tr\t18446744073709551616\t0\t0\t-\t0\t-\tx\n"
  };
  CU_ASSERT (parse ("\1F1\tf\tf\n"));
  CU_ASSERT (parse (TWO "P\t1\t1\t0\n") && parse (TWO "P\t1\t1\t0,0-0\n"));
  CU_ASSERT (parse ("R\t0\t1\t0\nA\t0\t0\t0:1:1\trw\t"
		    "18446744073709551615\t0\t-9223372036854775808\tw0\t255\t-\tx\n"));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT (!parse (bad[i]));
}

/* Lines of one region are wrong: no event belongs to it, and the others are as they would be. */
static void
test_wrong_region (void)
{
  struct cab_decode *d = XCNEW (struct cab_decode);
  const char *text = ONE "R\t1\t1\t-\nA\t1\t1\t0:1:1\tr\t4\t1\t0\t-\t0\t-\tx\n"
  "R\t2\t1\t-\nP\t2\t2\t0-1\n" "R\t3\t1\t-\nP\t3\t4\t0\n";
  static uint64_t many[256];
  const uint64_t words[] = { header (FN, 1, 0, 1), 80, header (FN, 3, 0, 1), 90,
			     header (FN, 2, 0, 1), 100, header (FN, 0, 0, 1), 110,
			     header (FN, 1, 0, 1), 120 };
  CU_ASSERT_FATAL (!parse (text) && begin (text));
  d->records = &records;
  CU_ASSERT_EQUAL (cab_decode (d, words, 10, 0), 10);
  CU_ASSERT (d->access.n == 2 && d->access.address[0] == 90 && d->access.address[1] == 110
	     && d->access.site[0] == FIRST + 4 && d->access.site[1] == FIRST);
  CU_ASSERT (d->n_accesses == 2 && d->n_unknown == 3 && d->n_raw == 5);
  many[0] = header (FN, 1, 0, CAB_REGION_WRONG);
  CU_ASSERT_EQUAL (cab_decode (d, many, 256, 0), 256);
  CU_ASSERT (d->access.n == 0 && d->n_accesses == 2 && d->n_unknown == 4
	     && d->n_raw == 5 + CAB_REGION_WRONG);
  free (d);
}

/* Words that are no events are counted once each, and nothing else is lost. */
static void
test_refused_events (void)
{
  struct cab_decode *d = XCNEW (struct cab_decode);
  CU_ASSERT_FATAL (parse ("R\t0\t1\t0\nA\t0\t0\t0:1:1\tr\t4\t0\t0\t8\t0\t-\tx\n"));
  const uint64_t words[] = {
    header (FN, 1, 0, 1), 0, header (FN, 0, 0, 2), 0, 0, header (FN, 0, 4, 1), 0,
    header (FN, 0, CAB_ACCESS_ALLOCATED, 1), 0,
    header (FN, 0, 0, 1), UINT64_MAX, header (1, 0, 0, 1), 0, header (0, 0, 0, 1), 0,
    header (FN, 0, 0, 1), 2 << 8,
    header (FN, 0, 0, 3), 1, 2
  };
  d->records = &records;
  CU_ASSERT_EQUAL (cab_decode (d, words, 20, 0), 20);
  CU_ASSERT (d->access.n == 2 && !cab_decode_pending (d));
  CU_ASSERT (d->n_unknown == 6 && d->n_unregistered == 2 && d->n_accesses == 1 && d->n_raw == 11);
  memset (d, 0, sizeof *d);
  CU_ASSERT_EQUAL (cab_decode (d, words, 20, 0), 20);
  CU_ASSERT (d->access.n == 0 && d->n_accesses == 7);
  free (d);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "rows of events", test_rows },
    { "hostile records", test_hostile_records },
    { "records that are refused", test_refused },
    { "a region that is wrong", test_wrong_region },
    { "events that are none", test_refused_events },
    CU_TEST_INFO_NULL
  };
  int status = run_seeded (argc, argv, "accesses", tests);
  free (table);
  return status;
}
