/* nest.c - see nest.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/nest.h"
#include <string.h>
#include "analyses/wire/regions.h"

/* Store the number of N decimal digits at P in *TO. */
static bool
digits (const char *p, size_t n, uint64_t *to)
{
  uint64_t value = 0;
  for (size_t i = 0; i < n; i++)
    {
      unsigned digit = (unsigned char) p[i] - '0';
      if (digit > 9 || value > (UINT64_MAX - digit) / 10)
	return false;
      value = value * 10 + digit;
    }
  *to = value;
  return n > 0;
}

static bool
number (struct cab_field f, uint64_t most, uint64_t *to)
{
  return digits (f.text, f.length, to) && *to <= most;
}

/* Store a decimal number with or without a sign in *TO. */
static bool
signed_number (struct cab_field f, uint64_t *to)
{
  bool minus = f.length && *f.text == '-', sign = minus || (f.length && *f.text == '+');
  if (!digits (f.text + sign, f.length - sign, to))
    return false;
  *to = minus ? -*to : *to;
  return true;
}

static bool
is (struct cab_field f, const char *text)
{
  return f.length == strlen (text) && !memcmp (f.text, text, f.length);
}

/* Cut F at the first character C, which is removed.  Return what is before it; the rest stays in
   F. */
static struct cab_field
cut (struct cab_field *f, char c)
{
  const char *end = memchr (f->text, c, f->length);
  size_t length = end ? (size_t) (end - f->text) : f->length;
  struct cab_field front = { f->text, length };
  f->text += length + (end != NULL);
  f->length -= length + (end != NULL);
  return front;
}

/* Parse wN, a number, or both. */
static bool
value (struct cab_field f, unsigned words, uint8_t *word, uint64_t *constant)
{
  uint64_t n;
  size_t end = 1;
  *word = CAB_NO_WORD;
  *constant = 0;
  if (!f.length || *f.text != 'w')
    return signed_number (f, constant);
  while (end < f.length && f.text[end] >= '0' && f.text[end] <= '9')
    end++;
  if (!digits (f.text + 1, end - 1, &n) || n >= words)
    return false;
  *word = n;
  return end == f.length
      || signed_number ((struct cab_field) { f.text + end, f.length - end }, constant);
}

/* Parse a list of steps, for at most DEPTH counters, into TERM; - and an empty list have none. */
static bool
steps (struct cab_field f, unsigned words, unsigned depth, struct cab_term *term)
{
  memset (term->step, 0, sizeof term->step);
  memset (term->step_word, CAB_NO_WORD, sizeof term->step_word);
  if (is (f, "-"))
    return true;
  for (unsigned k = 0; f.length; k++)
    if (k == depth || !value (cut (&f, ','), words, &term->step_word[k], &term->step[k]))
      return false;
  return true;
}

static bool
parse_term (struct cab_field f, unsigned words, unsigned depth, struct cab_term *term)
{
  return value (cut (&f, ','), words, &term->word, &term->base) && steps (f, words, depth, term);
}

static bool
depends (const struct cab_term *term, unsigned depth)
{
  return term->step[depth] || term->step_word[depth] != CAB_NO_WORD;
}

/* Return true if rows AT lie in all conditions of LOOP, whose operations end at END. */
static bool
is_inmost (const struct cab_nest_op *ops, uint32_t loop, uint32_t at, uint32_t end)
{
  for (uint32_t i = loop + 1; i < end; i++)
    if (ops[i].what >= CAB_NEST_LESS && (at < i || at >= ops[i].target))
      return false;
  return true;
}

/* Make loop AT, which has ended, a leaf if it holds no other loop. */
static void
settle_leaf (struct cab_nest *nest, uint32_t at)
{
  struct cab_nest_op *loop = nest->ops + at, *end = nest->ops + nest->n_ops;
  for (struct cab_nest_op *op = loop + 1; op < end; op++)
    if (op->what == CAB_NEST_LOOP)
      return;
  loop->is_leaf = true;
  loop->inmost = CAB_NEST_NONE;
  for (struct cab_nest_op *op = loop + 1; op < end; op++)
    if (op->what == CAB_NEST_ROWS)
      {
	op->is_leaf = true;
	loop->first = loop->shape.n ? loop->first : op->first;
	loop->shape.n += op->shape.n;
	if (loop->inmost == CAB_NEST_NONE && is_inmost (nest->ops, at, op - nest->ops, nest->n_ops))
	  loop->inmost = op->first;
      }
}

