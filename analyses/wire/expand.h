/* expand.h - from a region's event to the rows of its accesses.
 *
 * Model:      pure, and resumable: what does not fit into a batch comes with the next.  In program
 *             order: whole passes, access by access, then those of the last pass whose parts
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

/* The columns of a batch in the making; N rows are there. */
struct cab_expand_rows
{
  uint32_t n;
  uint8_t form[CAB_BATCH_MAX + CAB_REGION_SLACK];
  uint32_t site[CAB_BATCH_MAX + CAB_REGION_SLACK];
  uint64_t address[CAB_BATCH_MAX], bytes[CAB_BATCH_MAX + CAB_REGION_SLACK];
  uint64_t value[CAB_BATCH_MAX];
  uint8_t value_type[CAB_BATCH_MAX];   /* 0 but for rows with a value */
  bool has_values;
};

struct cab_expand
{
  const struct cab_region_access *accesses;
  uint32_t n_accesses;        /* of the region; 0: nothing is left to do */
  uint32_t first_site;
  uint32_t next;              /* access of this pass */
  uint32_t part;              /* behind the whole passes, one of the parts below */
  uint64_t pass, n_passes;    /* this pass; whole ones */
  uint64_t words[CAB_ACCESS_WORDS + 1];
  /* Of a nest; else null. */
  const struct cab_nest_op *ops;
  const struct cab_term *terms;
  const struct cab_nest_part *parts;   /* null: it has none */
  uint32_t op, n_ops;         /* this one, of so many */
  bool singly;                /* parts: of this iteration of a leaf, each rows are one */
  bool pauses, paused;        /* parts: the caller wants to know when an iteration is over of a loop
				 that does the same in each, and is no leaf; one is, and not the
				 last */
  /* of the loops around: iterations that are over, of how many */
  uint64_t counter[CAB_NEST_LOOPS], times[CAB_NEST_LOOPS];
  uint64_t budget;            /* of iterations of all loops */
};

/* How often the rows of a nest's event happen, by struct cab_nest_op's row. */
#define CAB_EXPAND_ROWS 64u

/* An event with N raw words WORDS of R, which is one of REGIONS.  False: it is none. */
bool cab_expand_begin (struct cab_expand *e, const struct cab_regions *regions,
		       const struct cab_region *r, const uint64_t *words, unsigned n);

/* Not the whole passes: others had those. */
static inline void
cab_expand_last (struct cab_expand *e)
{
  e->pass = e->n_passes;
  if (!e->part)
    e->n_accesses = 0;
}

/* The same for one pass through a region that has a shape and a word for each access, whose rows
   fit: they are added. */
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

/* One pass through a region with ranges (struct cab_region: ranged), whose rows fit: those of its
   ranges are added. */
void cab_expand_ranges (const struct cab_region *r, const uint64_t *words,
			struct cab_expand_rows *rows);

/* An event of a region with a shape and a count, whose rows fit: those of the parts of its last
   pass are added. */
void cab_expand_last_part (const struct cab_region *r, const uint64_t *words,
			   struct cab_expand_rows *rows);

/* An event of a nest is under way, of which nothing was told yet: how often do its rows, at most
   CAB_EXPAND_ROWS, happen?  False: that takes too long. */
bool cab_expand_count (struct cab_expand *e, uint64_t times[CAB_EXPAND_ROWS]);

/* An event of a nest with parts is under way, of which no rows were told: its next part, an event
   of PART's region with the raw words WORDS.  False: there is none left, or it has paused. */
bool cab_expand_part (struct cab_expand *e, const struct cab_nest_part **part,
		      uint64_t words[CAB_ACCESS_WORDS]);

/* It has paused: this many iterations of that loop are left. */
static inline uint64_t
cab_expand_left (const struct cab_expand *e)
{
  unsigned depth = e->ops[e->op].depth;
  return e->times[depth] - e->counter[depth] - 1;
}

/* ... N of them, no more than that, are told otherwise; each takes so much of the BUDGET.  False:
   that does not reach, and nothing has happened. */
bool cab_expand_skip (struct cab_expand *e, uint64_t n, uint64_t budget);

/* The values of the last rows, those of one pass through R. */
void cab_expand_values (const struct cab_region *r, const uint64_t *words,
			struct cab_expand_rows *rows);

/* Forget the rows. */
static inline void
cab_expand_clear (struct cab_expand_rows *rows)
{
  if (rows->has_values)
    __builtin_memset (rows->value_type, 0, rows->n);
  rows->n = 0;
  rows->has_values = false;
}

/* Add rows until the batch is full, or none is left. */
void cab_expand_rows (struct cab_expand *e, struct cab_expand_rows *rows);

#endif
