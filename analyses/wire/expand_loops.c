/* expand_loops.c - from a region's event to the rows of its accesses and of its loops: see
 * cab_expand_loop_rows.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      Marks among the accesses are rows of loops.  A region with a count is one execution
 *             of a loop, and each pass, the last one in parts too, is an iteration of it.  Levels
 *             of a nest that are loops begin, iterate and end as they are run.  Where stretches are
 *             wanted, all whole passes are one, and so are the iterations of a nest's leaf that
 *             have the same rows.
 */
#include "analyses/wire/expand_nest.h"

/* Put a row of FORM of the loop whose number is LOOP - 1; none if that is not known. */
static void
put_loop (const struct cab_expand *e, uint8_t form, uint32_t loop, struct cab_expand_rows *rows)
{
  uint32_t at = rows->n;
  if (!loop || !e->first_loop)
    return;
  rows->site[at] = e->first_loop + loop - 1;
  rows->form[at] = form;
  rows->address[at] = rows->bytes[at] = 0;
  rows->n = at + 1;
}

/* Put access A of the current pass. */
static void
put_access (const struct cab_expand *e, const struct cab_region_access *a,
	    struct cab_expand_rows *rows)
{
  uint32_t at = rows->n;
  rows->address[at] = e->words[a->word] + a->offset + e->pass * (e->words[a->step_word] + a->step);
  rows->bytes[at] = e->words[a->bytes_word] + a->bytes;
  rows->site[at] = e->first_site + a->number;
  rows->form[at] = a->form;
  if (a->value_word != CAB_NO_WORD)
    {
      rows->value[at] = e->words[a->value_word];
      rows->value_type[at] = a->value_type;
      rows->has_values = true;
    }
  rows->n = at + 1;
}

#define SHORT 4   /* iterations: fewer are no stretch */

/* Make the rows from FIRST on a stretch of N iterations. */
static void
mark_stretch (struct cab_expand_rows *rows, uint32_t first, uint64_t n)
{
  rows->has_times = true;
  rows->step[first] = 0;
  for (uint32_t i = first; i < rows->n; i++)
    rows->times[i] = n;
}

/* Return true if the whole passes of a region, none of which was put, are a stretch. */
static bool
are_stretch (const struct cab_expand *e)
{
  return e->stretches && e->first_loop && e->whole && !e->is_marked && e->pass == 0
      && e->n_passes >= SHORT && e->n_accesses < CAB_BATCH_MAX;
}

/* Put all whole passes of a region, for which there is room. */
static void
put_passes (struct cab_expand *e, struct cab_expand_rows *rows)
{
  uint32_t first = rows->n;
  put_loop (e, CAB_ROW_ITERATES, e->whole, rows);
  for (uint32_t k = 0; k < e->n_accesses; k++)
    {
      const struct cab_region_access *a = e->accesses + k;
      rows->step[rows->n] = e->words[a->step_word] + a->step;
      put_access (e, a, rows);
    }
  mark_stretch (rows, first, e->n_passes);
  e->pass = e->n_passes;
  e->due = e->part ? CAB_EXPAND_ITERATES : CAB_EXPAND_ENDS;
}

/* Put the next access or mark of a region, and go on. */
static void
run_pass (struct cab_expand *e, struct cab_expand_rows *rows)
{
  const struct cab_region_access *a = e->accesses + e->next++;
  bool last = e->next == e->n_accesses;
  if (a->form & CAB_ROW_LOOP)
    put_loop (e, a->form, a->loop, rows);
  else if (e->pass < e->n_passes || a->part < e->part)
    put_access (e, a, rows);
  if (!last)
    return;
  e->next = 0;
  e->pass++;
  e->due = e->pass < e->n_passes || (e->pass == e->n_passes && e->part) ? CAB_EXPAND_ITERATES
									: CAB_EXPAND_ENDS;
}

/* Put the rows of a region that is no nest while there is room. */
static void
run_region (struct cab_expand *e, struct cab_expand_rows *rows)
{
  while (e->n_accesses && rows->n < CAB_BATCH_MAX)
    switch (e->due)
      {
      case CAB_EXPAND_BEGINS:
	put_loop (e, CAB_ROW_BEGINS, e->whole, rows);
	e->due = CAB_EXPAND_ITERATES;
	break;
      case CAB_EXPAND_ITERATES:
	if (are_stretch (e))
	  {
	    if (e->n_accesses >= CAB_BATCH_MAX - rows->n)
	      return;
	    put_passes (e, rows);
	    break;
	  }
	put_loop (e, CAB_ROW_ITERATES, e->whole, rows);
	e->due = CAB_EXPAND_INSIDE;
	break;
      case CAB_EXPAND_INSIDE:
	run_pass (e, rows);
	break;
      case CAB_EXPAND_ENDS:
	put_loop (e, CAB_ROW_ENDS, e->whole, rows);
	e->n_accesses = 0;
	break;
      }
}

