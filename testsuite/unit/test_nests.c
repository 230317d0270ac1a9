/* test_nests.c - events of nests of loops: random nests against a naive walk, row by row, by
 * regions, counted, and with rows of loops; hostile records.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "testsuite/unit/one_function.h"
#include "testsuite/unit/seeded.h"

#define WORDS 5
#define MOST_NODES 40
#define MOST_ROWS 60000

/* BASE + word + the sum of counters times steps. */
struct term
{
  int word;
  int64_t base;
  int n;
  struct { int word; int64_t step; } step[4];
};

enum how { LOOP, LESS, LESS_EQUAL, SLESS, SLESS_EQUAL, EQUAL, UNEQUAL, ACCESS };
static const char *const hows[] = { "loop", "<", "<=", "s<", "s<=", "==", "!=" };

struct node
{
  enum how how;
  int depth, bits, parent, number;   /* loops around; of the levels, or of the accesses */
  struct term left, right;
};

enum way { BY_ROW, BY_REGION, BY_SHAPE };

static uint64_t words[CAB_ACCESS_WORDS];
static struct node nodes[MOST_NODES];   /* in program order: what is in a level follows it */
static int n_nodes, n_levels, n_accesses;
static uint64_t address[MOST_ROWS];
static uint32_t site[MOST_ROWS];
static int n_rows;

static struct term
draw_term (int depth, int64_t most)
{
  struct term t = { .word = (int) draw (WORDS + 2) - 2,
		    .base = (int64_t) draw (most) - most / 4,
		    .n = draw (depth + 1) };
  for (int k = 0; k < t.n; k++)
    {
      t.step[k].word = draw (5) ? -1 : (int) draw (WORDS);
      t.step[k].step = t.step[k].word < 0 ? (int64_t) draw (7) - 3 : 0;
    }
  return t;
}

static struct node *
add_node (enum how how, int parent, int depth)
{
  struct node *n = &nodes[n_nodes++];
  *n = (struct node) {
    .how = how, .parent = parent, .depth = depth, .bits = 8 << (draw (2) ? 3 : draw (3))
  };
  n->number = how == ACCESS ? n_accesses++ : n_levels++;
  int most = draw (2) ? 1000 : 10;   /* if they are near each other, the sides of a condition meet
					while a loop runs */
  n->left = draw_term (depth, how == LOOP ? 4 : most);
  if (how == LOOP)
    n->bits = 2 + draw (2);    /* at most 8 iterations, whatever the term says */
  if (how != LOOP && how != ACCESS)
    n->right = draw_term (depth, most);
  return n;
}

/* Make what belongs to level PARENT, which is at loop depth DEPTH inside, and at LEVELS levels. */
static void
make_content (int parent, int depth, int levels)
{
  for (uint64_t n = 1 + draw (3); n > 0 && n_nodes < MOST_NODES; n--)
    {
      enum how how = levels < 6 && draw (2) ? (draw (2) && depth < 4 ? LOOP : LESS + draw (6))
					    : ACCESS;
      int number = add_node (how, parent, depth)->number;
      if (how != ACCESS)
	make_content (number, depth + (how == LOOP), levels + 1);
    }
}

static size_t
put_steps (char *text, const struct term *t, bool is_list)
{
  size_t n = 0;
  if (is_list && !t->n)
    return sprintf (text, "-");
  for (int k = 0; k < t->n; k++)
    {
      const char *comma = k || !is_list ? "," : "";
      if (t->step[k].word >= 0)
	n += sprintf (text + n, "%sw%d", comma, t->step[k].word);
      else
	n += sprintf (text + n, "%s%ld", comma, (long) t->step[k].step);
    }
  return n;
}

static size_t
put_term (char *text, const struct term *t)
{
  size_t n = t->word < 0 ? sprintf (text, "%ld", (long) t->base)
	   : t->base ? sprintf (text, "w%d%+ld", t->word, (long) t->base)
	   : sprintf (text, "w%d", t->word);
  return n + put_steps (text + n, t, false);
}

