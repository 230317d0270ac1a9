/* report_tree.c - the calling-context tree.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row is a chain of functions: call sites that lead from one function to another are one row,
 * unless one of them goes through uninstrumented code.  Times are shown if samples know their
 * contexts, but not by thread, since samples are summed over threads.  With --fold-recursion a
 * function below itself is merged into its outer activation.
 */
#include "analyses/report/report.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/node_times.h"
#include "analyses/report/times.h"
#include "analyses/live/space.h"
#include "analyses/live/an_tree.h"

#define MOST_INDENT 40

#define NOWHERE 64         /* no format */

static const struct cab_column all_columns[] = {
  { "id", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "parent", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "depth", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "inclusive", CAB_COUNT, CAB_FORMAT_TEXT | CAB_FORMAT_JSON },
  { "share", CAB_SHARE, CAB_FORMAT_TEXT },
  { "calls", CAB_COUNT, CAB_FORMAT_TEXT },
  { "time", CAB_SAMPLED, CAB_FORMAT_TEXT },
  { "self", CAB_SAMPLED, CAB_FORMAT_TEXT },
  { "function", CAB_FUNCTION, 0 },
  { "calls", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "via", CAB_TEXT, CAB_FORMAT_JSON },
  { "ns", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "self_ns", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON }
};
enum
{
  ID,
  PARENT,
  DEPTH,
  INCLUSIVE,
  SHARE,
  CALLS_TEXT,
  TIME,
  SELF,
  FUNCTION,
  CALLS,
  VIA,
  NS,
  SELF_NS,
  N
};

struct node
{
  uint32_t parent, function;  /* function: index + 1; 0: a thread, or the root */
  const char *via;            /* display name, the same pointer for each name */
  const char *thread;
  uint64_t calls, inclusive;
  uint64_t self_ns, ns;       /* ns: including all nodes below */
  uint32_t first_child, next; /* siblings, in the order of the report */
  uint32_t depth;
  uint32_t below;             /* linked nodes below it, including itself */
  bool wanted, kept;
};

struct tree
{
  struct cab_model *model;
  const struct cab_report_options *options;
  struct node *nodes;
  uint32_t n, room;
  uint32_t *hash;             /* of (parent, function, via) */
  uint64_t hash_size;
  struct cab_node_times times;
};

static uint32_t
new_node (struct tree *t, uint32_t parent, uint32_t function, const char *via)
{
  if (t->n == t->room)
    t->nodes = XRESIZEVEC (struct node, t->nodes, t->room = t->room * 2 + 1024);
  t->nodes[t->n] = (struct node) { .parent = parent, .function = function, .via = via };
  if (t->n)
    t->nodes[t->n].depth = t->nodes[parent].function || t->nodes[parent].thread
			   ? t->nodes[parent].depth + 1
			   : 0;
  return t->n++;
}

static uint32_t *
slot_of (const struct tree *t, uint32_t parent, uint32_t function, const char *via)
{
  uint64_t mask = t->hash_size - 1,
	   i = cab_space_hash (parent, function, (uint32_t) (uintptr_t) via) & mask;
  for (; t->hash[i]; i = (i + 1) & mask)
    {
      const struct node *node = &t->nodes[t->hash[i]];
      if (node->parent == parent && node->function == function && node->via == via)
	break;
    }
  return &t->hash[i];
}

static void
rehash (struct tree *t)
{
  free (t->hash);
  t->hash_size = t->hash_size ? t->hash_size * 2 : 4096;
  t->hash = XCNEWVEC (uint32_t, t->hash_size);
  for (uint32_t i = 1; i < t->n; i++)
    if (t->nodes[i].function)
      *slot_of (t, t->nodes[i].parent, t->nodes[i].function, t->nodes[i].via) = i;
}

static uint32_t
child (struct tree *t, uint32_t parent, uint32_t function, const char *via)
{
  if (t->n >= t->hash_size / 2)
    rehash (t);
  uint32_t *slot = slot_of (t, parent, function, via);
  return *slot ? *slot : (*slot = new_node (t, parent, function, via));
}

/* Return the nearest activation of FUNCTION at or above NODE; 0 if there is none. */
static uint32_t
activation (const struct tree *t, uint32_t node, uint32_t function)
{
  while (node && t->nodes[node].function != function)
    node = t->nodes[node].parent;
  return node;
}

/* Return the name of a direct callee, by the same pointer for each name, so that nodes can be
   compared by it. */
