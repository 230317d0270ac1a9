/* law_keys.c - see law_keys.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/law_keys.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/trace/law_report.h"
#include "analyses/wire/keyed.h"

#define MOST_KEPT 128u

static struct
{
  const void *ring;
  bool full;
  struct cab_keyed_rows *rows[MOST_KEPT];
  uint32_t n;
} kept;

/* States that rows are fed to, by part. */
struct parts
{
  const struct cab_analysis *analysis;
  struct cab_arena *state;
  uint32_t n, last;   /* `last': the part that got the last row */
};

static struct cab_keyed_split split;
static struct cab_keyed_rows rows_of_part[CAB_KEYED_PARTS];

static struct cab_keyed_rows *
keep (void *host, uint32_t part, const struct cab_batch *batch, uint32_t n)
{
  (void) host, (void) part;
  if (kept.n && cab_keyed_fits (kept.rows[kept.n - 1], batch, n))
    return kept.rows[kept.n - 1];
  kept.full |= kept.n == MOST_KEPT;
  if (kept.full)
    return NULL;
  kept.rows[kept.n] = XNEW (struct cab_keyed_rows);
  cab_keyed_begin (kept.rows[kept.n], batch);
  return kept.rows[kept.n++];
}

void
cab_law_keys_note (const void *ring, const struct cab_analysis *analysis,
		   const struct cab_batch *batch)
{
  const struct cab_keyed_host host = { NULL, keep };
  kept.ring = kept.ring ? kept.ring : ring;
  if (kept.ring == ring && !kept.full)
    cab_keyed_rows (&split, analysis, batch, 1, &host);
}

void
cab_law_keys_stop (const void *ring)
{
  kept.full |= kept.ring == ring;
}

static int
no_counters (void *host, uint32_t fn, uint64_t *first, uint32_t *n)
{
  (void) host, (void) fn, (void) first, (void) n;
  return 0;
}

static struct cab_keyed_rows *
room (void *host, uint32_t part, const struct cab_batch *batch, uint32_t n)
{
  struct parts *to = host;
  (void) n;
  to->last = part;
  cab_keyed_begin (&rows_of_part[part], batch);
  return &rows_of_part[part];
}

/* Return N rows of BATCH from row FIRST on. */
static struct cab_batch
slice (const struct cab_batch *batch, uint32_t first, uint32_t n)
{
  struct cab_batch part = *batch;
  part.n = n;
#define COLUMN(name) part.name = batch->name ? batch->name + first : NULL
  COLUMN (events), COLUMN (fn), COLUMN (site), COLUMN (form), COLUMN (node), COLUMN (loop);
  COLUMN (count), COLUMN (address), COLUMN (other), COLUMN (bytes), COLUMN (value);
  COLUMN (value_type), COLUMN (times), COLUMN (step);
#undef COLUMN
  return part;
}

/* Feed TO the rows from FIRST up to END. */
static void
feed_range (struct parts *to, uint32_t first, uint32_t end)
{
  static const struct cab_functions functions = { NULL, no_counters, NULL, NULL };
  const struct cab_keyed_host host = { to, room };
  uint32_t at = 0;
  for (uint32_t i = 0; i < kept.n; at += kept.rows[i++]->batch.n)
    {
      const struct cab_batch *batch = &kept.rows[i]->batch;
      uint32_t from = first > at ? first - at : 0, until = end > at ? end - at : 0;
      until = until < batch->n ? until : batch->n;
      if (from >= until)
	continue;
      struct cab_batch some = slice (batch, from, until - from);
      for (uint32_t p = 0; p < to->n; p++)
	rows_of_part[p].batch.n = 0;
      cab_keyed_rows (&split, to->analysis, &some, to->n, &host);
      for (uint32_t p = 0; p < to->n && to->state; p++)
	if (rows_of_part[p].batch.n)
	  to->analysis->feed (&to->state[p], &rows_of_part[p].batch, &functions);
    }
}

/* Return the report (free) of N merged parts that got the rows up to END, and row LAST; null: there
   is none. */
