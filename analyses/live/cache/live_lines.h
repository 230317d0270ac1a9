/* live_lines.h - one line of a cache in the state of an analysis: inline, for code on the path of
 * every access.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      see live_caches.h.
 */
#ifndef CAB_LIVE_LINES_H
#define CAB_LIVE_LINES_H

#include "analyses/live/cache/live_caches.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CAB_LIVE_NOWHERE CAB_LIVE_ORDERED

/* Set the length of the journal to N words. */
static inline void
cab_live_set_saved (struct cab_live_caches *caches, uint64_t n)
{
  cab_space_order ();
  *(volatile uint64_t *) &caches->n_saved = n;
  cab_space_order ();
}

/* In a step, change WORD to VALUE. */
static inline void
cab_live_change (const struct cab_live *live, uint64_t *word, uint64_t value)
{
  uint64_t n = live->caches->n_saved;
  live->journal[n] = (uint64_t) ((const unsigned char *) word - live->base);
  live->journal[n + 1] = *word;
  cab_live_set_saved (live->caches, n + 2);
  *(volatile uint64_t *) word = value;
}

/* Return what is at place I of `recent' where nothing is known: a line that has another place, and
   whose neighbours have, too. */
static inline uint64_t
cab_live_unknown (uint64_t i, uint32_t line_log2)
{
  return (i ^ 2) << line_log2;
}

/* Return the order of ASSOC empty ways: way 0 is filled first, so that the lines of a set that is
   not full are in the ways that are looked at first. */
static inline uint64_t
cab_live_fresh (uint32_t assoc)
{
  uint64_t order = UINT64_C (0xfedcba9876543210);
  for (uint64_t i = 0; i < assoc; i++)
    order = (order & ~(UINT64_C (15) << 4 * i)) | (assoc - 1 - i) << 4 * i;
  return order;
}

/* Return the order of SET, of a level whose empty ways have the order FRESH. */
static inline uint64_t
cab_live_order (const struct cab_live_set *set, uint64_t fresh)
{
  return set->order ? set->order : fresh;
}

/* Return true if ORDER names each of ASSOC ways once. */
static inline bool
cab_live_order_ok (uint64_t order, unsigned assoc)
{
  unsigned seen = 0;
  for (unsigned pos = 0; pos < assoc; pos++, order >>= 4)
    seen |= 1u << (order & 15);
  return seen == (1u << assoc) - 1;
}

/* Return ORDER with WAY, which is at digit POS, moved to the front. */
static inline uint64_t
cab_live_to_front (uint64_t order, unsigned pos, uint64_t way)
{
  uint64_t moved = (UINT64_C (16) << 4 * pos) - 1;   /* digits 0 to POS; for the last digit, all
							bits */
  return (order & ~moved) | (order << 4 & moved) | way;
}

/* Return ORDER with WAY moved to the front, wherever it is: its digit is the lowest one that is 0
   after WAY is taken from all. */
static inline uint64_t
cab_live_used (uint64_t order, uint64_t way)
{
  const uint64_t ones = UINT64_C (0x1111111111111111);
  /* up to that digit */
  uint64_t rest = order ^ way * ones, top = (rest - ones) & ~rest & 8 * ones,
	   moved = top ^ (top - 1);
  return order ^ ((order ^ (order << 4 | way)) & moved);
}

/* As cab_live_used, of at most eight ways, whose digits are the low half. */
static inline uint64_t
cab_live_used_of_eight (uint64_t order, uint32_t way)
{
  const uint32_t ones = 0x11111111;
  uint32_t low = order, rest = low ^ way * ones, top = (rest - ones) & ~rest & 8 * ones,
	   moved = top ^ (top - 1);
  return order ^ ((low ^ (low << 4 | way)) & moved);
}

/* Return the sign of LINE in LEVEL. */
static inline uint8_t
cab_live_sign (const struct cab_live_level *level, uint64_t line)
{
  return line >> level->sign_log2;
}

/* Return the ways of SET, out of WAYS, whose lines have SIGN, as bits. */
static inline unsigned
cab_live_like (const struct cab_live_set *set, unsigned ways, uint8_t sign)
{
  unsigned like = 0;
#ifdef __SSE2__
  like = _mm_movemask_epi8 (
    _mm_cmpeq_epi8 (_mm_loadu_si128 ((const __m128i *) set->sign), _mm_set1_epi8 ((char) sign)));
#else
  for (unsigned way = 0; way < CAB_LIVE_ORDERED; way++)
    like |= (unsigned) (set->sign[way] == sign) << way;
#endif
  return like & ways;
}

