/* expand_part.c - from a nest's event to those of its parts: see cab_expand_part.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      conditions are between terms, so what holds in an iteration of a leaf holds for a
 *             stretch of them, whose length is computed.  If all its rows happen, or those of one
 *             part alone, the stretch is one event with as many passes; if none do, it is skipped.
 *             Otherwise this iteration's parts are events one by one.
 */
#include "analyses/wire/expand_nest.h"

#define TAME (INT64_C (1) << 60)   /* terms of a smaller size, of either sign: neither they nor
				      their differences overflow */

/* A side of a condition: its present value, and how much it gains in each iteration. */
struct side
{
  int64_t value, step;
};

/* Return for how many more iterations S, of a condition of OP's width and sign, surely grows or
   shrinks without wrapping.  It need not be the greatest such number. */
static uint64_t
tame (const struct side *s, const struct cab_nest_op *op)
{
  int64_t half = INT64_C (1) << (op->bits > 60 ? 60 : op->bits - 1);
  int64_t least = op->is_signed ? -half : 0, most = half - 1;
  if (s->value < least || s->value > most || s->step <= -TAME || s->step >= TAME)
    return 0;
  return s->step > 0 ? (uint64_t) (most - s->value) / s->step
       : s->step < 0 ? (uint64_t) (s->value - least) / -s->step
       : UINT64_MAX;
}

/* Return for how many more iterations DIFFERENCE, which changes by STEP, stays less than 0, or
   stays not less. */
static uint64_t
keeps_sign (int64_t difference, int64_t step)
{
  if (difference < 0)
    return step > 0 ? (uint64_t) (-difference - 1) / step : UINT64_MAX;
  return step < 0 ? (uint64_t) difference / -step : UINT64_MAX;
}

/* Return for how many more iterations DIFFERENCE, which changes by STEP, stays 0, or stays not
   0. */
static uint64_t
keeps_off (int64_t difference, int64_t step)
{
  if (!difference)
    return step ? 0 : UINT64_MAX;
  return difference < 0 ? keeps_sign (difference, step) : keeps_sign (-difference, -step);
}

static struct side
side_of (const struct cab_expand *e, const struct cab_nest_op *op, const struct cab_term *t)
{
  unsigned unused = 64 - op->bits, k = op->depth - 1;
  uint64_t step = e->words[t->step_word[k]] + t->step[k];
  return (struct side) { cab_expand_operand (e, op, t), (int64_t) (step << unused) >> unused };
}

/* Return for how many more iterations of its leaf the condition OP surely stays as it is. */
static uint64_t
keeps (const struct cab_expand *e, const struct cab_nest_op *op)
{
  struct side left = side_of (e, op, &op->left), right = side_of (e, op, &op->right);
  uint64_t n = tame (&left, op), m = tame (&right, op), least = n < m ? n : m;
  if (!least)
    return 0;
  int64_t difference = left.value - right.value, step = left.step - right.step;
  bool equality = op->what == CAB_NEST_EQUAL || op->what == CAB_NEST_UNEQUAL;
  uint64_t most = equality ? keeps_off (difference, step)
			   : keeps_sign (difference - (op->what == CAB_NEST_LESS_EQUAL), step);
  return most < least ? most : least;
}

/* Iterations of a leaf, this one and those after it, in which the same rows happen. */
struct stretch
{
  uint64_t n;
  uint32_t first, n_rows;     /* the first access of the first rows; how many rows there are */
  bool inmost;                /* those that lie in all conditions happen */
};

static struct stretch
stretch_of (const struct cab_expand *e, const struct cab_nest_op *leaf)
{
  struct stretch s = { .n = e->times[leaf->depth] - e->counter[leaf->depth] };
  for (const struct cab_nest_op *op = leaf + 1; op->what != CAB_NEST_END;)
    if (op->what == CAB_NEST_ROWS)
      {
	s.first = s.n_rows++ ? s.first : op->first;
	s.inmost |= op->first == leaf->inmost;
	op++;
      }
    else
      {
	uint64_t more = s.n > 1 ? keeps (e, op) : 0;
	s.n = more < s.n ? more + 1 : s.n;
	op = cab_expand_holds (e, op) ? op + 1 : e->ops + op->target;
      }
  return s;
}

