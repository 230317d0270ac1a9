/* cache_strides.h - an event of many passes, whose accesses have any strides, line by line: which
 * accesses reach another line in which pass.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      accesses that are on the same line in all passes form one stride stream, called a
 *             stride here.  Each stride is used in each pass.  Suppose that a set of D1 has a way
 *             for all of them, and another one for each that may have used two lines of it since a
 *             third one was used (the line that it left, then the one that it has reached).  Then
 *             no line is evicted before it is left, and in the end a set has its lines in the order
 *             in which they were left; those left in one pass, in the order of the accesses that
 *             used them last.  So only what reaches another line is looked at, and the lines that
 *             stay in a set are used again before that, wherever the set holds any. The walk looks
 *             at the first pass by itself, access by access, and at the last one once more.  Where
 *             some accesses reach another line in each pass, as along a column of a matrix, the
 *             passes between two in which others do as well are a loop of their own.
 * Units:      passes are 0-based.
 */
#ifndef CAB_CACHE_STRIDES_H
#define CAB_CACHE_STRIDES_H

#include <stdbool.h>
#include "analyses/live/cache/region_passes.h"

#define CAB_STRIDES_MOST 12u
#define CAB_STRIDES_PASSES 4u   /* passes of an event, at least */
#define CAB_STRIDES_LOOKS 3u    /* reaching another line takes as long as this many accesses that
				   were used last in their sets, unless few do so in each pass */
#define CAB_STRIDES_EACH 4u     /* how many are few */
#define CAB_STRIDES_SETS 64u    /* sets that are told apart, by the last bits of their numbers */

struct cab_stride
{
  uint64_t address, step;     /* in pass 0; from pass to pass */
  uint64_t line;              /* number of its current line; CAB_STRIDES_NOWHERE between leaving
				 and reaching the next */
  uint64_t wait;              /* passes until it reaches another line; UINT64_MAX: it stays */
  uint64_t period;            /* passes between two such; 0: that varies */
  uint32_t first, last;       /* accesses */
};
#define CAB_STRIDES_NOWHERE UINT64_MAX

struct cab_strides
{
  uint32_t n, n_each;         /* n_each: how many reach another line in each pass */
  uint64_t line_log2, set_mask;
  struct cab_stride stride[CAB_STRIDES_MOST];   /* in the order of their first accesses */
  uint8_t by_last[CAB_STRIDES_MOST];        /* in the order of their last accesses */
  uint8_t in[CAB_STRIDES_SETS];             /* how many are in a set whose number has these last
					     bits */
};

/* Return after how many passes an access with STEP that is at ADDRESS reaches another line. */
static inline uint64_t
cab_stride_wait (const struct cab_strides *p, uint64_t address, uint64_t step)
{
  uint64_t size = step > -step ? -step : step,
	   rest = (step == size ? ~address : address) & ((UINT64_C (1) << p->line_log2) - 1);
  return size ? (uint32_t) rest / (uint32_t) size + 1 : UINT64_MAX;
}

/* Return how many passes are between two lines that an access with STEP reaches; 0 if that
   varies. */
static inline uint64_t
cab_stride_period (const struct cab_strides *p, uint64_t step)
{
  uint64_t size = step > -step ? -step : step;
  if (size >> p->line_log2)
    return 1;
  return size & (size - 1) ? 0
       : size ? UINT64_C (1) << (p->line_log2 - __builtin_ctzll (size))
       : UINT64_MAX;
}

/* Return the count of the set of LINE. */
static inline uint8_t *
cab_stride_set (struct cab_strides *p, uint64_t line)
{
  return &p->in[line & p->set_mask];
}

/* Plan the strides of E, whose first pass comes next, in a D1 of N_SETS, a power of two, of WAYS,
   with lines of 2^LINE_LOG2 bytes.  Return false if there are too many, one access lies in two
   lines, or looking at each pass is less work. */