/* Return which of WAYS, whose tags are TAGS, has LINE with that SIGN; CAB_LIVE_NOWHERE if none
   has. */
static inline unsigned
cab_live_way (const struct cab_live_set *set, const uint64_t *tags, unsigned ways, uint8_t sign,
	      uint64_t line)
{
  for (unsigned like = cab_live_like (set, ways, sign); like; like &= like - 1)
    {
      unsigned way = __builtin_ctz (like);
      if (__builtin_expect (tags[way] == line + 1, 1))
	return way;
    }
  return CAB_LIVE_NOWHERE;
}

/* The level after D1, copied for a step of caches that are a pair. */
struct cab_live_next
{
  const unsigned char *base;
  uint64_t *journal;
  volatile uint64_t *n_saved;
  uint64_t n;                  /* the value of *n_saved */
  struct cab_live_set *sets;
  uint64_t *tags;
  struct cab_cachesim_cache cache;
  unsigned sign_log2, ways;
  uint64_t fresh;
};

/* Return true if the level after D1 has lines as D1's, a power of two of sets, and as many ways as
   an order has room for, as most have. */
static inline bool
cab_live_next_usual (const struct cab_live *live)
{
  const struct cab_cachesim_cache *cache = &live->level[1].cache;
  return cache->line_log2 == CAB_LIVE_USUAL_LOG2 && !cache->inverse
      && cache->assoc == CAB_LIVE_ORDERED;
}

/* Return the level after D1.  USUAL, a constant, is what cab_live_next_usual returns, or false. */
static inline __attribute__ ((always_inline)) struct cab_live_next
cab_live_next (const struct cab_live *live, bool usual)
{
  const struct cab_live_level *l = &live->level[1];
  struct cab_live_next next = { live->base,
				live->journal,
				&live->caches->n_saved,
				live->caches->n_saved,
				l->sets,
				l->tags,
				l->cache,
				l->sign_log2,
				l->ways,
				l->fresh };
  if (usual)
    {
      next.cache.line_log2 = CAB_LIVE_USUAL_LOG2;
      next.cache.inverse = 0;
      next.cache.assoc = CAB_LIVE_ORDERED;
      next.ways = (1u << CAB_LIVE_ORDERED) - 1;
    }
  return next;
}

/* Change WORD, which is WAS, to VALUE.  The journal's entry is written even if it does not count,
   as whether a word changes is often hard to predict. */
static inline __attribute__ ((always_inline)) void
cab_live_next_change (struct cab_live_next *next, uint64_t *word, uint64_t was, uint64_t value)
{
  uint64_t *entry = next->journal + next->n;
  entry[0] = (uint64_t) ((const unsigned char *) word - next->base);
  entry[1] = was;
  next->n += was == value ? 0 : 2;
  cab_space_order ();
  *next->n_saved = next->n;
  cab_space_order ();
  *(volatile uint64_t *) word = value;
}

/* Use the line of D1 at ADDRESS in the next level, and insert it if it is not there.  Return true
   if it was there. */
static inline __attribute__ ((always_inline)) bool
cab_live_next_use (struct cab_live_next *next, uint64_t address)
{
  uint64_t line = address >> next->cache.line_log2,
	   number = cab_cachesim_set_of (&next->cache, line),
	   *tags = next->tags + number * next->cache.assoc;
  struct cab_live_set *set = next->sets + number;
  uint64_t was = set->order, order = was ? was : next->fresh;
  uint8_t sign = line >> next->sign_log2;
  unsigned way = cab_live_way (set, tags, next->ways, sign, line), last = next->cache.assoc - 1;
  if (__builtin_expect (way != CAB_LIVE_NOWHERE, 1))
    {
      cab_live_next_change (next, &set->order, was, cab_live_used (order, way));
      return true;
    }
  way = order >> 4 * last & 15;
  cab_live_next_change (next, tags + way, tags[way], line + 1);
  set->sign[way] = sign;
  cab_live_next_change (next, &set->order, was, cab_live_to_front (order, last, way));
  return false;
}

