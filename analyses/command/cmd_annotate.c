/* cmd_annotate.c - cabprof annotate: the source, with the count of each line.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The output consists of sections: a file, or the lines of a function.  Each section marks the
 * hottest path of one function or more.
 */
#include "analyses/command/command.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/annotate.h"
#include "analyses/command/arguments.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/profile/lines.h"
#include "analyses/profile/partial/estimated.h"
#include "analyses/report/report.h"
#include "analyses/profile/source.h"
#include "analyses/profile/walk.h"

struct section
{
  const char *file;
  uint32_t first, last;              /* lines; 1 .. UINT32_MAX: the whole file */
  struct cab_source source;          /* shared by the sections of a file, the first of which owns
					it */
};

/* A line of the hottest path of one of the functions shown. */
struct mark
{
  const char *file;
  uint32_t line;
};

struct annotation
{
  struct cab_model model;
  enum cab_format format;
  const char *program;               /* --program */
  bool loops, deps;                  /* --loops, --deps */
  char **dirs;                       /* --source */
  int n_dirs;
  struct cab_line_count *rows;       /* of the whole profile */
  size_t n_rows;
  uint64_t total;                    /* line executions */
  struct cab_function **functions;   /* the functions whose hottest paths are marked */
  struct section *sections;
  struct mark *marks;
  uint32_t n_functions, n_sections, n_marks;
  struct cab_table table;
};

static struct cab_column columns[] = {
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "executable", CAB_NUMBER, 0 },
  { "count", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 },
  { "hottest", CAB_NUMBER, 0 },
  { "source", CAB_TEXT, 0 },
  { "not_returned", CAB_COUNT, 0 },
  CAB_WITHIN_COLUMN
};

/* Return the function with the hottest path, of FILE or, if null, of all. */
static struct cab_function *
hottest_function (const struct cab_model *model, const char *file)
{
  struct cab_function *hottest = NULL;
  uint64_t most = 0, path = 0;
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      struct cab_function *function = model->functions[i];
      uint64_t count = !file || !strcmp (function->file, file)
		       ? cab_annotate_hottest (function, &path)
		       : 0;
      if (count > most)
	{
	  most = count;
	  hottest = function;
	}
    }
  return hottest;
}

static void
add_section (struct annotation *a, const char *file, uint32_t first, uint32_t last)
{
  a->sections = XRESIZEVEC (struct section, a->sections, a->n_sections + 1);
  a->sections[a->n_sections++] = (struct section) { .file = file,
						    .first = first,
						    .last = last < first ? first : last };
}

static void
add_function (struct annotation *a, struct cab_function *function)
{
  a->functions = XRESIZEVEC (struct cab_function *, a->functions, a->n_functions + 1);
  a->functions[a->n_functions++] = function;
}

static int
choose_files (struct annotation *a, const char *glob)
{
  struct cab_report_options wanted = { .file = glob };
  const char *last = NULL;
  for (size_t i = 0; i < a->n_rows; i++)
    if ((!last || strcmp (last, a->rows[i].file))
	&& cab_report_wants_file (&wanted, a->rows[i].file))
      {
	last = a->rows[i].file;
	add_section (a, last, 1, UINT32_MAX);
	struct cab_function *function = hottest_function (&a->model, last);
	if (function)
	  add_function (a, function);
      }
  return a->n_sections;
}

static int
choose_functions (struct annotation *a, const char *glob)
{
  struct cab_report_options wanted = { .function = glob };
  for (uint32_t i = 0; i < a->model.n_functions; i++)
    {
      struct cab_function *function = a->model.functions[i];
      if (!function->record || !*function->file || !cab_report_wants (&wanted, function))
	continue;
      add_section (a, function->file, function->line, function->last_line);
      add_function (a, function);
    }
  return a->n_sections;
}

