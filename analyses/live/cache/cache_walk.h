/* cache_walk.h - find the accesses of an event of a region that are not just the line that was used
 * last in its set.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      all others change nothing in D1, so D1 need not see them.  After the first pass of an
 *             event only those accesses are looked at that reach other lines, and what is in a set
 *             with them (region_passes.h), if that is less work. The function that uses what is
 *             found is a constant of each caller, and keeps `recent' of the quick look up to date.
 */
#ifndef CAB_CACHE_WALK_H
#define CAB_CACHE_WALK_H

#include "analyses/live/cache/cache_state.h"
#include "analyses/live/cache/region_passes.h"

#define CAB_WALK_MANY 3u   /* passes */
#define CAB_WALK_LOOKS 3u  /* an end that reaches another line takes as long as this many accesses
			      that were used last in their sets */
#define CAB_WALK static inline __attribute__ ((always_inline))

/* Use an access of R that spans ADDRESS to ADDRESS + LAST; COUNTED is the counter of passes
   including this access. */
typedef void cab_walk_use (void *host, const struct cab_region *r, uint64_t address, uint64_t last,
			   uint64_t counted);

/* The properties of D1 that a walk over passes needs. */
struct cab_cache_walk
{
  uint32_t stay, line_log2;   /* of D1: see live_caches.h */
  uint64_t n_sets;            /* 1 if it is no power of two */
};

/* Return what a walk needs of the D1 of LIVE. */
static inline struct cab_cache_walk
cab_walk_of (const struct cab_live *live)
{
  const struct cab_cachesim_cache *d1 = &live->level[0].cache;
  return (struct cab_cache_walk) { live->stay, d1->line_log2, d1->inverse ? 1 : d1->n_sets };
}

/* Return QUICK with the constants of caches whose `usual' is USUAL. */
CAB_WALK struct cab_live_quick
cab_walk_quick (struct cab_live_quick quick, unsigned usual)
{
  quick.line_log2 = usual ? (uint32_t) CAB_LIVE_USUAL_LOG2 : quick.line_log2;
  quick.line_mask = usual ? (1u << CAB_LIVE_USUAL_LOG2) - 1 : quick.line_mask;
  return quick;
}

/* Walk over a pass, access by access; E is one pass further afterwards. */
CAB_WALK void
cab_walk_pass (void *host, cab_walk_use *use, const struct cab_live_quick *quick,
	       const struct cab_region *r, struct cab_passes *e, uint64_t before)
{
  for (struct cab_pass_access *a = e->access, *end = a + e->n; a < end; a++)
    {
      uint64_t address = a->address;
      a->address = address + a->step;
      if (__builtin_expect (cab_live_distance (quick, address) + a->last <= quick->line_mask, 1))
	continue;
      use (host, r, address, a->last, before + 1 + (a - e->access));
    }
}

/* Walk over an event that is one pass through R, whose accesses all have words. */
CAB_WALK void
cab_walk_once (void *host, cab_walk_use *use, const struct cab_live_quick *quick,
	       const struct cab_region *r, const uint64_t *words, uint64_t before)
{
  for (const struct cab_region_access *a = r->access, *end = a + r->shape.n; a < end; a++)
    {
      uint64_t address = words[a->word] + a->offset;
      if (__builtin_expect (cab_live_is_in (quick, address, a->bytes), 1))
	continue;
      use (host, r, address, a->bytes - 1, before + 1 + (a - r->access));
    }
}

/* Return true if all spans of R, whose accesses all have words, are surely the lines that were used
   last in their sets. */
static inline bool
cab_walk_is_recent (const struct cab_live_quick *quick, const struct cab_region *r,
		    const uint64_t *words)
{
  const struct cab_span *span = r->span, *end = span + r->n_spans;
  do
    if (!cab_live_are_recent (quick, words[span->word] + span->offset, span->last))
      return false;
  while (++span < end);
  return true;
}

/* Look at end I of an access in pass P; the counter was NOW before that pass, and E is at pass
   1. */
CAB_WALK void
cab_walk_end (void *host, cab_walk_use *use, const struct cab_live_quick *quick,
	      const struct cab_region *r, const struct cab_passes *e, const struct cab_crossings *c,
	      uint32_t i, uint64_t p, uint64_t now)
{
  const struct cab_pass_end *end = &c->end[i];
  uint64_t address = end->at, last = 0;
  if (__builtin_expect (!end->alone, 0))
    {
      const struct cab_pass_access *a = &e->access[end->access];
      address = a->address + (p - 1) * a->step;
      last = a->last;
    }
  if (cab_live_distance (quick, address) + last > quick->line_mask)
    use (host, r, address, last, now + 1 + end->access);
}

/* Begin C and return true if it may be less work to look only at what reaches other lines in PASSES
   passes of E. */