/* End loop AT, and note whether what belongs to it depends on its counter. */
static void
settle_loop (struct cab_nest *nest, uint32_t at)
{
  struct cab_nest_op *loop = nest->ops + at;
  bool is_fixed = true;
  for (struct cab_nest_op *op = loop + 1; op < nest->ops + nest->n_ops; op++)
    if (op->what == CAB_NEST_LOOP || op->what >= CAB_NEST_LESS)
      is_fixed &= !depends (&op->left, loop->depth)
	       && (op->what == CAB_NEST_LOOP || !depends (&op->right, loop->depth));
  loop->is_fixed = is_fixed;
  loop->is_same &= is_fixed;
  loop->is_plain = nest->n_ops == at + 2 && loop[1].what == CAB_NEST_ROWS;
  settle_leaf (nest, at);
  nest->ops[nest->n_ops++] = (struct cab_nest_op) { .what = CAB_NEST_END,
						    .depth = loop->depth,
						    .target = at + 1 };
  nest->depth--;
}

/* End the innermost open level. */
static void
pop (struct cab_nest *nest)
{
  uint32_t at = nest->open[--nest->n_open].op;
  if (nest->ops[at].what == CAB_NEST_LOOP)
    settle_loop (nest, at);
  nest->ops[at].target = nest->n_ops;
}

/* End the levels inside LEVEL, which must be open. */
static bool
pop_to (struct cab_nest *nest, uint64_t level)
{
  unsigned n = nest->n_open;
  while (n && nest->open[n - 1].level != level)
    n--;
  while (n && nest->n_open > n)
    pop (nest);
  return n > 0;
}

void
cab_nest_begin (struct cab_nest *nest, struct cab_nest_op *ops, unsigned words)
{
  *nest = (struct cab_nest) { .ops = ops, .words = words };
}

static bool
parse_how (struct cab_field f, struct cab_nest_op *op)
{
  static const struct { const char *text; uint8_t what; bool is_signed;
  } hows[] = { { "loop", CAB_NEST_LOOP, false },     { "<", CAB_NEST_LESS, false },
	       { "<=", CAB_NEST_LESS_EQUAL, false }, { "s<", CAB_NEST_LESS, true },
	       { "s<=", CAB_NEST_LESS_EQUAL, true }, { "==", CAB_NEST_EQUAL, false },
	       { "!=", CAB_NEST_UNEQUAL, false } };
  for (size_t i = 0; i < sizeof hows / sizeof *hows; i++)
    if (is (f, hows[i].text))
      {
	op->what = hows[i].what;
	op->is_signed = hows[i].is_signed;
	return true;
      }
  return false;
}

bool
cab_nest_level (struct cab_nest *nest, const struct cab_field field[7])
{
  struct cab_nest_op op = { 0 };
  uint64_t level, parent, bits, loop;
  bool first = nest->n_levels == 0;
  if (!number (field[0], UINT32_MAX, &level) || level != nest->n_levels
      || !parse_how (field[2], &op) || !number (field[3], 64, &bits) || !bits)
    return false;
  if (first ? !is (field[1], "-") || op.what != CAB_NEST_LOOP
	    : !number (field[1], UINT32_MAX, &parent) || !pop_to (nest, parent))
    return false;
  bool is_loop = op.what == CAB_NEST_LOOP;
  if (nest->n_open == CAB_NEST_DEPTH || (is_loop && nest->depth == CAB_NEST_LOOPS)
      || !parse_term (field[4], nest->words, nest->depth, &op.left)
      || (is_loop ? !is (field[5], "-")
		  : !parse_term (field[5], nest->words, nest->depth, &op.right)))
    return false;
  op.depth = nest->depth;
  op.bits = bits;
  op.loop = is_loop && number (field[6], CAB_NEST_NONE - 2, &loop) ? loop + 1 : 0;
  op.is_same = is_loop;   /* until an access depends on its counter */
  nest->depth += is_loop;
  nest->open[nest->n_open].level = nest->n_levels++;
  nest->open[nest->n_open++].op = nest->n_ops;
  nest->ops[nest->n_ops++] = op;
  return true;
}

