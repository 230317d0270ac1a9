/* cmd_diff.c - cabprof diff: what changed from one profile to another.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/report/diff_memory.h"
#include "analyses/report/diff_rows.h"

#define TEXT_LIMIT 15   /* rows of each kind */
#define KINDS "methods, paths, calls, lines, accesses, D1-misses, LL-misses"

struct request
{
  struct cab_diff rows;
  struct cab_model models[2];
  const char *dir[2];
  const char *program;                 /* --program */
  bool compare[CAB_DIFF_KINDS];
  long limit;
};

/* Hide COLUMN if all of its cells are empty. */
static void
hide_empty (const struct request *d, struct cab_column *shown, int column)
{
  for (size_t r = 0; r < d->rows.table.n_rows; r++)
    if (*d->rows.table.cells[r * CAB_DIFF_N + column].text)
      return;
  shown[column].formats = CAB_FORMAT_TSV;
}

static void
write_text (struct request *d)
{
  static bool again;
  struct cab_column shown[CAB_DIFF_N];
  memcpy (shown, cab_diff_columns, sizeof shown);
  hide_empty (d, shown, CAB_DIFF_CALLER);
  hide_empty (d, shown, CAB_DIFF_VARIABLE);
  hide_empty (d, shown, CAB_DIFF_PLACES);
  hide_empty (d, shown, CAB_DIFF_NOTE);
  d->rows.table.columns = shown;
  if (again)
    putchar ('\n');
  again = true;
  if (d->rows.table.n_rows)
    cab_arg_write (&d->rows.table, CAB_FORMAT_TEXT,
		   cab_arg_limit (d->limit, CAB_FORMAT_TEXT, TEXT_LIMIT), d->dir[1]);
  else
    printf ("%s: none did\n", d->rows.table.title);
}

/* Append the rows of TABLE to those of ALL. */
static void
append (struct cab_table *all, const struct cab_table *table)
{
  all->n_hidden += table->n_hidden;
  all->note = table->note ? table->note : all->note;
  for (size_t r = 0; r < table->n_rows; r++)
    memcpy (cab_table_row (all), table->cells + r * CAB_DIFF_N, CAB_DIFF_N * sizeof *all->cells);
}

static void
compare_all (struct request *d)
{
  struct cab_table all;
  cab_table_init (&all, "diff", NULL, cab_diff_columns, CAB_DIFF_N);
  for (int kind = 0; kind < CAB_DIFF_KINDS; kind++)
    {
      if (!d->compare[kind])
	continue;
      cab_diff_fill (&d->rows, kind);
      if (d->rows.wanted.format == CAB_FORMAT_TEXT)
	write_text (d);
      else
	{
	  cab_table_limit (&d->rows.table, d->limit < 0 ? 0 : d->limit);
	  append (&all, &d->rows.table);
	}
      cab_table_fini (&d->rows.table);
    }
  if (d->rows.wanted.format != CAB_FORMAT_TEXT)
    cab_arg_write (&all, d->rows.wanted.format, 0, d->dir[1]);
  cab_table_fini (&all);
}

/* Leave out the kind if a side has no such counts.  It is an error if only one side has them, since
   then everything would have changed. */
static int
check_kind (struct request *d, int kind, const char *what)
{
  bool before = cab_diff_has (&d->models[0], kind), after = cab_diff_has (&d->models[1], kind);
  if (!d->compare[kind] || (before && after))
    return CAB_EXIT_GOOD;
  d->compare[kind] = false;
  if (!before && !after)
    return CAB_EXIT_GOOD;
  cab_say ("%s: no %s were recorded there: %s are not compared; make both profiles alike",
	   d->dir[before], what, cab_diff_kinds[kind].name);
  return CAB_EXIT_FAILED;
}

/* Check a kind of accesses or misses like check_kind.  Both sides must also be counted in the same
   way. */
static int
check_memory (struct request *d, int kind)
{
  const struct cab_model *a = &d->models[0], *b = &d->models[1];
  bool before = cab_diff_has (a, kind), after = cab_diff_has (b, kind);
  const char *unlike = d->compare[kind] && before && after ? cab_diff_unlike (a, b, kind) : NULL;
  if (!unlike)
    return check_kind (d, kind, kind == CAB_DIFF_ACCESSES ? "accesses" : "misses in caches");
  d->compare[kind] = false;
  cab_say ("%s and %s: %s are not compared: %s", d->dir[0], d->dir[1], cab_diff_kinds[kind].name,
	   unlike);
  return CAB_EXIT_FAILED;
}

