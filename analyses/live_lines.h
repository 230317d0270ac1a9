/* live_lines.h - one line of a cache in the state of an analysis: for those whose every access goes through here.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      see live_caches.h.
 */
#ifndef CAB_LIVE_LINES_H
#define CAB_LIVE_LINES_H

#include "live_caches.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CAB_LIVE_NOWHERE CAB_LIVE_ORDERED

/* The journal has N words. */
static inline void
cab_live_set_saved (struct cab_live_caches *caches, uint64_t n)
{
  cab_space_order ();
  *(volatile uint64_t *) &caches->n_saved = n;
  cab_space_order ();
}

/* What stands at place I of `recent' where nothing is known: a line that has another place, and whose neighbours have, too. */
static inline uint64_t
cab_live_unknown (uint64_t i, uint32_t line_log2)
{
  return (i ^ 2) << line_log2;
}

/* The order in which WAY, at digit POS of ORDER, was used last. */
static inline uint64_t
cab_live_to_front (uint64_t order, unsigned pos, uint64_t way)
{
  uint64_t moved = (UINT64_C (16) << 4 * pos) - 1;   /* up to the digit POS; of the last digit all */
  return (order & ~moved) | (order << 4 & moved) | way;
}

/* The same, wherever WAY is: its digit is the lowest one that is 0 when WAY is taken from all. */
static inline uint64_t
cab_live_used (uint64_t order, uint64_t way)
{
  const uint64_t ones = UINT64_C (0x1111111111111111);
  uint64_t rest = order ^ way * ones, top = (rest - ones) & ~rest & 8 * ones, moved = top ^ (top - 1);   /* up to that digit */
  return order ^ ((order ^ (order << 4 | way)) & moved);
}

/* ... of at most eight ways, whose digits are the low half. */
static inline uint64_t
cab_live_used_of_eight (uint64_t order, uint32_t way)
{
  const uint32_t ones = 0x11111111;
  uint32_t low = order, rest = low ^ way * ones, top = (rest - ones) & ~rest & 8 * ones, moved = top ^ (top - 1);
  return order ^ ((low ^ (low << 4 | way)) & moved);
}

#ifdef __SSE2__
/* The low halves of the four words at WAYS. */
static inline __m128i
cab_live_low_halves (const uint64_t *ways)
{
  __m128 first = _mm_castsi128_ps (_mm_loadu_si128 ((const __m128i *) ways)), last = _mm_castsi128_ps (_mm_loadu_si128 ((const __m128i *) ways + 1));
  return _mm_castps_si128 (_mm_shuffle_ps (first, last, _MM_SHUFFLE (2, 0, 2, 0)));
}

/* In which of four, or eight, ways are the low halves those of TAG?  Two equal bits for each. */
static inline unsigned
cab_live_like_of_four (const uint64_t *ways, __m128i tag)
{
  __m128i equal = _mm_cmpeq_epi32 (cab_live_low_halves (ways), tag);
  return _mm_movemask_epi8 (_mm_packs_epi32 (equal, _mm_setzero_si128 ()));
}

static inline unsigned
cab_live_like_of_eight (const uint64_t *ways, __m128i tag)
{
  return _mm_movemask_epi8 (_mm_packs_epi32 (_mm_cmpeq_epi32 (cab_live_low_halves (ways), tag), _mm_cmpeq_epi32 (cab_live_low_halves (ways + 4), tag)));
}
#endif

#ifdef __SSE2__
/* Of the ways from FIRST on that have the low half of TAG, two BITS for each: *WAY is that which has all of it. */
static inline bool
cab_live_pick (const uint64_t *ways, unsigned first, unsigned bits, uint64_t tag, unsigned *way)
{
  for (; bits; bits &= bits - 1, bits &= bits - 1)
    {
      *way = first + (unsigned) __builtin_ctz (bits) / 2;
      if (__builtin_expect (ways[*way] == tag, 1))
	return true;
    }
  return false;
}
#endif

