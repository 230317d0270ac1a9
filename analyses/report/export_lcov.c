/* export_lcov.c - functions, lines and branches as a tracefile.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/export.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"
#include "analyses/profile/flow.h"
#include "analyses/profile/lines.h"
#include "analyses/report/report.h"
#include "analyses/profile/source.h"

#define NO_BRANCH (CAB_EDGE_ABNORMAL | CAB_EDGE_EXCEPTION | CAB_EDGE_FAKE | CAB_EDGE_NO_COUNT)

/* An edge out of a block that has several. */
struct branch
{
  const char *file;
  uint32_t line, function, block, edge;
  uint64_t count;
  bool reached;   /* the block was executed */
};

struct trace
{
  FILE *to;
  struct cab_function **functions;   /* by file, line, name */
  struct branch *branches;           /* by file, line */
  uint32_t n_functions, n_branches, next_function, next_branch;
};

static int
by_file (const void *a, const void *b)
{
  const struct cab_function *x = *(struct cab_function *const *) a,
			    *y = *(struct cab_function *const *) b;
  int order = strcmp (x->file, y->file);
  if (!order && x->line != y->line)
    return x->line < y->line ? -1 : 1;
  order = order ? order : strcmp (x->assembler, y->assembler);
  return order ? order : x->checksum < y->checksum ? -1 : x->checksum > y->checksum;
}

static int
by_line (const void *a, const void *b)
{
  const struct branch *x = a, *y = b;
  int order = strcmp (x->file, y->file);
  if (order)
    return order;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static void
add_branches (struct trace *t, const struct cab_function *function, const struct cab_flow *flow,
	      uint32_t b)
{
  const struct cab_record *r = function->record;
  const struct cab_block *block = &r->blocks[b];
  uint32_t n = 0;
  for (uint32_t i = 0; i < block->n_edges; i++)
    n += !(block->edges[i].flags & NO_BRANCH)
      && flow->edge[cab_flow_index (r, &block->edges[i])] != CAB_FLOW_UNKNOWN;
  if (n < 2 || !block->n_lines)
    return;
  const struct cab_line *line = &block->lines[block->n_lines - 1];
  t->branches = XRESIZEVEC (struct branch, t->branches, t->n_branches + n);
  for (uint32_t i = 0; i < block->n_edges; i++)
    {
      uint64_t count = flow->edge[cab_flow_index (r, &block->edges[i])];
      if (!(block->edges[i].flags & NO_BRANCH) && count != CAB_FLOW_UNKNOWN)
	t->branches[t->n_branches++] = (struct branch) {
	  r->files[line->file], line->line, function->index, b, i, count, flow->block[b] > 0
	};
    }
}

static void
collect (struct trace *t, const struct cab_model *model)
{
  t->functions = XNEWVEC (struct cab_function *, model->n_functions + 1);
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      struct cab_function *function = model->functions[i];
      struct cab_flow flow;
      if (!function->record || !function->paths)
	continue;
      t->functions[t->n_functions++] = function;
      cab_flow_init (&flow, function);
      for (uint32_t b = 0; b < function->record->n_blocks; b++)
	add_branches (t, function, &flow, b);
      cab_flow_fini (&flow);
    }
  qsort (t->functions, t->n_functions, sizeof *t->functions, by_file);
  if (t->n_branches)
    qsort (t->branches, t->n_branches, sizeof *t->branches, by_line);
}

/* Write the functions of FILE.  Builds of one function are one function. */
static void
put_functions (struct trace *t, const char *file)
{
  uint32_t n_found = 0, n_hit = 0;
  while (t->next_function < t->n_functions
	 && strcmp (t->functions[t->next_function]->file, file) < 0)
    t->next_function++;
  for (uint32_t i = t->next_function, k;
       i < t->n_functions && !strcmp (t->functions[i]->file, file); i = k)
    {
      const struct cab_function *function = t->functions[i];
      uint64_t calls = 0;
      for (k = i; k < t->n_functions && !strcmp (t->functions[k]->file, file)
		  && t->functions[k]->line == function->line
		  && !strcmp (t->functions[k]->assembler, function->assembler);
	   k++)
	calls += cab_model_calls (t->functions[k]);
      fprintf (t->to, "FN:%u,%s\nFNDA:%" PRIu64 ",%s\n", function->line, function->assembler, calls,
	       function->assembler);
      n_found++;
      n_hit += calls > 0;
    }
  fprintf (t->to, "FNF:%u\nFNH:%u\n", n_found, n_hit);
}

static void
put_branches (struct trace *t, const char *file)
{
  uint32_t n_found = 0, n_hit = 0, number = 0, way = 0;
  const struct branch *last = NULL;
  while (t->next_branch < t->n_branches && strcmp (t->branches[t->next_branch].file, file) < 0)
    t->next_branch++;
  for (; t->next_branch < t->n_branches && !strcmp (t->branches[t->next_branch].file, file);
       t->next_branch++)
    {
      const struct branch *branch = &t->branches[t->next_branch];
      bool same_block = last && last->line == branch->line && last->function == branch->function
		     && last->block == branch->block;
      number = !last || last->line != branch->line ? 0 : same_block ? number : number + 1;
      way = same_block ? way + 1 : 0;
      fprintf (t->to, "BRDA:%u,%u,%u,", branch->line, number, way);
      fprintf (t->to, branch->reached ? "%" PRIu64 "\n" : "-\n", branch->count);
      n_found++;
      n_hit += branch->count > 0;
      last = branch;
    }
  fprintf (t->to, "BRF:%u\nBRH:%u\n", n_found, n_hit);
}

int
cab_export_lcov (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		 struct cab_diag *diag)
{
  struct trace t = { .to = to };
  size_t n, k;
  bool least = false;
  (void) diag;
  cab_model_add_unexecuted (model);
  collect (&t, model);
  struct cab_line_count *rows = cab_lines (model, NULL, &n);
  for (size_t i = 0; i < n; i = k)
    {
      char *path = cab_source_find (model, options->dirs, options->n_dirs, rows[i].file);
      char *whole = path ? realpath (path, NULL) : NULL;
      uint32_t n_hit = 0;
      fputs ("TN:\nSF:", to);
      cab_export_text (whole ? whole : rows[i].file, to);
      putc ('\n', to);
      put_functions (&t, rows[i].file);
      put_branches (&t, rows[i].file);
      for (k = i; k < n && !strcmp (rows[k].file, rows[i].file); k++)
	{
	  fprintf (to, "DA:%u,%" PRIu64 "\n", rows[k].line, rows[k].count);
	  n_hit += rows[k].count > 0;
	  least |= rows[k].unfinished;
	}
      fprintf (to, "LF:%zu\nLH:%u\nend_of_record\n", k - i, n_hit);
      free (path);
      free (whole);
    }
  if (least)
    cab_say ("counts of some lines are low: %s", cab_report_unfinished (model, NULL));
  const char *skipped = cab_report_skipped (model, &(struct cab_report_options) { 0 }, NULL);
  if (skipped)
    cab_say ("%s", skipped);
  free (rows);
  free (t.functions);
  free (t.branches);
  return 0;
}
