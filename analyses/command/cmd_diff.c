/* cmd_diff.c - cabprof diff: what changed from one profile to another.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each kind of counts gives rows (what, before, after).  Rows of one thing are added up; those that
 * changed are ranked.  Paths and lines are compared one by one where the function's shape is the
 * same on both sides, lines by their order and not by number; else they are compared as a sum.
 * Accesses and misses are compared by variable and function.
 */
#include "analyses/command/command.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/report/diff_memory.h"
#include "analyses/profile/lines.h"
#include "analyses/profile/match.h"
#include "analyses/report/report.h"
#include "analyses/live/an_calls.h"

#define TEXT_LIMIT 15   /* rows of each kind */

enum { METHODS, PATHS, CALLS, LINES, ACCESSES, D1, LL, N_KINDS };
#define KINDS "methods, paths, calls, lines, accesses, D1-misses, LL-misses"
static const char *const kind_names[] = { "methods", "paths", "calls", "lines", "accesses", "D1-misses", "LL-misses" };
static const char *const titles[] = {
  "Functions by how much their calls changed",
  "Paths by how much their executions changed",
  "Calls from function to function by how much they changed",
  "Lines by how much their executions changed",
  "Variables by how much the accesses to them changed",
  "Variables by how much their misses in D1 changed",
  "Variables by how much their misses in the last level changed"
};

struct diff
{
  struct cab_model model[2];
  const char *dir[2];
  const char *program;                 /* --program */
  struct cab_match match;
  struct cab_report_options wanted;    /* format and filters */
  bool compare[N_KINDS];
  long limit;
  double gate;                         /* percent; negative: none */
  unsigned n_crossed;
  double worst;                        /* growth; infinite: from nothing */
  const char *worst_name;
  uint64_t worst_counts[2];
  struct cab_table table;              /* of the current kind */
};

static const struct cab_column columns[] = {
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
enum { KIND, FUNCTION, CALLER, VARIABLE, FILE_, LINE, LINES_, BEFORE, AFTER, CHANGE, RELATIVE, NOTE, N };

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

static void
judge (struct diff *d, const char *name, uint64_t before, uint64_t after)
{
  double growth = relative (before, after);
  if (d->gate < 0 || !(100 * growth > d->gate))
    return;
  d->n_crossed++;
  if (d->worst_name && (growth < d->worst || (growth == d->worst && after <= d->worst_counts[1])))
    return;
  d->worst = growth;
  d->worst_name = name;
  d->worst_counts[0] = before;
  d->worst_counts[1] = after;
}

/* Return what people should know about the pair. */
static const char *
note_of (struct diff *d, const struct cab_pair *pair)
{
  struct cab_names *names = &d->model[1].names;
  if (!pair->n[0] || !pair->n[1])
    return pair->n[0] ? "only before" : "only after";
  const struct cab_function *a = d->match.of[0][pair->first[0]], *b = d->match.of[1][pair->first[1]];
  if (pair->n[0] > 1 || pair->n[1] > 1)
    return cab_names_format (names, "%u and %u builds, added up", pair->n[0], pair->n[1]);
  if (strcmp (lbasename (a->file), lbasename (b->file)))
    return cab_names_format (names, "was in %s", *a->file ? a->file : "an unknown file");
  return a->record && b->record && !cab_match_same_shape (&d->match, pair) ? "changed shape" : "";
}

/* Add a row of counts for PAIR and return it, or null if nothing changed or it is not wanted. */
static union cab_cell *
add_row (struct diff *d, int kind, const struct cab_pair *pair, uint64_t before, uint64_t after)
{
  const struct cab_function *face = cab_match_face (&d->match, pair);
  if (before == after || !cab_report_wants (&d->wanted, face))
    return NULL;
  judge (d, face->display, before, after);
  union cab_cell *row = cab_table_row (&d->table);
  row[KIND].text = kind_names[kind];
  row[FUNCTION].text = face->display;
  row[FILE_].text = face->file;
  row[LINE].count = face->line;
  row[BEFORE].count = before;
  row[AFTER].count = after;
  row[CHANGE].change = change (before, after);
  row[RELATIVE].share = relative (before, after);
  row[NOTE].text = note_of (d, pair);
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
  struct cab_line_count *rows = function->record && function->paths ? cab_lines_of (function, &n) : NULL;
  for (size_t i = 0; i < n; i++)
    sum += rows[i].count;
  free (rows);
  return sum;
}

/* Return the sum of COUNT over the pair's functions on one side. */
static uint64_t
total (const struct diff *d, const struct cab_pair *pair, int side, count_function *count)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < pair->n[side]; i++)
    sum += count (d->match.of[side][pair->first[side] + i]);
  return sum;
}