static int
choose (struct annotation *a, const char *glob)
{
  struct cab_function *hottest = glob ? NULL : hottest_function (&a->model, NULL);
  if (glob && (choose_files (a, glob) || choose_functions (a, glob)))
    return 0;
  if (hottest)
    {
      add_section (a, hottest->file, hottest->line, hottest->last_line);
      add_function (a, hottest);
      return 0;
    }
  if (glob)
    cab_say ("%s: no file and no function of the profile has this name: `cabprof report lines' and "
	     "`cabprof report methods' list them",
	     *glob ? glob : "an empty name");
  else
    cab_say ("%s: no path was executed: run a program that was compiled with "
	     "-fplugin-arg-cabprof-events=paths",
	     a->model.dir);
  return CAB_EXIT_FAILED;
}

#define AROUND 2   /* lines shown on each side of one that was inlined from elsewhere */

static bool
is_shown (const struct annotation *a, const struct mark *mark)
{
  for (uint32_t i = 0; i < a->n_sections; i++)
    if (!strcmp (a->sections[i].file, mark->file) && mark->line >= a->sections[i].first
	&& mark->line <= a->sections[i].last)
      return true;
  return false;
}

/* Add sections for lines of the hottest path that were inlined from elsewhere, with the lines
   around them. */
static void
add_inlined (struct annotation *a)
{
  uint32_t n = a->n_sections;
  for (uint32_t i = 0; i < a->n_marks; i++)
    if (a->marks[i].line && !is_shown (a, &a->marks[i]))
      {
	struct section *last = a->n_sections > n ? &a->sections[a->n_sections - 1] : NULL;
	uint32_t first = a->marks[i].line > AROUND ? a->marks[i].line - AROUND : 1;
	if (last && !strcmp (last->file, a->marks[i].file) && first <= last->last + 1)
	  last->last = a->marks[i].line + AROUND;
	else
	  add_section (a, a->marks[i].file, first, a->marks[i].line + AROUND);
      }
}

static int
by_place (const void *a, const void *b)
{
  const struct section *x = a, *y = b;
  int order = strcmp (x->file, y->file);
  return order ? order
       : x->first != y->first ? (x->first < y->first ? -1 : 1)
       : x->last < y->last ? -1
       : x->last > y->last;
}

/* Merge sections that overlap.  Instances of a template, twins and nested functions share their
   lines, which are shown once. */
static void
join_sections (struct annotation *a)
{
  uint32_t n = 0;
  qsort (a->sections, a->n_sections, sizeof *a->sections, by_place);
  for (uint32_t i = 1; i < a->n_sections; i++)
    {
      struct section *last = &a->sections[n], *next = &a->sections[i];
      if (strcmp (last->file, next->file) || next->first > last->last)
	a->sections[++n] = *next;
      else if (next->last > last->last)
	last->last = next->last;
    }
  a->n_sections = n + 1;
}