/* Note that TERM is of an access in all open loops: those whose counter it depends on do not do the
   same in each iteration. */
static void
note_moves (struct cab_nest *nest, const struct cab_term *term)
{
  for (uint32_t i = 0; i < nest->n_open; i++)
    {
      struct cab_nest_op *op = nest->ops + nest->open[i].op;
      op->is_same &= op->what == CAB_NEST_LOOP && !depends (term, op->depth);
    }
}

bool
cab_nest_access (struct cab_nest *nest, uint64_t level, uint32_t at, struct cab_field list,
		 struct cab_term *term)
{
  uint32_t n_open = nest->n_open;
  if (!pop_to (nest, level) || !steps (list, nest->words, nest->depth, term))
    return false;
  note_moves (nest, term);
  struct cab_nest_op *last = nest->ops + nest->n_ops - 1;
  if (last->what == CAB_NEST_ROWS && nest->n_open == n_open)
    last->shape.n++;
  else
    nest->ops[nest->n_ops++] = (struct cab_nest_op) {
      .what = CAB_NEST_ROWS, .depth = nest->depth, .first = at, .row = nest->n_rows++, .shape.n = 1
    };
  return true;
}

void
cab_nest_end (struct cab_nest *nest)
{
  while (nest->n_open)
    pop (nest);
}

/* Return true if A and B, upon DEPTH counters, are equal except for a constant. */
static bool
is_parallel (const struct cab_term *a, const struct cab_term *b, unsigned depth)
{
  return a->word == b->word && !memcmp (a->step, b->step, depth * sizeof *a->step)
      && !memcmp (a->step_word, b->step_word, depth);
}

/* Find or add the word of PART for access K of DEPTH counters.  Return false if there is no
   room. */
static bool
add_term (struct cab_nest_part *part, const struct cab_term *term, uint32_t k, unsigned depth,
	  struct cab_region_access *access)
{
  unsigned i = 0;
  while (i < part->n_terms && !is_parallel (&term[part->from[i]], &term[k], depth))
    i++;
  if (i == part->n_terms && (i == CAB_ACCESS_WORDS || k > UINT8_MAX))
    return false;
  if (i == part->n_terms)
    part->from[part->n_terms++] = k;
  access->word = i;
  access->offset = term[k].base;
  access->step_word = CAB_NO_WORD;
  return true;
}

/* Find or add the word of PART for ACCESS's step from pass to pass.  Return false if there is no
   room. */
static bool
add_step (struct cab_nest_part *part, uint8_t word, struct cab_region_access *access)
{
  unsigned i = part->n_terms, end = i + part->n_steps;
  if (word == CAB_NO_WORD)
    return true;
  while (i < end && part->from[i] != word)
    i++;
  if (i == CAB_ACCESS_WORDS)
    return false;
  part->n_steps += i == end;
  part->from[i] = word;
  access->step_word = i;
  return true;
}

bool
cab_nest_part (struct cab_nest_part *part, const struct cab_nest_op *op,
	       const struct cab_term *term, struct cab_region_access *access)
{
  unsigned depth = op->depth + (op->what == CAB_NEST_LOOP);
  *part = (struct cab_nest_part) {
    .region = { .shape = op->shape, .access = access, .first = op->first, .count = CAB_NO_WORD },
    .terms = op->first
  };
  for (uint32_t k = 0; k < op->shape.n; k++)
    if (!add_term (part, term, k, depth, &access[k]))
      return false;
  for (uint32_t k = 0; op->is_leaf && k < op->shape.n; k++)
    {
      access[k].step = term[k].step[depth - 1];
      if (!add_step (part, term[k].step_word[depth - 1], &access[k]))
	return false;
    }
  part->region.words = part->n_terms + part->n_steps + op->is_leaf;
  if (op->is_leaf)
    part->region.count = part->region.words - 1;
  return part->region.words <= CAB_ACCESS_WORDS;
}