static char *
make_record (void)
{
  char *text = xmalloc (MOST_NODES * 500);
  size_t n = sprintf (text, "\1F1\tf\tf\nC\t0\tmn\t0\t0\nR\t0\t%d\tnest\n", WORDS);
  n_nodes = n_levels = n_accesses = 0;
  add_node (LOOP, -1, 0);
  make_content (0, 1, 1);
  for (struct node *x = nodes; x < nodes + n_nodes; x++)
    if (x->how == ACCESS)
      {
	n += sprintf (text + n, "A\t%d\t0\t0:1:1\tr\t8\t", x->number);
	n += x->left.word < 0 ? sprintf (text + n, "-\t%ld\t", (long) x->left.base)
			      : sprintf (text + n, "%d\t%ld\t", x->left.word, (long) x->left.base);
	n += put_steps (text + n, &x->left, true);
	n += sprintf (text + n, "\t%d\t-\tx\t-\n", x->parent);
      }
    else
      {
	n += sprintf (text + n, "N\t0\t%d\t", x->number);
	n += x->parent < 0 ? sprintf (text + n, "-") : sprintf (text + n, "%d", x->parent);
	n += sprintf (text + n, "\t%s\t%d\t", hows[x->how], x->bits);
	n += put_term (text + n, &x->left);
	n += sprintf (text + n, "\t");
	n += x->how == LOOP ? (size_t) sprintf (text + n, "-") : put_term (text + n, &x->right);
	if (x->how == LOOP)
	  n += sprintf (text + n, "\t%d", x->number);
	n += sprintf (text + n, "\n");
      }
  for (int i = 0; i < n_levels; i++)
    n += sprintf (text + n, "T\t%d\t0:1:1\t0\t\t-\n", i);
  return text;
}

static uint64_t
value (const struct term *t, const uint64_t *counter)
{
  uint64_t sum = t->base + (t->word < 0 ? 0 : words[t->word]);
  for (int k = 0; k < t->n; k++)
    sum += counter[k] * (t->step[k].word < 0 ? (uint64_t) t->step[k].step : words[t->step[k].word]);
  return sum;
}

static bool
is_so (const struct node *x, const uint64_t *counter)
{
  uint64_t left = value (&x->left, counter), right = value (&x->right, counter);
  int unused = 64 - x->bits;
  bool is_signed = x->how == SLESS || x->how == SLESS_EQUAL;
  left = is_signed ? (uint64_t) ((int64_t) (left << unused) >> unused) : left << unused >> unused;
  right = is_signed ? (uint64_t) ((int64_t) (right << unused) >> unused)
		    : right << unused >> unused;
  switch (x->how)
    {
    case LESS: return left < right;
    case LESS_EQUAL: return left <= right;
    case SLESS: return (int64_t) left < (int64_t) right;
    case SLESS_EQUAL: return (int64_t) left <= (int64_t) right;
    case EQUAL: return left == right;
    default: return left != right;
    }
}

static void walk (int parent, uint64_t *counter);

static void
walk_node (const struct node *x, uint64_t *counter)
{
  if (n_rows == MOST_ROWS)
    return;
  if (x->how == ACCESS)
    {
      site[n_rows] = FIRST + x->number;
      address[n_rows++] = value (&x->left, counter);
    }
  else if (x->how != LOOP)
    {
      if (is_so (x, counter))
	walk (x->number, counter);
    }
  else
    {
      uint64_t n = (value (&x->left, counter) & ((1 << x->bits) - 1)) + 1;
      for (counter[x->depth] = 0; counter[x->depth] < n; counter[x->depth]++)
	walk (x->number, counter);
      counter[x->depth] = 0;
    }
}

/* Make what is in level PARENT. */
static void
walk (int parent, uint64_t *counter)
{
  for (int i = 0; i < n_nodes; i++)
    if (nodes[i].parent == parent)
      walk_node (&nodes[i], counter);
}

static int told, n_joined;   /* n_joined: events of several passes through accesses of several
				levels */

static int
parent_of (uint32_t found)
{
  for (int i = 0; i < n_nodes; i++)
    if (nodes[i].how == ACCESS && nodes[i].number == (int) (found - FIRST))
      return nodes[i].parent;
  return -1;
}

static bool
is_next (uint32_t found, uint64_t at, uint64_t bytes)
{
  bool good = told < n_rows && found == site[told] && at == address[told] && bytes == 8;
  told++;
  return good;
}

