/* timeline_slowest.c - the slowest activations of functions, with what was called in them side by
 * side.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contexts below all activations of interest are one tree.  While such an activation is under
 * way, what its calls took is added up by node of the tree; when it has ended, that is added to the
 * sums of all, and kept if it is among the slowest.
 */
#include "analyses/report/timeline/timeline.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define SHOWN 0.002   /* text leaves out contexts with less of the slowest activation's time */

struct node
{
  const struct cab_function *function;   /* null: not known */
  uint32_t site, parent, child, sibling; /* 0: none; node 0 is above all */
  uint64_t all_ns, all_calls;            /* of all activations of interest */
  uint64_t ns, calls;                    /* of the one that is under way */
};

/* What one activation took in a node. */
struct part
{
  uint32_t node;
  uint64_t ns, calls;
};

struct activation
{
  uint64_t ns, begin_ns, tid;
  struct part *parts;
  size_t n;
};

struct slowest
{
  struct cab_model *model;
  const struct cab_timeline_filter *filter;
  struct node *nodes;
  uint32_t n_nodes, room;
  uint32_t *touched;                     /* nodes with calls in the activation under way */
  size_t n_touched, touched_room;
  struct activation kept[CAB_TIMELINE_SLOWEST_MOST];
  unsigned n, count;
  uint64_t n_all, all_ns;
};

/* A span's `own' is 1 + its node. */
static uint32_t
node_of (const struct cab_timed *span)
{
  return span && span->own ? (uintptr_t) span->own - 1 : 0;
}

static uint32_t
child_of (struct slowest *s, uint32_t parent, const struct cab_timed *span)
{
  uint32_t site = parent ? span->site : 0;
  for (uint32_t i = s->nodes[parent].child; i; i = s->nodes[i].sibling)
    if (s->nodes[i].function == span->function && s->nodes[i].site == site)
      return i;
  if (s->n_nodes == s->room)
    {
      s->room *= 2;
      s->nodes = XRESIZEVEC (struct node, s->nodes, s->room);
    }
  s->nodes[s->n_nodes] = (struct node) { .function = span->function,
					 .site = site,
					 .parent = parent,
					 .sibling = s->nodes[parent].child };
  return s->nodes[parent].child = s->n_nodes++;
}

static void
begin (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct slowest *s = host;
  uint32_t above = node_of (parent);
  if (above || cab_timeline_is_of (s->filter, s->model, span))
    span->own = (void *) (uintptr_t) (child_of (s, above, span) + 1);
}

static void
add (struct slowest *s, uint32_t node, uint64_t ns)
{
  struct node *at = &s->nodes[node];
  if (!at->calls++)
    {
      if (s->n_touched == s->touched_room)
	{
	  s->touched_room = s->touched_room ? 2 * s->touched_room : 64;
	  s->touched = XRESIZEVEC (uint32_t, s->touched, s->touched_room);
	}
      s->touched[s->n_touched++] = node;
    }
  at->ns += ns;
}

/* Return the place for an activation that took NS among the slowest, after those that took as much;
   `count' if there is none. */
static unsigned
place_of (const struct slowest *s, uint64_t ns)
{
  unsigned i = 0;
  while (i < s->n && s->kept[i].ns >= ns)
    i++;
  return i;
}

static void
keep (struct slowest *s, const struct cab_timed *span)
{
  unsigned i = place_of (s, span->end_ns - span->begin_ns);
  if (i == s->count)
    return;
  if (s->n == s->count)
    free (s->kept[--s->n].parts);
  memmove (&s->kept[i + 1], &s->kept[i], (s->n - i) * sizeof *s->kept);
  struct activation *a = &s->kept[i];
  *a = (struct activation) { .ns = span->end_ns - span->begin_ns,
			     .begin_ns = span->begin_ns,
			     .tid = cab_timeline_tid (s->model, span),
			     .parts = XNEWVEC (struct part, s->n_touched),
			     .n = s->n_touched };
  for (size_t k = 0; k < a->n; k++)
    {
      const struct node *node = &s->nodes[s->touched[k]];
      a->parts[k] = (struct part) { s->touched[k], node->ns, node->calls };
    }
  s->n++;
}

