/* deps_graph.c - see deps_graph.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/command/deps_graph.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/deps/deps_words.h"

#define STEP 36      /* between nodes of the SVG, in its units */
#define LEFT 20
#define WIDTH 760
#define ARCS 330     /* where arcs begin */

struct node
{
  uint32_t line;
  const char *name;
};

/* Dependences of one kind between two nodes. */
struct edge
{
  uint32_t from, to;          /* indices */
  enum cab_deps_kind kind;
  unsigned least, most;       /* distances */
  uint64_t count;
};

struct graph
{
  const struct cab_deps_view *view;
  uint32_t loop;
  struct node *nodes;
  struct edge *edges;
  uint32_t n, n_edges;
};

static const struct
{
  const char *name, *colour, *style;
} kinds[] = { [CAB_DEPS_RAW] = { "raw", "#c00000", "solid" },
	      [CAB_DEPS_WAR] = { "war", "#0050a0", "dashed" },
	      [CAB_DEPS_WAW] = { "waw", "#707070", "dotted" } };

static int
compare (const void *a, const void *b)
{
  const struct node *x = a, *y = b;
  return x->line != y->line ? (x->line < y->line ? -1 : 1) : strcmp (x->name, y->name);
}

/* Return the index of the node of access NUMBER, or N if it has none yet. */
static uint32_t
node_of (const struct graph *g, uint32_t number)
{
  uint32_t line = cab_deps_line (g->view, number), i = 0;
  const char *name = cab_deps_name (g->view, number);
  while (i < g->n && (g->nodes[i].line != line || strcmp (g->nodes[i].name, name)))
    i++;
  return i;
}

static void
add_node (struct graph *g, uint32_t number)
{
  if (node_of (g, number) < g->n)
    return;
  g->nodes = XRESIZEVEC (struct node, g->nodes, g->n + 1);
  g->nodes[g->n++] = (struct node) { cab_deps_line (g->view, number),
				     cab_deps_name (g->view, number) };
}

/* Add P to the edges. */
static void
add_edge (struct graph *g, const struct cab_deps_pair *p)
{
  struct edge e = { node_of (g, p->from), node_of (g, p->to), p->kind,
		    p->least, p->most, p->count };
  for (uint32_t i = 0; i < g->n_edges; i++)
    {
      struct edge *other = &g->edges[i];
      if (other->from != e.from || other->to != e.to || other->kind != e.kind)
	continue;
      other->least = e.least < other->least ? e.least : other->least;
      other->most = e.most > other->most ? e.most : other->most;
      other->count += e.count;
      return;
    }
  g->edges = XRESIZEVEC (struct edge, g->edges, g->n_edges + 1);
  g->edges[g->n_edges++] = e;
}

/* Return TEXT with what XML and DOT give a meaning to replaced. */
static const char *
escaped (struct cab_names *names, const char *text, enum cab_deps_graph_form form)
{
  const char *result = "";
  for (; *text; text++)
    {
      const char *as = form == CAB_DEPS_SVG ? (*text == '<'   ? "&lt;"
					       : *text == '>' ? "&gt;"
					       : *text == '&' ? "&amp;"
							       : NULL)
		     : *text == '"' || *text == '\\' ? "\\"
						      : NULL;
      bool keeps = form == CAB_DEPS_DOT || !as;
      result = cab_names_format (names, "%s%s%.*s", result, as ? as : "", keeps, text);
    }
  return result;
}

/* Return the distances of E: "1", "1-4", "1-256+". */
static const char *
distances (struct cab_names *names, const struct edge *e)
{
  const char *more = e->most >= CAB_DEPS_FAR ? "+" : "";
  return e->least == e->most ? cab_names_format (names, "%u%s", e->least, more)
			     : cab_names_format (names, "%u-%u%s", e->least, e->most, more);
}

/* Return what the loop is called, and its verdict. */
static const char *
title (const struct cab_deps_facts *facts, const struct graph *g, enum cab_deps_graph_form form)
{
  struct cab_names *names = &g->view->model->names;
  const struct cab_deps_loop *l = &g->view->loops[g->loop];
  struct cab_deps_judgement j;
  cab_deps_judge (facts, g->loop, &j);
  const char *text = cab_names_format (names, "%s:%u: %s", l->file, l->place->line,
				       cab_deps_verdict_words (names, &j));
  cab_deps_judgement_fini (&j);
  return escaped (names, text, form);
}