static int
compare_marks (const void *a, const void *b)
{
  const struct mark *x = a, *y = b;
  int order = strcmp (x->file, y->file);
  return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static void
mark_block (struct annotation *a, const struct cab_record *r, const struct cab_block *block)
{
  for (uint32_t i = 0; i < block->n_lines; i++)
    {
      a->marks = XRESIZEVEC (struct mark, a->marks, a->n_marks + 1);
      a->marks[a->n_marks++] = (struct mark) { r->files[block->lines[i].file],
					       block->lines[i].line };
    }
}

static void
mark_paths (struct annotation *a)
{
  struct cab_walk walk = { 0 };
  for (uint32_t i = 0; i < a->n_functions; i++)
    {
      const struct cab_record *r = a->functions[i]->record;
      uint64_t path = 0;
      if (!cab_annotate_hottest (a->functions[i], &path) || cab_walk_path (&walk, r, path) < 0)
	continue;
      mark_block (a, r, &r->blocks[walk.start]);
      for (uint32_t k = 0; k < walk.n_edges; k++)
	if (!(walk.edges[k]->flags & CAB_EDGE_CUT) && walk.edges[k]->dst != CAB_BLOCK_EXIT)
	  mark_block (a, r, &r->blocks[walk.edges[k]->dst]);
    }
  cab_walk_fini (&walk);
  if (a->n_marks)
    qsort (a->marks, a->n_marks, sizeof *a->marks, compare_marks);
}

static bool
is_marked (const struct annotation *a, const char *file, uint32_t line)
{
  struct mark mark = { file, line };
  return a->n_marks && bsearch (&mark, a->marks, a->n_marks, sizeof mark, compare_marks);
}

/* Return true if SECTION is in the same file as the section before it. */
static bool
goes_on (const struct annotation *a, uint32_t section)
{
  return section && !strcmp (a->sections[section - 1].file, a->sections[section].file);
}

/* Read the source of section S, or print what is wrong with it. */
static int
find_source (struct annotation *a, struct section *s)
{
  char *path = cab_source_find (&a->model, a->dirs, a->n_dirs, s->file);
  int status = CAB_EXIT_GOOD;
  if (!path || cab_source_read (&s->source, path) < 0)
    {
      cab_say ("%s: %s: name its directory with --source; these are its counts alone", s->file,
	       path ? strerror (errno) : "the source is not found");
      status = CAB_EXIT_FAILED;
    }
  else if (s->source.changed_ns > cab_model_first_start (&a->model))
    cab_say ("%s: has changed since the program ran: counts may stand beside the wrong lines: "
	     "compile and run again",
	     path);
  free (path);
  return status;
}

static int
find_sources (struct annotation *a)
{
  int status = CAB_EXIT_GOOD;
  for (uint32_t i = 0; i < a->n_sections; i++)
    if (goes_on (a, i))
      a->sections[i].source = a->sections[i - 1].source;
    else
      status |= find_source (a, &a->sections[i]);
  return status;
}

/* Return the first row in the section or after it. */
static size_t
first_row (const struct annotation *a, const struct section *s)
{
  size_t low = 0, high = a->n_rows;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      int order = strcmp (a->rows[middle].file, s->file);
      if (order < 0 || (!order && a->rows[middle].line < s->first))
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Add line LINE of section S.  ROW is its count, or null. */
static void
put_line (struct annotation *a, const struct section *s, uint32_t line,
	  const struct cab_line_count *row)
{
  union cab_cell *cells = cab_table_row (&a->table);
  cells[CAB_ANNOTATE_FILE].text = s->file;
  cells[CAB_ANNOTATE_LINE].count = line;
  cells[CAB_ANNOTATE_EXECUTABLE].count = row != NULL;
  cells[CAB_ANNOTATE_COUNT].count = row ? row->count : 0;
  cells[CAB_ANNOTATE_SHARE].share = row && a->total ? (double) row->count / a->total : 0;
  cells[CAB_ANNOTATE_HOTTEST].count = row && row->count && is_marked (a, s->file, line);
  cells[CAB_ANNOTATE_UNFINISHED].count = row ? row->unfinished : 0;
  cells[CAB_ANNOTATE_WITHIN].count = row ? row->within : 0;
  cells[CAB_ANNOTATE_SOURCE].text = line <= s->source.n_lines ? s->source.lines[line - 1] : "";
}

/* Add all lines of the section that the source has, and counted lines that it does not have. */
static void
put_section (struct annotation *a, const struct section *s)
{
  size_t i = first_row (a, s);
  uint64_t end = s->last < s->source.n_lines ? s->last : s->source.n_lines;
  for (uint64_t line = s->first; line <= end; line++)
    {
      bool counted = i < a->n_rows && !strcmp (a->rows[i].file, s->file) && a->rows[i].line == line;
      put_line (a, s, line, counted ? &a->rows[i++] : NULL);
    }
  for (; i < a->n_rows && !strcmp (a->rows[i].file, s->file) && a->rows[i].line <= s->last; i++)
    put_line (a, s, a->rows[i].line, &a->rows[i]);
}

static int
annotate (struct annotation *a, const char *glob)
{
  const char *lacks = cab_report_lacks_paths (&a->model);
  if (lacks)
    {
      cab_say ("%s: %s", a->model.dir, lacks);
      return CAB_EXIT_FAILED;
    }
  cab_model_add_unexecuted (&a->model);
  a->rows = cab_lines (&a->model, NULL, &a->n_rows);
  for (size_t i = 0; i < a->n_rows; i++)
    a->total += a->rows[i].count;
  int status = choose (a, glob);
  if (status)
    return status;
  mark_paths (a);
  if (!glob)
    add_inlined (a);
  join_sections (a);
  status = find_sources (a);
  cab_table_init (&a->table, "annotate", NULL, columns, CAB_ANNOTATE_N);
  a->table.note = cab_model_estimated_text (&a->model);
  columns[CAB_ANNOTATE_WITHIN].formats = a->table.note ? 0 : CAB_FORMAT_NONE;
  for (uint32_t i = 0; i < a->n_sections; i++)
    put_section (a, &a->sections[i]);
  if (a->format == CAB_FORMAT_TEXT)
    cab_annotate_text (&a->model, &a->table, a->functions, a->n_functions);
  else
    cab_arg_write (&a->table, a->format, 0, a->model.dir);
  return status;
}

static void
forget (struct annotation *a)
{
  for (uint32_t i = 0; i < a->n_sections; i++)
    if (!goes_on (a, i))
      cab_source_fini (&a->sections[i].source);
  free (a->sections);
  free (a->functions);
  free (a->marks);
  free (a->rows);
  free (a->dirs);
  cab_table_fini (&a->table);
}

/* Parse the arguments into A, *DIR, and *GLOB: the file or function, or null.  Return 0,
   an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct annotation *a, const char **dir, const char **glob)
{
  char **words;
  const struct cab_argument options[] = {
    CAB_ARGUMENT_DIR (dir),
    { "loops", NULL,
      "instead of counts: share of time, trips, hint of each loop, and what the compiler made of "
      "it; without FILE or FUNCTION: the function with the hottest loop",
      .flag = &a->loops },
    { "deps", NULL,
      "instead of counts: whether each loop could run in parallel, and on its lines what "
      "iterations write (>) and later ones read (<)",
      .flag = &a->deps },
    CAB_ARGUMENT_PROGRAM (&a->program),
    CAB_ARGUMENT_SOURCE (&a->dirs, &a->n_dirs),
    CAB_ARGUMENT_FORMAT (&a->format)
  };
  const struct cab_arguments arguments = {
    "annotate", "[FILE|FUNCTION] [OPTION...]",
    "Print source with the count of each line: ##### was never executed, blank is no code, 5+ is 5 "
    "times or more, as calls did not return normally.  Lines of the hottest path are marked >.\n"
    "FILE or FUNCTION may be a glob; without it: the function with the hottest path of all, and "
    "the lines of that path which were inlined from elsewhere.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  *glob = words[0];
  if (!status && a->loops && a->deps)
    return cab_usage ("annotate", "--loops and --deps", "are two margins: give one");
  return status || !words[0] || !words[1]
	 ? status
	 : cab_usage ("annotate", words[1], "one file or function at a time");
}

/* Open the profile in DIR.  Counts by line may be estimates; the margins need all events. */
static int
open_profile (struct annotation *a, const char *dir)
{
  return a->loops || a->deps ? cab_arg_open (&a->model, dir, false, a->program)
			     : cab_arg_open_region (&a->model, dir, false, a->program, NULL);
}

int
cab_cmd_annotate (int argc, char **argv)
{
  struct annotation a = { .format = CAB_FORMAT_TEXT };
  const char *dir = CAB_DEFAULT_DIR, *glob;
  int status = parse (argc, argv, &a, &dir, &glob);
  if (!status && !(status = open_profile (&a, dir)))
    {
      status = a.loops	? cab_cmd_annotate_loops (&a.model, glob, a.dirs, a.n_dirs, a.format)
	     : a.deps	? cab_cmd_annotate_deps (&a.model, glob, a.dirs, a.n_dirs, a.format)
		       : annotate (&a, glob);
      int problems = cab_arg_problems (&a.model);
      status = status ? status : problems;
      forget (&a);
      cab_model_close (&a.model);
    }
  else
    free (a.dirs);
  return status < 0 ? CAB_EXIT_GOOD : status;
}
