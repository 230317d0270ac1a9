/* export_flamegraph.c - calling contexts as a flame graph in SVG.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A frame is a function below its callers; its width is what was counted in it and below it.  The
 * root is at the bottom, and frames are in the order of their names.  What would be narrower than
 * NARROWEST is not drawn: the frame below it shows its share.
 */
#include "analyses/report/export.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/base/markup.h"
#include "analyses/live/an_tree.h"
#include "analyses/report/report.h"
#include "analyses/report/stacks/context_measures.h"

#define WIDTH 1200.0
#define MARGIN 10.0
#define ROW 17
#define TOP 44          /* the title's height */
#define LETTER 7.0      /* the width of a letter */
#define NARROWEST 0.3   /* pixels */
#define TIP 400         /* most bytes of a name */

struct frame
{
  const struct cab_function *function;   /* null: the root */
  uint64_t n;                            /* in it and below it */
  uint32_t parent, child, next;          /* frames; 0: none */
  uint32_t level;
  double x;
};

struct graph
{
  struct cab_model *model;
  const struct cab_context_measure_text *measure;
  struct frame *frames;                  /* the root is frame 0; parents before children */
  uint32_t n_frames, height;             /* levels that are drawn */
  uint64_t left_out;                     /* frames that are not */
};

/* Return the frame of FUNCTION below PARENT, which is made if there is none.  What was asked for
   last is found first. */
static uint32_t
frame_below (struct graph *graph, uint32_t parent, const struct cab_function *function)
{
  struct frame *frames = graph->frames;
  uint32_t *link = &frames[parent].child;
  while (*link && frames[*link].function != function)
    link = &frames[*link].next;
  uint32_t frame = *link;
  if (frame)
    *link = frames[frame].next;
  else
    {
      frame = graph->n_frames++;
      frames[frame] = (struct frame) { .function = function, .parent = parent,
				       .level = frames[parent].level + 1 };
    }
  frames[frame].next = frames[parent].child;
  frames[parent].child = frame;
  return frame;
}

/* Make the frames of SUMS' nodes with what they have of measure M. */
static void
make_frames (struct graph *graph, const struct cab_context_sums *sums, int m)
{
  uint32_t *frame_of = XCNEWVEC (uint32_t, sums->n + 1);
  graph->frames = XCNEWVEC (struct frame, sums->n + 1);
  graph->n_frames = 1;
  graph->frames[0].n = sums->n ? sums->self[m][0] : 0;
  for (uint32_t i = 1; i < sums->n; i++)
    {
      const struct cab_tree_node *node = cab_tree_at (&graph->model->tree, i);
      bool known = node->callee && node->callee <= graph->model->n_functions;
      uint32_t parent = frame_of[node->parent];
      frame_of[i] = known
		    ? frame_below (graph, parent, graph->model->functions[node->callee - 1])
		    : parent;
      graph->frames[frame_of[i]].n += sums->self[m][i];
    }
  for (uint32_t i = graph->n_frames; i-- > 1;)
    graph->frames[graph->frames[i].parent].n += graph->frames[i].n;
  free (frame_of);
}

static double
width_of (const struct graph *graph, const struct frame *frame)
{
  uint64_t all = graph->frames[0].n;
  return all ? (WIDTH - 2 * MARGIN) * frame->n / all : 0;
}

static const struct frame *sorted_frames;

static int
by_name (const void *a, const void *b)
{
  const struct frame *x = &sorted_frames[*(const uint32_t *) a];
  const struct frame *y = &sorted_frames[*(const uint32_t *) b];
  int order = strcmp (x->function->display, y->function->display);
  return order ? order : x < y ? -1 : x > y;
}

/* Give the children of PARENT their places, from left to right, with room for them in ORDER. */
static void
place_children (struct graph *graph, const struct frame *parent, uint32_t *order)
{
  uint32_t n = 0;
  double x = parent->x;
  for (uint32_t i = parent->child; i; i = graph->frames[i].next)
    order[n++] = i;
  sorted_frames = graph->frames;
  qsort (order, n, sizeof *order, by_name);
  for (uint32_t k = 0; k < n; k++)
    {
      struct frame *frame = &graph->frames[order[k]];
      frame->x = x;
      x += width_of (graph, frame);
    }
}

/* Give all frames their places. */
static void
place_frames (struct graph *graph)
{
  uint32_t *order = XNEWVEC (uint32_t, graph->n_frames);
  graph->frames[0].x = MARGIN;
  for (uint32_t i = 0; i < graph->n_frames; i++)
    {
      const struct frame *frame = &graph->frames[i];
      if (width_of (graph, frame) < NARROWEST)
	{
	  graph->left_out++;
	  continue;
	}
      if (frame->level >= graph->height)
	graph->height = frame->level + 1;
      place_children (graph, frame, order);
    }
  free (order);
}

/* Return a colour for FUNCTION, the same for all functions of a file. */
static unsigned
hue_of (const struct cab_function *function)
{
  unsigned hash = 2166136261u;
  for (const char *c = function ? function->file : ""; *c; c++)
    hash = (hash ^ (unsigned char) *c) * 16777619u;
  return (hash >> 8) % 360;
}

