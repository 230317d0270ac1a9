/* analysis_events.c - see analysis_events.h.  SPDX-License-Identifier: GPL-3.0-or-later */
#include "testsuite/unit/analysis_events.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/cache_arguments.h"
#include "analyses/base/heap.h"
#include "testsuite/unit/deps_rows.h"

uint64_t
mix (uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t h = (a ^ b * UINT64_C (0x9e3779b97f4a7c15)) * UINT64_C (0xff51afd7ed558ccd)
	     ^ c * UINT64_C (0xc4ceb9fe1a85ec53);
  return (h ^ h >> 29) * UINT64_C (0xbf58476d1ce4e5b9) | 1;
}

void
add (struct rows *rows, uint64_t key, uint64_t count)
{
  if (rows->n == rows->room)
    rows->row = XRESIZEVEC (struct row, rows->row, rows->room = rows->room * 2 + 64);
  rows->row[rows->n++] = (struct row) { key, count };
}

static int
by_key (const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  return x->key < y->key ? -1 : x->key > y->key;
}

/* Sort, sum equal keys, drop zeros. */
void
tidy (struct rows *rows)
{
  size_t n = 0;
  if (rows->n)
    qsort (rows->row, rows->n, sizeof *rows->row, by_key);
  for (size_t i = 0; i < rows->n; i++)
    {
      if (n && rows->row[n - 1].key == rows->row[i].key)
	rows->row[n - 1].count += rows->row[i].count;
      else
	{
	  n -= n && !rows->row[n - 1].count;
	  rows->row[n++] = rows->row[i];
	}
    }
  rows->n = n - (n && !rows->row[n - 1].count);
}

bool
equal (const struct rows *a, const struct rows *b)
{
  return a->n == b->n && (!a->n || !memcmp (a->row, b->row, a->n * sizeof *a->row));
}

/* Make a value of event I: of a type that the site nearly decides, some of few values, some of more
   than are kept. */
static void
make_value (struct events *e, size_t i)
{
  static const double numbers[] = { 0, -0.0, 1.5, -1e300, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0 };
  unsigned type = (e->site[i] + !draw (9)) % (CAB_VALUE_BITS + 1);
  uint64_t bits = draw (3) ? draw (4) : draw (200) - 100;
  float number = draw (2) ? numbers[draw (7)] : (double) (int64_t) bits;
  double wide = draw (2) ? numbers[draw (7)] : (double) (int64_t) bits / 8;
  if (type == CAB_VALUE_FLOAT)
    {
      bits = 0;
      memcpy (&bits, &number, sizeof number);
    }
  if (type == CAB_VALUE_DOUBLE)
    memcpy (&bits, &wide, sizeof wide);
  e->value[i] = bits;
  e->value_type[i] = type ? type | (e->site[i] % 5 ? 0 : CAB_VALUE_PART) : 0;
}

/* Make event I an access or an allocation, in a small space, so that blocks meet, overlap, and are
   released and used again. */
static void
make_access (struct events *e, size_t i)
{
  static const uint8_t forms[] = { CAB_ROW_READ,
				   CAB_ROW_READ,
				   CAB_ROW_WRITE,
				   CAB_ROW_WRITE,
				   CAB_ROW_READ | CAB_ROW_WRITE,
				   CAB_ROW_READ | CAB_ROW_RANGE,
				   CAB_ROW_ALLOCATED,
				   CAB_ROW_ALLOCATED,
				   CAB_ROW_RELEASED,
				   CAB_ROW_MOVED };
  size_t known = i ? i - 1 - draw (i < 50 ? i : 50) : 0;
  uint64_t some = i && draw (3) ? e->address[known] : 4096 + draw (3000);
  e->access_form[i] = forms[draw (sizeof forms)];
  e->address[i] = draw (20) ? some : 0;
  e->other[i] = e->access_form[i] == CAB_ROW_MOVED && i && draw (10)
		? e->address[i - 1 - draw (i < 50 ? i : 50)]
		: 0;
  e->bytes[i] = draw (30) ? draw (100) : draw (2000);
  make_value (e, i);
}

