/* report_loops_html.c - loops as one page that needs no other file: the matrix as a heat map,
 * races, and how it was measured.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colours go from blue (fewer stalls than the default) through white to orange (more), which
 * everyone can tell apart.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/base/markup.h"
#include "analyses/report/loops/report_loops.h"

#define MOST_ROWS 200       /* of the heat map */
#define FULL_RATIO 2.0      /* ratio at which, or at whose inverse, a colour is full */

static const char style[]
  = "<style>\n"
    ":root { --ink: #1b1f24; --soft: #5b6470; --line: #d8dde3; --page: #ffffff; --less: 33, 102, "
    "172; --more: 217, 95, 14; }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --soft: #98a2ad; --line: "
    "#3a424b; --page: #15181c; --less: 67, 147, 222;"
    " --more: 230, 120, 40; } }\n"
    "body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--page); "
    "margin: 2rem auto; max-width: 104rem;"
    " padding: 0 1rem; }\n"
    "h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }\n"
    "p { color: var(--soft); margin: .3rem 0; } code, .place { font-family: ui-monospace, "
    "monospace; font-size: .9em; }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; } th { text-align: left; font-weight: 600; color: "
    "var(--soft); }\n"
    "th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; } "
    "td.n, th.n { text-align: right;"
    " font-variant-numeric: tabular-nums; }\n"
    "td.why { white-space: normal; min-width: 14rem; color: var(--soft); }\n"
    "td.heat { text-align: center; font-variant-numeric: tabular-nums; border: 2px solid "
    "var(--page); min-width: 3.6rem; }\n"
    "td.heat small { color: inherit; opacity: .7; } td.chosen { outline: 2px solid var(--ink); "
    "outline-offset: -3px; font-weight: 700; }\n"
    ".bar { display: inline-block; height: .7rem; background: rgba(var(--less), .75); "
    "vertical-align: middle; margin-right: .4rem; }\n"
    ".legend { color: var(--ink); } .legend span { display: inline-block; padding: .1rem .7rem; "
    "margin-right: .2rem; }\n"
    "svg text { fill: var(--soft); font-size: 12px; } svg .axis { stroke: var(--line); } svg .base "
    "{ stroke: var(--ink);"
    " stroke-dasharray: 3 3; }\n"
    "svg .kept { stroke: rgb(var(--less)); fill: rgb(var(--less)); } svg .lost { stroke: "
    "rgb(var(--more)); fill: rgb(var(--more)); }\n"
    "</style>\n";

static void
put_cell (const char *class, const char *text, FILE *to)
{
  fprintf (to, "<td%s%s%s>", *class ? " class=\"" : "", class, *class ? "\"" : "");
  cab_markup_text (text, to);
  fputs ("</td>", to);
}

static void
put_number (const char *format, double x, FILE *to)
{
  char text[64] = "\xe2\x80\x93";
  if (isfinite (x))
    snprintf (text, sizeof text, format, x);
  put_cell ("n", text, to);
}

/* Write the background of a cell for RATIO. */
static void
put_colour (double ratio, FILE *to)
{
  double strength = ratio > 0 ? fmin (1, fabs (log (ratio)) / log (FULL_RATIO)) : 1;
  fprintf (to, "background: rgba(var(--%s), %.2f)", ratio < 1 ? "less" : "more", 0.85 * strength);
}

static void
put_heat (struct cab_loop_view *view, const struct cab_view_loop *loop, uint32_t j, FILE *to)
{
  const struct cab_view_figure *f = &loop->stalls[j];
  double ratio = cab_report_loops_ratio (loop, j);
  bool chosen = cab_report_loops_chosen (view, loop) == (int) j;
  if (!isfinite (f->mean))
    {
      put_cell ("heat", "\xe2\x80\x93", to);
      return;
    }
  fprintf (to, "<td class=\"heat%s\" style=\"", chosen ? " chosen" : "");
  put_colour (isfinite (ratio) ? ratio : 1, to);
  fprintf (to, "\" title=\"%.4g per run", f->mean);
  if (isfinite (f->low) && isfinite (f->high))
    fprintf (to, ", 95 %% interval %.4g to %.4g", f->low, f->high);
  fprintf (to, ", %u runs", f->n);
  if (loop->outcomes && loop->outcomes[j])
    {
      fputs ("; compiler: ", to);
      cab_markup_text (loop->outcomes[j], to);
    }
  fputs ("\">", to);
  if (isfinite (ratio))
    fprintf (to, "%.2f", ratio);
  else
    fprintf (to, "%.3g", f->mean);
  if (j && isfinite (f->high - f->low) && loop->stalls[0].mean > 0)
    fprintf (to, "<small> \xc2\xb1%.2f</small>", (f->high - f->low) / 2 / loop->stalls[0].mean);
  fputs ("</td>", to);
}