static int
check_kinds (struct request *d)
{
  bool both_levels = d->compare[CAB_DIFF_D1] && d->compare[CAB_DIFF_LL], any = false;
  int status = check_kind (d, CAB_DIFF_METHODS, "calls");
  status |= check_kind (d, CAB_DIFF_PATHS, "paths");
  status |= check_kind (d, CAB_DIFF_LINES, "paths");
  status |= check_kind (d, CAB_DIFF_CALLS, "calls");
  status |= check_memory (d, CAB_DIFF_ACCESSES);
  status |= check_memory (d, CAB_DIFF_D1);
  if (both_levels)
    d->compare[CAB_DIFF_LL] = d->compare[CAB_DIFF_D1];   /* the reason was printed */
  else
    status |= check_memory (d, CAB_DIFF_LL);
  for (int kind = 0; kind < CAB_DIFF_KINDS; kind++)
    any |= d->compare[kind];
  if (any || status)
    return status;
  cab_say ("%s and %s: neither has counts of what is to be compared: compile with "
	   "-fplugin=cabprof, and its events= for more",
	   d->dir[0], d->dir[1]);
  return CAB_EXIT_FAILED;
}

static int
diff (struct request *d)
{
  int status = check_kinds (d);
  cab_model_add_unexecuted (&d->models[0]);
  cab_model_add_unexecuted (&d->models[1]);
  cab_match_init (&d->rows.match, &d->models[0], &d->models[1]);
  compare_all (d);
  cab_match_fini (&d->rows.match);
  const struct cab_diff_gate *gate = &d->rows.gate;
  if (!gate->n_crossed)
    return status;
  char before[32], after[32];
  cab_say ("%s: %u count%s grew by more than %g %%, the most in %s, from %s to %s: see the rows of "
	   "`cabprof diff %s %s'",
	   d->dir[1], gate->n_crossed, gate->n_crossed == 1 ? "" : "s", gate->percent,
	   gate->worst_name, cab_table_grouped (gate->counts[0], before),
	   cab_table_grouped (gate->counts[1], after), d->dir[0], d->dir[1]);
  return CAB_EXIT_FAILED;
}

/* Choose the kinds that LIST names. */
static int
take_only (const struct cab_argument *option, const char *value)
{
  struct request *d = option->to;
  char *list = xstrdup (value), *rest = list;
  int status = 0;
  memset (d->compare, 0, sizeof d->compare);
  for (char *name; !status && (name = strtok_r (rest, ",", &rest));)
    {
      int kind = 0;
      while (kind < CAB_DIFF_KINDS && strcmp (cab_diff_kinds[kind].name, name))
	kind++;
      if (kind == CAB_DIFF_KINDS)
	status = cab_usage ("diff", name, "no such kind (" KINDS ")");
      else
	d->compare[kind] = true;
    }
  free (list);
  return status;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *d)
{
  char **words;
  const struct cab_argument options[] = {
    { "only", "KIND,...", "some of: " KINDS " (default: all that both have)", .take = take_only,
      .to = d },
    CAB_ARGUMENT_FUNCTION (&d->rows.wanted.function),
    CAB_ARGUMENT_FILE (&d->rows.wanted.file),
    CAB_ARGUMENT_PROGRAM (&d->program),
    CAB_ARGUMENT_LIMIT (&d->limit, "rows of each kind", TEXT_LIMIT),
    CAB_ARGUMENT_FORMAT (&d->rows.wanted.format),
    CAB_ARGUMENT_WIDE,
    { "gate", "PERCENT", "exit with 1 if a count grew by more than that; one that was 0 has",
      .number = &d->rows.gate.percent, .wrong = "no percentage" }
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

int
cab_cmd_diff (int argc, char **argv)
{
  struct request d = {
    .rows.wanted.format = CAB_FORMAT_TEXT, .rows.gate.percent = -1, .limit = -1
  };
  memset (d.compare, true, sizeof d.compare);
  for (int side = 0; side < 2; side++)
    d.rows.model[side] = &d.models[side];
  int status = parse (argc, argv, &d), n_open = 0;
  if (!status && !(status = cab_arg_open (&d.models[0], d.dir[0], false, d.program)))
    n_open++;
  if (!status
      && !(status = cab_arg_open_beside (&d.models[1], d.dir[1], d.program, &d.models[0])))
    n_open++;
  if (!status)
    status = diff (&d);
  while (n_open > 0)
    {
      int problems = cab_arg_problems (&d.models[--n_open]);
      status = status ? status : problems;
      cab_model_close (&d.models[n_open]);
    }
  return status < 0 ? CAB_EXIT_GOOD : status;
}