/* Note that LINE is known to be the last used one of its set in D1. */
static inline void
cab_live_know (struct cab_live *live, uint64_t line)
{
  *(volatile uint64_t *) &live->recent[line & live->recent_mask] = line
								<< live->level[0].cache.line_log2;
}

/* Note that LINE is no longer known to be the last used one of its set in D1. */
static inline void
cab_live_forget (struct cab_live *live, uint64_t line)
{
  uint64_t i = line & live->recent_mask;
  uint32_t line_log2 = live->level[0].cache.line_log2;
  if (live->recent[i] == line << line_log2)
    *(volatile uint64_t *) &live->recent[i] = cab_live_unknown (i, line_log2);
}

/* Forget what is known of SET of D1. */
static inline void
cab_live_forget_set (struct cab_live *live, uint64_t set)
{
  const struct cab_live_level *d1 = &live->level[0];
  uint64_t tag = d1->tags[set * d1->cache.assoc + (d1->sets ? d1->sets[set].order & 15 : 0)];
  if (tag)
    cab_live_forget (live, tag - 1);
  cab_space_order ();
}

/* Do cab_live_reuse for one line. */
static inline bool
cab_live_reuse_line (struct cab_live *live, uint64_t line)
{
  const struct cab_live_level *d1 = &live->level[0];
  uint64_t set = cab_cachesim_set_of (&d1->cache, line);
  const uint64_t *tags = d1->tags + set * d1->cache.assoc;
  if (!d1->sets && tags[0] != line + 1)
    return false;
  if (d1->sets)
    {
      uint64_t *order = &d1->sets[set].order;
      unsigned way = cab_live_way (&d1->sets[set], tags, d1->ways, cab_live_sign (d1, line), line);
      if (way == CAB_LIVE_NOWHERE)
	return false;
      if ((*order & 15) != way)
	{
	  cab_live_forget_set (live, set);
	  *(volatile uint64_t *) order = cab_live_used (*order, way);
	}
    }
  cab_live_know (live, line);
  return true;
}

/* The words of the set in a usual D1 that the line at an address belongs to. */
struct cab_live_place
{
  uint64_t *recent;           /* the address of a line, or one that cab_live_unknown returns */
  struct cab_live_set *set;
  uint64_t *tags, number;     /* number of the set, times 8 */
};

/* Return the words of the set of the line at ADDRESS in D1, which has WAYS. */
static inline __attribute__ ((always_inline)) struct cab_live_place
cab_live_usual_place (const struct cab_live_usual *d1, uint64_t address, unsigned ways)
{
  uint64_t number = address >> (CAB_LIVE_USUAL_LOG2 - 3) & d1->mask;
  return (struct cab_live_place) { (uint64_t *) (d1->recent + number),
				   (struct cab_live_set *) (d1->sets + number * CAB_LIVE_SET_WORDS),
				   (uint64_t *) (d1->tags + number * ways), number };
}

/* Forget what is known of the set of P, until its order has changed. */
static inline void
cab_live_usual_forget (const struct cab_live_place *p)
{
  *(volatile uint64_t *) p->recent = cab_live_unknown (p->number / 8, CAB_LIVE_USUAL_LOG2);
}

/* Note that the line at ADDRESS is the last used one in the set of P. */
static inline void
cab_live_usual_know (const struct cab_live_place *p, uint64_t address)
{
  *(volatile uint64_t *) p->recent = address & -(UINT64_C (1) << CAB_LIVE_USUAL_LOG2);
}

/* Do cab_live_reuse for the line at ADDRESS in a usual D1 of WAYS. */
static inline __attribute__ ((always_inline)) bool
cab_live_reuse_usual (const struct cab_live *live, uint64_t address, unsigned ways)
{
  struct cab_live_place p = cab_live_usual_place (&live->d1, address, ways);
  uint64_t line = address >> CAB_LIVE_USUAL_LOG2, order = p.set->order;
  unsigned way = cab_live_way (p.set, p.tags, (1u << ways) - 1, line >> CAB_LIVE_USUAL_SIGN, line);
  if (way == CAB_LIVE_NOWHERE)
    return false;
  cab_live_usual_forget (&p);
  *(volatile uint64_t *) &p.set->order = ways <= 8 ? cab_live_used_of_eight (order, way)
						   : cab_live_used (order, way);
  cab_live_usual_know (&p, address);
  return true;
}

#endif
