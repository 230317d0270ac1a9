/* loop_counts.c - what loop probes counted, by source loop.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/loops/loop_counts.h"
#include "analyses/live/an_loops.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

/* Work data: where the rows of a function's loops begin in the list of all. */
struct collecting
{
  struct cab_model *model;
  struct cab_loop_counts *counts;
  size_t room;
  size_t *first;    /* by function index */
};

/* Return true if one of the paths is the end of the other, in whole components. */
static bool
same_file (const char *a, const char *b)
{
  size_t n = strlen (a), k = strlen (b), m = n < k ? n : k;
  const char *longer = n < k ? b : a;
  size_t rest = (n < k ? k : n) - m;
  return !strcmp (a + n - m, b + k - m) && (rest == 0 || longer[rest - 1] == '/');
}

static const struct cab_function *
function_called (const struct cab_model *model, const char *assembler)
{
  for (uint32_t i = 0; i < model->n_functions; i++)
    if (!strcmp (model->functions[i]->assembler, assembler))
      return model->functions[i];
  return NULL;
}

static void
describe (struct collecting *c, struct cab_loop_count *row, const struct cab_function *function,
	  const struct cab_binary_probes_loop *loop)
{
  const struct cab_record *r = function->record;
  *row = (struct cab_loop_count) { .origin = loop->origin,
				   .file = loop->file < r->n_files ? r->files[loop->file] : "",
				   .line = loop->line,
				   .column = loop->column,
				   .ordinal = loop->has_key ? loop->ordinal : 0,
				   .has_key = loop->has_key,
				   .n_copies = !loop->skipped,
				   .holder = function,
				   .skipped = loop->skipped,
				   .timed = loop->timed,
				   .tests_at_top = !loop->at_end && !loop->skipped,
				   .tests_at_end = loop->at_end };
  const struct cab_function *origin = strcmp (loop->origin, function->assembler)
				      ? function_called (c->model, loop->origin)
				      : function;
  row->display = origin ? origin->display
			: cab_names_display (&c->model->names, loop->origin, "", row->file);
}

/* Add a row for each loop of FUNCTION. */
static void
add_loops (struct collecting *c, const struct cab_function *function)
{
  const struct cab_record *r = function->record;
  c->first[function->index] = c->counts->n;
  for (uint32_t i = 0; r && i < r->n_loops; i++)
    {
      if (c->counts->n == c->room)
	c->counts->row = XRESIZEVEC (struct cab_loop_count, c->counts->row,
				     c->room = c->room * 2 + 64);
      describe (c, &c->counts->row[c->counts->n++], function, &r->loops[i]);
    }
}

static void
set_counts (struct cab_loop_count *row, const struct cab_loops_row *from, bool may_stay)
{
  const struct cab_loop_sums *sums = &from->sums;
  row->entries = may_stay && sums->entered > sums->left ? sums->entered : sums->left;
  row->not_left = row->entries - sums->left;
  row->finished = sums->left;
  row->iterations = sums->iterations;
  row->most = sums->most;
  row->n_timed = sums->timed;
  row->timed_iterations = sums->timed_iterations;
  row->cycles = sums->cycles;
  memcpy (row->log2, from->log2, sizeof row->log2);
}

static void
fill (struct collecting *c, const struct cab_arena *state)
{
  struct cab_loops_row from;
  for (uint64_t cursor = 0; state && cab_loops_next (state, &cursor, &from);)
    {
      const struct cab_function *function = from.fn <= c->model->n_functions
					    ? c->model->functions[from.fn - 1]
					    : NULL;
      const struct cab_record *r = function ? function->record : NULL;
      if (r && from.loop < r->n_loops)
	set_counts (&c->counts->row[c->first[function->index] + from.loop], &from,
		    r->loops[from.loop].may_stay);
    }
}

/* Sort by key, and rows without one by their place. */
static int
by_key (const void *a, const void *b)
{
  const struct cab_loop_count *x = a, *y = b;
  int order = x->has_key != y->has_key ? (x->has_key ? -1 : 1) : strcmp (x->origin, y->origin);
  order = order ? order : strcmp (x->file, y->file);
  if (!order && x->line != y->line)
    order = x->line < y->line ? -1 : 1;
  if (!order && x->column != y->column)
    order = x->column < y->column ? -1 : 1;
  if (!order && x->has_key && x->ordinal != y->ordinal)
    order = x->ordinal < y->ordinal ? -1 : 1;
  return order;
}

