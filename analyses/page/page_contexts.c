/* page_contexts.c - see page_contexts.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_contexts.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_tree.h"
#include "analyses/report/stacks/context_measures.h"
#include "analyses/report/report.h"

/* The tree: by node, what each measure has there, and there and below. */
struct tree
{
  struct cab_model *model;
  uint32_t n;
  struct cab_context_sums sums;
  uint64_t *all[CAB_MEASURES], *rest[CAB_MEASURES];
  double *weight;            /* the greatest share of a measure */
  uint32_t *becomes;         /* number in the page; UINT32_MAX: left out */
};

/* Sum up over the nodes below each node, which have greater numbers. */
static void
sum_up (struct tree *t)
{
  for (int m = 0; m < CAB_MEASURES; m++)
    {
      for (uint32_t i = t->n; i-- > 0;)
	{
	  t->all[m][i] += t->sums.self[m][i];
	  if (i)
	    t->all[m][cab_tree_at (&t->model->tree, i)->parent] += t->all[m][i];
	}
      for (uint32_t i = 0; i < t->n && t->all[m][0]; i++)
	if ((double) t->all[m][i] / t->all[m][0] > t->weight[i])
	  t->weight[i] = (double) t->all[m][i] / t->all[m][0];
    }
}

/* Choose the LIMIT heaviest nodes, and the root.  Return how many there are. */
static uint32_t
choose (struct tree *t, size_t limit)
{
  uint32_t *order = XNEWVEC (uint32_t, t->n), n = 0;
  for (uint32_t i = 0; i < t->n; i++)
    {
      order[i] = i;
      t->becomes[i] = UINT32_MAX;
    }
  /* A parent weighs no less than its children, and has a lower number. */
  if (limit && limit < t->n - 1)
    cab_context_sort (order + 1, t->n - 1, t->weight);
  for (uint32_t k = 0; k < t->n && (!limit || k <= limit); k++)
    if (!k || t->weight[order[k]] > 0)
      t->becomes[order[k]] = 0;
  free (order);
  for (uint32_t i = 0; i < t->n; i++)
    {
      uint32_t parent = i ? cab_tree_at (&t->model->tree, i)->parent : 0;
      if (t->becomes[i] != UINT32_MAX)
	t->becomes[i] = n++;
      else
	for (int m = 0; m < CAB_MEASURES && t->becomes[parent] != UINT32_MAX; m++)
	  t->rest[m][parent] += t->all[m][i];
    }
  return n;
}

static json_t *
functions_of (struct cab_model *model)
{
  json_t *functions = json_array ();
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      const struct cab_function *f = model->functions[i];
      json_t *function = json_array ();
      json_array_append_new (function, cab_table_json_cell (
	&(union cab_cell) { .text = f->display }, CAB_TEXT));
      json_array_append_new (function, cab_table_json_cell (
	&(union cab_cell) { .text = f->file }, CAB_TEXT));
      json_array_append_new (function, json_integer (f->line));
      json_array_append_new (function, cab_table_json_cell (
	&(union cab_cell) { .text = f->module }, CAB_TEXT));
      json_array_append_new (functions, function);
    }
  return functions;
}

static json_t *
numbers_of (const struct tree *t, const uint64_t *numbers)
{
  json_t *array = json_array ();
  for (uint32_t i = 0; i < t->n; i++)
    if (t->becomes[i] != UINT32_MAX)
      json_array_append_new (array, json_integer (numbers[i]));
  return array;
}

static json_t *
measures_of (const struct tree *t)
{
  json_t *all = json_array ();
  for (int m = 0; m < CAB_MEASURES; m++)
    {
      const struct cab_context_measure_text *text = &cab_context_measures[m];
      if (t->sums.total[m])
	json_array_append_new (
	  all, json_pack ("{s:s, s:s, s:s, s:I, s:o, s:o}", "key", text->key, "title", text->title,
			  "unit", text->unit, "total", (json_int_t) t->sums.total[m], "self",
			  numbers_of (t, t->sums.self[m]), "rest", numbers_of (t, t->rest[m])));
    }
  return all;
}

static json_t *
document_of (const struct tree *t, uint32_t n)
{
  const struct cab_model *model = t->model;
  json_t *parents = json_array (), *functions = json_array (), *lines = json_array ();
  for (uint32_t i = 0; i < t->n; i++)
    {
      const struct cab_tree_node *node = cab_tree_at (&model->tree, i);
      const struct cab_call_site *site = i && node->site && node->site <= model->n_sites
					 ? model->sites[node->site].place
					 : NULL;
      bool known = i && node->callee && node->callee <= model->n_functions;
      if (t->becomes[i] == UINT32_MAX)
	continue;
      json_array_append_new (parents, json_integer (i ? t->becomes[node->parent] : 0));
      json_array_append_new (functions, json_integer (known ? (json_int_t) node->callee - 1 : -1));
      json_array_append_new (lines, json_integer (site ? site->line : 0));
    }
  return json_pack ("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "n", (json_int_t) n, "left_out",
		    (json_int_t) (t->n - n), "functions", functions_of (t->model), "parent",
		    parents, "function", functions, "line", lines, "measures", measures_of (t));
}

json_t *
cab_page_contexts (struct cab_model *model, size_t limit)
{
  struct tree t = { .model = model, .n = cab_tree_n (&model->tree) };
  if (!model->has_tree || t.n < 2)
    return json_null ();
  for (int m = 0; m < CAB_MEASURES; m++)
    {
      t.all[m] = XCNEWVEC (uint64_t, t.n);
      t.rest[m] = XCNEWVEC (uint64_t, t.n);
    }
  t.weight = XCNEWVEC (double, t.n);
  t.becomes = XCNEWVEC (uint32_t, t.n);
  cab_context_measures_open (&t.sums, model);
  sum_up (&t);
  json_t *document = document_of (&t, choose (&t, limit));
  for (int m = 0; m < CAB_MEASURES; m++)
    {
      free (t.all[m]);
      free (t.rest[m]);
    }
  cab_context_measures_close (&t.sums);
  free (t.weight);
  free (t.becomes);
  return document;
}