static void
put_row (struct cab_loop_view *view, const struct cab_view_loop *loop, double largest, FILE *to)
{
  fputs ("<tr><td class=\"place\">", to);
  cab_markup_text (loop->file, to);
  fprintf (to, ":%u</td>", loop->line);
  put_cell ("", loop->display, to);
  fputs ("<td>", to);
  if (loop->share >= 0 && largest > 0)
    fprintf (to, "<span class=\"bar\" style=\"width: %.1frem\"></span>%.1f%%",
	     5 * loop->share / largest, 100 * loop->share);
  fputs ("</td>", to);
  put_number ("%.1f", loop->mean, to);
  for (uint32_t j = 0; j < view->n_columns; j++)
    if (loop->stalls)
      put_heat (view, loop, j, to);
    else
      put_cell ("heat", "", to);
  put_cell ("", loop->hint.unroll < 0 ? "" : cab_report_loops_choice (view, loop), to);
  put_number ("%.2f", loop->predicted, to);
  put_number ("%.2f", loop->measured, to);
  put_cell ("", loop->outcome ? loop->outcome : "", to);
  put_cell ("why", loop->reason, to);
  fputs ("</tr>\n", to);
}

static void
put_matrix (struct cab_loop_view *view, const struct cab_report_options *options, FILE *to)
{
  double largest = 0;
  uint32_t n = 0;
  fputs ("<h2>Loops</h2>\n", to);
  if (view->has_matrix)
    {
      fputs ("<p>Stalls with each hint (a number: unroll factor), relative to the first "
	     "column: all but <i>default</i> have the heads of loops aligned alike. The framed one "
	     "is chosen. Point at a cell for more.</p>\n"
	     "<p class=\"legend\">",
	     to);
      for (double ratio = 0.5; ratio < 2.1; ratio *= sqrt (2))
	{
	  fputs ("<span style=\"", to);
	  put_colour (ratio, to);
	  fprintf (to, "\">%.2f</span>", ratio);
	}
      fputs ("</p>\n", to);
    }
  fputs ("<div class=\"wide\"><table>\n<tr><th>loop</th><th>function</th><th>share of "
	 "samples</th><th class=\"n\">trips</th>",
	 to);
  for (uint32_t j = 0; j < view->n_columns; j++)
    {
      fputs ("<th style=\"text-align: center\">", to);
      cab_markup_text (view->columns[j].name, to);
      fputs ("</th>", to);
    }
  fputs ("<th>hint</th><th class=\"n\">predicted</th><th "
	 "class=\"n\">measured</th><th>compiler</th><th>reason</th></tr>\n",
	 to);
  for (uint32_t i = 0; i < view->n_loops; i++)
    largest = view->loops[i].share > largest ? view->loops[i].share : largest;
  for (uint32_t i = 0; i < view->n_loops && n < MOST_ROWS; i++)
    if (cab_report_loops_wants (options, &view->loops[i]) && cab_loop_view_tells (&view->loops[i]))
      {
	put_row (view, &view->loops[i], largest, to);
	n++;
      }
  fputs ("</table></div>\n", to);
  if (n == MOST_ROWS)
    fprintf (to, "<p>The first %u; <code>cabprof report loops --limit=0</code> has all.</p>\n", n);
}

static void
put_heuristic (const char *what, const struct cab_view_heuristic *h, FILE *to)
{
  char range[64] = "\xe2\x80\x93";
  if (isfinite (h->measured.low) && isfinite (h->measured.high))
    snprintf (range, sizeof range, "%.3f to %.3f", h->measured.low, h->measured.high);
  fprintf (to, "<tr><td>%s", what);
  if (*h->name)
    {
      fputs (" (", to);
      cab_markup_text (h->name, to);
      fputs (")", to);
    }
  fputs ("</td>", to);
  put_number ("%.3f", h->predicted, to);
  put_number ("%.3f", h->measured.mean, to);
  put_cell ("n", range, to);
  fputs ("</tr>\n", to);
}

