/* nest.h - nests of loops, out of a function's record: in which order the accesses of one event
 * happen.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     the R, N and A lines of a nest (include/cabprof/info.h).
 * Model:      pure.  The lines become a program of operations, in program order: rows, loops and
 *             their ends, conditions.  It is made line by line, and run by analyses/wire/expand.c.
 * Units:      a counter is the number of completed iterations of the loop at that depth, 0 being
 *             the outermost.
 * Ownership:  memory is the caller's.
 * Errors:     the text is hostile: what does not fit is refused.
 */
#ifndef CAB_NEST_H
#define CAB_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cabprof/analysis.h"

#define CAB_NEST_LOOPS 4u    /* loops nested in each other */
#define CAB_NEST_DEPTH 16u   /* levels nested in each other */
#define CAB_NEST_NONE UINT32_MAX

/* The value of a term: words[word] + base + counter k * (words[step_word[k]] + step[k]), over all
   k. */
struct cab_term
{
  uint64_t base, step[CAB_NEST_LOOPS];
  uint8_t word, step_word[CAB_NEST_LOOPS];
};

enum cab_nest_what
{
  CAB_NEST_ROWS,
  CAB_NEST_LOOP,      /* LEFT + 1 iterations */
  CAB_NEST_END,
  /* Conditions between LEFT and RIGHT. */
  CAB_NEST_LESS, CAB_NEST_LESS_EQUAL, CAB_NEST_EQUAL, CAB_NEST_UNEQUAL
};

struct cab_nest_op
{
  uint8_t what;
  uint8_t depth;      /* of a loop and its end: its counter; of rows: how many counters are in
			 force */
  uint8_t bits;       /* width of the terms */
  bool is_signed;
  bool is_plain;      /* a loop with nothing but one operation of rows in it */
  bool is_leaf;       /* a loop that holds only rows and conditions; rows in such a loop */
  bool is_fixed;      /* a loop on whose counter no other loop and no condition depends */
  bool is_same;       /* a fixed loop on whose counter no address depends either: it does the same
			 in each iteration */
  uint32_t loop;      /* of a loop: 1 + its number, of the T lines; 0: unknown */
  uint32_t target;    /* of a loop and a condition: the operation after what belongs to it; of an
			 end: the first one within */
  uint32_t first, row;   /* of rows: the first access, in the order of the table; the index of these
			    rows in the nest */
  uint32_t inmost;       /* of a leaf: the first access of the rows that lie in all its conditions;
			    CAB_NEST_NONE: there are none */
  struct cab_shape shape;   /* of rows, and of all rows of a leaf, whose first access is `first' */
  struct cab_term left, right;
};

/* A nest under construction.  OPS has room for two operations for each N line, and one for each A
   line. */
struct cab_nest
{
  struct cab_nest_op *ops;
  uint32_t n_ops, n_levels, n_open, depth, n_rows;
  unsigned words;     /* raw words of the region */
  struct { uint32_t level, op; } open[CAB_NEST_DEPTH];
};

/* A text field, not terminated. */
struct cab_field
{
  const char *text;
  size_t length;
};

/* Begin a nest of a region with WORDS raw words, whose operations are put at OPS. */
void cab_nest_begin (struct cab_nest *nest, struct cab_nest_op *ops, unsigned words);
/* Add the N line with these fields after the region: level, parent, how, bits, left, right, loop,
   of which the last may be empty. Return false if it is wrong. */
bool cab_nest_level (struct cab_nest *nest, const struct cab_field field[7]);
/* Add an access of LEVEL, number AT of the table, whose address has its steps in STEPS.  Fill TERM
   except for word and base.  Return false if it is wrong. */
bool cab_nest_access (struct cab_nest *nest, uint64_t level, uint32_t at, struct cab_field steps,
		      struct cab_term *term);
/* End the nest after its last line. */
void cab_nest_end (struct cab_nest *nest);
/* In regions.h. */
struct cab_nest_part;
struct cab_region_access;

/* Make PART of the rows of OP, or of all those of a leaf, whose terms and accesses are TERM and
   ACCESS; the accesses' words, offsets and steps become those of the part. The caller makes the
   spans.  Return false if they would need too many words. */
bool cab_nest_part (struct cab_nest_part *part, const struct cab_nest_op *op,
		    const struct cab_term *term, struct cab_region_access *access);

#endif
