/* cmd_annotate_deps.c - cabprof annotate --deps: the source of loops, with what their iterations
 * have to do with each other in the margin.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loop's verdict is on the line of its header.  `a> 12 +1' on another line: what it writes to
 * `a', line 12 reads one iteration later; `a< 14 +1' is the other end of it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/annotate.h"
#include "analyses/command/command.h"
#include "analyses/command/output.h"
#include "analyses/profile/source.h"
#include "analyses/report/deps/deps_words.h"
#include "analyses/report/report.h"

#define AROUND 2     /* lines of source before and after a loop */
#define MARGIN 34    /* columns of the margin in text, at least */

struct work
{
  struct cab_model *model;
  struct cab_deps_view view;
  struct cab_deps_facts facts;
  struct cab_excerpts excerpts;
  struct cab_table table;
};

static const struct cab_column columns[] = {
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "dependences", CAB_TEXT, 0 },
  { "source", CAB_TEXT, 0 }
};
enum { FILE_, LINE, DEPS, SOURCE, N_COLUMNS };

/* Find the lines of loops in what matches GLOB, and join those that overlap. */
static void
find_excerpts (struct work *w, const char *glob)
{
  struct cab_report_options of_file = { .file = glob }, of_function = { .function = glob };
  for (uint32_t i = 0; i < w->view.n_loops; i++)
    {
      const struct cab_deps_loop *l = &w->view.loops[i];
      const struct cab_loop *source = w->facts.loops[i].source;
      const char *name = cab_names_display (&w->model->names, l->place->origin, "", l->file);
      if (!source || !l->place->line
	  || (glob && !cab_report_wants_named (&of_file, name, l->place->origin, l->file)
	      && !cab_report_wants_named (&of_function, name, l->place->origin, l->file)))
	continue;
      uint32_t first = l->place->line > AROUND ? l->place->line - AROUND : 1;
      cab_excerpts_add (&w->excerpts, l->file, first, source->last_line + AROUND);
    }
  cab_excerpts_join (&w->excerpts);
}

static const char *
join (struct cab_names *names, const char *text, const char *more)
{
  return strstr (text, more) ? text
       : *text ? cab_names_format (names, "%s; %s", text, more)
	       : more;
}

/* Return "+1", or "+1-4" where distances differ. */
static const char *
distance (struct cab_names *names, const struct cab_deps_pair *p)
{
  return p->least == p->most ? cab_names_format (names, "+%u", p->least)
			     : cab_names_format (names, "+%u-%u", p->least, p->most);
}

/* Return true if access NUMBER is on LINE of FILE. */
static bool
is_on (const struct work *w, uint32_t number, const char *file, uint32_t line)
{
  struct cab_access_ref ref = cab_model_access (w->model, number);
  return ref.access && ref.access->line == line && ref.access->file < ref.function->record->n_files
      && !strcmp (ref.function->record->files[ref.access->file], file);
}

/* Return what stands in the margin of LINE of FILE. */
static const char *
margin (struct work *w, const char *file, uint32_t line)
{
  struct cab_names *names = &w->model->names;
  const char *text = "";
  for (uint32_t i = 0; i < w->view.n_loops; i++)
    if (w->view.loops[i].place->line == line && !strcmp (w->view.loops[i].file, file))
      {
	struct cab_deps_judgement j;
	cab_deps_judge (&w->facts, i, &j);
	text = join (names, text, cab_deps_verdict_words (names, &j));
	cab_deps_judgement_fini (&j);
      }
  for (uint32_t i = 0; i < w->view.n_pairs; i++)
    {
      const struct cab_deps_pair *p = &w->view.pairs[i];
      if (p->kind != CAB_DEPS_RAW)
	continue;
      if (is_on (w, p->from, file, line))
	text = join (names, text,
		     cab_names_format (names, "%s> %u %s", p->variable,
				       cab_deps_line (&w->view, p->to), distance (names, p)));
      if (is_on (w, p->to, file, line))
	text = join (names, text,
		     cab_names_format (names, "%s< %u %s", p->variable,
				       cab_deps_line (&w->view, p->from), distance (names, p)));
    }
  return text;
}