static void
diff_methods (struct diff *d, const struct cab_pair *pair)
{
  add_row (d, METHODS, pair, total (d, pair, 0, cab_model_calls), total (d, pair, 1, cab_model_calls));
}

static void
diff_sums (struct diff *d, int kind, const struct cab_pair *pair, count_function *count, const char *all)
{
  union cab_cell *row = add_row (d, kind, pair, total (d, pair, 0, count), total (d, pair, 1, count));
  if (row)
    row[LINES_].text = all;
}

static void
diff_paths (struct diff *d, const struct cab_pair *pair)
{
  if (!cab_match_same_shape (&d->match, pair))
    {
      diff_sums (d, PATHS, pair, sum_paths, "all paths");
      return;
    }
  const struct cab_function *a = d->match.of[0][pair->first[0]], *b = d->match.of[1][pair->first[1]];
  for (uint64_t p = 0; p < b->n_paths; p++)
    {
      union cab_cell *row = add_row (d, PATHS, pair, a->paths ? a->paths[p] : 0, b->paths ? b->paths[p] : 0);
      if (row)
	row[LINES_].text = cab_report_path_lines (&d->model[1], b, p);
    }
}

/* Return true if the lines correspond to each other, in their order. */
static bool
lines_correspond (const struct cab_line_count *a, size_t n_a, const struct cab_line_count *b, size_t n_b)
{
  bool same = n_a == n_b;
  for (size_t i = 0; same && i < n_a; i++)
    same = !strcmp (lbasename (a[i].file), lbasename (b[i].file));
  return same;
}

static void
diff_lines (struct diff *d, const struct cab_pair *pair)
{
  struct cab_line_count *rows[2] = { NULL, NULL };
  size_t n[2] = { 0, 0 };
  bool same = cab_match_same_shape (&d->match, pair);
  for (int side = 0; side < 2 && same; side++)
    rows[side] = cab_lines_of (d->match.of[side][pair->first[side]], &n[side]);
  if (same && lines_correspond (rows[0], n[0], rows[1], n[1]))
    for (size_t i = 0; i < n[1]; i++)
      {
	union cab_cell *row = add_row (d, LINES, pair, rows[0][i].count, rows[1][i].count);
	if (!row)
	  continue;
	row[FILE_].text = rows[1][i].file;
	row[LINE].count = rows[1][i].line;
      }
  else
    diff_sums (d, LINES, pair, sum_lines, "all lines");
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
collect_calls (const struct diff *d, size_t *n)
{
  struct call *calls = NULL;
  size_t room = 0;
  *n = 0;
  for (int side = 0; side < 2; side++)
    {
      const struct cab_model *model = &d->model[side];
      struct cab_calls_row row;
      for (uint64_t cursor = 0; cab_calls_next (&model->calls, &cursor, &row);)
	{
	  bool known = row.site && row.site <= model->n_sites;
	  if (*n == room)
	    calls = XRESIZEVEC (struct call, calls, room = room * 2 + 1024);
	  calls[*n] = (struct call) { known ? d->match.pair_of[side][model->sites[row.site].function] + 1 : 0,
				      d->match.pair_of[side][row.callee - 1], { 0, 0 } };
	  calls[(*n)++].count[side] = row.count;
	}
    }
  if (*n)
    qsort (calls, *n, sizeof *calls, by_pairs);
  return calls;
}

static void
diff_calls (struct diff *d)
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
      union cab_cell *row = add_row (d, CALLS, &d->match.pairs[calls[i].callee], sum[0], sum[1]);
      if (row)
	row[CALLER].text = calls[i].caller ? cab_match_face (&d->match, &d->match.pairs[calls[i].caller - 1])->display : "-";
    }
  free (calls);
}

static void
diff_memory (struct diff *d, int kind)
{
  size_t n;
  uint64_t sum[2] = { 0, 0 };
  char text[2][32];
  struct cab_diff_count *counts = cab_diff_memory (&d->match, CAB_DIFF_ACCESSES + (kind - ACCESSES), &n);
  for (size_t i = 0; i < n; i++)
    {
      const struct cab_pair *pair = &d->match.pairs[counts[i].pair];
      union cab_cell *row = add_row (d, kind, pair, counts[i].count[0], counts[i].count[1]);
      if (row)
	row[VARIABLE].text = counts[i].variable;
      for (int side = 0; side < 2 && cab_report_wants (&d->wanted, cab_match_face (&d->match, pair)); side++)
	sum[side] += counts[i].count[side];
    }
  free (counts);
  struct cab_names *names = &d->model[1].names;
  d->table.title = cab_names_format (names, "%s: %s before, %s after", titles[kind], cab_table_grouped (sum[0], text[0]), cab_table_grouped (sum[1], text[1]));
  d->table.note = cab_model_sampled_text (&d->model[1]);
}