static void
put_application (const struct cab_loop_view *view, FILE *to)
{
  if (!isfinite (view->best_factor.predicted) && !isfinite (view->per_loop.predicted))
    return;
  fputs ("<h2>The application as a whole</h2>\n<p>Its time relative to the default build: what "
	 "each heuristic was expected to give, and gave.</p>\n"
	 "<table><tr><th>heuristic</th><th class=\"n\">predicted</th><th "
	 "class=\"n\">measured</th><th class=\"n\">90 % interval</th></tr>\n",
	 to);
  put_heuristic ("one hint for all loops", &view->best_factor, to);
  put_heuristic ("a hint for each loop", &view->per_loop, to);
  fputs ("</table>\n", to);
}

/* Draw one race as a point with its interval, between LOW and HIGH. */
static void
put_race (const struct cab_view_race *race, uint32_t i, double low, double high, FILE *to)
{
  double scale = 420 / (high - low), y = 26.0 * i + 22;
  const struct cab_view_figure *f = &race->ratio;
  fprintf (to, "<text x=\"0\" y=\"%.0f\">", y + 4);
  cab_markup_text (race->name, to);
  fputs ("</text>", to);
  if (isfinite (f->mean))
    {
      const char *class = race->kept ? "kept" : "lost";
      if (isfinite (f->low) && isfinite (f->high))
	fprintf (
	  to,
	  "<line class=\"%s\" stroke-width=\"2\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\"/>",
	  class, 260 + (f->low - low) * scale, 260 + (f->high - low) * scale, y, y);
      fprintf (to,
	       "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.0f\" r=\"4\"/><text x=\"700\" "
	       "y=\"%.0f\">%.3f, %s%s",
	       class, 260 + (f->mean - low) * scale, y, y + 4, f->mean,
	       race->kept ? "kept" : "not kept", *race->reason ? ": " : "");
      cab_markup_text (race->reason, to);
      fputs ("</text>\n", to);
    }
}

static void
put_races (const struct cab_loop_view *view, FILE *to)
{
  double low = 0.95, high = 1.05;
  if (!view->n_races)
    return;
  for (uint32_t i = 0; i < view->n_races; i++)
    {
      const struct cab_view_figure *f = &view->races[i].ratio;
      low = fmin (low, isfinite (f->low) ? f->low : isfinite (f->mean) ? f->mean : low);
      high = fmax (high, isfinite (f->high) ? f->high : isfinite (f->mean) ? f->mean : high);
    }
  double base = 260 + (1 - low) * 420 / (high - low);
  fprintf (to,
	   "<h2>Races against the default build</h2>\n<p>Time relative to the default's (the "
	   "dashed line), with 90 %% intervals.</p>\n"
	   "<svg width=\"1280\" height=\"%u\" role=\"img\"><line class=\"base\" x1=\"%.1f\" "
	   "x2=\"%.1f\" y1=\"6\" y2=\"%u\"/>\n",
	   26 * view->n_races + 30, base, base, 26 * view->n_races + 10);
  for (uint32_t i = 0; i < view->n_races; i++)
    {
      fputs ("<g>", to);
      put_race (&view->races[i], i, low, high, to);
      fputs ("</g>", to);
    }
  fprintf (to, "<text x=\"260\" y=\"%u\">%.2f</text><text x=\"655\" y=\"%u\">%.2f</text></svg>\n",
	   26 * view->n_races + 26, low, 26 * view->n_races + 26, high);
}

static void
put_facts (const struct cab_loop_view *view, FILE *to)
{
  if (!view->n_facts)
    return;
  fputs ("<h2>Measured with</h2>\n<table>\n", to);
  for (uint32_t i = 0; i < view->n_facts; i++)
    {
      fputs ("<tr>", to);
      put_cell ("", view->facts[i].name, to);
      put_cell ("why", view->facts[i].value, to);
      fputs ("</tr>\n", to);
    }
  fputs ("</table>\n", to);
}

void
cab_report_loops_html (struct cab_loop_view *view, const struct cab_report_options *options,
		       FILE *to)
{
  const char *what = *view->program ? view->program : view->dir;
  fputs (
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Loops of ",
    to);
  cab_markup_text (what, to);
  fprintf (to, "</title>\n%s</head>\n<body>\n<h1>Loops of ", style);
  cab_markup_text (what, to);
  fputs ("</h1>\n", to);
  if (*view->run)
    {
      fputs ("<p>Run: <code>", to);
      cab_markup_text (view->run, to);
      fputs ("</code></p>\n", to);
    }
  put_application (view, to);
  put_matrix (view, options, to);
  put_races (view, to);
  put_facts (view, to);
  fputs ("</body>\n</html>\n", to);
}
