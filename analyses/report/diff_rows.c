/* diff_rows.c - see diff_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/diff_rows.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_calls.h"
#include "analyses/profile/partial/sampled.h"
#include "analyses/report/diff_memory.h"

const struct cab_diff_kind_text cab_diff_kinds[CAB_DIFF_KINDS] = {
  [CAB_DIFF_METHODS] = { "methods", "Functions by how much their calls changed" },
  [CAB_DIFF_PATHS] = { "paths", "Paths by how much their executions changed" },
  [CAB_DIFF_CALLS] = { "calls", "Calls from function to function by how much they changed" },
  [CAB_DIFF_LINES] = { "lines", "Lines by how much their executions changed" },
  [CAB_DIFF_ACCESSES] = { "accesses", "Variables by how much the accesses to them changed" },
  [CAB_DIFF_D1] = { "D1-misses", "Variables by how much their misses in D1 changed" },
  [CAB_DIFF_LL] = { "LL-misses", "Variables by how much their misses in the last level changed" }
};

const struct cab_column cab_diff_columns[CAB_DIFF_N] = {
  { "kind", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "function", CAB_FUNCTION, 0 },
  { "caller", CAB_FUNCTION, 0 },
  { "variable", CAB_TEXT, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "lines", CAB_TEXT, 0 },
  { "before", CAB_COUNT, 0 },
  { "after", CAB_COUNT, 0 },
  { "change", CAB_CHANGE, 0 },
  { "relative", CAB_RELATIVE, 0 },
  { "note", CAB_TEXT, 0 }
};

bool
cab_diff_has (const struct cab_model *model, enum cab_diff_kind kind)
{
  switch (kind)
    {
    case CAB_DIFF_METHODS: return model->has_paths || model->has_calls;
    case CAB_DIFF_PATHS:
    case CAB_DIFF_LINES: return model->has_paths;
    case CAB_DIFF_CALLS: return model->has_calls;
    default: return cab_diff_has_memory (model, kind);
    }
}

/* Return the growth from BEFORE to AFTER; 1 is twice as much. */
static double
relative (uint64_t before, uint64_t after)
{
  return before ? ((double) after - before) / before : after ? INFINITY : 0;
}

static int64_t
change (uint64_t before, uint64_t after)
{
  uint64_t size = after > before ? after - before : before - after;
  int64_t clamped = size > INT64_MAX ? INT64_MAX : (int64_t) size;
  return after > before ? clamped : -clamped;
}

/* Note in GATE what it says about a growth from BEFORE to AFTER of NAME. */
static void
judge (struct cab_diff_gate *gate, const char *name, uint64_t before, uint64_t after)
{
  double growth = relative (before, after);
  if (gate->percent < 0 || !(100 * growth > gate->percent))
    return;
  gate->n_crossed++;
  if (gate->worst_name
      && (growth < gate->worst || (growth == gate->worst && after <= gate->counts[1])))
    return;
  gate->worst = growth;
  gate->worst_name = name;
  gate->counts[0] = before;
  gate->counts[1] = after;
}

/* Return what people should know about the pair. */
static const char *
note_of (struct cab_diff *d, const struct cab_pair *pair)
{
  struct cab_names *names = &d->model[1]->names;
  if (!pair->n[0] || !pair->n[1])
    return pair->n[0] ? "only before" : "only after";
  const struct cab_function *a = d->match.of[0][pair->first[0]],
			    *b = d->match.of[1][pair->first[1]];
  if (pair->n[0] > 1 || pair->n[1] > 1)
    return cab_names_format (names, "%u and %u builds, added up", pair->n[0], pair->n[1]);
  if (strcmp (lbasename (a->file), lbasename (b->file)))
    return cab_names_format (names, "was in %s", *a->file ? a->file : "an unknown file");
  return a->record && b->record && !cab_match_same_shape (&d->match, pair) ? "changed shape" : "";
}

