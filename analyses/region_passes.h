/* region_passes.h - where the accesses of an event of a region are, pass after pass.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a pass is an access each of the region, and the next one is a step further.  An access stays on its lines while its first and its last byte
 *             do.
 * Units:      MASK: bytes of a line less 1, a line being a power of two.
 */
#ifndef CAB_REGION_PASSES_H
#define CAB_REGION_PASSES_H

#include "regions.h"

#define CAB_PASS_MOST 64u   /* accesses of a pass that is looked at as a whole */

/* An access of an event of a region: where it is in the pass that comes next, how far on it is in each one behind, and its bytes less 1. */
struct cab_pass_access
{
  uint64_t address, step, last;
  uint64_t lead, flip, inverse;           /* of those that move: see cab_pass_room */
};

/* An event of a region under way. */
struct cab_passes
{
  uint32_t n, n_moving;
  struct cab_pass_access access[CAB_PASS_MOST], *moving[CAB_PASS_MOST];   /* those whose step is not 0, if they are asked for */
};

/* The first pass comes next: the bytes of the longest step. */
static inline uint64_t
cab_passes_begin (struct cab_passes *e, const struct cab_region *r, const uint64_t *words)
{
  bool once = r->count == CAB_NO_WORD;
  uint64_t longest = 0;
  e->n = r->shape.n;
  for (uint32_t k = 0; k < r->shape.n; k++)
    {
      const struct cab_region_access *a = r->access + k;
      struct cab_pass_access *to = e->access + k;
      uint64_t step = once ? 0 : (a->step_word == CAB_NO_WORD ? 0 : words[a->step_word]) + a->step, size = -step < step ? -step : step;
      to->address = (a->word == CAB_NO_WORD ? 0 : words[a->word]) + a->offset;
      to->step = step;
      to->last = r->shape.bytes[k] - 1;
      longest = size > longest ? size : longest;
    }
  return longest;
}

/* What cab_passes_stay needs, of steps of less than 64 KB. */
static inline void
cab_passes_measure (struct cab_passes *e)
{
  e->n_moving = 0;
  for (struct cab_pass_access *a = e->access; a < e->access + e->n; a++)
    if (a->step)
      {
	bool ahead = a->step <= UINT64_MAX / 2;
	uint64_t size = ahead ? a->step : -a->step;
	e->moving[e->n_moving++] = a;
	a->lead = (ahead ? a->last : 0) - a->step;
	a->flip = ahead ? UINT64_MAX : 0;
	a->inverse = size & (size - 1) ? (UINT64_C (1) << 32) / size + 1 : UINT64_C (1) << (32 - __builtin_ctz (size));
      }
}

/* For how many passes behind the one that was last is a byte of A, which is LEAD off where A is next, on the line that it was on?  The bytes that it has
   there before it are divided by the step: there are less than 64 KB of either. */
static inline uint64_t
cab_pass_room (const struct cab_pass_access *a, uint64_t lead, uint64_t mask)
{
  return (((a->address + lead) ^ a->flip) & mask) * a->inverse >> 32;
}

/* How many passes behind the one that was last are on its lines, access by access?  TWO: some of them lie in two. */
static inline uint64_t
cab_passes_stay (const struct cab_passes *e, uint64_t mask, bool two)
{
  uint64_t least = UINT64_MAX;
  for (struct cab_pass_access *const *i = e->moving; i < e->moving + e->n_moving; i++)
    {
      const struct cab_pass_access *a = *i;
      uint64_t n = cab_pass_room (a, a->lead, mask);
      least = n < least ? n : least;
      if (__builtin_expect (!two, 1))
	continue;
      n = cab_pass_room (a, a->flip ? a->lead - a->last : a->lead + a->last, mask);
      least = n < least ? n : least;
    }
  return least;
}

/* N passes further. */
static inline void
cab_passes_ahead (struct cab_passes *e, uint64_t n)
{
  for (struct cab_pass_access *const *i = e->moving; i < e->moving + e->n_moving; i++)
    (*i)->address += n * (*i)->step;
}

#endif