static void
compare (struct diff *d, int kind)
{
  if (kind == CALLS)
    diff_calls (d);
  if (kind >= ACCESSES)
    diff_memory (d, kind);
  for (uint32_t i = 0; i < d->match.n_pairs; i++)
    if (kind == METHODS)
      diff_methods (d, &d->match.pairs[i]);
    else if (kind == PATHS)
      diff_paths (d, &d->match.pairs[i]);
    else if (kind == LINES)
      diff_lines (d, &d->match.pairs[i]);
}

/* Hide COLUMN if all of its cells are empty. */
static void
hide_empty (const struct diff *d, struct cab_column *shown, int column)
{
  for (size_t r = 0; r < d->table.n_rows; r++)
    if (*d->table.cells[r * N + column].text)
      return;
  shown[column].formats = CAB_FORMAT_TSV;
}

static void
write_text (struct diff *d)
{
  static bool again;
  struct cab_column shown[N];
  memcpy (shown, columns, sizeof shown);
  hide_empty (d, shown, CALLER);
  hide_empty (d, shown, VARIABLE);
  hide_empty (d, shown, LINES_);
  hide_empty (d, shown, NOTE);
  d->table.columns = shown;
  if (again)
    putchar ('\n');
  again = true;
  if (d->table.n_rows)
    cab_arg_write (&d->table, CAB_FORMAT_TEXT, d->limit < 0 ? TEXT_LIMIT : d->limit, d->dir[1]);
  else
    printf ("%s: none did\n", d->table.title);
}

/* Append the rows of TABLE to those of ALL. */
static void
append (struct cab_table *all, const struct cab_table *table)
{
  all->n_hidden += table->n_hidden;
  all->note = table->note ? table->note : all->note;
  for (size_t r = 0; r < table->n_rows; r++)
    memcpy (cab_table_row (all), table->cells + r * N, N * sizeof *all->cells);
}

static void
compare_all (struct diff *d)
{
  struct cab_table all;
  cab_table_init (&all, "diff", NULL, columns, N);
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      if (!d->compare[kind])
	continue;
      cab_table_init (&d->table, "diff", titles[kind], columns, N);
      compare (d, kind);
      cab_table_sort (&d->table, CHANGE);
      if (d->wanted.format == CAB_FORMAT_TEXT)
	write_text (d);
      else
	{
	  cab_table_limit (&d->table, d->limit < 0 ? 0 : d->limit);
	  append (&all, &d->table);
	}
      cab_table_fini (&d->table);
    }
  if (d->wanted.format != CAB_FORMAT_TEXT)
    cab_arg_write (&all, d->wanted.format, 0, d->dir[1]);
  cab_table_fini (&all);
}

/* Leave out the kind if a side has no such counts.  It is an error if only one side has them, since
   then everything would have changed. */
static int
check_kind (struct diff *d, int kind, bool before, bool after, const char *what)
{
  if (!d->compare[kind] || (before && after))
    return CAB_EXIT_GOOD;
  d->compare[kind] = false;
  if (!before && !after)
    return CAB_EXIT_GOOD;
  cab_say ("%s: no %s were recorded there: %s are not compared; make both profiles alike", d->dir[before], what, kind_names[kind]);
  return CAB_EXIT_FAILED;
}

/* Check a kind of accesses or misses like check_kind.  Both sides must also be counted in the same
   way. */
static int
check_memory (struct diff *d, int kind)
{
  const struct cab_model *a = &d->model[0], *b = &d->model[1];
  enum cab_diff_of what = CAB_DIFF_ACCESSES + (kind - ACCESSES);
  bool before = cab_diff_has (a, what), after = cab_diff_has (b, what);
  const char *unlike = d->compare[kind] && before && after ? cab_diff_unlike (a, b, what) : NULL;
  if (!unlike)
    return check_kind (d, kind, before, after, kind == ACCESSES ? "accesses" : "misses in caches");
  d->compare[kind] = false;
  cab_say ("%s and %s: %s are not compared: %s", d->dir[0], d->dir[1], kind_names[kind], unlike);
  return CAB_EXIT_FAILED;
}

static bool
has_entries (const struct cab_model *model)
{
  return model->has_paths || model->has_calls;
}