/* Check an event of a region that is sent by a nest; return how many of its accesses are wrong. */
static int
wrong_of_region (const struct cab_region *r, const uint64_t *raw)
{
  int wrong = 0;
  uint64_t w[CAB_ACCESS_WORDS + 1] = { 0 }, passes = cab_region_count (r, raw) >> 8;
  memcpy (w, raw, r->words * sizeof *w);
  n_joined += passes > 1
	   && parent_of (r->shape.site[0]) != parent_of (r->shape.site[r->shape.n - 1]);
  for (uint64_t pass = 0; pass < passes; pass++)
    for (uint32_t k = 0; k < r->shape.n; k++)
      {
	const struct cab_region_access *a = &r->access[k];
	wrong += !is_next (r->shape.site[k],
			   w[a->word] + a->offset + pass * (w[a->step_word] + a->step), a->bytes);
      }
  return wrong;
}

/* Expand row by row, by regions, or counted, to SUMS by access. Return how many rows there were,
   negative if they were wrong. */
static int
decode (struct cab_decode *d, enum way way, uint64_t *sums)
{
  uint64_t event[1 + WORDS] = { header (FN, 0, CAB_ACCESS_REGION, WORDS) };
  int n = 0, wrong = 0, taken = 0;
  uint64_t accesses = 0;
  memcpy (event + 1, words, WORDS * sizeof *words);
  memset (d, 0, sizeof *d);
  d->records = &records;
  d->by_shape = way == BY_SHAPE;
  d->by_region = way == BY_REGION;
  told = 0;
  do
    {
      taken += cab_decode (d, event, taken ? 0 : 1 + WORDS, 0);
      CU_ASSERT (way != BY_REGION || !d->shapes.n || !d->access.n);
      accesses += d->shapes.accesses;
      for (uint32_t i = 0; i < d->access.n; i++, n++)
	{
	  wrong += !is_next (d->access.site[i], d->access.address[i], d->access.bytes[i]);
	  sums[d->access.site[i] - FIRST]++;
	}
      for (uint32_t i = 0; way == BY_REGION && i < d->shapes.n; i++)
	wrong += wrong_of_region (d->shapes.region[i].region, d->shapes.region[i].words);
      for (uint32_t i = 0; way == BY_SHAPE && i < d->shapes.n; i++)
	for (uint32_t k = 0; k < d->shapes.shape[i]->n; k++)
	  sums[d->shapes.shape[i]->site[k] - FIRST] += d->shapes.passes ? d->shapes.passes[i] : 1;
    }
  while (cab_decode_pending (d));
  CU_ASSERT (taken == 1 + WORDS && d->n_accesses == 1 && !d->n_unknown);
  CU_ASSERT (accesses + n == (uint64_t) n_rows);
  return way == BY_SHAPE || (!wrong && told == n_rows) ? n : -1;
}

static void
test_nests (void)
{
  struct cab_decode *d = XCNEW (struct cab_decode);
  int n_done = 0, n_parted = 0, n_counted = 0;
  for (int round = 0; round < 9000 && (n_done < 300 || n_joined <= 20); round++)
    {
      uint64_t counter[4] = { 0 }, sums[MOST_NODES] = { 0 }, counted[MOST_NODES] = { 0 };
      char *text = make_record ();
      for (int i = 0; i < WORDS; i++)
	words[i] = draw (3) ? draw (20) - 10 : draw (UINT64_C (1) << 31) << draw (33);
      n_rows = 0;
      walk_node (nodes, counter);
      CU_ASSERT_FATAL (parse (text));
      free (text);
      if (n_rows == MOST_ROWS)
	continue;
      CU_ASSERT (decode (d, BY_ROW, sums) == n_rows);
      int rows = decode (d, BY_REGION, sums);
      CU_ASSERT (rows == (cab_regions_at (table, 0)->is_parted ? 0 : n_rows));
      n_parted += rows == 0;
      memset (sums, 0, sizeof sums);
      for (int i = 0; i < n_rows; i++)
	sums[site[i] - FIRST]++;
      n_counted += decode (d, BY_SHAPE, counted) == 0;
      CU_ASSERT (!memcmp (sums, counted, sizeof sums));
      n_done++;
    }
  CU_ASSERT (n_done >= 300 && n_counted > 100 && n_parted > 250 && n_joined > 20);
  free (d);
}

/* Rows with those of loops, each iteration by itself. */
struct single
{
  uint32_t form;
  uint32_t site;
  uint64_t address, bytes;
};