static const char *
via_of (struct tree *t, const char **vias, uint32_t site, uint32_t function)
{
  const char *name = cab_report_via (t->model, site, t->model->functions[function - 1]);
  if (!name)
    return NULL;
  if (!vias[site])
    vias[site] = name;
  return !strcmp (vias[site], name) ? vias[site] : name;
}

/* Add the tree in ARENA below node ROOT. */
static void
add_tree (struct tree *t, const struct cab_arena *arena, uint32_t root)
{
  uint32_t n = cab_tree_n (arena);
  uint32_t *became = XCNEWVEC (uint32_t, n + 1);
  const char **vias = XCNEWVEC (const char *, t->model->n_sites + 1);
  became[0] = root;
  for (uint32_t i = 1; i < n; i++)
    {
      const struct cab_tree_node *node = cab_tree_at (arena, i);
      uint32_t parent = became[node->parent];
      uint32_t outer = t->options->fold_recursion ? activation (t, parent, node->callee) : 0;
      became[i] = outer
		  ? outer
		  : child (t, parent, node->callee, via_of (t, vias, node->site, node->callee));
      t->nodes[became[i]].calls += node->count;
      if (i < t->times.n_nodes)
	t->nodes[became[i]].self_ns += t->times.self[i].ns;
    }
  free (vias);
  free (became);
}

/* Sum up in one pass backwards, as children were made after their parents. */
static void
sum_up (struct tree *t)
{
  for (uint32_t i = t->n; i-- > 1;)
    {
      struct node *node = &t->nodes[i], *parent = &t->nodes[node->parent];
      node->inclusive += node->calls;
      parent->inclusive += node->inclusive;
      node->ns += node->self_ns;
      parent->ns += node->ns;
      if (node->thread)
	node->calls = node->inclusive;
    }
}

/* Choose the nodes to show: those that pass the filters, and those above and below them. */
static void
choose (struct tree *t)
{
  for (uint32_t i = 1; i < t->n; i++)
    {
      struct node *node = &t->nodes[i];
      node->wanted = t->nodes[node->parent].wanted
		  || (node->function
		      && cab_report_wants (t->options, t->model->functions[node->function - 1]));
    }
  for (uint32_t i = t->n; i-- > 1;)
    t->nodes[t->nodes[i].parent].wanted |= t->nodes[i].wanted;
}

static const struct tree *sorting;

static const char *
name_of (const struct tree *t, const struct node *node)
{
  return node->function ? t->model->functions[node->function - 1]->display
       : node->thread	? node->thread
			: "";
}

static int
by_weight (const void *a, const void *b)
{
  const struct node *x = &sorting->nodes[*(const uint32_t *) a],
		    *y = &sorting->nodes[*(const uint32_t *) b];
  const char *sort = sorting->options->sort;
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  bool by_name = sort && !strcmp (sort, "function"), by_calls = sort && !strcmp (sort, "calls");
  bool by_time = sort && (!strcmp (sort, "time") || !strcmp (sort, "ns")),
       by_self = sort && (!strcmp (sort, "self") || !strcmp (sort, "self_ns"));
  uint64_t u = by_calls ? x->calls : by_time ? x->ns : by_self ? x->self_ns : x->inclusive;
  uint64_t v = by_calls ? y->calls : by_time ? y->ns : by_self ? y->self_ns : y->inclusive;
  int order = by_name || u == v ? 0 : u > v ? -1 : 1;
  if (!order)
    order = strcmp (name_of (sorting, x), name_of (sorting, y));
  if (!order)
    order = strcmp (x->via ? x->via : "", y->via ? y->via : "");
  return order ? order : x < y ? -1 : x > y;
}

static void
link_siblings (struct tree *t)
{
  uint32_t *order = XNEWVEC (uint32_t, t->n + 1), n = 0;
  for (uint32_t i = 1; i < t->n; i++)
    if (t->nodes[i].wanted && (t->nodes[i].inclusive || t->nodes[i].thread))
      order[n++] = i;
  sorting = t;
  qsort (order, n, sizeof *order, by_weight);
  for (uint32_t k = n; k-- > 0;)
    {
      struct node *node = &t->nodes[order[k]];
      node->next = t->nodes[node->parent].first_child;
      t->nodes[node->parent].first_child = order[k];
    }
  free (order);
}