static void
end (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct slowest *s = host;
  uint32_t node = node_of (span);
  if (!node)
    return;
  add (s, node, span->end_ns - span->begin_ns);
  if (node_of (parent))
    return;
  bool whole = span->how == CAB_SPAN_RETURNED || span->how == CAB_SPAN_LEFT;
  if (whole && cab_timeline_passes (s->filter, s->model, span))
    {
      keep (s, span);
      s->n_all++;
    }
  for (size_t k = 0; k < s->n_touched; k++)
    {
      struct node *at = &s->nodes[s->touched[k]];
      at->all_ns += whole ? at->ns : 0;
      at->all_calls += whole ? at->calls : 0;
      at->ns = at->calls = 0;
    }
  s->n_touched = 0;
}

enum { DEPTH, FUNCTION, FILE_, LINE, CALL, MEAN, N_FIRST };
#define N_MOST (N_FIRST + 2 * CAB_TIMELINE_SLOWEST_MOST)

/* A row's numbers: the mean of all activations, and time and calls of each one that was kept. */
struct numbers
{
  uint64_t all_ns, ns[CAB_TIMELINE_SLOWEST_MOST], calls[CAB_TIMELINE_SLOWEST_MOST];
};

static struct numbers
numbers_of (const struct slowest *s, uint32_t node)
{
  struct numbers numbers = { .all_ns = s->nodes[node].all_ns };
  for (unsigned i = 0; i < s->n; i++)
    for (size_t k = 0; k < s->kept[i].n; k++)
      if (s->kept[i].parts[k].node == node)
	{
	  numbers.ns[i] = s->kept[i].parts[k].ns;
	  numbers.calls[i] = s->kept[i].parts[k].calls;
	}
  return numbers;
}

static uint64_t
most_of (const struct slowest *s, const struct numbers *numbers)
{
  uint64_t most = s->n_all ? numbers->all_ns / s->n_all : 0;
  for (unsigned i = 0; i < s->n; i++)
    most = numbers->ns[i] > most ? numbers->ns[i] : most;
  return most;
}

/* Add the row of NODE, or of its own time alone (ITSELF). */
static void
add_row (struct slowest *s, struct cab_table *table, unsigned depth, uint32_t node, bool itself,
	 const struct numbers *numbers)
{
  const struct cab_function *function = itself ? NULL : s->nodes[node].function;
  const char *name = itself ? "(itself)"
		   : function ? cab_report_name (s->model, s->filter->report, function)
			      : "?";
  uint32_t site = itself ? 0 : s->nodes[node].site;
  bool text = s->filter->report->format == CAB_FORMAT_TEXT;
  if (text && most_of (s, numbers) < SHOWN * (s->n ? s->kept[0].ns : 0))
    {
      table->n_hidden++;
      return;
    }
  union cab_cell *row = cab_table_row (table);
  row[DEPTH].count = depth;
  row[FUNCTION].text = text && depth
		       ? cab_names_format (&s->model->names, "%*s%s", (int) (2 * depth), "", name)
		       : name;
  row[FILE_].text = function ? function->file : "";
  row[LINE].count = function ? function->line : 0;
  row[CALL].count = site && site <= s->model->n_sites && s->model->sites[site].place
		    ? s->model->sites[site].place->line
		    : 0;
  row[MEAN].count = s->n_all ? numbers->all_ns / s->n_all : 0;
  for (unsigned i = 0; i < s->n; i++)
    {
      row[N_FIRST + 2 * i].count = numbers->ns[i];
      row[N_FIRST + 2 * i + 1].count = numbers->calls[i];
    }
}

struct ranked
{
  uint32_t node;
  uint64_t most;
};

static int
by_most (const void *a, const void *b)
{
  const struct ranked *x = a, *y = b;
  return x->most != y->most ? (x->most < y->most) - (x->most > y->most)
			    : (x->node > y->node) - (x->node < y->node);
}