/* Append the rows of B to *TO, which has N; a stretch as its iterations.  Return how many there are
   then. */
static size_t
add_singles (struct single **to, size_t n, const struct cab_batch *b)
{
  for (uint32_t i = 0, end; i < b->n; i = end)
    {
      uint64_t times = b->times && b->times[i] ? b->times[i] : 1;
      for (end = i + 1; b->times && b->times[i] && end < b->n && b->times[end]
			&& !(b->form[end] & CAB_ROW_LOOP); end++)
	;
      *to = XRESIZEVEC (struct single, *to, n + times * (end - i));
      for (uint64_t k = 0; k < times; k++)
	for (uint32_t m = i; m < end; m++)
	  (*to)[n++] = (struct single) { b->form[m], b->site[m],
					 b->address[m] + (times > 1 ? k * b->step[m] : 0),
					 b->bytes[m] };
    }
  return n;
}

/* Decode the event with rows of loops to *TO.  Return how many there are. */
static size_t
decode_loops (struct cab_decode *d, bool stretches, struct single **to)
{
  uint64_t event[1 + WORDS] = { header (FN, 0, CAB_ACCESS_REGION, WORDS) };
  size_t n = 0, taken = 0;
  uint64_t events = 0;
  memcpy (event + 1, words, WORDS * sizeof *words);
  memset (d, 0, sizeof *d);
  d->records = &records;
  d->loops = true;
  d->stretches = stretches;
  *to = NULL;
  do
    {
      taken += cab_decode (d, event, taken ? 0 : 1 + WORDS, 0);
      n = add_singles (to, n, &d->access);
      events += cab_batch_events (&d->access);
    }
  while (cab_decode_pending (d));
  CU_ASSERT (taken == 1 + WORDS && events == n);
  return n;
}

static void
test_stretches (void)
{
  struct cab_decode *d = XCNEW (struct cab_decode);
  int n_shorter = 0, n_done = 0;
  for (int round = 0; round < 9000 && n_done < 300; round++)
    {
      uint64_t counter[4] = { 0 };
      struct single *plain, *together;
      char *text = make_record ();
      for (int i = 0; i < WORDS; i++)
	words[i] = draw (3) ? draw (20) - 10 : draw (UINT64_C (1) << 31) << draw (33);
      n_rows = 0;
      walk_node (nodes, counter);
      CU_ASSERT_FATAL (parse (text));
      free (text);
      if (n_rows == MOST_ROWS)
	continue;
      size_t n = decode_loops (d, false, &plain), m = decode_loops (d, true, &together);
      n_shorter += d->access.times != NULL;
      CU_ASSERT (n == m && !memcmp (plain, together, n * sizeof *plain));
      free (plain);
      free (together);
      n_done++;
    }
  CU_ASSERT (n_shorter > 50);
  free (d);
}

/* A record with any contents is refused, or its nests can be expanded, however large they are,
   without harm. */
static void
test_hostile (void)
{
  struct cab_expand_rows *rows = XCNEW (struct cab_expand_rows);
  struct cab_expand e = { .loops = false };
  uint64_t times[CAB_EXPAND_ROWS];
  int refused = 0;
  for (int round = 0; round < 4000; round++)
    {
      static const char letters[] = "\t\n-w09RAN1234567,+<";
      char *text = make_record ();
      for (uint64_t n = 1 + draw (4); n > 0; n--)
	text[draw (strlen (text))] = letters[draw (sizeof letters - 1)];
      text = xrealloc (text, strlen (text) + 1);
      bool good = parse (text);
      refused += !good;
      if (good && table->n_regions
	  && cab_expand_begin (&e, table, cab_regions_at (table, 0), words,
			       cab_regions_at (table, 0)->words)
	  && e.ops)
	{
	  rows->n = draw (CAB_BATCH_MAX);
	  if (cab_regions_at (table, 0)->n_rows <= CAB_EXPAND_ROWS)
	    cab_expand_count (&e, times);
	  e.budget = 100000;
	  for (int i = 0; i < 5 && e.n_accesses; i++, rows->n = 0)
	    cab_expand_rows (&e, rows);
	}
      free (text);
    }
  CU_ASSERT (refused > 400);
  free (rows);
}

