/* expand.h - from a region's event to the rows of its accesses.
 *
 * Model:      pure, and resumable: what does not fit into a batch goes into the next.  In program
 *             order: whole passes, access by access, then the accesses of the last pass whose parts
 *             happened.  A nest's operations are run one after the other.
 * Units:      rows.
 * Errors:     none: cab_expand_begin refuses what is no event of the region.  A nest of more
 *             iterations than any program makes ends there.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_EXPAND_H
#define CAB_RT_EXPAND_H

#include <stdbool.h>
#include "analyses/wire/regions.h"
#include "cabprof/analysis.h"

/* The columns of a batch under construction, which has N rows so far. */
struct cab_expand_rows
{
  uint32_t n;
  uint8_t form[CAB_BATCH_MAX + CAB_REGION_SLACK];
  uint32_t site[CAB_BATCH_MAX + CAB_REGION_SLACK];
  uint64_t address[CAB_BATCH_MAX], bytes[CAB_BATCH_MAX + CAB_REGION_SLACK];
  uint64_t value[CAB_BATCH_MAX];
  uint8_t value_type[CAB_BATCH_MAX];   /* 0 but for rows with a value */
  bool has_values;
  uint64_t times[CAB_BATCH_MAX], step[CAB_BATCH_MAX];   /* times: 0 but for rows of stretches */
  bool has_times;
};

struct cab_expand
{
  const struct cab_region_access *accesses;
  uint32_t n_accesses;        /* of the region; 0: nothing is left to do */
  uint32_t first_site;
  uint32_t next;              /* access of this pass */
  uint32_t part;              /* after the whole passes, one of the parts below */
  uint64_t pass, n_passes;    /* the current pass; the number of whole ones */
  uint64_t words[CAB_ACCESS_WORDS + 1];
  /* Of a nest; else null. */
  const struct cab_nest_op *ops;
  const struct cab_term *terms;
  const struct cab_nest_part *parts;   /* null: it has none */
  uint32_t op, n_ops;         /* the current one, of how many */
  bool loops;                 /* rows of loops are wanted (CAB_ROW_LOOP) */
  bool stretches;             /* loops: iterations that do the same come as one */
  bool is_marked;             /* some of its accesses are marks */
  uint32_t first_loop;        /* process-wide number of loop 0; 0: loops have none */
  uint32_t whole;             /* of a region with a count: 1 + the number of its loop */
  enum
  {
    CAB_EXPAND_BEGINS,
    CAB_EXPAND_ITERATES,
    CAB_EXPAND_INSIDE,
    CAB_EXPAND_ENDS
  } due;                      /* loops: what comes next in the current loop */
  bool singly;                /* parts: this iteration of a leaf is given rows by rows */
  bool pauses, paused;        /* parts: pauses asks to stop after each iteration of a loop that does
				 the same in each, and is no leaf; paused: such an iteration has
				 ended, and is not the last */
  /* Completed iterations of the enclosing loops, and how many each loop has. */
  uint64_t counter[CAB_NEST_LOOPS], times[CAB_NEST_LOOPS];
  uint64_t budget;            /* iterations that are left for all loops together */
};

/* Most rows of a nest that cab_expand_count counts, by struct cab_nest_op's row. */
#define CAB_EXPAND_ROWS 64u

/* Begin an event of R, which is one of REGIONS, with N raw words WORDS.  Return false if it is no
   event of R. */
bool cab_expand_begin (struct cab_expand *e, const struct cab_regions *regions,
		       const struct cab_region *r, const uint64_t *words, unsigned n);

/* Drop the whole passes, which the caller has taken otherwise. */
static inline void
cab_expand_last (struct cab_expand *e)
{
  e->pass = e->n_passes;
  if (!e->part)
    e->n_accesses = 0;
}

/* Add the rows of one pass through a region that has a shape and a word for each access.  The rows
   must fit. */
static inline void
cab_expand_once (const struct cab_region *r, const uint64_t *words, struct cab_expand_rows *rows)
{
  uint32_t at = rows->n, n = r->shape.n;
  if (n <= CAB_REGION_SLACK)
    {
      __builtin_memcpy (rows->site + at, r->shape.site, CAB_REGION_SLACK * sizeof *rows->site);
      __builtin_memcpy (rows->form + at, r->shape.form, CAB_REGION_SLACK);
      __builtin_memcpy (rows->bytes + at, r->shape.bytes, CAB_REGION_SLACK * sizeof *rows->bytes);
    }
  else
    {
      __builtin_memcpy (rows->site + at, r->shape.site, n * sizeof *rows->site);
      __builtin_memcpy (rows->form + at, r->shape.form, n);
      __builtin_memcpy (rows->bytes + at, r->shape.bytes, n * sizeof *rows->bytes);
    }
  for (uint32_t k = 0; k < n; k++)
    rows->address[at + k] = words[r->word[k]] + r->offset[k];
  rows->n = at + n;
}

/* Add the rows of the ranges of one pass through a region with ranges (struct cab_region: ranged).
   The rows must fit. */
void cab_expand_ranges (const struct cab_region *r, const uint64_t *words,
			struct cab_expand_rows *rows);

/* Add the rows of the parts of the last pass of an event of a region with a shape and a count. The
   rows must fit. */
void cab_expand_last_part (const struct cab_region *r, const uint64_t *words,
			   struct cab_expand_rows *rows);

/* Count how often each of at most CAB_EXPAND_ROWS rows of a nest happens, for an event from which
   no rows have been taken.  Return false if that takes too long. */
bool cab_expand_count (struct cab_expand *e, uint64_t times[CAB_EXPAND_ROWS]);

/* Make the next part of an event of a nest with parts, from which no rows have been taken: an event
   of PART's region with the raw words WORDS.  Return false if none is left, or it has paused. */
bool cab_expand_part (struct cab_expand *e, const struct cab_nest_part **part,
		      uint64_t words[CAB_ACCESS_WORDS]);

/* Return how many iterations are left of the loop at which E has paused. */
static inline uint64_t
cab_expand_left (const struct cab_expand *e)
{
  unsigned depth = e->ops[e->op].depth;
  return e->times[depth] - e->counter[depth] - 1;
}

/* Skip N iterations of the loop at which E has paused, at most cab_expand_left, which the caller
   has counted otherwise; each takes BUDGET iterations of the budget.  Return false, having changed
   nothing, if the budget does not suffice. */
bool cab_expand_skip (struct cab_expand *e, uint64_t n, uint64_t budget);

/* Return for how many iterations of LEAF, the present one included, the same rows happen. */
uint64_t cab_expand_stretch (const struct cab_expand *e, const struct cab_nest_op *leaf);

/* Add the values of the last rows, which are those of one pass through R. */
void cab_expand_values (const struct cab_region *r, const uint64_t *words,
			struct cab_expand_rows *rows);

/* Add rows as cab_expand_rows does, with those of loops.  A stretch that does not fit ends the
   batch before it is full. */
void cab_expand_loop_rows (struct cab_expand *e, struct cab_expand_rows *rows);

/* Forget the rows. */
static inline void
cab_expand_clear (struct cab_expand_rows *rows)
{
  if (rows->has_values)
    __builtin_memset (rows->value_type, 0, rows->n);
  if (rows->has_times)
    __builtin_memset (rows->times, 0, rows->n * sizeof *rows->times);
  rows->n = 0;
  rows->has_values = rows->has_times = false;
}

/* Add rows until the batch is full, or none is left. */
void cab_expand_rows (struct cab_expand *e, struct cab_expand_rows *rows);

#endif
