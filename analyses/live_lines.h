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

#ifdef __SSE2__
/* Which of eight ways has TAG?  CAB_LIVE_NOWHERE: none.  Both halves of a tag are compared, and are two bits next to each other in the end. */
static inline unsigned
cab_live_way_of_eight (const uint64_t *ways, __m128i tag)
{
  const __m128i *w = (const __m128i *) ways;
  __m128i low = _mm_packs_epi32 (_mm_cmpeq_epi32 (_mm_loadu_si128 (w), tag), _mm_cmpeq_epi32 (_mm_loadu_si128 (w + 1), tag));
  __m128i high = _mm_packs_epi32 (_mm_cmpeq_epi32 (_mm_loadu_si128 (w + 2), tag), _mm_cmpeq_epi32 (_mm_loadu_si128 (w + 3), tag));
  unsigned bits = _mm_movemask_epi8 (_mm_packs_epi16 (low, high));
  bits &= bits >> 1 & 0x5555;
  return bits ? __builtin_ctz (bits) / 2 : CAB_LIVE_NOWHERE;
}
#endif

/* Which of ASSOC ways has TAG?  CAB_LIVE_NOWHERE: none. */
static inline unsigned
cab_live_way (const uint64_t *ways, unsigned assoc, uint64_t tag)
{
  unsigned way = 0;
#ifdef __SSE2__
  for (__m128i both = _mm_set1_epi64x (tag); way + 8 <= assoc; way += 8)
    {
      unsigned found = cab_live_way_of_eight (ways + way, both);
      if (found != CAB_LIVE_NOWHERE)
	return way + found;
    }
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

/* The same of the line at ADDRESS, of caches that are usual. */
static inline bool
cab_live_reuse_usual (struct cab_live *live, uint64_t address)
{
  uint64_t line = address >> CAB_LIVE_USUAL_LOG2, set = line & live->recent_mask, *order = live->level[0].order + set;
  volatile uint64_t *recent = live->recent + set;
  const uint64_t *ways = live->level[0].tags + set * CAB_LIVE_USUAL_WAYS;
  uint64_t now = *order;
  if (ways[now >> 4 & 15] == line + 1)
    {
      uint64_t differ = (now ^ now >> 4) & 15;
      *recent = cab_live_unknown (set, CAB_LIVE_USUAL_LOG2);
      *(volatile uint64_t *) order = now ^ (differ | differ << 4);
      *recent = line << CAB_LIVE_USUAL_LOG2;
      return true;
    }
  unsigned way = cab_live_way (ways, CAB_LIVE_USUAL_WAYS, line + 1);
  if (way == CAB_LIVE_NOWHERE)
    return false;
  *recent = cab_live_unknown (set, CAB_LIVE_USUAL_LOG2);
  *(volatile uint64_t *) order = cab_live_used (*order, way);
  *recent = line << CAB_LIVE_USUAL_LOG2;
  return true;
}

/* The line at ADDRESS may be looked for in LEVEL, which has words for its orders: have its set brought nearer. */
static inline void
cab_live_fetch (const struct cab_live_level *level, uint64_t address)
{
  uint64_t set = cab_cachesim_set_of (&level->cache, address >> level->cache.line_log2);
  __builtin_prefetch (level->order + set);
  __builtin_prefetch (level->tags + set * level->cache.assoc);
  __asm__ volatile ("");   /* GCC takes a function that does no more for one that does nothing */
}

#endif