/* Return the name, indented in text.  Very deep chains state their depth instead. */
static const char *
label (struct tree *t, const struct node *node)
{
  struct cab_names *names = &t->model->names;
  if (t->options->format != CAB_FORMAT_TEXT)
    return name_of (t, node);
  const char *name = node->function ? cab_report_name (t->model, t->options,
						       t->model->functions[node->function - 1])
				    : node->thread;
  const char *via = node->via ? cab_names_format (names, " [via %s]", node->via) : "";
  if (node->depth <= MOST_INDENT)
    return cab_names_format (names, "%*s%s%s", 2 * (int) node->depth, "", name, via);
  return cab_names_format (names, "%*s(depth %u) %s%s", 2 * MOST_INDENT, "", node->depth, name,
			   via);
}

/* Return the weight of NODE in the order that was asked for. */
static uint64_t
weight_of (const struct tree *t, const struct node *node)
{
  const char *sort = t->options->sort;
  return sort && (!strcmp (sort, "time") || !strcmp (sort, "ns")) ? node->ns : node->inclusive;
}

/* Sort the heaviest first.  A parent weighs no less than its children, and was made before them. */
static int
by_importance (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  uint64_t u = weight_of (sorting, &sorting->nodes[x]), v = weight_of (sorting, &sorting->nodes[y]);
  return u != v ? (u > v ? -1 : 1) : x < y ? -1 : x > y;
}

/* Of the N nodes of ORDER, keep those whose row would only be replaced by one that says that there
   is one more. */
static void
keep_single (struct tree *t, const uint32_t *order, uint32_t n)
{
  uint32_t *left_out = XCNEWVEC (uint32_t, t->n + 1);
  for (uint32_t k = 0; k < n; k++)
    if (!t->nodes[order[k]].kept)
      left_out[t->nodes[order[k]].parent] += t->nodes[order[k]].below;
  for (uint32_t k = 0; k < n; k++)
    t->nodes[order[k]].kept |= left_out[t->nodes[order[k]].parent] == 1;
  free (left_out);
}

/* Keep the heaviest nodes, as many as text has rows. */
static void
prune (struct tree *t)
{
  uint32_t *order = XNEWVEC (uint32_t, t->n + 1), n = 0;
  for (uint32_t i = t->n; i-- > 1;)
    if (t->nodes[i].wanted && (t->nodes[i].inclusive || t->nodes[i].thread))
      {
	order[n++] = i;
	t->nodes[i].below++;
	t->nodes[t->nodes[i].parent].below += t->nodes[i].below;
      }
  sorting = t;
  qsort (order, n, sizeof *order, by_importance);
  for (uint32_t k = 0; k < n; k++)
    t->nodes[order[k]].kept = t->options->format != CAB_FORMAT_TEXT || !t->options->limit
			   || k < t->options->limit;
  keep_single (t, order, n);
  free (order);
}

static void
put_row (struct tree *t, uint32_t i, uint32_t *ids, struct cab_table *table)
{
  struct node *node = &t->nodes[i];
  union cab_cell *row = cab_table_row (table);
  ids[i] = table->n_rows;
  row[ID].count = ids[i];
  row[PARENT].count = ids[node->parent];
  row[DEPTH].count = node->depth;
  row[INCLUSIVE].count = node->inclusive;
  row[SHARE].share = t->nodes[0].inclusive ? (double) node->inclusive / t->nodes[0].inclusive : 0;
  row[CALLS].count = row[CALLS_TEXT].count = node->calls;
  row[FUNCTION].text = label (t, node);
  row[VIA].text = node->via ? node->via : "";
  row[TIME].share = t->times.all.ns ? (double) node->ns / t->times.all.ns : 0;
  row[SELF].share = t->times.all.ns ? (double) node->self_ns / t->times.all.ns : 0;
  row[NS].count = node->ns;
  row[SELF_NS].count = node->self_ns;
  if (!node->thread)
    table->total += node->calls;
}

/* Put one row for all children of node PARENT that were not kept, with what is below them.  Put
   none if all were kept. */