/* Add a row of counts for PAIR and return it, or null if nothing changed or it is not wanted. */
static union cab_cell *
add_row (struct cab_diff *d, enum cab_diff_kind kind, const struct cab_pair *pair, uint64_t before,
	 uint64_t after)
{
  const struct cab_function *face = cab_match_face (&d->match, pair);
  if (before == after || !cab_report_wants (&d->wanted, face))
    return NULL;
  judge (&d->gate, face->display, before, after);
  union cab_cell *row = cab_table_row (&d->table);
  row[CAB_DIFF_KIND].text = cab_diff_kinds[kind].name;
  row[CAB_DIFF_FUNCTION].text = face->display;
  row[CAB_DIFF_FILE].text = face->file;
  row[CAB_DIFF_LINE].count = face->line;
  row[CAB_DIFF_BEFORE].count = before;
  row[CAB_DIFF_AFTER].count = after;
  row[CAB_DIFF_CHANGE].change = change (before, after);
  row[CAB_DIFF_RELATIVE].share = relative (before, after);
  row[CAB_DIFF_NOTE].text = note_of (d, pair);
  return row;
}

typedef uint64_t count_function (const struct cab_function *function);

static uint64_t
sum_paths (const struct cab_function *function)
{
  uint64_t sum = 0;
  for (uint64_t p = 0; function->paths && p < function->n_paths; p++)
    sum += function->paths[p];
  return sum;
}

static uint64_t
sum_lines (const struct cab_function *function)
{
  uint64_t sum = 0;
  size_t n = 0;
  struct cab_line_count *rows
    = function->record && function->paths ? cab_lines_of (function, &n) : NULL;
  for (size_t i = 0; i < n; i++)
    sum += rows[i].count;
  free (rows);
  return sum;
}

/* Return the sum of COUNT over the pair's functions on one side. */
static uint64_t
total (const struct cab_diff *d, const struct cab_pair *pair, int side, count_function *count)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < pair->n[side]; i++)
    sum += count (d->match.of[side][pair->first[side] + i]);
  return sum;
}

static void
diff_methods (struct cab_diff *d, const struct cab_pair *pair)
{
  add_row (d, CAB_DIFF_METHODS, pair, total (d, pair, 0, cab_model_calls),
	   total (d, pair, 1, cab_model_calls));
}

static void
diff_sums (struct cab_diff *d, enum cab_diff_kind kind, const struct cab_pair *pair,
	   count_function *count, const char *all)
{
  union cab_cell *row
    = add_row (d, kind, pair, total (d, pair, 0, count), total (d, pair, 1, count));
  if (row)
    row[CAB_DIFF_PLACES].text = all;
}

static void
diff_paths (struct cab_diff *d, const struct cab_pair *pair)
{
  if (!cab_match_same_shape (&d->match, pair))
    {
      diff_sums (d, CAB_DIFF_PATHS, pair, sum_paths, "all paths");
      return;
    }
  const struct cab_function *a = d->match.of[0][pair->first[0]],
			    *b = d->match.of[1][pair->first[1]];
  for (uint64_t p = 0; p < b->n_paths; p++)
    {
      union cab_cell *row
	= add_row (d, CAB_DIFF_PATHS, pair, a->paths ? a->paths[p] : 0, b->paths ? b->paths[p] : 0);
      if (row)
	row[CAB_DIFF_PLACES].text = cab_report_path_lines (d->model[1], b, p);
    }
}

bool
cab_diff_lines_correspond (const struct cab_line_count *a, size_t n_a,
			   const struct cab_line_count *b, size_t n_b)
{
  bool same = n_a == n_b;
  for (size_t i = 0; same && i < n_a; i++)
    same = !strcmp (lbasename (a[i].file), lbasename (b[i].file));
  return same;
}

static void
diff_lines (struct cab_diff *d, const struct cab_pair *pair)
{
  struct cab_line_count *rows[2] = { NULL, NULL };
  size_t n[2] = { 0, 0 };
  bool same = cab_match_same_shape (&d->match, pair);
  for (int side = 0; side < 2 && same; side++)
    rows[side] = cab_lines_of (d->match.of[side][pair->first[side]], &n[side]);
  if (same && cab_diff_lines_correspond (rows[0], n[0], rows[1], n[1]))
    for (size_t i = 0; i < n[1]; i++)
      {
	union cab_cell *row = add_row (d, CAB_DIFF_LINES, pair, rows[0][i].count, rows[1][i].count);
	if (!row)
	  continue;
	row[CAB_DIFF_FILE].text = rows[1][i].file;
	row[CAB_DIFF_LINE].count = rows[1][i].line;
      }
  else
    diff_sums (d, CAB_DIFF_LINES, pair, sum_lines, "all lines");
  free (rows[0]);
  free (rows[1]);
}