/* Return at most MOST bytes of NAME, in whole characters of UTF-8, to be freed. */
static char *
shortened (const char *name, size_t most)
{
  json_t *value = cab_table_json_cell (&(union cab_cell) { .text = name }, CAB_TEXT);
  char *text = xstrdup (json_string_value (value));
  json_decref (value);
  if (strlen (text) > most && most > 2)
    {
      size_t end = most - 2;
      while (end && (text[end] & 0xc0) == 0x80)
	end--;
      strcpy (text + end, "..");
    }
  return text;
}

static void
put_value (const struct graph *graph, uint64_t n, FILE *to)
{
  if (!strcmp (graph->measure->unit, "ns"))
    fprintf (to, "%.3f ms", n / 1e6);
  else
    fprintf (to, "%" PRIu64 " %s", n, graph->measure->unit);
  fprintf (to, ", %.2f %%", graph->frames[0].n ? 100.0 * n / graph->frames[0].n : 0);
}

static void
put_frame (const struct graph *graph, const struct frame *frame, FILE *to)
{
  const struct cab_function *function = frame->function;
  double width = width_of (graph, frame);
  int y = TOP + (int) (graph->height - 1 - frame->level) * ROW;
  char *name = shortened (function ? function->display : "all", TIP);
  fputs ("<g><title>", to);
  cab_markup_text (name, to);
  if (function && *function->file)
    {
      char *file = shortened (function->file, TIP);
      fputs (" (", to);
      cab_markup_text (file, to);
      fprintf (to, ":%u)", function->line);
      free (file);
    }
  fputs (": ", to);
  put_value (graph, frame->n, to);
  fprintf (to,
	   "</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" rx=\"1\" "
	   "fill=\"hsl(%u,%d%%,78%%)\"/>",
	   frame->x, y, width, ROW - 1, hue_of (function), function ? 60 : 0);
  free (name);
  if (width > 4 * LETTER)
    {
      name = shortened (function ? function->display : "all", (size_t) ((width - 6) / LETTER));
      fprintf (to, "<text x=\"%.2f\" y=\"%d\">", frame->x + 3, y + 12);
      cab_markup_text (name, to);
      fputs ("</text>", to);
      free (name);
    }
  fputs ("</g>\n", to);
}

static void
put_graph (const struct graph *graph, FILE *to)
{
  fprintf (to,
	   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" role=\"img\" "
	   "font-family=\"monospace\" font-size=\"11\">\n"
	   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
	   "<text x=\"%d\" y=\"18\" font-size=\"14\" font-weight=\"bold\">%s, by calling context"
	   "</text>\n"
	   "<text x=\"%d\" y=\"35\">",
	   (int) WIDTH, TOP + graph->height * ROW + 10, (int) MARGIN, graph->measure->title,
	   (int) MARGIN);
  fputs ("All: ", to);
  put_value (graph, graph->frames[0].n, to);
  if (graph->left_out)
    fprintf (to, "; %" PRIu64 " narrower frames are not drawn", graph->left_out);
  fputs (". Functions of a file have one colour.</text>\n", to);
  for (uint32_t i = 0; i < graph->n_frames; i++)
    if (width_of (graph, &graph->frames[i]) >= NARROWEST)
      put_frame (graph, &graph->frames[i], to);
  fputs ("</svg>\n", to);
}

/* Return the measure that OPTIONS name, else time or, where there is none, calls; -1, with words in
   DIAG, if SUMS have nothing of it. */
static int
choose (const struct cab_context_sums *sums, const struct cab_model *model,
	const struct cab_export_options *options, struct cab_diag *diag)
{
  int chosen = sums->total[CAB_MEASURE_TIME] ? CAB_MEASURE_TIME : CAB_MEASURE_CALLS;
  for (int m = 0; options->measure && m < CAB_MEASURES; m++)
    if (!strcmp (cab_context_measures[m].key, options->measure))
      chosen = m;
  if (sums->total[chosen])
    return chosen;
  char there[100] = "";
  for (int m = 0; m < CAB_MEASURES; m++)
    if (sums->total[m])
      snprintf (there + strlen (there), sizeof there - strlen (there), "%s%s",
		*there ? ", " : "", cab_context_measures[m].key);
  return cab_refuse (model->dir, diag, "nothing of %s was recorded by context (there is: %s)",
		     cab_context_measures[chosen].key, *there ? there : "nothing");
}

int
cab_export_flamegraph (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		       struct cab_diag *diag)
{
  struct cab_context_sums sums;
  cab_context_measures_open (&sums, model);
  int m = choose (&sums, model, options, diag);
  if (m >= 0)
    {
      struct graph graph = { .model = model, .measure = &cab_context_measures[m] };
      make_frames (&graph, &sums, m);
      place_frames (&graph);
      put_graph (&graph, to);
      free (graph.frames);
    }
  cab_context_measures_close (&sums);
  return m < 0 ? -1 : 0;
}