static void
put_pruned (struct tree *t, uint32_t parent, struct cab_table *table)
{
  struct node sum = { .depth = t->nodes[parent].function || t->nodes[parent].thread
			       ? t->nodes[parent].depth + 1
			       : 0 };
  for (uint32_t i = t->nodes[parent].first_child; i; i = t->nodes[i].next)
    if (!t->nodes[i].kept)
      {
	sum.below += t->nodes[i].below;
	sum.inclusive += t->nodes[i].inclusive;
	sum.ns += t->nodes[i].ns;
      }
  if (!sum.below)
    return;
  uint64_t all = weight_of (t, &t->nodes[0]);
  union cab_cell *row = cab_table_row (table);
  int indent = 2 * (sum.depth < MOST_INDENT ? sum.depth : MOST_INDENT);
  char number[32];
  row[FUNCTION].text = cab_names_format (&t->model->names, "%*s(%s more below, %.1f %%)",
					 indent, "", cab_table_grouped (sum.below, number),
					 all ? 100. * weight_of (t, &sum) / all : 0);
  row[INCLUSIVE].count = row[CALLS_TEXT].count = sum.inclusive;
  row[SHARE].share = t->nodes[0].inclusive ? (double) sum.inclusive / t->nodes[0].inclusive : 0;
  row[TIME].share = row[SELF].share = t->times.all.ns ? (double) sum.ns / t->times.all.ns : 0;
  table->total += sum.inclusive;
  table->n_hidden += sum.below;
  table->hidden += sum.inclusive;
}

/* Return NODE, or the first of its later siblings, that was kept; 0 if there is none. */
static uint32_t
kept_from (const struct tree *t, uint32_t node)
{
  while (node && !t->nodes[node].kept)
    node = t->nodes[node].next;
  return node;
}

/* Put parents before children, without recursion, since a tree may be a million levels deep. */
static void
put_rows (struct tree *t, struct cab_table *table)
{
  uint32_t *ids = XCNEWVEC (uint32_t, t->n + 1), node = 0;
  do
    {
      uint32_t next = kept_from (t, t->nodes[node].first_child);
      while (!next)
	{
	  put_pruned (t, node, table);
	  if (!node)
	    break;
	  next = kept_from (t, t->nodes[node].next);
	  node = t->nodes[node].parent;
	}
      node = next;
      if (node)
	put_row (t, node, ids, table);
    }
  while (node);
  free (ids);
}

/* Return the columns; those of times are hidden if there are no times. */
static const struct cab_column *
columns_of (const struct tree *t)
{
  static struct cab_column without[N];
  if (t->times.n_nodes)
    return all_columns;
  memcpy (without, all_columns, sizeof without);
  without[TIME].formats = without[SELF].formats = without[NS].formats = without[SELF_NS].formats
    = NOWHERE;
  return without;
}

void
cab_report_tree (struct cab_model *model, const struct cab_report_options *options,
		 struct cab_table *table)
{
  struct tree t = { .model = model, .options = options };
  if (!options->by_thread)
    cab_node_times_open (&t.times, model);
  cab_table_init (
    table, "tree",
    t.times.n_nodes
      ? "Calling-context tree: calls of each chain, and of all below it; time likewise"
      : "Calling-context tree: calls of each chain, and of all below it",
    columns_of (&t), N);
  table->total_column = options->format == CAB_FORMAT_TEXT ? CALLS_TEXT : CALLS;
  new_node (&t, 0, 0, NULL);
  if (!options->by_thread)
    add_tree (&t, &model->tree, 0);
  for (uint32_t i = 0; options->by_thread && i < model->n_threads; i++)
    {
      const struct cab_thread *thread = &model->threads[i];
      uint32_t node = new_node (&t, 0, 0, NULL);
      t.nodes[node].thread = cab_names_format (&model->names, "thread %ju %s",
					       (uintmax_t) thread->tid, thread->name);
      add_tree (&t, &thread->tree, node);
    }
  sum_up (&t);
  choose (&t);
  link_siblings (&t);
  prune (&t);
  table->is_pruned = options->format == CAB_FORMAT_TEXT;
  put_rows (&t, table);
  table->n_samples = t.times.all.n;
  table->note = cab_times_runtime (&model->names, t.times.runtime.n,
				   (double) t.times.runtime.ns
				     / (t.times.all.ns + t.times.runtime.ns));
  free (t.nodes);
  free (t.hash);
  cab_node_times_close (&t.times);
}

const struct cab_report cab_tree_report = {
  .name = "tree",
  .summary = "the calling-context tree",
  .subject = CAB_ABOUT_CALLS,
  .options = CAB_HAS_THREADS | CAB_HAS_FOLD,
  .keeps_order = true,
  .fill = cab_report_tree,
  .lacks = cab_report_lacks_calls
};
