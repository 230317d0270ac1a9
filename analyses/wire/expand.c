/* expand.c - see expand.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/expand_nest.h"
#include <string.h>

#define MOST_ITERATIONS CAB_REGION_PASSES_MAX   /* of all loops of a nest */
#define MOST_COUNTED (UINT64_C (1) << 32)       /* iterations that are run only to count rows */

static void
begin_nest (struct cab_expand *e, const struct cab_regions *regions, const struct cab_region *r)
{
  e->ops = cab_regions_ops (regions) + r->op;
  e->terms = cab_regions_terms (regions);
  e->parts = r->is_parted ? cab_regions_parts (regions) : NULL;
  e->n_ops = r->n_ops;
  e->op = 0;
  e->singly = e->paused = false;
  e->budget = MOST_ITERATIONS;
  if (!r->n_ops)
    e->n_accesses = 0;
}

bool
cab_expand_begin (struct cab_expand *e, const struct cab_regions *regions,
		  const struct cab_region *r, const uint64_t *words, unsigned n)
{
  if (n != r->words || n > CAB_ACCESS_WORDS)
    return false;
  for (unsigned i = 0; i < n; i++)
    e->words[i] = words[i];
  e->words[CAB_NO_WORD] = 0;
  e->accesses = cab_regions_accesses (regions) + r->first;
  e->n_accesses = r->shape.n;
  e->first_site = regions->first;
  e->next = e->part = 0;
  e->pass = 0;
  e->n_passes = 1;
  if (r->count != CAB_NO_WORD)
    {
      e->n_passes = e->words[r->count] >> 8;
      e->part = e->words[r->count] & 255;
    }
  if (e->n_passes == 0 && e->part == 0)
    e->n_accesses = 0;
  e->ops = NULL;
  e->is_marked = r->is_marked;
  e->first_loop = regions->n_loops ? regions->first + regions->n_accesses + regions->n_allocations
				   : 0;
  e->whole = r->count != CAB_NO_WORD && r->shape.n ? r->access->loop : 0;
  e->due = CAB_EXPAND_BEGINS;
  if (r->is_nest)
    begin_nest (e, regions, r);
  return e->n_passes <= CAB_REGION_PASSES_MAX;
}

static inline void
put_value (const struct cab_region_access *a, const uint64_t *words, uint32_t at,
	   struct cab_expand_rows *rows)
{
  if (a->value_word == CAB_NO_WORD)
    return;
  rows->value[at] = words[a->value_word];
  rows->value_type[at] = a->value_type;
  rows->has_values = true;
}

void
cab_expand_values (const struct cab_region *r, const uint64_t *words, struct cab_expand_rows *rows)
{
  for (uint32_t k = 0; k < r->shape.n; k++)
    put_value (r->access + k, words, rows->n - r->shape.n + k, rows);
}

static inline uint64_t
word_at (const uint64_t *words, unsigned number)
{
  return number == CAB_NO_WORD ? 0 : words[number];
}

void
cab_expand_ranges (const struct cab_region *r, const uint64_t *words, struct cab_expand_rows *rows)
{
  uint32_t at = rows->n;
  for (uint32_t k = r->fixed.n; k < r->shape.n; k++, at++)
    {
      rows->site[at] = r->shape.site[k];
      rows->form[at] = r->shape.form[k];
      rows->address[at] = word_at (words, r->word[k]) + r->offset[k];
      rows->bytes[at] = words[r->shape.bytes[k]];
    }
  rows->n = at;
}

void
cab_expand_last_part (const struct cab_region *r, const uint64_t *words,
		      struct cab_expand_rows *rows)
{
  uint64_t pass = words[r->count] >> 8;
  unsigned part = words[r->count] & 255;
  uint32_t at = rows->n;
  for (uint32_t k = 0; k < r->shape.n; k++)
    {
      const struct cab_region_access *a = r->access + k;
      if (a->part >= part)
	continue;
      rows->site[at] = r->shape.site[k];
      rows->form[at] = a->form;
      rows->address[at] = word_at (words, a->word) + a->offset
			+ pass * (word_at (words, a->step_word) + a->step);
      rows->bytes[at++] = a->bytes;
    }
  rows->n = at;
}