/* Make a thread's life: calls, returns of several frames at once, tail calls, calls back from below
   tail calls. */
struct events
make_events (size_t n)
{
  struct events e = { n,
		      XNEWVEC (uint32_t, n),
		      XNEWVEC (uint32_t, n),
		      XNEWVEC (uint32_t, n),
		      XNEWVEC (uint8_t, n),
		      XNEWVEC (uint64_t, n),
		      XNEWVEC (uint8_t, n),
		      XNEWVEC (uint64_t, n),
		      XNEWVEC (uint8_t, n),
		      XNEWVEC (uint64_t, n),
		      XNEWVEC (uint64_t, n),
		      XNEWVEC (uint64_t, n),
		      XNEWVEC (uint64_t, n),
		      XNEWVEC (uint8_t, n),
		      NULL,
		      NULL };
  uint32_t frames = 0;
  for (size_t i = 0; i < n; i++)
    {
      uint64_t what = draw (10);
      e.form[i] = frames && what == 0 ? CAB_EV_TAIL
		: frames && what == 1 ? CAB_EV_UNDER
		: CAB_EV_CALL;
      uint32_t most = e.form[i] == CAB_EV_CALL ? frames : frames - 1;
      uint32_t left = draw (3) ? draw (3) : draw (most + 1);
      frames -= left < most ? left : most;
      frames += e.form[i] == CAB_EV_CALL;
      e.depth[i] = frames - 1;
      e.fn[i] = 1 + draw (N_FN);
      e.site[i] = draw (N_SITE);
      e.path[i] = draw (COUNTERS_PER_FN - 2);
      e.loop_form[i] = draw (2) ? CAB_LOOP_LEFT : draw (CAB_LOOP_ENTER + 1);
      e.count[i] = draw (UINT64_C (1) << draw (CAB_EV_LOOP_N_BITS + 1));
      make_access (&e, i);
    }
  return e;
}

/* There are N_SHAPE shapes, of one to five accesses. */
#define N_SHAPE 11
#define LONGEST 5

static const struct cab_shape *
shape_at (unsigned i)
{
  static struct cab_shape shape[N_SHAPE];
  static uint32_t site[N_SHAPE * LONGEST];
  static uint8_t form[N_SHAPE * LONGEST];
  static uint64_t bytes[N_SHAPE * LONGEST];
  unsigned at = i * LONGEST;
  for (unsigned k = at; k < at + LONGEST; k++)
    {
      site[k] = 1 + k;
      form[k] = 1 + k % 3;
      bytes[k] = UINT64_C (1) << k % 5;
    }
  shape[i] = (struct cab_shape) { 1 + at, 1 + i % LONGEST, site + at, form + at, bytes + at };
  return &shape[i];
}

void
make_shapes (struct events *e, uint64_t most_passes)
{
  e->shape = XNEWVEC (const struct cab_shape *, e->n);
  e->passes = XNEWVEC (uint64_t, e->n);
  for (size_t i = 0; i < e->n; i++)
    {
      e->shape[i] = shape_at (draw (N_SHAPE));
      e->passes[i] = 1 + draw (most_passes);
    }
}

uint64_t
events_in (const struct cab_analysis *analysis, const struct events *e, size_t n)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n && by_shape (analysis, e); i++)
    sum += e->passes[i] * e->shape[i]->n;
  return by_shape (analysis, e) ? sum : n;
}

void
free_events (struct events *e)
{
  free (e->shape);
  free (e->passes);
  free (e->fn);
  free (e->site);
  free (e->depth);
  free (e->form);
  free (e->path);
  free (e->loop_form);
  free (e->count);
  free (e->access_form);
  free (e->address);
  free (e->other);
  free (e->bytes);
  free (e->value);
  free (e->value_type);
}

static int
counters (void *host, uint32_t fn, uint64_t *first, uint32_t *n)
{
  (void) host;
  *first = (uint64_t) (fn - 1) * COUNTERS_PER_FN;
  *n = fn && fn <= N_FN ? COUNTERS_PER_FN : 0;
  return *n > 0;
}

const struct cab_functions functions = { NULL, counters, NULL, NULL };

