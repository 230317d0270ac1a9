/* cmd_annotate_loops.c - cabprof annotate --loops: the source, with what is known of its loops in
 * the margin.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loop's figures are on the line of its header.  Bars beside the line numbers show which lines
 * are in loops, one bar for each loop.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/annotate.h"
#include "analyses/command/output.h"
#include "analyses/command/command.h"
#include "analyses/report/loops/report_loops.h"
#include "analyses/profile/source.h"

#define AROUND 3         /* lines of source before and after the loops of a function */
#define BARS_MAX 6

struct work
{
  struct cab_model *model;
  struct cab_loop_view view;
  char *const *dirs;
  int n_dirs;
  struct cab_excerpts excerpts;
  struct cab_table table;
};

static const struct cab_column columns[] = {
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "depth", CAB_NUMBER, 0 },
  { "share", CAB_SHARE, 0 },
  { "trips", CAB_REAL, 0 },
  { "hint", CAB_TEXT, 0 },
  { "compiler", CAB_TEXT, 0 },
  { "source", CAB_TEXT, 0 }
};
enum { FILE_, LINE, DEPTH, SHARE, TRIPS, HINT, COMPILER, SOURCE, N_COLUMNS };

static uint32_t
last_line (const struct cab_view_loop *loop)
{
  return loop->last_line > loop->line ? loop->last_line : loop->line;
}

/* Add the lines of LOOP and some around it. */
static void
add_loop (struct work *w, const struct cab_view_loop *loop)
{
  cab_excerpts_add (&w->excerpts, loop->file, loop->line > AROUND ? loop->line - AROUND : 1,
		    last_line (loop) + AROUND);
}

static bool
is_shown (const struct work *w, const char *file)
{
  for (uint32_t i = 0; i < w->excerpts.n; i++)
    if (!strcmp (w->excerpts.excerpt[i].file, file))
      return true;
  return false;
}

/* Choose whole files that GLOB matches; else the loops of functions that it matches; without GLOB,
   those of the function with the hottest loop. */
static void
choose (struct work *w, const char *glob)
{
  const struct cab_loop_view *v = &w->view;
  struct cab_report_options of_file = { .file = glob }, of_function = { .function = glob };
  for (uint32_t i = 0; glob && i < v->n_loops; i++)
    if (cab_report_wants_file (&of_file, v->loops[i].file) && !is_shown (w, v->loops[i].file))
      cab_excerpts_add (&w->excerpts, v->loops[i].file, 1, UINT32_MAX);
  if (w->excerpts.n)
    return;
  for (uint32_t i = 0; i < v->n_loops; i++)
    if (glob ? cab_report_loops_wants (&of_function, &v->loops[i])
	     : !strcmp (v->loops[i].function, v->loops[0].function))
      add_loop (w, &v->loops[i]);
}

/* Return TEXT with MORE after it, unless MORE is the same or says nothing. */
static const char *
joined (struct work *w, const char *text, const char *more)
{
  if (!more || !*more || !strcmp (more, "-") || !strcmp (text, more))
    return text;
  return *text ? cab_names_format (&w->view.names, "%s; %s", text, more) : more;
}

static void
put_line (struct work *w, const char *file, uint32_t line, const char *source)
{
  union cab_cell *row = cab_table_row (&w->table);
  row[FILE_].text = file;
  row[LINE].count = line;
  row[SHARE].share = row[TRIPS].share = NAN;
  row[SOURCE].text = source;
  for (uint32_t i = 0; i < w->view.n_loops; i++)
    {
      const struct cab_view_loop *loop = &w->view.loops[i];
      if (strcmp (loop->file, file) || line < loop->line || line > last_line (loop))
	continue;
      row[DEPTH].count++;
      if (line != loop->line)
	continue;
      if (isfinite (loop->share))
	row[SHARE].share = isfinite (row[SHARE].share) ? row[SHARE].share + loop->share
						       : loop->share;
      if (isfinite (loop->mean))
	row[TRIPS].share = loop->mean;
      row[HINT].text = joined (w, row[HINT].text,
			       cab_report_loops_hinted (&loop->hint)
				 ? cab_report_loops_choice (&w->view, loop)
				 : "");
      row[COMPILER].text = joined (w, row[COMPILER].text, loop->outcome);
    }
}

/* Keep the loops of files that are shown.  Instances of a template and copies of an inline function
   appear as one loop. */
static void
drop_others (struct work *w)
{
  struct cab_loop_view *view = &w->view;
  uint32_t n = 0;
  for (uint32_t i = 0; i < view->n_loops; i++)
    {
      struct cab_view_loop *loop = &view->loops[i], *twin = NULL;
      for (uint32_t k = 0; k < n && !twin; k++)
	if (view->loops[k].line == loop->line && view->loops[k].column == loop->column
	    && view->loops[k].ordinal == loop->ordinal && !strcmp (view->loops[k].file, loop->file))
	  twin = &view->loops[k];
      if (!is_shown (w, loop->file))
	continue;
      if (!twin)
	view->loops[n++] = *loop;
      else if (isfinite (loop->share))
	twin->share = isfinite (twin->share) ? twin->share + loop->share : loop->share;
    }
  view->n_loops = n;
}

