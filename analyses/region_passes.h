/* region_passes.h - where the accesses of an event of a region are, pass after pass.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a pass is an access each of the region, and the next one is a step further.  An access stays on its lines while its first and its last byte
 *             do: up to which pass that lasts is known once it has come there.
 * Units:      MASK: bytes of a line less 1, a line being a power of two.
 */
#ifndef CAB_REGION_PASSES_H
#define CAB_REGION_PASSES_H

#include "regions.h"

#define CAB_PASS_MOST 64u   /* accesses of a pass that is looked at as a whole */

/* An access of an event of a region: where it is in the first pass, how far on it is in each one behind, and the last pass up to which it stays on the
   lines that it was on when that was found out. */
struct cab_pass_access
{
  uint64_t first, step, until;
  uint32_t size, size_log2;               /* bytes of a step, back or ahead; CAB_PASS_UNEVEN: no power of two */
};
#define CAB_PASS_UNEVEN 64u

/* An event of a region under way. */
struct cab_passes
{
  const struct cab_region *region;
  uint64_t pass, until;                   /* which one it is, from 0 on; the least of all accesses */
  struct cab_pass_access access[CAB_PASS_MOST];
};

/* Where access K is in this pass. */
static inline uint64_t
cab_pass_address (const struct cab_passes *e, uint32_t k)
{
  return e->access[k].first + e->pass * e->access[k].step;
}

/* For how many passes behind one in which it is at ADDRESS does A, of BYTES bytes, stay on its lines?  Its step is not 0. */
static inline uint64_t
cab_pass_stays (const struct cab_pass_access *a, uint64_t address, uint64_t bytes, uint64_t mask)
{
  uint64_t first = address & mask, last = (address + bytes - 1) & mask;
  bool ahead = a->size == a->step;
  uint64_t most = first > last ? first : last, least = first + last - most, room = ahead ? mask - most : least;
  if (__builtin_expect (a->size_log2 == CAB_PASS_UNEVEN, 0))
    return a->size > mask ? 0 : (uint32_t) room / a->size;
  return room >> a->size_log2;
}

/* A's steps. */
static inline void
cab_pass_steps (struct cab_pass_access *a, uint64_t step, uint64_t bytes, uint64_t mask)
{
  uint64_t size = step <= mask ? step : -step;
  a->step = step;
  a->until = UINT64_MAX;
  if (!step || !mask)
    return;
  a->size = size <= mask ? size : UINT32_MAX;
  a->size_log2 = a->size & (a->size - 1) ? CAB_PASS_UNEVEN : (uint32_t) __builtin_ctz (a->size);
  a->until = cab_pass_stays (a, a->first, bytes, mask);
}

/* MASK 0: there are no passes behind the first. */
static inline void
cab_passes_begin (struct cab_passes *e, const struct cab_region *r, const uint64_t *words, uint64_t mask)
{
  e->region = r;
  e->pass = 0;
  e->until = UINT64_MAX;
  for (uint32_t k = 0; k < r->shape.n; k++)
    {
      const struct cab_region_access *a = r->access + k;
      struct cab_pass_access *to = e->access + k;
      to->first = (a->word == CAB_NO_WORD ? 0 : words[a->word]) + a->offset;
      to->step = 0;
      if (r->count == CAB_NO_WORD)
	continue;
      cab_pass_steps (to, (a->step_word == CAB_NO_WORD ? 0 : words[a->step_word]) + a->step, r->shape.bytes[k], mask);
      e->until = to->until < e->until ? to->until : e->until;
    }
}

/* N passes further. */
static inline void
cab_passes_ahead (struct cab_passes *e, uint64_t n, uint64_t mask)
{
  const uint64_t *bytes = e->region->shape.bytes;
  uint64_t pass = e->pass + n, least = UINT64_MAX;
  e->pass = pass;
  for (uint32_t k = 0, end = e->region->shape.n; k < end; k++)
    {
      struct cab_pass_access *a = &e->access[k];
      if (a->until < pass)
	a->until = pass + cab_pass_stays (a, cab_pass_address (e, k), bytes[k], mask);
      least = a->until < least ? a->until : least;
    }
  e->until = least;
}

#endif