/* Calls between two pairs.  caller is a pair + 1; 0: not known. */
struct call
{
  uint32_t caller, callee;
  uint64_t count[2];
};

static int
by_pairs (const void *a, const void *b)
{
  const struct call *x = a, *y = b;
  if (x->caller != y->caller)
    return x->caller < y->caller ? -1 : 1;
  return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static struct call *
collect_calls (const struct cab_diff *d, size_t *n)
{
  struct call *calls = NULL;
  size_t room = 0;
  *n = 0;
  for (int side = 0; side < 2; side++)
    {
      const struct cab_model *model = d->model[side];
      struct cab_calls_row row;
      for (uint64_t cursor = 0; cab_calls_next (&model->calls, &cursor, &row);)
	{
	  bool known = row.site && row.site <= model->n_sites;
	  if (*n == room)
	    calls = XRESIZEVEC (struct call, calls, room = room * 2 + 1024);
	  const uint32_t *pair_of = d->match.pair_of[side];
	  uint32_t caller = known ? pair_of[model->sites[row.site].function] + 1 : 0;
	  calls[*n] = (struct call) { .caller = caller, .callee = pair_of[row.callee - 1] };
	  calls[(*n)++].count[side] = row.count;
	}
    }
  if (*n)
    qsort (calls, *n, sizeof *calls, by_pairs);
  return calls;
}

static void
diff_calls (struct cab_diff *d)
{
  size_t n;
  struct call *calls = collect_calls (d, &n);
  for (size_t i = 0, k; i < n; i = k)
    {
      uint64_t sum[2] = { 0, 0 };
      for (k = i; k < n && by_pairs (&calls[i], &calls[k]) == 0; k++)
	{
	  sum[0] += calls[k].count[0];
	  sum[1] += calls[k].count[1];
	}
      union cab_cell *row
	= add_row (d, CAB_DIFF_CALLS, &d->match.pairs[calls[i].callee], sum[0], sum[1]);
      if (row)
	row[CAB_DIFF_CALLER].text
	  = calls[i].caller
	    ? cab_match_face (&d->match, &d->match.pairs[calls[i].caller - 1])->display
	    : "-";
    }
  free (calls);
}

static void
diff_memory (struct cab_diff *d, enum cab_diff_kind kind)
{
  size_t n;
  uint64_t sum[2] = { 0, 0 };
  char text[2][32];
  struct cab_diff_count *counts = cab_diff_memory (&d->match, kind, &n);
  for (size_t i = 0; i < n; i++)
    {
      const struct cab_pair *pair = &d->match.pairs[counts[i].pair];
      union cab_cell *row = add_row (d, kind, pair, counts[i].count[0], counts[i].count[1]);
      if (row)
	row[CAB_DIFF_VARIABLE].text = counts[i].variable;
      for (int side = 0;
	   side < 2 && cab_report_wants (&d->wanted, cab_match_face (&d->match, pair)); side++)
	sum[side] += counts[i].count[side];
    }
  free (counts);
  struct cab_names *names = &d->model[1]->names;
  d->table.title
    = cab_names_format (names, "%s: %s before, %s after", cab_diff_kinds[kind].title,
			cab_table_grouped (sum[0], text[0]), cab_table_grouped (sum[1], text[1]));
  d->table.note = cab_model_sampled_text (d->model[1]);
}

void
cab_diff_fill (struct cab_diff *d, enum cab_diff_kind kind)
{
  cab_table_init (&d->table, "diff", cab_diff_kinds[kind].title, cab_diff_columns, CAB_DIFF_N);
  if (kind == CAB_DIFF_CALLS)
    diff_calls (d);
  if (kind >= CAB_DIFF_ACCESSES)
    diff_memory (d, kind);
  for (uint32_t i = 0; i < d->match.n_pairs; i++)
    if (kind == CAB_DIFF_METHODS)
      diff_methods (d, &d->match.pairs[i]);
    else if (kind == CAB_DIFF_PATHS)
      diff_paths (d, &d->match.pairs[i]);
    else if (kind == CAB_DIFF_LINES)
      diff_lines (d, &d->match.pairs[i]);
  cab_table_sort (&d->table, CAB_DIFF_CHANGE);
}
