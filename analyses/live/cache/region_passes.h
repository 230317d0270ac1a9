/* region_passes.h - where the accesses of an event of a region are, pass after pass, and in which
 * passes they reach other lines.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a pass has one access each of the region, and the next pass is a step further.  An
 *             access has one end, its first byte, or two, the last one as well, if it may lie in
 *             two lines.  An end reaches another line in a pass if it was on another one in the
 *             pass before.  The passes in which it does so recur with a period: how often the
 *             greatest power of two that divides all steps goes into a line. If a set of a cache
 *             has room for all lines that a pass uses there, the next pass finds them, and leaves
 *             them in the order in which it found them, unless an end reaches the set, or leaves
 *             it.  So only the ends in such sets are to be looked at, all of them, in the order of
 *             a pass.
 * Units:      passes are 0-based; pass 0 is the event's first.
 */
#ifndef CAB_REGION_PASSES_H
#define CAB_REGION_PASSES_H

#include <string.h>
#include "analyses/wire/regions.h"

#define CAB_PASS_SETS 64u   /* sets that are told apart, by the last bits of their numbers */
#define CAB_PASS_MOST 64u   /* at most: accesses of a pass that is looked at as a whole; its ends;
			       passes of a period */

/* An access of an event of a region: its address in the next pass, the step from pass to pass, and
   its bytes less 1. */
struct cab_pass_access
{
  uint64_t address, step, last;
};

/* An event of a region in progress. */
struct cab_passes
{
  uint32_t n;
  uint64_t steps;             /* OR of all steps */
  struct cab_pass_access access[CAB_PASS_MOST];
};

/* Begin E, an event of R with WORDS; its first pass comes next. */
static inline void
cab_passes_begin (struct cab_passes *e, const struct cab_region *r, const uint64_t *words)
{
  bool once = r->count == CAB_NO_WORD;
  e->n = r->shape.n;
  e->steps = 0;
  for (uint32_t k = 0; k < r->shape.n; k++)
    {
      const struct cab_region_access *a = r->access + k;
      struct cab_pass_access *to = e->access + k;
      to->step = once ? 0 : (a->step_word == CAB_NO_WORD ? 0 : words[a->step_word]) + a->step;
      to->address = (a->word == CAB_NO_WORD ? 0 : words[a->word]) + a->offset;
      to->last = r->shape.bytes[k] - 1;
      e->steps |= to->step;
    }
}

/* Move E forward by N passes. */
static inline void
cab_passes_ahead (struct cab_passes *e, uint64_t n)
{
  for (struct cab_pass_access *a = e->access; a < e->access + e->n; a++)
    a->address += n * a->step;
}

/* An end of an access.  Twins (regions.h) reach a line together: the first stands for all of
   them. */
struct cab_pass_end
{
  uint64_t address, step;     /* in pass 0; from pass to pass */
  uint64_t at;                /* where it was when it reached its current line */
  uint64_t twins;             /* of the first: it and all others, as bits */
  uint32_t access;
  uint8_t first;
  bool alone;                 /* the access has no other end */
};

/* The ends of a pass, in the order of their accesses. */
struct cab_crossings
{
  struct cab_pass_end end[CAB_PASS_MOST];
  uint64_t coming[CAB_PASS_MOST];   /* first ends that reach another line in pass p, at index p
				       modulo the period, a power of two; as bits */
  uint64_t in[CAB_PASS_SETS];       /* ends on a line whose number has these last bits, masked by
				       set_mask, as bits */
  uint64_t busy;                    /* passes in which any end does, modulo 64, as bits */
  uint64_t pairs;                   /* ends of accesses that have two, as bits */
  uint64_t set_mask;
  uint32_t n, period, line_log2;
  uint32_t n_coming;                /* bits that are set in coming */
};

/* Enter that END, which moves, reaches another line in pass P, and every PERIOD passes after
   that. */
static inline void
cab_crossings_enter (struct cab_crossings *c, uint32_t end, uint32_t p, uint32_t period)
{
  for (p &= period - 1; p < c->period; p += period, c->n_coming++)
    {
      c->coming[p] |= UINT64_C (1) << end;
      c->busy |= UINT64_C (1) << p;
    }
}

/* Return the ends in the set that END is in. */
static inline uint64_t *
cab_crossings_set (struct cab_crossings *c, const struct cab_pass_end *end, uint32_t line_log2)
{
  return &c->in[end->at >> line_log2 & c->set_mask];
}

/* Enter the passes in which END, which moves from ADDRESS by STEP, reaches other lines. */
static inline void
cab_crossings_move (struct cab_crossings *c, uint32_t end, uint64_t address, uint64_t step)
{
  uint64_t mask = (UINT64_C (1) << c->line_log2) - 1, size = -step < step ? -step : step,
	   at = (step == size ? address : ~address) & mask;
  if (size > mask)
    cab_crossings_enter (c, end, 0, 1);
  else if (!(size & (size - 1)))
    cab_crossings_enter (c, end, ((mask - at) >> __builtin_ctzll (size)) + 1,
			 (uint32_t) ((mask + 1) >> __builtin_ctzll (size)));
  else
    for (uint32_t p = 1; p <= c->period; p++, at = (at + size) & mask)
      if (at + size > mask)
	cab_crossings_enter (c, end, p, c->period);
}