static inline bool
cab_walk_begin (const struct cab_cache_walk *w, struct cab_crossings *c, const struct cab_region *r,
		const struct cab_passes *e, uint64_t passes)
{
  uint64_t period = cab_passes_period (e, w->line_log2);
  return w->stay && period <= CAB_PASS_MOST && 2 * passes > period
      && cab_crossings_begin (c, r, e, period, w->line_log2, w->n_sets)
      && CAB_WALK_LOOKS * c->n_coming <= c->period * c->n && !cab_crossings_over (c, w->stay);
}

/* Return the ends that are to be looked at in pass P; *OVER is set if a set has more of them than
   ways. */
CAB_WALK uint64_t
cab_walk_ends (const struct cab_cache_walk *w, struct cab_crossings *c, uint64_t p,
	       uint32_t line_log2,
	       bool *over)
{
  uint64_t ends = 0;
  for (uint64_t all = c->coming[p & (c->period - 1)]; all; all &= all - 1)
    {
      uint64_t with = cab_crossings_come (c, __builtin_ctzll (all), p, line_log2, &ends);
      if (__builtin_expect (c->n > w->stay, 0))
	*over |= cab_crossings_more (with, w->stay);
    }
  return cab_crossings_whole (c, ends);
}

/* Walk over the passes after the first one, up to PASSES, until one uses more lines of a set than
   that has ways.  Return the number of that pass, or PASSES.  NOW is the counter before the first
   pass. */
CAB_WALK uint64_t
cab_walk_crossings (void *host, cab_walk_use *use, const struct cab_cache_walk *w,
		    const struct cab_live_quick *quick, const struct cab_region *r,
		    const struct cab_passes *e, struct cab_crossings *c, uint64_t now,
		    uint64_t passes)
{
  bool over = false;
  if (!c->busy)
    return passes;
  for (uint64_t p = cab_crossings_next (c, 1); p < passes; p = cab_crossings_next (c, p + 1))
    {
      uint64_t ends = cab_walk_ends (w, c, p, quick->line_log2, &over);
      if (__builtin_expect (over, 0))
	return p;
      for (; ends; ends &= ends - 1)
	cab_walk_end (host, use, quick, r, e, c, __builtin_ctzll (ends), p,
		      now + p * CAB_CACHE_PASS);
    }
  return passes;
}

/* Walk over PASSES passes of E, an event of R that has just begun, whose counter is NOW.  E is
   after these passes on return. */
CAB_WALK void
cab_walk_passes (void *host, cab_walk_use *use, const struct cab_cache_walk *w,
		 const struct cab_live_quick *quick, const struct cab_region *r,
		 struct cab_passes *e, uint64_t now, uint64_t passes)
{
  if (passes > CAB_WALK_MANY)
    {
      struct cab_crossings c;
      bool crossings = cab_walk_begin (w, &c, r, e, passes);
      cab_walk_pass (host, use, quick, r, e, now);
      uint64_t n = crossings ? cab_walk_crossings (host, use, w, quick, r, e, &c, now, passes) : 1;
      cab_passes_ahead (e, n - 1);
      now += n * CAB_CACHE_PASS;
      passes -= n;
    }
  for (; passes; passes--, now += CAB_CACHE_PASS)
    cab_walk_pass (host, use, quick, r, e, now);
}

/* Use a row of an event; return false if the walk is to end before it. */
typedef bool cab_walk_row (void *host, uint32_t number, unsigned form, uint64_t address,
			   uint64_t bytes);

/* Walk over PASSES passes of an event of R from pass FIRST on, and those accesses of one more that
   are in parts below PART, as rows, with ranges, which the columns of R have after the others.
   Leave out the first SKIP rows.  Return how many rows come before the one that ended the walk, or
   UINT64_MAX if none did. */
CAB_WALK uint64_t
cab_walk_rows (void *host, cab_walk_row *use, const struct cab_region *r, const uint64_t *raw,
	       uint64_t first, uint64_t passes, unsigned part, uint64_t skip)
{
  uint64_t words[CAB_ACCESS_WORDS + 1], row = 0;
  for (unsigned i = 0; i < r->words; i++)
    words[i] = raw[i];
  words[CAB_NO_WORD] = 0;
  /* Whole passes are left out at once: row by row, a walk that is resumed again and again would
     never get far. */
  uint64_t left_out = r->shape.n ? skip / r->shape.n : 0;
  row = left_out * r->shape.n;
  for (uint64_t pass = first + left_out; pass <= first + passes; pass++)
    {
      const uint32_t *site = r->shape.site, *range_site = site + r->fixed.n;
      for (const struct cab_region_access *a = r->access, *end = a + r->shape.n; a < end; a++)
	{
	  uint32_t number = a->form & CAB_ROW_RANGE ? *range_site++ : *site++;
	  if ((pass == first + passes && a->part >= part) || row++ < skip)
	    continue;
	  if (!use (host, number, a->form,
		    words[a->word] + a->offset + pass * (words[a->step_word] + a->step),
		    words[a->bytes_word] + a->bytes))
	    return row - 1;
	}
    }
  return UINT64_MAX;
}

#endif