static char *
report_of (const struct cab_analysis *analysis, uint32_t n, uint32_t end, uint32_t last)
{
  struct cab_arena state[CAB_KEYED_PARTS + 1];
  struct cab_diag diag;
  uint32_t n_open = 0;
  while (n_open <= n
	 && cab_heap_open_with (&state[n_open], analysis, cab_law_arguments (), NULL) == 0)
    n_open++;
  bool good = n_open == n + 1;
  struct parts to = { analysis, state, n, 0 };
  if (good)
    {
      feed_range (&to, 0, end);
      feed_range (&to, last, last + 1);
    }
  for (uint32_t p = 0; p < n && good; p++)
    good = analysis->merge (&state[n], &state[p], cab_law_map (), &diag) == 0;
  char *text = good ? cab_law_report (analysis, &state[n]) : NULL;
  while (n_open)
    cab_heap_fini (&state[--n_open]);
  return text;
}

/* Return true if N parts, merged, differ from one state after the rows up to END, and row LAST. */
static bool
differ (const struct cab_analysis *analysis, uint32_t n, uint32_t end, uint32_t last)
{
  char *whole = report_of (analysis, 1, end, last), *parts = report_of (analysis, n, end, last);
  bool result = whole && parts && strcmp (whole, parts);
  free (whole);
  free (parts);
  return result;
}

/* Return which of N parts row ROW goes to. */
static uint32_t
part_of (const struct cab_analysis *analysis, uint32_t n, uint32_t row)
{
  struct parts to = { analysis, NULL, n, 0 };
  feed_range (&to, row, row + 1);
  return to.last;
}

/* Return row ROW in words (free): what it is, its own key if it has one, and which of N parts it
   goes to. */
static char *
words_for (const struct cab_analysis *analysis, uint32_t n, uint32_t row)
{
  uint32_t at = row, i = 0;
  while (at >= kept.rows[i]->batch.n)
    at -= kept.rows[i++]->batch.n;
  const struct cab_batch *b = &kept.rows[i]->batch;
  char *what;
  if (b->kind == CAB_EV_CALL)
    what = xasprintf ("call of function %u at site %u", cab_ev_callee (b->events[at]),
		      cab_ev_site (b->events[at]));
  else if (b->kind == CAB_EV_PATH)
    what = xasprintf ("path of function %u", cab_ev_fn (b->events[at]));
  else if (b->kind == CAB_EV_LOOP)
    what = xasprintf ("loop %u of function %u", b->loop[at], b->fn[at]);
  else if (b->kind == CAB_EV_SAMPLE)
    what = xasprintf ("sample at 0x%llx", (unsigned long long) b->address[at]);
  else
    what = xasprintf ("access %u to 0x%llx", b->site[at], (unsigned long long) b->address[at]);
  char *key = analysis->own_key ? xasprintf (", key %ju", (uintmax_t) analysis->own_key (b, at))
				: xstrdup ("");
  char *words = xasprintf ("event %u (%s%s, part %u)", row + 1, what, key,
			   part_of (analysis, n, row) + 1);
  free (what);
  free (key);
  return words;
}

char *
cab_law_keys_pair (const void *ring, const struct cab_analysis *analysis, uint32_t n_parts)
{
  uint32_t n = 0, low = 0, last, end;
  for (uint32_t i = 0; i < kept.n; i++)
    n += kept.rows[i]->batch.n;
  if (kept.ring != ring || n < 2 || !differ (analysis, n_parts, n - 1, n - 1))
    return NULL;
  for (last = n - 1; low + 1 < last;)
    {
      uint32_t middle = low + (last - low) / 2;
      *(differ (analysis, n_parts, middle, middle) ? &last : &low) = middle;
    }
  for (end = last, low = 0; low + 1 < end;)
    {
      uint32_t middle = low + (end - low) / 2;
      *(differ (analysis, n_parts, middle, last) ? &end : &low) = middle;
    }
  while (end > 1 && part_of (analysis, n_parts, end - 1) == part_of (analysis, n_parts, last))
    end--;
  char *a = words_for (analysis, n_parts, end - 1), *b = words_for (analysis, n_parts, last);
  char *pair = xasprintf ("%s and %s", a, b);
  free (a);
  free (b);
  return pair;
}