static int
put_excerpt (struct work *w, const struct cab_excerpt *s)
{
  struct cab_source source = { 0 };
  char *path = cab_source_find (w->model, w->dirs, w->n_dirs, s->file);
  if (!path || cab_source_read (&source, path) < 0)
    {
      cab_say ("%s: %s: name its directory with --source", s->file,
	       path ? strerror (errno) : "the source is not found");
      free (path);
      return CAB_EXIT_FAILED;
    }
  for (uint64_t line = s->first; line <= s->last && line <= source.n_lines; line++)
    {
      const char *text = source.lines[line - 1];
      put_line (w, s->file, line, cab_names_copy (&w->view.names, text, strlen (text)));
    }
  cab_source_fini (&source);
  free (path);
  return CAB_EXIT_GOOD;
}

static int
put_excerpts (struct work *w)
{
  int status = CAB_EXIT_GOOD;
  cab_excerpts_join (&w->excerpts);
  cab_table_init (&w->table, "annotate-loops", NULL, columns, N_COLUMNS);
  for (uint32_t i = 0; i < w->excerpts.n; i++)
    status |= put_excerpt (w, &w->excerpts.excerpt[i]);
  return status;
}

#define HINT_WIDTH 16   /* the length of "do not vectorize" and "rename registers" */

/* Print TEXT in WIDTH characters. */
static void
put_field (const char *text, int width, bool right)
{
  int n = strlen (text);
  if (n > width)
    printf ("%.*s~", width - 1, text);
  else
    printf ("%*s%s%*s", right ? width - n : 0, "", text, right ? 0 : width - n, "");
}

static void
put_text_line (const union cab_cell *row, const struct cab_style *style)
{
  char share[16] = "", trips[24] = "", bars[BARS_MAX + 1];
  uint64_t depth = row[DEPTH].count < BARS_MAX ? row[DEPTH].count : BARS_MAX;
  memset (bars, '|', depth);
  bars[depth] = 0;
  if (isfinite (row[SHARE].share))
    snprintf (share, sizeof share, "%.1f%%", 100 * row[SHARE].share);
  if (isfinite (row[TRIPS].share))
    snprintf (trips, sizeof trips, "%.1f", row[TRIPS].share);
  put_field (share, 6, true);
  putchar (' ');
  put_field (trips, 9, true);
  putchar (' ');
  put_field (row[HINT].text, HINT_WIDTH, false);
  putchar (' ');
  put_field (row[COMPILER].text, 24, false);
  printf (" %6" PRIu64 " ", row[LINE].count);
  put_field (bars, BARS_MAX, false);
  putchar (' ');
  cab_annotate_source (row[SOURCE].text, style->width > 110 ? style->width - 73
					 : style->width ? 40
					 : 0);
  putchar ('\n');
}

static void
put_text (const struct work *w)
{
  struct cab_style style;
  const char *file = NULL;
  uint64_t line = 0;
  cab_style_of (&style, stdout);
  for (size_t r = 0; r < w->table.n_rows; r++)
    {
      const union cab_cell *row = w->table.cells + r * N_COLUMNS;
      if (!file || strcmp (file, row[FILE_].text))
	{
	  printf ("%s%s", file ? "\n" : "", style.bold ? "\033[1m" : "");
	  cab_annotate_source (file = row[FILE_].text, 0);
	  printf ("%s\n\n%6s %9s %-*s %-24s %6s %-*s source\n", style.bold ? "\033[0m" : "",
		  "share", "trips", HINT_WIDTH, "hint", "compiler", "line", BARS_MAX, "loops");
	}
      else if (row[LINE].count != line + 1)
	putchar ('\n');
      line = row[LINE].count;
      put_text_line (row, &style);
    }
}

static int
annotate (struct work *w, const char *glob, enum cab_format format)
{
  if (!w->view.n_loops)
    {
      cab_say ("%s: no loop is known: compile with cabprof-gcc or -fplugin=cabprof, which write "
	       "down where loops are",
	       w->model->dir);
      return CAB_EXIT_FAILED;
    }
  choose (w, glob);
  if (!w->excerpts.n)
    {
      cab_say (
	"%s: no file and no function with a loop has this name: `cabprof report loops' lists them",
	*glob ? glob : "an empty name");
      return CAB_EXIT_FAILED;
    }
  drop_others (w);
  int status = put_excerpts (w);
  if (format == CAB_FORMAT_TEXT)
    put_text (w);
  else
    cab_arg_write (&w->table, format, 0, w->model->dir);
  return status;
}

int
cab_cmd_annotate_loops (struct cab_model *model, const char *glob, char *const *dirs, int n_dirs,
			enum cab_format format)
{
  struct work w = { .model = model, .dirs = dirs, .n_dirs = n_dirs };
  struct cab_diag diag;
  if (cab_loop_view_open (&w.view, model, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return CAB_EXIT_FAILED;
    }
  int status = annotate (&w, glob, format);
  cab_table_fini (&w.table);
  cab_excerpts_fini (&w.excerpts);
  cab_loop_view_close (&w.view);
  return status;
}
