/* section_strides.h - accesses of a loop at different steps (cache_strides.h), and others one by
 * one, in the D1 of a section; for cache_section.c alone.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      cache_section.h.  How a D1 is used is a constant of each caller.
 */
#ifndef CAB_SECTION_STRIDES_H
#define CAB_SECTION_STRIDES_H

#include "analyses/live/cache/cache_section.h"
#include "analyses/live/cache/cache_strides.h"

#define LINE (UINT64_C (1) << CAB_LIVE_USUAL_LOG2)

/* Use LINE, whose page has been noted, in D1. */
typedef enum cab_section_found use_line (const struct cab_section_d1 *d1, uint64_t line);

/* Copies of a worker's fields for a hot loop: as far as the compiler knows, stores to tags might
   change the originals. */
struct looking
{
  struct cab_live_quick quick;
  struct cab_section_d1 d1;
  struct cab_section_miss *miss;
};

/* Begin to look up with copies of W's fields, in a D1 that is usual. */
static inline __attribute__ ((always_inline)) struct looking
begin_looking (struct cab_section_worker *w)
{
  struct looking l = { cab_walk_quick (w->caches.quick, CAB_LIVE_FEW), w->d1, w->miss };
  l.d1.set_mask = l.quick.recent_mask;   /* the two are equal */
  return l;
}

/* Give W what the copies in L have become. */
static inline __attribute__ ((always_inline)) void
end_looking (struct cab_section_worker *w, const struct looking *l)
{
  w->miss = l->miss;
  w->d1.all |= l->d1.all;
  w->d1.upper |= l->d1.upper;
}

/* Look up the line at ADDRESS, whose page has been noted, and which is not surely the last used one
   of its set, for an access with this NUMBER and direction. */
static inline __attribute__ ((always_inline)) void
look_line (struct cab_section_worker *w, struct looking *l, uint64_t address, uint32_t number,
	   bool write, use_line *use)
{
  uint64_t line = address >> CAB_LIVE_USUAL_LOG2, at = address & -LINE;
  w->recent[line & l->quick.recent_mask] = at;
  enum cab_section_found found = use (&l->d1, line);
  if (__builtin_expect (found != CAB_SECTION_FOUND, 0))
    *l->miss++ = (struct cab_section_miss) {
      .address = at | (found == CAB_SECTION_MISSED ? CAB_MISS_FIRST : CAB_MISS_UNSURE_FIRST),
      .number = number,
      .write = write
    };
}

/* Use the line at ADDRESS, which is in D1. */
static inline void
use_again (struct cab_section_worker *w, const struct cab_live_quick *quick, uint64_t address)
{
  if (cab_live_distance (quick, address) > quick->line_mask)
    w->way->line (w, address >> CAB_LIVE_USUAL_LOG2);
}

/* Let A leave its line: whatever else is in its set is used again. */
static inline void
leave (struct cab_section_worker *w, const struct cab_live_quick *quick, struct cab_strides *p,
       struct cab_stride *a)
{
  uint64_t line = a->line;
  a->line = CAB_STRIDES_NOWHERE;
  if (__builtin_expect (!--*cab_stride_set (p, line), 1))
    return;
  for (uint32_t i = 0; i < p->n; i++)
    if (p->stride[i].line != CAB_STRIDES_NOWHERE && !((p->stride[i].line ^ line) & p->set_mask))
      use_again (w, quick, p->stride[i].line << CAB_LIVE_USUAL_LOG2);
}

/* Use again, before LINE is left, what else is in its set, except the strides that reach another
   line in each pass. */
static void __attribute__ ((noinline))
use_others (struct cab_section_worker *w, const struct cab_live_quick *quick,
	    const struct cab_strides *p, uint64_t line)
{
  for (uint32_t i = 0; i < p->n; i++)
    if (p->stride[i].period != 1 && !((p->stride[i].line ^ line) & p->set_mask))
      use_again (w, quick, p->stride[i].line << CAB_LIVE_USUAL_LOG2);
}

/* Note the pages of N steps from ADDRESS on.  If it is not far to the last one, and the upper bits
   of both are the same, so are those of all. */
static void
note_steps (struct cab_section_d1 *d1, uint64_t address, uint64_t step, uint64_t n)
{
  uint64_t first = (address + step) >> CAB_LIVE_USUAL_LOG2,
	   last = (address + n * step) >> CAB_LIVE_USUAL_LOG2, size = step < -step ? step : -step;
  cab_section_d1_note (d1, first);
  cab_section_d1_note (d1, last);
  if (size >> 40 || n >> 20 || (first ^ last) >> d1->sets_log2 >> 29)
    for (uint64_t i = 2; i < n; i++)
      cab_section_d1_note (d1, (address + i * step) >> CAB_LIVE_USUAL_LOG2);
}