static int
check_kinds (struct diff *d)
{
  const struct cab_model *a = &d->model[0], *b = &d->model[1];
  bool both_levels = d->compare[D1] && d->compare[LL], any = false;
  int status = check_kind (d, METHODS, has_entries (a), has_entries (b), "calls");
  status |= check_kind (d, PATHS, a->has_paths, b->has_paths, "paths");
  status |= check_kind (d, LINES, a->has_paths, b->has_paths, "paths");
  status |= check_kind (d, CALLS, a->has_calls, b->has_calls, "calls");
  status |= check_memory (d, ACCESSES);
  status |= check_memory (d, D1);
  if (both_levels)
    d->compare[LL] = d->compare[D1];   /* for the same reason, which was printed */
  else
    status |= check_memory (d, LL);
  for (int kind = 0; kind < N_KINDS; kind++)
    any |= d->compare[kind];
  if (any || status)
    return status;
  cab_say ("%s and %s: neither has counts of what is to be compared: compile with -fplugin=cabprof, and its events= for more", d->dir[0], d->dir[1]);
  return CAB_EXIT_FAILED;
}

static int
diff (struct diff *d)
{
  int status = check_kinds (d);
  cab_model_add_unexecuted (&d->model[0]);
  cab_model_add_unexecuted (&d->model[1]);
  cab_match_init (&d->match, &d->model[0], &d->model[1]);
  compare_all (d);
  cab_match_fini (&d->match);
  if (!d->n_crossed)
    return status;
  char before[32], after[32];
  cab_say ("%s: %u count%s grew by more than %g %%, the most in %s, from %s to %s: see the rows of `cabprof diff %s %s'", d->dir[1],
	   d->n_crossed, d->n_crossed == 1 ? "" : "s", d->gate, d->worst_name, cab_table_grouped (d->worst_counts[0], before),
	   cab_table_grouped (d->worst_counts[1], after), d->dir[0], d->dir[1]);
  return CAB_EXIT_FAILED;
}

/* Choose the kinds that LIST names. */
static int
take_only (const struct cab_argument *option, const char *value)
{
  struct diff *d = option->to;
  char *list = xstrdup (value), *rest = list;
  int status = 0;
  memset (d->compare, 0, sizeof d->compare);
  for (char *name; !status && (name = strtok_r (rest, ",", &rest));)
    {
      int kind = 0;
      while (kind < N_KINDS && strcmp (kind_names[kind], name))
	kind++;
      if (kind == N_KINDS)
	status = cab_usage ("diff", name, "no such kind (" KINDS ")");
      else
	d->compare[kind] = true;
    }
  free (list);
  return status;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct diff *d)
{
  char **words;
  const struct cab_argument options[] = {
    { "only", "KIND,...", "some of: " KINDS " (default: all that both have)", .take = take_only,
      .to = d },
    { "function", "GLOB", "functions by name, assembler name or source name",
      .pattern = &d->wanted.function },
    { "file", "GLOB", "functions by file; a file's trailing part will do",
      .pattern = &d->wanted.file },
    CAB_ARGUMENT_PROGRAM (&d->program),
    CAB_ARGUMENT_LIMIT (&d->limit, "first N rows of each kind; 0 for all (default: "
			CAB_TEXT_OF (TEXT_LIMIT) " in text, else all)"),
    { "format", "FORMAT", "text, tsv or json", .format = &d->wanted.format },
    CAB_ARGUMENT_WIDE,
    { "gate", "PERCENT", "exit with 1 if a count grew by more than that; one that was 0 has",
      .number = &d->gate, .wrong = "no percentage" }
  };
  const struct cab_arguments arguments = {
    "diff", "BEFORE AFTER [OPTION...]",
    "Rank what changed between two profiles.  Functions are matched by name and file, so lines may "
    "have moved.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (status)
    return status;
  if (!words[0] || !words[1])
    return cab_usage ("diff", "diff", "needs two profiles");
  if (words[2])
    return cab_usage ("diff", words[2], "one profile too many");
  d->dir[0] = words[0];
  d->dir[1] = words[1];
  return 0;
}

/* Open the second profile after the first one.  If one program was chosen in the first, choose the
   program of the same name in the second, if it exists. */
static int
open_second (struct diff *d)
{
  struct cab_diag diag;
  const char *program = d->model[0].program;
  if (!d->program && program && cab_model_open_program (&d->model[1], d->dir[1], false, lbasename (program), &diag) == 0)
    return 0;
  return cab_arg_open (&d->model[1], d->dir[1], false, d->program);
}

int
cab_cmd_diff (int argc, char **argv)
{
  struct diff d = { .wanted.format = CAB_FORMAT_TEXT, .limit = -1, .gate = -1, .compare = { true, true, true, true, true, true, true } };
  int status = parse (argc, argv, &d), n_open = 0;
  while (!status && n_open < 2 && !(status = n_open ? open_second (&d) : cab_arg_open (&d.model[0], d.dir[0], false, d.program)))
    n_open++;
  if (!status)
    status = diff (&d);
  while (n_open > 0)
    {
      int problems = cab_arg_problems (&d.model[--n_open]);
      status = status ? status : problems;
      cab_model_close (&d.model[n_open]);
    }
  return status < 0 ? CAB_EXIT_GOOD : status;
}