static bool
same_loop (const struct cab_loop_count *a, const struct cab_loop_count *b)
{
  return a->has_key && b->has_key && by_key (a, b) == 0;
}

static void
add_up (struct cab_loop_count *to, const struct cab_loop_count *from)
{
  to->n_copies += from->n_copies;
  to->skipped = to->skipped ? to->skipped : from->skipped;
  to->timed |= from->timed;
  to->tests_at_top |= from->tests_at_top;
  to->tests_at_end |= from->tests_at_end;
  to->entries += from->entries;
  to->not_left += from->not_left;
  to->finished += from->finished;
  to->iterations += from->iterations;
  to->most = from->most > to->most ? from->most : to->most;
  to->n_timed += from->n_timed;
  to->timed_iterations += from->timed_iterations;
  to->cycles += from->cycles;
  for (int i = 0; i < CAB_LOOP_BUCKETS; i++)
    to->log2[i] += from->log2[i];
}

static int
by_iterations (const void *a, const void *b)
{
  const struct cab_loop_count *x = a, *y = b;
  if (x->iterations != y->iterations)
    return x->iterations > y->iterations ? -1 : 1;
  if (x->entries != y->entries)
    return x->entries > y->entries ? -1 : 1;
  return by_key (a, b);
}

static void
sort (struct cab_loop_counts *counts, int (*order) (const void *, const void *))
{
  if (counts->n)
    qsort (counts->row, counts->n, sizeof *counts->row, order);
}

void
cab_loop_copies_of (struct cab_model *model, struct cab_loop_counts *counts)
{
  struct collecting c = { .model = model,
			  .counts = counts,
			  .first = XCNEWVEC (size_t, model->n_functions + 1) };
  *counts = (struct cab_loop_counts) { NULL, 0 };
  for (uint32_t i = 0; i < model->n_functions; i++)
    add_loops (&c, model->functions[i]);
  fill (&c, cab_model_state (model, &cab_loops));
  free (c.first);
  sort (counts, by_iterations);
}

void
cab_loop_counts_of (struct cab_model *model, struct cab_loop_counts *counts)
{
  size_t n = 0;
  cab_loop_copies_of (model, counts);
  sort (counts, by_key);
  for (size_t i = 0; i < counts->n; i++)
    if (n && same_loop (&counts->row[n - 1], &counts->row[i]))
      add_up (&counts->row[n - 1], &counts->row[i]);
    else
      counts->row[n++] = counts->row[i];
  counts->n = n;
  sort (counts, by_iterations);
}

void
cab_loop_counts_fini (struct cab_loop_counts *counts)
{
  free (counts->row);
  *counts = (struct cab_loop_counts) { NULL, 0 };
}

const struct cab_loop_count *
cab_loop_counts_find (const struct cab_loop_counts *counts, const char *origin, const char *file,
		      uint32_t line, uint32_t column, uint32_t ordinal)
{
  for (size_t i = 0; i < counts->n; i++)
    {
      const struct cab_loop_count *row = &counts->row[i];
      if (row->has_key && row->line == line && row->column == column && row->ordinal == ordinal
	  && !strcmp (row->origin, origin) && same_file (row->file, file))
	return row;
    }
  return NULL;
}

double
cab_loop_mean (const struct cab_loop_count *count)
{
  return count->finished ? (double) count->iterations / count->finished : 0;
}

double
cab_loop_cycles (const struct cab_loop_count *count)
{
  return count->timed_iterations ? (double) count->cycles / count->timed_iterations : 0;
}

const char *
cab_loop_histogram (struct cab_model *model, const struct cab_loop_count *count)
{
  const char *text = "";
  for (int i = 0; i < CAB_LOOP_BUCKETS; i++)
    {
      uint64_t first = i ? UINT64_C (1) << (i - 1) : 0, last = i ? 2 * first - 1 : 0;
      const char *gap = *text ? " " : "";
      if (count->log2[i] && first == last)
	text = cab_names_format (&model->names, "%s%s%" PRIu64 ":%" PRIu64, text, gap, first,
				 count->log2[i]);
      else if (count->log2[i])
	text = cab_names_format (&model->names, "%s%s%" PRIu64 "-%" PRIu64 ":%" PRIu64, text, gap,
				 first, last, count->log2[i]);
    }
  return text;
}