/* Add the rows of NODE and of what is below it. */
static void
add_rows (struct slowest *s, struct cab_table *table, uint32_t node, unsigned depth)
{
  const struct node *at = &s->nodes[node];
  struct numbers numbers = numbers_of (s, node), rest = numbers;
  struct ranked *children = NULL;
  size_t n = 0;
  if (node)
    add_row (s, table, depth, node, false, &numbers);
  for (uint32_t i = at->child; i; i = s->nodes[i].sibling, n++)
    {
      struct numbers of = numbers_of (s, i);
      children = XRESIZEVEC (struct ranked, children, n + 1);
      children[n] = (struct ranked) { i, most_of (s, &of) };
      rest.all_ns -= of.all_ns;
      for (unsigned k = 0; k < s->n; k++)
	rest.ns[k] -= of.ns[k];
    }
  if (n)
    qsort (children, n, sizeof *children, by_most);
  for (size_t i = 0; i < n; i++)
    add_rows (s, table, children[i].node, depth + (node != 0));
  if (node && n)
    add_row (s, table, depth + 1, node, true, &rest);
  free (children);
}

/* Return when and where the activations that were kept began. */
static const char *
remark_of (struct slowest *s, const struct cab_timeline_sums *sums)
{
  const char *text = cab_names_format (&s->model->names, "%ju activations", (uintmax_t) s->n_all);
  for (unsigned i = 0; i < s->n; i++)
    text = cab_names_format (&s->model->names, "%s; %u began at %.9f s in thread %ju", text, i + 1,
			     (s->kept[i].begin_ns - sums->first_ns) / 1e9,
			     (uintmax_t) s->kept[i].tid);
  const char *more = cab_timeline_remark (sums);
  return more ? cab_names_format (&s->model->names, "%s; %s", text, more) : text;
}

/* Set the columns of TABLE: those of N activations. */
static void
set_columns (struct slowest *s, struct cab_table *table)
{
  struct cab_column *columns = cab_names_zero (&s->model->names, N_MOST, sizeof *columns);
  const struct cab_column first[N_FIRST] = {
    [DEPTH] = { "depth", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
    [FUNCTION] = { "function", CAB_FUNCTION, 0 },
    [FILE_] = { "file", CAB_PATH, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
    [LINE] = { "line", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
    [CALL] = { "call_line", CAB_LINE, 0 },
    [MEAN] = { "mean_ns", CAB_COUNT, 0 }
  };
  memcpy (columns, first, sizeof first);
  for (unsigned i = 0; i < s->count; i++)
    {
      columns[N_FIRST + 2 * i] = (struct cab_column) {
	cab_names_format (&s->model->names, "ns_%u", i + 1), CAB_COUNT, 0
      };
      columns[N_FIRST + 2 * i + 1] = (struct cab_column) {
	cab_names_format (&s->model->names, "calls_%u", i + 1), CAB_COUNT, CAB_COLUMN_SPARE
      };
    }
  cab_table_init (table, "timeline-slowest",
		  "The slowest activations, and what was called in them, beside the mean of all",
		  columns, N_FIRST + 2 * s->count);
}

void
cab_timeline_slowest (struct cab_model *model, const struct cab_timeline_filter *filter,
		      unsigned count, struct cab_table *table)
{
  struct slowest s = { .model = model, .filter = filter, .count = count, .room = 64 };
  const struct cab_span_visitor visitor = { .host = &s, .begin = begin, .end = end };
  s.nodes = XCNEWVEC (struct node, s.room);
  s.n_nodes = 1;
  struct cab_timeline_sums sums = cab_timeline_walk (model, &visitor);
  set_columns (&s, table);
  add_rows (&s, table, 0, 0);
  table->note = remark_of (&s, &sums);
  for (unsigned i = 0; i < s.n; i++)
    free (s.kept[i].parts);
  free (s.touched);
  free (s.nodes);
}