static void
test_refused (void)
{
#define R "R\t0\t1\tnest\n"
#define N0 "N\t0\t0\t-\tloop\t64\tw0\t-\n"
#define A(part, step) "A\t0\t0\t0:1:1\tr\t4\t0\t0\t" step "\t" part "\t-\tx\n"
  static const char *const bad[] = { R A ("0", "-"),
				     R N0 A ("1", "-"),
				     R N0 A ("0", "1,2"),
				     R N0 A ("0", "w1"),
				     R "N\t0\t0\t-\t<\t64\t1\t2\n",
				     R "N\t0\t1\t-\tloop\t64\t1\t-\n",
				     R "N\t0\t0\t0\tloop\t64\t1\t-\n",
				     R "N\t0\t0\t-\tloop\t65\t1\t-\n",
				     R "N\t0\t0\t-\tloop\t0\t1\t-\n",
				     R "N\t0\t0\t-\tloop\t64\t1,1\t-\n",
				     R "N\t0\t0\t-\tloop\t64\t1\t1\n",
				     R N0 "N\t0\t1\t0\t>\t64\t1\t2\n",
				     R N0 "N\t0\t1\t0\t<\t64\t1\t-\n",
				     N0,
				     R "N\t1\t0\t-\tloop\t64\tw0\t-\n",
				     R N0 "N\t0\t1\t0\t<\t64\t1\t2\n"
					  "N\t0\t2\t0\t<\t64\t1\t2\n" A ("1", "-"),
				     "R\t0\t1\tnest\n" N0 "R\t1\t0\t-\n" A ("0", "-"),
				     R N0 "A\t0\t0\t0:1:1\trg\t0\t0\t0\t-\t0\t-\tx\n" };
  CU_ASSERT (parse (R N0 A ("0", "w0-7")));
  CU_ASSERT (parse (R N0));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT (!parse (bad[i]));
}

/* Nests that give more rows than they have words, as many as nearly fill a batch, come before plain
   regions: the batch has room for all that is put into it, and no nest is expanded. */
static void
test_crowd (void)
{
  enum { ROWS = 9, NESTS = 106, PLAIN = 300, N = 2 * (NESTS + PLAIN) };
  char text[1 << 12] = "R\t0\t1\tnest\nN\t0\t0\t-\tloop\t64\tw0\t-\n";
  for (int k = 1; k <= ROWS; k++)
    sprintf (text + strlen (text),
	     "N\t0\t%d\t0\tloop\t64\t1\t-\nA\t%d\t0\t0:1:1\tr\t8\t0\t0\t-\t%d\t-\tx\n", k, k - 1,
	     k);
  sprintf (text + strlen (text), "R\t1\t1\t-\nA\t%d\t1\t0:1:1\tr\t8\t0\t0\t-\t0\t-\ty\n", ROWS);
  CU_ASSERT_FATAL (parse (text));
  CU_ASSERT (cab_regions_at (table, 0)->n_rows == ROWS);
  struct cab_decode *d = XCNEW (struct cab_decode);
  static uint64_t stream[2 * N];
  uint64_t word = header (FN, 0, CAB_ACCESS_REGION, 1), counted = 0, wanted = 0;
  for (int i = 0; i < N; i++)
    {
      bool nest = i % (NESTS + PLAIN) < NESTS;
      stream[2 * i] = word | (nest ? 0 : UINT64_C (1) << CAB_EV_REGION_SHIFT);
      stream[2 * i + 1] = 999;
      wanted += nest ? 1000 * 2 * ROWS : 1;
    }
  d->records = &records;
  d->by_shape = true;
  for (size_t at = 0; at < 2 * N;)
    {
      size_t taken = cab_decode (d, stream + at, 2 * N - at, 0);
      CU_ASSERT_FATAL (taken > 0 && d->shapes.n <= CAB_BATCH_MAX && !d->access.n
		       && !cab_decode_pending (d));
      counted += d->shapes.accesses;
      at += taken;
    }
  CU_ASSERT (counted == wanted && d->n_accesses == N);
  free (d);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "rows and counts of nests", test_nests },
    { "stretches of nests", test_stretches },
    { "many rows of few words", test_crowd },
    { "hostile records", test_hostile },
    { "records that are refused", test_refused },
    CU_TEST_INFO_NULL
  };
  int status = run_seeded (argc, argv, "nests", tests);
  free (table);
  return status;
}