static inline bool
cab_strides_plan (struct cab_strides *p, const struct cab_passes *e, uint64_t n_sets, unsigned ways,
		uint32_t line_log2)
{
  p->n = p->n_each = 0;
  p->line_log2 = line_log2;
  p->set_mask = (n_sets - 1) % CAB_STRIDES_SETS;
  for (uint32_t k = 0; k < e->n; k++)
    {
      const struct cab_pass_access *a = e->access + k;
      uint32_t i = 0, together = a->step && (uint32_t) __builtin_ctzll (a->step) < line_log2
				 ? (uint32_t) __builtin_ctzll (a->step)
				 : line_log2;
      if (((a->last + 1) | a->address | a->step) & a->last)
	return false;
      while (i < p->n
	     && (p->stride[i].step != a->step || (p->stride[i].address ^ a->address) >> together))
	i++;
      if (i == CAB_STRIDES_MOST || i == ways)
	return false;
      if (i == p->n)
	p->stride[p->n++] = (struct cab_stride) {
	  a->address, a->step, a->address >> line_log2, 0, cab_stride_period (p, a->step), k, k
	};
      p->stride[i].last = k;
    }
  uint64_t bytes = 0;
  uint32_t n_both = 0;
  memset (p->in, 0, sizeof p->in);
  for (uint32_t i = 0, at; i < p->n; i++)
    {
      struct cab_stride *a = &p->stride[i];
      uint64_t size = a->step > -a->step ? -a->step : a->step;
      bool each = size >> line_log2;
      a->wait = each ? 1 : cab_stride_wait (p, a->address, a->step);
      p->n_each += each;
      bytes += each ? 0 : size;
      n_both += a->last > a->first && size > (n_sets - 1) << line_log2;
      ++*cab_stride_set (p, a->line);
      for (at = i; at > 0 && p->stride[p->by_last[at - 1]].last > a->last; at--)
	p->by_last[at] = p->by_last[at - 1];
      p->by_last[at] = i;
    }
  bytes += p->n_each > CAB_STRIDES_EACH ? (uint64_t) p->n_each << line_log2 : 0;
  return p->n + n_both <= ways && CAB_STRIDES_LOOKS * bytes <= (uint64_t) e->n << line_log2;
}

/* Move *PASS to the next pass in which any stride reaches another line.  Return which ones do, as
   bits. */
static inline uint32_t
cab_strides_next (struct cab_strides *p, uint64_t *pass)
{
  uint64_t skip = p->n_each ? 1 : UINT64_MAX;
  uint32_t who = 0;
  for (uint32_t i = 0; !p->n_each && i < p->n; i++)
    skip = p->stride[i].wait < skip ? p->stride[i].wait : skip;
  for (uint32_t i = 0; i < p->n; i++)
    {
      uint64_t wait = p->stride[i].wait - skip;
      who |= (uint32_t) !wait << i;
      p->stride[i].wait = wait;
    }
  *pass += skip;
  return who;
}

/* The strides that reach another line in each pass, for some passes in which the others stay, in
   the order of their first accesses. */
struct cab_strides_each
{
  struct cab_stride *stride[CAB_STRIDES_EACH];
  uint8_t by_last[CAB_STRIDES_EACH];   /* in the order of their last accesses */
  uint64_t line[CAB_STRIDES_EACH], address[CAB_STRIDES_EACH];   /* in the last pass */
  uint64_t others;            /* sets, by last bits, that have lines of the other strides */
};

/* Begin E for the passes after PASS, of an event of PASSES, in which only those strides reach
   another line that do so in each pass.  Return how many passes these are, and move the waits of
   P's other strides past them.  Return 0 if there are none, or too many strides reach another line
   in each pass. */
static inline uint64_t
cab_strides_each_begin (struct cab_strides_each *e, struct cab_strides *p, uint64_t pass,
			uint64_t passes)
{
  uint64_t n = passes - 1 - pass;
  uint32_t k = 0;
  uint8_t number[CAB_STRIDES_MOST];
  if (!p->n_each || p->n_each > CAB_STRIDES_EACH)
    return 0;
  for (uint32_t i = 0; i < p->n; i++)
    if (p->stride[i].period != 1 && p->stride[i].wait <= n)
      n = p->stride[i].wait - 1;
  if (!n)
    return 0;
  e->others = 0;
  for (uint32_t i = 0; i < p->n; i++)
    {
      struct cab_stride *a = &p->stride[i];
      if (a->period != 1)
	{
	  e->others |= UINT64_C (1) << (a->line & p->set_mask);
	  a->wait -= n;
	  continue;
	}
      e->stride[k] = a;
      e->line[k] = a->line;
      e->address[k] = a->address + pass * a->step;
      --*cab_stride_set (p, a->line);
      number[i] = k++;
    }
  for (uint32_t i = 0, at = 0; i < p->n; i++)
    if (p->stride[p->by_last[i]].period == 1)
      e->by_last[at++] = number[p->by_last[i]];
  return n;
}

/* End those passes: give P the lines that its strides have reached. */
static inline void
cab_strides_each_end (const struct cab_strides_each *e, struct cab_strides *p)
{
  for (uint32_t k = 0; k < p->n_each; k++)
    {
      e->stride[k]->line = e->line[k];
      ++*cab_stride_set (p, e->line[k]);
    }
}

/* Let A use another line in pass PASS. */
static inline void
cab_stride_come (struct cab_strides *p, struct cab_stride *a, uint64_t pass)
{
  uint64_t address = a->address + pass * a->step;
  a->line = address >> p->line_log2;
  ++*cab_stride_set (p, a->line);
  a->wait = a->period ? a->period : cab_stride_wait (p, address, a->step);
}

#endif