/* Which of ASSOC ways has TAG?  CAB_LIVE_NOWHERE: none. */
static inline unsigned
cab_live_way (const uint64_t *ways, unsigned assoc, uint64_t tag)
{
  unsigned way = 0;
#ifdef __SSE2__
  const __m128i low = _mm_set1_epi32 (tag);
  unsigned found;
  for (; way + 8 <= assoc; way += 8)
    if (cab_live_pick (ways, way, cab_live_like_of_eight (ways + way, low), tag, &found))
      return found;
  for (; way + 4 <= assoc; way += 4)
    if (cab_live_pick (ways, way, cab_live_like_of_four (ways + way, low), tag, &found))
      return found;
#endif
  for (; way < assoc; way++)
    if (ways[way] == tag)
      return way;
  return CAB_LIVE_NOWHERE;
}

/* LINE is, or is not any more, known to be the last used one of its set in D1. */
static inline void
cab_live_know (struct cab_live *live, uint64_t line)
{
  *(volatile uint64_t *) &live->recent[line & live->recent_mask] = line << live->level[0].cache.line_log2;
}

static inline void
cab_live_forget (struct cab_live *live, uint64_t line)
{
  uint64_t i = line & live->recent_mask;
  uint32_t line_log2 = live->level[0].cache.line_log2;
  if (live->recent[i] == line << line_log2)
    *(volatile uint64_t *) &live->recent[i] = cab_live_unknown (i, line_log2);
}

/* Nothing is known of SET of D1 any more. */
static inline void
cab_live_forget_set (struct cab_live *live, uint64_t set)
{
  const struct cab_live_level *d1 = &live->level[0];
  uint64_t tag = d1->tags[set * d1->cache.assoc + (d1->order ? d1->order[set] & 15 : 0)];
  if (tag)
    cab_live_forget (live, tag - 1);
  cab_space_order ();
}

/* cab_live_reuse, of one line. */
static inline bool
cab_live_reuse_line (struct cab_live *live, uint64_t line)
{
  const struct cab_live_level *d1 = &live->level[0];
  uint64_t set = cab_cachesim_set_of (&d1->cache, line);
  const uint64_t *ways = d1->tags + set * d1->cache.assoc;
  unsigned way = d1->order ? cab_live_way (ways, d1->cache.assoc, line + 1) : ways[0] == line + 1 ? 0 : CAB_LIVE_NOWHERE;
  if (way == CAB_LIVE_NOWHERE)
    return false;
  if (d1->order && (d1->order[set] & 15) != way)
    {
      cab_live_forget_set (live, set);
      *(volatile uint64_t *) &d1->order[set] = cab_live_used (d1->order[set], way);
    }
  cab_live_know (live, line);
  return true;
}

static inline uint64_t
cab_live_usual_set (const struct cab_live_usual *d1, uint64_t address)
{
  return address >> (CAB_LIVE_USUAL_LOG2 - 3) & d1->mask;
}

/* The line at ADDRESS is found in SET, whose order becomes ORDER. */
static inline void
cab_live_usual_put (const struct cab_live_usual *d1, uint64_t set, uint64_t address, uint64_t order)
{
  volatile uint64_t *recent = (volatile uint64_t *) (d1->recent + set);
  *recent = cab_live_unknown (set / 8, CAB_LIVE_USUAL_LOG2);
  *(volatile uint64_t *) (d1->order + set) = order;
  *recent = address & -(UINT64_C (1) << CAB_LIVE_USUAL_LOG2);
}

/* cab_live_reuse of the line at ADDRESS, of so many WAYS. */
static inline __attribute__ ((always_inline)) bool
cab_live_reuse_usual (const struct cab_live_usual *d1, uint64_t address, unsigned ways)
{
  uint64_t set = cab_live_usual_set (d1, address), tag = (address >> CAB_LIVE_USUAL_LOG2) + 1, order = *(uint64_t *) (d1->order + set);
  const uint64_t *tags = (const uint64_t *) (d1->tags + set * ways);
  if (tags[order >> 4 & 15] == tag)
    {
      uint64_t differ = (order ^ order >> 4) & 15;
      cab_live_usual_put (d1, set, address, order ^ (differ | differ << 4));
      return true;
    }
  unsigned way = cab_live_way (tags, ways, tag);
  if (way == CAB_LIVE_NOWHERE)
    return false;
  cab_live_usual_put (d1, set, address, ways <= 8 ? cab_live_used_of_eight (order, way) : cab_live_used (order, way));
  return true;
}

#endif