uint64_t
timed_word (const struct events *e, size_t i)
{
  bool ends = i % 3 == 2;
  return cab_ev_call (ends ? CAB_EV_RESUME : e->form[i], e->depth[i], e->fn[i],
		      ends ? 0 : e->site[i]);
}

uint64_t
timed_clock (size_t i)
{
  return UINT64_C (1) << 45 | (i * i + 40 * i);
}

/* Return event I as a row of a path batch: one execution, in one of three forms. */
static uint64_t
path_row (const struct events *e, size_t i)
{
  static const uint64_t forms[] = { CAB_EV_PATH, CAB_EV_PATH_LAST,
				    CAB_EV_RUN | UINT64_C (1) << CAB_EV_RUN_SHIFT };
  return (uint64_t) e->fn[i] << CAB_EV_FN_SHIFT | e->path[i] << CAB_EV_PATH_SHIFT
       | forms[(e->site[i] + i / 5000) % 3];
}

/* What a batch of events needs beside the arrays that the events have.  Each is just as long as
   the batch, so that a read beyond it is found. */
struct columns
{
  uint32_t *loop, *site;
  uint64_t *events, *clocks;
  uint8_t *form, *level;
  int has_runs;
};

/* Return true if ANALYSIS takes events of KIND. */
static bool
takes (const struct cab_analysis *analysis, unsigned kind)
{
  return analysis->kinds >> kind & 1;
}

static void
fill_columns (struct columns *c, const struct cab_analysis *analysis, const struct events *e,
	      size_t from, uint32_t n)
{
  *c = (struct columns) { XNEWVEC (uint32_t, n), XNEWVEC (uint32_t, n), XNEWVEC (uint64_t, n),
			  XNEWVEC (uint64_t, n), XNEWVEC (uint8_t, n),
			  XNEWVEC (uint8_t, n), 0 };
  for (uint32_t i = 0; i < n; i++)
    {
      size_t k = from + i;
      c->loop[i] = LOOP_OF (e->site[k]);
      c->site[i] = deps_site (e, k);
      c->form[i] = deps_form (e, k);
      c->level[i] = level_of (e, k);
      c->clocks[i] = timed_clock (k);
      c->events[i] = takes (analysis, CAB_EV_PATH) ? path_row (e, k)
		   : takes (analysis, CAB_EV_TIMED)
		     ? timed_word (e, k)
		     : cab_ev_call (e->form[k], e->depth[k], e->fn[k], e->site[k]);
      c->has_runs |= cab_ev_is_run (c->events[i]);
    }
}

/* Return the batch of accesses of N events from FROM on. */
static struct cab_batch
access_batch (struct columns *c, const struct cab_analysis *analysis, const struct events *e,
	      size_t from, uint32_t n)
{
  struct cab_batch batch = { .kind = CAB_EV_ACCESS,
			     .n = n,
			     .site = e->site + from,
			     .form = e->access_form + from,
			     .address = e->address + from,
			     .other = e->other + from,
			     .bytes = e->bytes + from,
			     .node = e->depth + from,
			     .value = e->value + from,
			     .value_type = e->value_type + from };
  if (analysis->wants & CAB_WANTS_LOOPS)
    {
      batch.site = c->site;
      batch.form = c->form;
    }
  if (analysis->wants & CAB_WANTS_LEVEL)
    batch.level = c->level;
  if (takes (analysis, CAB_EV_VALUE))
    batch.kind = CAB_EV_VALUE;
  return batch;
}