/* Put N whole passes of access K into rows that are a pass apart. */
static inline void
put_column (const struct cab_expand *e, uint32_t k, uint32_t n, struct cab_expand_rows *rows)
{
  const struct cab_region_access *a = e->accesses + k;
  uint64_t step = e->words[a->step_word] + a->step, bytes = e->words[a->bytes_word] + a->bytes;
  uint64_t address = e->words[a->word] + a->offset + e->pass * step;
  uint32_t site = e->first_site + a->number, stride = e->n_accesses;
  put_value (a, e->words, rows->n + k, rows);   /* where there are values, there is one pass */
  for (uint32_t i = 0, at = rows->n + k; i < n; i++, at += stride, address += step)
    {
      rows->address[at] = address;
      rows->bytes[at] = bytes;
      rows->site[at] = site;
      rows->form[at] = a->form;
    }
}

/* Put as many whole passes as fit, at least one. */
static inline void
put_passes (struct cab_expand *e, struct cab_expand_rows *rows)
{
  uint64_t left = e->n_passes - e->pass;
  uint32_t n = 1;
  if (left > 1)
    {
      uint32_t fit = (CAB_BATCH_MAX - rows->n) / e->n_accesses;
      n = left < fit ? left : fit;
    }
  for (uint32_t k = 0; k < e->n_accesses; k++)
    put_column (e, k, n, rows);
  rows->n += n * e->n_accesses;
  e->pass += n;
}

/* After an access or some passes, go on to the next pass, and end the event if nothing is left. */
static inline void
settle (struct cab_expand *e)
{
  if (e->next == e->n_accesses)
    {
      e->next = 0;
      e->pass++;
    }
  if (e->next == 0 && e->pass >= e->n_passes && (e->pass > e->n_passes || e->part == 0))
    e->n_accesses = 0;
}

static inline void
put_one (struct cab_expand *e, struct cab_expand_rows *rows)
{
  const struct cab_region_access *a = e->accesses + e->next++;
  uint32_t at = rows->n;
  if ((e->pass == e->n_passes && a->part >= e->part) || a->form & CAB_ROW_LOOP)
    return;
  rows->address[at] = e->words[a->word] + a->offset + e->pass * (e->words[a->step_word] + a->step);
  rows->bytes[at] = e->words[a->bytes_word] + a->bytes;
  rows->site[at] = e->first_site + a->number;
  rows->form[at] = a->form;
  put_value (a, e->words, at, rows);
  rows->n = at + 1;
}

/* Put access K of OP for N iterations of a plain loop, whose counter is the innermost one. */
static inline void
put_nest_column (const struct cab_expand *e, const struct cab_nest_op *op, uint32_t k, uint32_t n,
		 struct cab_expand_rows *rows)
{
  const struct cab_term *t = e->terms + op->first + k;
  unsigned depth = op->depth - 1;
  uint64_t address = cab_expand_term (e, t, op->depth),
	   step = e->words[t->step_word[depth]] + t->step[depth], bytes = op->shape.bytes[k];
  uint32_t stride = op->shape.n, site = op->shape.site[k];
  uint8_t form = op->shape.form[k];
  for (uint32_t i = 0, at = rows->n + k; i < n; i++, at += stride, address += step)
    {
      rows->address[at] = address;
      rows->bytes[at] = bytes;
      rows->site[at] = site;
      rows->form[at] = form;
    }
}

/* Put the rows of OP: as many iterations at once as fit, if nothing else is in the loop; else those
   of this one, as far as there is room. */