/* Add an end of access number ACCESS, which is A, OFFSET bytes after its first byte. */
static inline void
cab_crossings_end (struct cab_crossings *c, const struct cab_pass_access *a, uint64_t offset,
		   uint32_t access, bool alone)
{
  uint32_t i = c->n++;
  uint64_t address = a->address + offset;
  c->end[i] = (struct cab_pass_end) {
    address, a->step, address, UINT64_C (1) << i, access, i, alone
  };
  *cab_crossings_set (c, &c->end[i], c->line_log2) |= UINT64_C (1) << i;
  if (a->step)
    cab_crossings_move (c, i, address, a->step);
}

/* Add the end of access number ACCESS, a twin of the access of end BEFORE, each of which has one
   end. */
static inline void
cab_crossings_twin (struct cab_crossings *c, uint32_t before, uint32_t access)
{
  uint32_t i = c->n++, first = c->end[before].first;
  c->end[i].access = access;
  c->end[i].first = first;
  c->end[i].at = c->end[first].at;
  c->end[i].alone = true;
  c->end[first].twins |= UINT64_C (1) << i;
  *cab_crossings_set (c, &c->end[first], c->line_log2) |= UINT64_C (1) << i;
}

/* Return the first pass from P on in which an end reaches another line, if there are any. */
static inline uint64_t
cab_crossings_next (const struct cab_crossings *c, uint64_t p)
{
  unsigned turn = p % 64;
  return p + (unsigned) __builtin_ctzll (c->busy >> turn | c->busy << (-turn & 63));
}

/* Return after how many passes all recurs. */
static inline uint64_t
cab_passes_period (const struct cab_passes *e, uint32_t line_log2)
{
  uint32_t zeros = e->steps ? (uint32_t) __builtin_ctzll (e->steps) : line_log2;
  return zeros < line_log2 ? UINT64_C (1) << (line_log2 - zeros) : 1;
}

/* Begin C for E, an event of R, whose first pass comes next, with that PERIOD, no more than
   CAB_PASS_MOST, in a cache of N_SETS, a power of two, or else 1.  Return false if there are too
   many ends. */
static inline bool
cab_crossings_begin (struct cab_crossings *c, const struct cab_region *r,
		     const struct cab_passes *e, uint32_t period, uint32_t line_log2,
		     uint64_t n_sets)
{
  c->n = c->n_coming = 0;
  c->pairs = c->busy = 0;
  c->line_log2 = line_log2;
  c->set_mask = (n_sets - 1) % CAB_PASS_SETS;
  c->period = period;
  memset (c->coming, 0, c->period * sizeof *c->coming);
  memset (c->in, 0, sizeof c->in);
  bool one_each = true;       /* so far each access has one end */
  for (uint32_t k = 0; k < e->n; k++)
    {
      const struct cab_pass_access *a = e->access + k;
      bool alone = !(((a->last + 1) | a->address | a->step) & a->last);
      uint32_t twin = r->access[k].twin;
      one_each &= alone;
      if (c->n + 2 - alone > CAB_PASS_MOST)
	return false;
      if (one_each && twin && twin <= k)
	cab_crossings_twin (c, k - twin, k);
      else
	cab_crossings_end (c, a, 0, k, alone);
      if (!alone)
	{
	  cab_crossings_end (c, a, a->last, k, alone);
	  c->pairs |= UINT64_C (3) << (c->n - 2);
	}
    }
  for (uint32_t period = c->period; period < 64; period *= 2)
    c->busy |= c->busy << period;
  return true;
}

/* Return true if ENDS has more than THAN bits. */
static inline bool
cab_crossings_more (uint64_t ends, uint32_t than)
{
  while (ends && than--)
    ends &= ends - 1;
  return ends;
}

/* Return true if a set, of WAYS, has no room for all ends that are in it. */
static inline bool
cab_crossings_over (const struct cab_crossings *c, uint32_t ways)
{
  bool over = false;
  for (uint64_t i = 0; c->n > ways && i <= c->set_mask; i++)
    over |= cab_crossings_more (c->in[i], ways);
  return over;
}

/* Return the ends that are to be looked at if ENDS are.  If one of them is of an access with two
   ends, these are all, as such an access joins two sets. */
static inline uint64_t
cab_crossings_whole (const struct cab_crossings *c, uint64_t ends)
{
  return __builtin_expect ((ends & c->pairs) != 0, 0) ? UINT64_MAX >> (64 - c->n) : ends;
}

/* Move END and its twins to ADDRESS. */
static inline void
cab_crossings_put (struct cab_crossings *c, struct cab_pass_end *end, uint64_t address)
{
  end->at = address;
  for (uint64_t others = end->twins & (end->twins - 1); others; others &= others - 1)
    c->end[__builtin_ctzll (others)].at = address;
}

/* Let end I reach another line in pass P.  Add to *ENDS all ends that are to be looked at, in their
   order, and return the ends in the set that it reaches.  LINE_LOG2 is that of C. */
static inline uint64_t
cab_crossings_come (struct cab_crossings *c, uint32_t i, uint64_t p, uint32_t line_log2,
		    uint64_t *ends)
{
  struct cab_pass_end *end = &c->end[i];
  uint64_t *set = cab_crossings_set (c, end, line_log2), twins = end->twins, left = *set & ~twins;
  *set = left;
  cab_crossings_put (c, end, end->address + p * end->step);
  set = cab_crossings_set (c, end, line_log2);
  uint64_t others = *set;
  *set = others | twins;
  left |= others;
  *ends |= left ? left | twins : UINT64_C (1) << i;
  return others | twins;
}

#endif
