/* report_loops_text.c - loops for people and as JSON: stalls by factor, the application as a whole,
 * races, and how it was measured.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include <libiberty/libiberty.h>
#include "analyses/report/loops/report_loops.h"

static void
heading (const struct cab_style *style, FILE *to, const char *text)
{
  fprintf (to, "\n%s%s%s\n\n", style->bold ? "\033[1m" : "", text, style->bold ? "\033[0m" : "");
}

/* Return RATIO as people read it: "0.83". */
static const char *
ratio_text (struct cab_names *names, double ratio)
{
  return isfinite (ratio) ? cab_names_format (names, "%.2f", ratio) : "-";
}

static const char *
range_text (struct cab_names *names, const struct cab_view_figure *f)
{
  return isfinite (f->low) && isfinite (f->high)
	 ? cab_names_format (names, "%.3f to %.3f", f->low, f->high)
	 : "-";
}

/* Return the stalls of LOOP in column J relative to the first one's, with half of the interval;
   those of the first one itself in samples. */
static const char *
cell_text (struct cab_loop_view *view, const struct cab_view_loop *loop, uint32_t j, bool utf8)
{
  const struct cab_view_figure *f = &loop->stalls[j], *base = &loop->stalls[0];
  bool hinted = cab_report_loops_hinted (&loop->hint);
  const char *mark = hinted && cab_report_loops_chosen (view, loop) == (int) j ? "*" : "";
  if (!isfinite (f->mean))
    return "-";
  double scale = j && base->mean > 0 ? base->mean : 1, half = (f->high - f->low) / 2 / scale;
  const char *format = j && base->mean > 0 ? "%.2f%s%.2f%s" : "%.4g%s%.2g%s";
  if (!isfinite (half))
    return cab_names_format (&view->names, "%.4g%s", f->mean / scale, mark);
  return cab_names_format (&view->names, format, f->mean / scale, utf8 ? "\xc2\xb1" : "+-", half,
			   mark);
}

static void
put_stalls (struct cab_loop_view *view, const struct cab_report_options *options, size_t limit,
	    const struct cab_style *style, FILE *to)
{
  struct cab_table table;
  uint32_t n = view->n_columns + 2;
  struct cab_column *columns = cab_names_zero (&view->names, n, sizeof *columns);
  columns[0] = (struct cab_column) { "file", CAB_PATH, 0 };
  columns[1] = (struct cab_column) { "line", CAB_LINE, 0 };
  for (uint32_t j = 0; j < view->n_columns; j++)
    columns[j + 2] = (struct cab_column) { view->columns[j].name, CAB_TEXT, 0 };
  cab_table_init (&table, "stalls", NULL, columns, n);
  for (uint32_t i = 0; i < view->n_loops; i++)
    if (view->loops[i].stalls && cab_report_loops_wants (options, &view->loops[i]))
      {
	union cab_cell *row = cab_table_row (&table);
	row[0].text = view->loops[i].file;
	row[1].count = view->loops[i].line;
	for (uint32_t j = 0; j < view->n_columns; j++)
	  row[j + 2].text = cell_text (view, &view->loops[i], j, style->utf8);
      }
  cab_table_limit (&table, limit);
  if (table.n_rows)
    {
      heading (style, to,
	       "Stalls by hint (a number: unroll factor; aligned: heads of loops alone, as in the "
	       "others): of a run with the first, then relative to it (95 % intervals; * chosen)");
      cab_table_text (&table, style, to);
    }
  cab_table_fini (&table);
}

static void
put_heuristic (struct cab_loop_view *view, struct cab_table *table, const char *what,
	       const struct cab_view_heuristic *h)
{
  union cab_cell *row = cab_table_row (table);
  row[0].text = what;
  row[1].text = ratio_text (&view->names, h->predicted);
  row[2].text = ratio_text (&view->names, h->measured.mean);
  row[3].text = range_text (&view->names, &h->measured);
}

/* Write both heuristics beside each other, as in tables 5.3 and 5.4 of Schneider's thesis: what
   each was expected to gain, and what it gained. */