static void
write_dot (const struct cab_deps_facts *facts, const struct graph *g, FILE *to)
{
  struct cab_names *names = &g->view->model->names;
  fprintf (to, "digraph deps {\n  label=\"%s\";\n  node [shape=box];\n",
	   title (facts, g, CAB_DEPS_DOT));
  for (uint32_t i = 0; i < g->n; i++)
    fprintf (to, "  n%u [label=\"%u: %s\"];\n", i, g->nodes[i].line,
	     escaped (names, g->nodes[i].name, CAB_DEPS_DOT));
  for (uint32_t i = 0; i < g->n_edges; i++)
    {
      const struct edge *e = &g->edges[i];
      fprintf (to, "  n%u -> n%u [label=\"%s %s (%" PRIu64 ")\", color=\"%s\", style=%s];\n",
	       e->from, e->to, kinds[e->kind].name, distances (names, e), e->count,
	       kinds[e->kind].colour, kinds[e->kind].style);
    }
  fputs ("}\n", to);
}

/* Write the arc of edge K. */
static void
write_arc (const struct graph *g, uint32_t k, FILE *to)
{
  struct cab_names *names = &g->view->model->names;
  const struct edge *p = &g->edges[k];
  int y = 60 + STEP * (int) p->from, z = 60 + STEP * (int) p->to;
  int reach = ARCS + 40 + 14 * (int) (k % 12) + abs (z - y) / 2, down = y == z ? 12 : 0;
  fprintf (to, "<path d=\"M%d %dC%d %d %d %d %d %d\" fill=\"none\" stroke=\"%s\"%s "
	   "marker-end=\"url(#end)\"><title>%s %s, %" PRIu64 "</title></path>\n",
	   ARCS, y - down, reach, y - down, reach, z + down, ARCS, z + down, kinds[p->kind].colour,
	   p->kind == CAB_DEPS_RAW ? "" : " stroke-dasharray=\"4 3\"", kinds[p->kind].name,
	   distances (names, p), p->count);
  fprintf (to, "<text x=\"%d\" y=\"%d\" font-size=\"11\" fill=\"%s\">%s %s</text>\n",
	   ARCS + (reach - ARCS) * 3 / 4 + 4, (y + z) / 2 + 4, kinds[p->kind].colour,
	   kinds[p->kind].name, distances (names, p));
}

static void
write_svg (const struct cab_deps_facts *facts, const struct graph *g, FILE *to)
{
  struct cab_names *names = &g->view->model->names;
  fprintf (to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
	   "font-family=\"monospace\" font-size=\"13\">\n"
	   "<defs><marker id=\"end\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"3\" "
	   "orient=\"auto\"><path d=\"M0 0L7 3L0 6z\"/></marker></defs>\n"
	   "<text x=\"%d\" y=\"24\">%s</text>\n",
	   WIDTH, 80 + STEP * g->n, LEFT, title (facts, g, CAB_DEPS_SVG));
  for (uint32_t i = 0; i < g->n; i++)
    fprintf (to, "<text x=\"%d\" y=\"%u\">%u: %s</text>\n", LEFT, 64 + STEP * i, g->nodes[i].line,
	     escaped (names, g->nodes[i].name, CAB_DEPS_SVG));
  for (uint32_t k = 0; k < g->n_edges; k++)
    write_arc (g, k, to);
  fputs ("</svg>\n", to);
}

void
cab_deps_graph (const struct cab_deps_facts *facts, uint32_t loop, enum cab_deps_graph_form form,
		FILE *to)
{
  struct graph g = { .view = facts->view, .loop = loop };
  for (uint32_t i = 0; i < g.view->n_pairs; i++)
    if (g.view->pairs[i].loop == loop)
      {
	add_node (&g, g.view->pairs[i].from);
	add_node (&g, g.view->pairs[i].to);
      }
  if (g.n)
    qsort (g.nodes, g.n, sizeof *g.nodes, compare);
  for (uint32_t i = 0; i < g.view->n_pairs; i++)
    if (g.view->pairs[i].loop == loop)
      add_edge (&g, &g.view->pairs[i]);
  (form == CAB_DEPS_DOT ? write_dot : write_svg) (facts, &g, to);
  free (g.nodes);
  free (g.edges);
}

uint32_t
cab_deps_graph_find (const struct cab_deps_view *view, const char *place)
{
  const char *colon = strrchr (place, ':');
  uint32_t found = UINT32_MAX;
  size_t length = colon ? colon - place : 0;
  for (uint32_t i = 0; colon && i < view->n_loops; i++)
    {
      const char *file = view->loops[i].file;
      size_t n = strlen (file);
      bool ends = n >= length && !strncmp (file + n - length, place, length)
	       && (n == length || file[n - length - 1] == '/');
      if (!ends || view->loops[i].place->line != strtoul (colon + 1, NULL, 10))
	continue;
      if (found != UINT32_MAX)
	return UINT32_MAX;
      found = i;
    }
  return found;
}