/* Return the batch of N events from FROM on that ANALYSIS takes. */
static struct cab_batch
batch_of (struct columns *c, const struct cab_analysis *analysis, const struct events *e,
	  size_t from, uint32_t n)
{
  if (by_shape (analysis, e))
    return (struct cab_batch) { .kind = CAB_EV_ACCESS,
				.n = n,
				.shape = e->shape + from,
				.passes = e->passes + from,
				.accesses = events_in (analysis, e, from + n)
					  - events_in (analysis, e, from) };
  if (takes (analysis, CAB_EV_SAMPLE))
    return (struct cab_batch) { .kind = CAB_EV_SAMPLE,
				.n = n,
				.address = e->address + from,
				.count = e->bytes + from,
				.node = e->depth + from };
  if (takes (analysis, CAB_EV_ACCESS) || takes (analysis, CAB_EV_VALUE))
    return access_batch (c, analysis, e, from, n);
  if (takes (analysis, CAB_EV_LOOP))
    return (struct cab_batch) { .kind = CAB_EV_LOOP,
				.n = n,
				.fn = e->fn + from,
				.loop = c->loop,
				.form = e->loop_form + from,
				.count = e->count + from };
  if (takes (analysis, CAB_EV_TIMED))
    return (struct cab_batch) {
      .kind = CAB_EV_TIMED, .n = n, .events = c->events, .count = c->clocks
    };
  return (struct cab_batch) { .kind = takes (analysis, CAB_EV_PATH) ? CAB_EV_PATH : CAB_EV_CALL,
			      .n = n,
			      .events = c->events,
			      .has_runs = c->has_runs };
}

static void
free_columns (struct columns *c)
{
  free (c->loop);
  free (c->site);
  free (c->events);
  free (c->clocks);
  free (c->form);
  free (c->level);
}

uint32_t feeding_thread;

uint64_t
path_word (const struct events *e, size_t i)
{
  return i % 7 == 6 && !(e->access_form[i] & CAB_ROW_MOVED) ? path_row (e, i) : 0;
}

#define STAY 12   /* events of an activation before another is on top */

uint32_t
frames_at (size_t i)
{
  return 1 + i / STAY % 3;
}

uint32_t
frames_kept (size_t i)
{
  uint32_t now = frames_at (i), before = i ? frames_at (i - 1) : 0;
  bool is_new = now == 1 && i / (3 * STAY) % 2;
  return i % STAY ? now : is_new ? 0 : now < before ? now : before;
}

/* Return how many of N events from FROM on are paths, or accesses, of one activation. */
static uint32_t
alike (const struct events *e, size_t from, uint32_t n)
{
  uint32_t k = 1;
  while (k < n && (from + k) % STAY && !path_word (e, from) == !path_word (e, from + k))
    k++;
  return k;
}

/* Make BATCH, of events from FROM on, one of paths if these are paths, and say where the stack
   stands. */
static void
put_stack (struct cab_batch *batch, const struct columns *c, const struct events *e, size_t from)
{
  if (path_word (e, from))
    *batch = (struct cab_batch) {
      .kind = CAB_EV_PATH, .n = batch->n, .events = c->events, .has_runs = c->has_runs
    };
  batch->depth = frames_at (from);
  batch->kept = frames_kept (from);
}

void
feed (const struct cab_analysis *analysis, struct cab_arena *arena, const struct events *e,
      size_t from, size_t to)
{
  while (from < to)
    {
      struct columns columns;
      uint32_t n = to - from < CAB_BATCH_MAX ? to - from : CAB_BATCH_MAX;
      bool stacked = analysis->wants & CAB_WANTS_STACK;
      n = stacked ? alike (e, from, n) : n;
      fill_columns (&columns, analysis, e, from, n);
      struct cab_batch batch = batch_of (&columns, analysis, e, from, n);
      if (stacked)
	put_stack (&batch, &columns, e, from);
      batch.thread = feeding_thread;
      analysis->feed (arena, &batch, &functions);
      free_columns (&columns);
      from += n;
    }
}

bool
sound (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct cab_diag diag = { "" };
  if (analysis->check (arena, &diag) == 0)
    return true;
  printf ("%s\n", diag.text);
  return false;
}

/* Return true if ARENA is what the first N events give. */
bool
holds (const struct cab_analysis *analysis, const struct cab_arena *arena, const struct events *e,
       size_t n)
{
  struct rows got = rows_of (analysis, arena), want = expected (analysis, e, n);
  bool good = equal (&got, &want) && analysis->applied (arena) == events_in (analysis, e, n)
	   && analysis->lost (arena) == 0 && sound (analysis, arena);
  free (got.row);
  free (want.row);
  if (!good)
    printf ("%s: the state is not what %zu events must give\n", analysis->name, n);
  return good;
}