/* Return true if access K of R writes, and does not read. */
static inline bool
is_write (const struct cab_region *r, uint32_t k)
{
  return (r->shape.form[k] & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE;
}

/* Walk over N passes, in each of which COMING strides reach other lines, and no others do. */
static inline __attribute__ ((always_inline)) void
walk_each (struct cab_section_worker *w, const struct cab_live_quick *quick,
	   const struct cab_region *r, const struct cab_strides *p, struct cab_strides_each *e,
	   uint64_t n, uint32_t coming, use_line *use)
{
  struct looking l = begin_looking (w);
  for (uint32_t k = 0; k < coming; k++)
    note_steps (&l.d1, e->address[k], e->stride[k]->step, n);
  for (; n; n--)
    {
      for (uint32_t i = 0; i < coming; i++)
	{
	  uint64_t line = e->line[e->by_last[i]];
	  for (uint32_t j = i + 1; j < coming; j++)
	    if (!((e->line[e->by_last[j]] ^ line) & p->set_mask))
	      use_again (w, quick, e->line[e->by_last[j]] << CAB_LIVE_USUAL_LOG2);
	  if (__builtin_expect (e->others >> (line & p->set_mask) & 1, 0))
	    use_others (w, quick, p, line);
	}
      for (uint32_t k = 0; k < coming; k++)
	{
	  uint32_t first = e->stride[k]->first;
	  e->address[k] += e->stride[k]->step;
	  e->line[k] = e->address[k] >> CAB_LIVE_USUAL_LOG2;
	  if (cab_live_distance (&l.quick, e->address[k]) > l.quick.line_mask)
	    look_line (w, &l, e->address[k], r->shape.site[first], is_write (r, first), use);
	}
    }
  end_looking (w, &l);
}

/* As walk_each, where one stride reaches other lines. */
static inline __attribute__ ((always_inline)) void
walk_one (struct cab_section_worker *w, const struct cab_live_quick *quick,
	  const struct cab_region *r, const struct cab_strides *p, struct cab_strides_each *e,
	  uint64_t n, use_line *use)
{
  const uint32_t number = r->shape.site[e->stride[0]->first];
  const uint64_t step = e->stride[0]->step, others = e->others, set_mask = p->set_mask;
  const bool write = is_write (r, e->stride[0]->first);
  struct looking l = begin_looking (w);
  uint64_t address = e->address[0];
  note_steps (&l.d1, address, step, n);
  for (; n; n--)
    {
      if (__builtin_expect (others >> (address >> CAB_LIVE_USUAL_LOG2 & set_mask) & 1, 0))
	use_others (w, quick, p, address >> CAB_LIVE_USUAL_LOG2);
      address += step;
      if (cab_live_distance (&l.quick, address) > l.quick.line_mask)
	look_line (w, &l, address, number, write, use);
    }
  e->line[0] = address >> CAB_LIVE_USUAL_LOG2;
  end_looking (w, &l);
}

/* Walk over the passes after PASS and before PASSES in which only those strides reach another line
   that do so in each pass.  Return how many passes these are. */
static inline __attribute__ ((always_inline)) uint64_t
walk_steady (struct cab_section_worker *w, const struct cab_live_quick *quick,
	     const struct cab_region *r, struct cab_strides *p, uint64_t pass, uint64_t passes,
	     use_line *use)
{
  struct cab_strides_each e;
  uint64_t n = cab_strides_each_begin (&e, p, pass, passes);
  if (!n)
    return 0;
  switch (p->n_each)
    {
    case 1: walk_one (w, quick, r, p, &e, n, use); break;
    case 2: walk_each (w, quick, r, p, &e, n, 2, use); break;
    default: walk_each (w, quick, r, p, &e, n, p->n_each, use); break;
    }
  cab_strides_each_end (&e, p);
  return n;
}

/* Walk over PASSES passes of E, an event of R that has the strides P. */
static inline __attribute__ ((always_inline)) void
walk_strides (struct cab_section_worker *w, const struct cab_region *r, struct cab_strides *p,
	      struct cab_passes *e, uint64_t passes, cab_walk_use *look_here, use_line *use)
{
  const struct cab_live_quick here = cab_walk_quick (w->caches.quick, CAB_LIVE_FEW), *quick = &here;
  cab_walk_pass (w, w->way->use, quick, r, e, 0);
  for (uint64_t pass = 0;;)
    {
      pass += walk_steady (w, quick, r, p, pass, passes, use);
      uint32_t who = cab_strides_next (p, &pass);
      if (pass >= passes)
	break;
      if (!(who & (who - 1)))
	leave (w, quick, p, &p->stride[__builtin_ctz (who)]);
      else
	for (uint32_t i = 0; i < p->n; i++)
	  if (who >> p->by_last[i] & 1)
	    leave (w, quick, p, &p->stride[p->by_last[i]]);
      for (; who; who &= who - 1)
	{
	  struct cab_stride *a = &p->stride[__builtin_ctz (who)];
	  cab_stride_come (p, a, pass);
	  if (cab_live_distance (quick, a->line << CAB_LIVE_USUAL_LOG2) > quick->line_mask)
	    look_here (w, r, a->line << CAB_LIVE_USUAL_LOG2, 0, a->first + 1);
	}
    }
  cab_passes_ahead (e, passes - 2);
  cab_walk_pass (w, w->way->use, quick, r, e, 0);
}

#endif