static void
put_nest_rows (struct cab_expand *e, const struct cab_nest_op *op, struct cab_expand_rows *rows)
{
  uint32_t room = CAB_BATCH_MAX - rows->n;
  unsigned depth = op->depth - 1;
  if (e->next == 0 && op[-1].is_plain && op->shape.n <= room)
    {
      uint64_t left = e->times[depth] - e->counter[depth];
      uint32_t fit = room / op->shape.n, n = left < fit ? left : fit;
      for (uint32_t k = 0; k < op->shape.n; k++)
	put_nest_column (e, op, k, n, rows);
      rows->n += n * op->shape.n;
      e->counter[depth] += n - 1;
      e->op++;
      return;
    }
  for (; e->next < op->shape.n && rows->n < CAB_BATCH_MAX; e->next++, rows->n++)
    {
      uint32_t at = rows->n, k = e->next;
      rows->address[at] = cab_expand_term (e, e->terms + op->first + k, op->depth);
      rows->bytes[at] = op->shape.bytes[k];
      rows->site[at] = op->shape.site[k];
      rows->form[at] = op->shape.form[k];
    }
  if (e->next == op->shape.n)
    {
      e->next = 0;
      e->op++;
    }
}

/* Go on to the next rows and return them; null if there are none. */
static const struct cab_nest_op *
next_rows (struct cab_expand *e)
{
  for (const struct cab_nest_op *op; e->op < e->n_ops; cab_expand_step (e, op))
    {
      op = e->ops + e->op;
      if (op->what == CAB_NEST_ROWS)
	return op;
    }
  e->n_accesses = 0;
  return NULL;
}

static void
run_nest (struct cab_expand *e, struct cab_expand_rows *rows)
{
  for (const struct cab_nest_op *op; rows->n < CAB_BATCH_MAX && (op = next_rows (e));)
    put_nest_rows (e, op, rows);
}

/* Add FACTOR to TIMES for each execution of rows in operations FROM to TO.  Return false if the
   budget does not suffice. */
static bool
count_ops (struct cab_expand *e, uint32_t from, uint32_t to, uint64_t factor, uint64_t *times)
{
  while (from < to)
    {
      const struct cab_nest_op *op = e->ops + from;
      uint32_t inside = from + 1;
      from = op->what == CAB_NEST_ROWS || op->what == CAB_NEST_END ? inside : op->target;
      if (op->what == CAB_NEST_ROWS)
	times[op->row] += factor;
      else if (op->what == CAB_NEST_LOOP)
	{
	  uint64_t n = cab_expand_operand (e, op, &op->left) + 1;
	  uint64_t rounds = op->is_fixed ? 1 : n, each = op->is_fixed ? factor * n : factor;
	  if (n - 1 >= MOST_ITERATIONS || rounds >= e->budget)
	    return false;
	  e->budget -= rounds;
	  for (e->counter[op->depth] = 0; e->counter[op->depth] < rounds; e->counter[op->depth]++)
	    if (!count_ops (e, inside, from - 1, each, times))
	      return false;
	}
      else if (op->what != CAB_NEST_END && cab_expand_holds (e, op)
	       && !count_ops (e, inside, from, factor, times))
	return false;
    }
  return true;
}

bool
cab_expand_count (struct cab_expand *e, uint64_t times[CAB_EXPAND_ROWS])
{
  memset (times, 0, CAB_EXPAND_ROWS * sizeof *times);
  e->budget = MOST_COUNTED;
  bool known = count_ops (e, 0, e->n_ops, 1, times);
  e->budget = MOST_ITERATIONS;
  return known;
}

void
cab_expand_rows (struct cab_expand *e, struct cab_expand_rows *rows)
{
  if (e->loops)
    {
      cab_expand_loop_rows (e, rows);
      return;
    }
  if (e->ops && e->n_accesses)
    run_nest (e, rows);
  while (e->n_accesses && !e->ops && rows->n < CAB_BATCH_MAX)
    {
      if (e->next == 0 && e->pass < e->n_passes && !e->is_marked
	  && e->n_accesses <= CAB_BATCH_MAX - rows->n)
	put_passes (e, rows);
      else
	put_one (e, rows);
      settle (e);
    }
}