/* Put the next access of OP, which are rows of a nest, and go on. */
static void
run_rows (struct cab_expand *e, const struct cab_nest_op *op, struct cab_expand_rows *rows)
{
  uint32_t at = rows->n, k = e->next++;
  rows->address[at] = cab_expand_term (e, e->terms + op->first + k, op->depth);
  rows->bytes[at] = op->shape.bytes[k];
  rows->site[at] = op->shape.site[k];
  rows->form[at] = op->shape.form[k];
  rows->n = at + 1;
  if (e->next < op->shape.n)
    return;
  e->next = 0;
  e->op++;
}

/* Put the rows of OP with their steps in the innermost loop. */
static void
put_stretch_rows (const struct cab_expand *e, const struct cab_nest_op *op,
		  struct cab_expand_rows *rows)
{
  for (uint32_t k = 0; k < op->shape.n; k++)
    {
      const struct cab_term *t = e->terms + op->first + k;
      uint32_t at = rows->n++;
      rows->address[at] = cab_expand_term (e, t, op->depth);
      rows->step[at] = e->words[t->step_word[op->depth - 1]] + t->step[op->depth - 1];
      rows->bytes[at] = op->shape.bytes[k];
      rows->site[at] = op->shape.site[k];
      rows->form[at] = op->shape.form[k];
    }
}

/* Put the iterations of LEAF, from the one that has just begun on, that are a stretch, and go on to
   the end of the last one. */
static void
put_stretch (struct cab_expand *e, const struct cab_nest_op *leaf, struct cab_expand_rows *rows)
{
  uint64_t n = cab_expand_stretch (e, leaf);
  uint32_t first = rows->n;
  put_loop (e, CAB_ROW_ITERATES, leaf->loop, rows);
  if (n < SHORT)
    return;
  for (const struct cab_nest_op *op = leaf + 1; op->what != CAB_NEST_END;)
    if (op->what == CAB_NEST_ROWS)
      put_stretch_rows (e, op++, rows);
    else
      op = cab_expand_holds (e, op) ? op + 1 : e->ops + op->target;
  mark_stretch (rows, first, n);
  e->counter[leaf->depth] += n - 1;
  e->op = leaf->target - 1;
}

/* Begin the next iteration of LOOP, of which OP is the begin or the end.  Return false if the batch
   has no room. */
static bool
run_iteration (struct cab_expand *e, const struct cab_nest_op *op, const struct cab_nest_op *loop,
	       struct cab_expand_rows *rows)
{
  bool stretches = e->stretches && e->first_loop && loop->loop && loop->is_leaf
		&& loop->shape.n < CAB_BATCH_MAX;
  if (stretches && loop->shape.n >= CAB_BATCH_MAX - rows->n)
    return false;
  e->due = CAB_EXPAND_BEGINS;
  if (!stretches)
    put_loop (e, CAB_ROW_ITERATES, loop->loop, rows);
  cab_expand_step (e, op);
  if (stretches && e->op < e->n_ops)
    put_stretch (e, loop, rows);
  return true;
}

/* Put the row of OP, which begins or ends a loop of a nest, and go on.  Return false if the batch
   has no room. */
static bool
run_loop (struct cab_expand *e, const struct cab_nest_op *op, struct cab_expand_rows *rows)
{
  const struct cab_nest_op *loop = op->what == CAB_NEST_LOOP ? op : e->ops + op->target - 1;
  if (e->due == CAB_EXPAND_ITERATES)
    return run_iteration (e, op, loop, rows);
  bool again = op->what == CAB_NEST_LOOP
	    || e->counter[op->depth] + 1 < e->times[op->depth];
  if (op->what == CAB_NEST_LOOP)
    put_loop (e, CAB_ROW_BEGINS, loop->loop, rows);
  else if (!again)
    put_loop (e, CAB_ROW_ENDS, loop->loop, rows);
  if (again)
    e->due = CAB_EXPAND_ITERATES;
  else
    cab_expand_step (e, op);
  return true;
}

static void
run_nest (struct cab_expand *e, struct cab_expand_rows *rows)
{
  while (e->op < e->n_ops && rows->n < CAB_BATCH_MAX)
    {
      const struct cab_nest_op *op = e->ops + e->op;
      if (op->what == CAB_NEST_ROWS)
	run_rows (e, op, rows);
      else if (op->what == CAB_NEST_LOOP || op->what == CAB_NEST_END)
	{
	  if (!run_loop (e, op, rows))
	    return;
	}
      else
	cab_expand_step (e, op);
    }
  if (e->op >= e->n_ops)
    e->n_accesses = 0;
}

void
cab_expand_loop_rows (struct cab_expand *e, struct cab_expand_rows *rows)
{
  if (e->n_accesses && e->ops)
    run_nest (e, rows);
  else
    run_region (e, rows);
}