static void
put_heuristics (struct cab_loop_view *view, const struct cab_style *style, FILE *to)
{
  static const struct cab_column columns[] = { { "heuristic", CAB_TEXT, 0 },
					       { "predicted", CAB_TEXT, 0 },
					       { "measured", CAB_TEXT, 0 },
					       { "90 % interval", CAB_TEXT, 0 } };
  struct cab_table table;
  if (!isfinite (view->best_factor.predicted) && !isfinite (view->per_loop.predicted))
    return;
  heading (style, to, "The application as a whole: its time relative to the default");
  cab_table_init (&table, "application", NULL, columns, 4);
  put_heuristic (view, &table,
		 *view->best_factor.name ? cab_names_format (
		   &view->names, "one hint for all loops (%s)", view->best_factor.name)
					 : "one hint for all loops",
		 &view->best_factor);
  put_heuristic (view, &table, "a hint for each loop", &view->per_loop);
  cab_table_text (&table, style, to);
  cab_table_fini (&table);
}

/* Write S_j, the loops' stalls with each factor for all, and S_opt, what the best factor of each
   loop would give. */
static void
put_sums (struct cab_loop_view *view, const struct cab_style *style, FILE *to)
{
  struct cab_table table;
  uint32_t n = view->n_columns + 2;
  struct cab_column *columns = cab_names_zero (&view->names, n, sizeof *columns);
  columns[0].name = "all loops";
  for (uint32_t j = 0; j < view->n_columns; j++)
    columns[j + 1].name = view->columns[j].name;
  columns[n - 1].name = "best of each";
  for (uint32_t c = 0; c < n; c++)
    columns[c].type = CAB_TEXT;
  if (!view->sums)
    return;
  cab_table_init (&table, "sums", NULL, columns, n);
  union cab_cell *weights = cab_table_row (&table), *ratios;
  weights[0].text = "stalls";
  for (uint32_t j = 0; j <= view->n_columns; j++)
    weights[j + 1].text = cab_names_format (&view->names, "%.4g",
					    j < view->n_columns ? view->sums[j] : view->sum_best);
  ratios = cab_table_row (&table);
  ratios[0].text = "relative";
  for (uint32_t j = 0; j <= view->n_columns; j++)
    ratios[j + 1].text = ratio_text (
      &view->names, (j < view->n_columns ? view->sums[j] : view->sum_best) / view->sums[0]);
  fputc ('\n', to);
  cab_table_text (&table, style, to);
  cab_table_fini (&table);
}

static void
put_races (struct cab_loop_view *view, const struct cab_style *style, FILE *to)
{
  static const struct cab_column columns[] = {
    { "build", CAB_TEXT, 0 }, { "time", CAB_TEXT, 0 }, { "90 % interval", CAB_TEXT, 0 },
    { "runs", CAB_LINE, 0 },  { "kept", CAB_TEXT, 0 }, { "reason", CAB_TEXT, 0 }
  };
  struct cab_table table;
  if (!view->n_races)
    return;
  heading (style, to, "Races against the default build: time relative to it");
  cab_table_init (&table, "races", NULL, columns, 6);
  for (uint32_t i = 0; i < view->n_races; i++)
    {
      const struct cab_view_race *race = &view->races[i];
      union cab_cell *row = cab_table_row (&table);
      row[0].text = race->name;
      row[1].text = isfinite (race->ratio.mean)
		    ? cab_names_format (&view->names, "%.3f", race->ratio.mean)
		    : "-";
      row[2].text = range_text (&view->names, &race->ratio);
      row[3].count = race->ratio.n;
      row[4].text = race->kept ? "yes" : "no";
      row[5].text = race->reason;
    }
  cab_table_text (&table, style, to);
  cab_table_fini (&table);
}

/* Write the trials of loops that the profile's directory holds. */
static void
put_trials (struct cab_loop_view *view, size_t limit, const struct cab_style *style, FILE *to)
{
  struct cab_table table;
  if (!view->trials.n)
    return;
  heading (style, to,
	   "Trials in one run: cycles of an execution relative to the function with its loops' "
	   "heads aligned (95 % intervals; equal: the same of two copies that are equal)");
  cab_loop_trials_table (&view->trials, &table);
  cab_table_limit (&table, limit);
  cab_table_text (&table, style, to);
  cab_table_fini (&table);
}