uint64_t
cab_expand_stretch (const struct cab_expand *e, const struct cab_nest_op *leaf)
{
  return stretch_of (e, leaf).n;
}

/* Return true if OP, which comes next, ends an iteration at which the caller wants to pause. */
static inline bool
is_pause (const struct cab_expand *e, const struct cab_nest_op *op)
{
  const struct cab_nest_op *loop = e->ops + op->target - 1;
  return op->what == CAB_NEST_END && loop->is_same && !loop->is_leaf
      && e->counter[op->depth] + 1 < e->times[op->depth];
}

bool
cab_expand_skip (struct cab_expand *e, uint64_t n, uint64_t budget)
{
  if (budget && n > e->budget / budget)
    return false;
  e->budget -= n * budget;
  e->counter[e->ops[e->op].depth] += n;
  return true;
}

/* Go on to the next rows, or to the next iteration of a leaf, for which its loop is returned; null
   if there is none, or it has paused. */
static const struct cab_nest_op *
next_part (struct cab_expand *e)
{
  if (e->paused)
    cab_expand_step (e, e->ops + e->op);
  e->paused = false;
  for (const struct cab_nest_op *op; e->op < e->n_ops; cab_expand_step (e, op))
    {
      op = e->ops + e->op;
      if (e->op && op->what != CAB_NEST_END && op[-1].what == CAB_NEST_LOOP && op[-1].is_leaf
	  && !e->singly)
	return op - 1;
      if (op->what == CAB_NEST_ROWS)
	return op;
      e->singly &= op->what != CAB_NEST_END;
      if (__builtin_expect (e->pauses, 0) && is_pause (e, op))
	{
	  e->paused = true;
	  return NULL;
	}
    }
  e->n_accesses = 0;
  return NULL;
}

/* Make the words of P for PASSES passes, while the first DEPTH counters are in force. */
static void
make_words (const struct cab_expand *e, const struct cab_nest_part *p, unsigned depth,
	    uint64_t passes, uint64_t *words)
{
  const struct cab_term *terms = e->terms + p->terms;
  for (unsigned i = 0; i < p->n_terms; i++)
    words[i] = cab_expand_term (e, terms + p->from[i], depth) - terms[p->from[i]].base;
  for (unsigned i = 0; i < p->n_steps; i++)
    words[p->n_terms + i] = e->words[p->from[p->n_terms + i]];
  if (p->region.count != CAB_NO_WORD)
    words[p->region.count] = passes << 8;
}

/* Make an event of LEAF for as many iterations as one event can stand for.  Return null if these
   have no rows, or need an event for each of their rows. */
static const struct cab_nest_part *
part_of_leaf (struct cab_expand *e, const struct cab_nest_op *leaf, uint64_t *words)
{
  struct stretch s = stretch_of (e, leaf);
  e->singly = s.n_rows > 1 && !s.inmost;
  if (e->singly)
    return NULL;
  const struct cab_nest_part *p = s.n_rows ? e->parts + (s.inmost ? leaf->inmost : s.first) : NULL;
  if (p)
    make_words (e, p, leaf->depth + 1, s.n, words);
  e->counter[leaf->depth] += s.n - 1;
  e->op = leaf->target - 1;   /* its end */
  return p;
}

bool
cab_expand_part (struct cab_expand *e, const struct cab_nest_part **part,
		 uint64_t words[CAB_ACCESS_WORDS])
{
  for (const struct cab_nest_op *op; (op = next_part (e));)
    if (op->what == CAB_NEST_LOOP)
      {
	if ((*part = part_of_leaf (e, op, words)))
	  return true;
      }
    else
      {
	*part = e->parts + op->first;
	make_words (e, *part, op->depth, 1, words);
	e->op++;
	return true;
      }
  return false;
}