static void
print_row (const union cab_cell *row, int width)
{
  printf ("%-*s %6u  ", width, row[DEPS].text, (unsigned) row[LINE].count);
  cab_annotate_source (row[SOURCE].text, 0);
  putchar ('\n');
}

/* Write the table for people. */
static void
print (const struct work *w)
{
  int width = MARGIN;
  for (size_t i = 0; i < w->table.n_rows; i++)
    {
      int n = strlen (w->table.cells[i * N_COLUMNS + DEPS].text);
      width = n > width && n <= 2 * MARGIN ? n : width;
    }
  const char *file = "";
  uint64_t line = 0;
  for (size_t i = 0; i < w->table.n_rows; i++)
    {
      const union cab_cell *row = &w->table.cells[i * N_COLUMNS];
      if (strcmp (file, row[FILE_].text))
	printf ("%s%s:\n", *file ? "\n" : "", row[FILE_].text);
      else if (row[LINE].count != line + 1)
	puts ("...");
      file = row[FILE_].text;
      line = row[LINE].count;
      print_row (row, width);
    }
}

/* Say so if the source that was read from PATH is newer than the run. */
static void
look_at_age (const struct work *w, const struct cab_source *source, const char *path)
{
  uint64_t first = UINT64_MAX;
  for (uint32_t i = 0; i < w->model->n_processes; i++)
    if (w->model->processes[i].start_ns < first)
      first = w->model->processes[i].start_ns;
  if (source->changed_ns > first)
    cab_say ("%s: has changed since the program ran: the margin may stand beside the wrong lines: "
	     "compile and run again",
	     path);
}

/* Add the lines of excerpt S.  Return an exit status. */
static int
put_excerpt (struct work *w, const struct cab_excerpt *s, char *const *dirs, int n_dirs)
{
  struct cab_source source = { 0 };
  char *path = cab_source_find (w->model, dirs, n_dirs, s->file);
  int status = path && cab_source_read (&source, path) == 0 ? CAB_EXIT_GOOD : CAB_EXIT_FAILED;
  if (status)
    cab_say ("%s: %s: name its directory with --source", s->file,
	     path ? strerror (errno) : "the source is not found");
  else if (s == w->excerpts.excerpt || strcmp (s[-1].file, s->file))
    look_at_age (w, &source, path);
  for (uint32_t line = s->first; line <= s->last && line <= source.n_lines; line++)
    {
      const char *text = source.lines[line - 1], *deps = margin (w, s->file, line);
      union cab_cell *row = cab_table_row (&w->table);
      row[FILE_].text = s->file;
      row[LINE].count = line;
      row[DEPS].text = deps;
      row[SOURCE].text = cab_names_copy (&w->model->names, text, strlen (text));
    }
  cab_source_fini (&source);
  free (path);
  return status;
}

int
cab_cmd_annotate_deps (struct cab_model *model, const char *glob, char *const *dirs, int n_dirs,
		       enum cab_format format)
{
  struct work w = { .model = model };
  int status = CAB_EXIT_GOOD;
  const char *lacks = cab_report_find ("deps")->lacks (model);
  if (lacks)
    {
      cab_say ("%s: %s", model->dir, lacks);
      return CAB_EXIT_FAILED;
    }
  cab_deps_view_make (&w.view, model);
  cab_deps_facts_make (&w.facts, &w.view);
  find_excerpts (&w, glob);
  cab_table_init (&w.table, "annotate", NULL, columns, N_COLUMNS);
  for (uint32_t i = 0; i < w.excerpts.n; i++)
    status |= put_excerpt (&w, &w.excerpts.excerpt[i], dirs, n_dirs);
  if (!w.excerpts.n)
    {
      cab_say ("%s: no loop of it was analysed: `cabprof report deps' lists them",
	       glob ? glob : model->dir);
      status = CAB_EXIT_FAILED;
    }
  else if (format == CAB_FORMAT_TEXT)
    print (&w);
  else
    cab_arg_write (&w.table, format, 0, model->dir);
  cab_table_fini (&w.table);
  cab_excerpts_fini (&w.excerpts);
  cab_deps_facts_fini (&w.facts);
  cab_deps_view_fini (&w.view);
  return status;
}
