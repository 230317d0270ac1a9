/* expand_nest.h - the terms, conditions and loops of a nest while it is run; for expand*.c alone.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_EXPAND_NEST_H
#define CAB_RT_EXPAND_NEST_H

#include "analyses/wire/expand.h"

/* Return the value of T while the first DEPTH counters are in force. */
static inline uint64_t
cab_expand_term (const struct cab_expand *e, const struct cab_term *t, unsigned depth)
{
  uint64_t sum = e->words[t->word] + t->base;
  for (unsigned k = 0; k < depth; k++)
    sum += e->counter[k] * (e->words[t->step_word[k]] + t->step[k]);
  return sum;
}

/* Return the value of T in the width and signedness of OP. */
static inline uint64_t
cab_expand_operand (const struct cab_expand *e, const struct cab_nest_op *op,
		    const struct cab_term *t)
{
  unsigned unused = 64 - op->bits;
  uint64_t high = cab_expand_term (e, t, op->depth) << unused;
  return op->is_signed ? (uint64_t) ((int64_t) high >> unused) : high >> unused;
}

/* Return true if the condition OP holds. */
static inline bool
cab_expand_holds (const struct cab_expand *e, const struct cab_nest_op *op)
{
  uint64_t left = cab_expand_operand (e, op, &op->left),
	   right = cab_expand_operand (e, op, &op->right);
  if (op->what == CAB_NEST_EQUAL || op->what == CAB_NEST_UNEQUAL)
    return (left == right) == (op->what == CAB_NEST_EQUAL);
  if (left == right)
    return op->what == CAB_NEST_LESS_EQUAL;
  return op->is_signed ? (int64_t) left < (int64_t) right : left < right;
}

/* Begin the loop of OP.  Return false if it has more iterations than the budget. */
static inline bool
cab_expand_begin_loop (struct cab_expand *e, const struct cab_nest_op *op)
{
  uint64_t last = cab_expand_operand (e, op, &op->left);
  if (last >= e->budget)
    return false;
  e->budget -= last + 1;
  e->times[op->depth] = last + 1;
  e->counter[op->depth] = 0;
  return true;
}

/* Step over OP, which is at e->op and no row: a loop is entered, or ends the nest if it exceeds the
   budget; an end goes back to the loop's first operation or past it; a condition is entered or
   skipped. */
static inline void
cab_expand_step (struct cab_expand *e, const struct cab_nest_op *op)
{
  if (op->what == CAB_NEST_LOOP)
    e->op = cab_expand_begin_loop (e, op) ? e->op + 1 : e->n_ops;
  else if (op->what == CAB_NEST_END)
    e->op = ++e->counter[op->depth] < e->times[op->depth] ? op->target : e->op + 1;
  else
    e->op = cab_expand_holds (e, op) ? e->op + 1 : op->target;
}

#endif