static void
put_facts (struct cab_loop_view *view, const struct cab_style *style, FILE *to)
{
  static const struct cab_column columns[] = { { "what", CAB_TEXT, 0 }, { "value", CAB_TEXT, 0 } };
  struct cab_table table;
  struct cab_style whole = *style;
  whole.table_width = style->width;
  if (!view->n_facts)
    return;
  heading (style, to, "Measured with");
  cab_table_init (&table, "facts", NULL, columns, 2);
  for (uint32_t i = 0; i < view->n_facts; i++)
    {
      union cab_cell *row = cab_table_row (&table);
      row[0].text = view->facts[i].name;
      row[1].text = view->facts[i].value;
    }
  cab_table_text (&table, &whole, to);
  cab_table_fini (&table);
}

void
cab_report_loops_text (struct cab_loop_view *view, const struct cab_report_options *options,
		       size_t limit, const struct cab_style *style, FILE *to)
{
  put_stalls (view, options, limit, style, to);
  put_heuristics (view, style, to);
  put_sums (view, style, to);
  put_races (view, style, to);
  put_trials (view, limit, style, to);
  put_facts (view, style, to);
}

static json_t *
real (double x)
{
  return isfinite (x) ? json_real (x) : json_null ();
}

static json_t *
figure (const struct cab_view_figure *f, const char *mean)
{
  return json_pack ("{s:o, s:o, s:o, s:I}", mean, real (f->mean), "low", real (f->low), "high",
		    real (f->high), "n", (json_int_t) f->n);
}

static json_t *
heuristic (const struct cab_view_heuristic *h)
{
  json_t *object = figure (&h->measured, "measured");
  json_object_set_new (object, "name", *h->name ? json_string (h->name) : json_null ());
  json_object_set_new (object, "predicted", real (h->predicted));
  return object;
}

static json_t *
application (const struct cab_loop_view *view)
{
  json_t *sums = json_array ();
  for (uint32_t j = 0; view->sums && j < view->n_columns; j++)
    json_array_append_new (sums, real (view->sums[j]));
  return json_pack ("{s:o, s:o, s:o, s:o}", "S", sums, "S_opt", real (view->sum_best),
		    "best_factor", heuristic (&view->best_factor), "per_loop",
		    heuristic (&view->per_loop));
}

static json_t *
races (const struct cab_loop_view *view)
{
  json_t *all = json_array ();
  for (uint32_t i = 0; i < view->n_races; i++)
    {
      json_t *race = figure (&view->races[i].ratio, "ratio");
      json_object_set_new (race, "name", json_string (view->races[i].name));
      json_object_set_new (race, "kept", json_boolean (view->races[i].kept));
      json_object_set_new (race, "reason", json_string (view->races[i].reason));
      json_array_append_new (all, race);
    }
  return all;
}

/* Return the rows of the trials. */
static json_t *
trials (struct cab_loop_view *view)
{
  struct cab_table table;
  cab_loop_trials_table (&view->trials, &table);
  json_t *object = cab_table_json_object (&table, view->dir),
	 *rows = json_incref (json_object_get (object, "rows"));
  json_decref (object);
  cab_table_fini (&table);
  return rows;
}

void
cab_report_loops_json (struct cab_loop_view *view, const struct cab_table *table, FILE *to)
{
  json_t *root = cab_table_json_object (table, view->dir), *columns = json_array (),
	 *facts = json_object ();
  for (uint32_t j = 0; j < view->n_columns; j++)
    json_array_append_new (columns, json_string (view->columns[j].name));
  for (uint32_t i = 0; i < view->n_facts; i++)
    json_object_set_new (facts, view->facts[i].name, json_string (view->facts[i].value));
  json_object_set_new (root, "columns", columns);
  json_object_set_new (root, "application", view->has_matrix ? application (view) : json_null ());
  json_object_set_new (root, "races", races (view));
  json_object_set_new (root, "trials", trials (view));
  json_object_set_new (root, "measured_with", facts);
  json_dumpf (root, to, JSON_INDENT (1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION (9));
  fputc ('\n', to);
  json_decref (root);
}
