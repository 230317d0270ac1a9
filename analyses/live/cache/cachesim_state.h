/* cachesim_state.h - the state of simulated caches, and one cache's steps; for cachesim*.c alone.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a set is an array of tags, the most recently used first.  A tag is the number of the
 *             line in memory plus 1; 0 is an empty way, and empty ways are the last ones.
 * Shapes:     tags of a cache: n_sets * assoc, from `tags_at` on, in bytes from the state's
 *             beginning.
 */
#ifndef CAB_CACHESIM_STATE_H
#define CAB_CACHESIM_STATE_H

#include <stdbool.h>
#include <string.h>
#include "cabprof/cachesim.h"

struct cab_cachesim_cache
{
  uint64_t n_sets;
  uint64_t inverse;        /* 2^64 / n_sets rounded down; 0: n_sets is a power of two */
  uint64_t tags_at;
  uint32_t assoc, line_log2;
};

/* Counts of one part, aligned so that no two parts share a cache line of the simulating machine. */
struct cab_cachesim_part
{
  struct cab_cachesim_counts counts;
} __attribute__ ((aligned (64)));

struct cab_cachesim
{
  uint32_t model, n_shared;
  uint32_t max_parts, part_log2;    /* part_log2: lines of 2^part_log2 bytes in different parts
				       never share a set */
  struct cab_cachesim_cache cache[2 + CAB_CACHESIM_SHARED_MAX];   /* I1, D1, shared ones */
  struct cab_cachesim_part part[CAB_CACHESIM_PARTS_MAX];
};

/* Return geometry I of CONFIG: I1, D1, then the shared caches. */
const struct cab_cache_geometry *cab_cachesim_geometry (const struct cab_cachesim_config *config,
							unsigned i);

/* The row of the counts of each kind of access. */
static const uint8_t cab_cachesim_row_of[4] = { CAB_CACHESIM_FETCHES, CAB_CACHESIM_READS,
						CAB_CACHESIM_WRITES, CAB_CACHESIM_READS };

/* Return the number of the set of LINE. */
static inline uint64_t
cab_cachesim_set_of (const struct cab_cachesim_cache *cache, uint64_t line)
{
  if (__builtin_expect (!cache->inverse, 1))
    return line & (cache->n_sets - 1);
  /* The quotient by the inverse is at most 1 too small. */
  uint64_t quotient = (unsigned __int128) line * cache->inverse >> 64;
  uint64_t rest = line - quotient * cache->n_sets;
  return rest >= cache->n_sets ? rest - cache->n_sets : rest;
}

/* Return the ways of the set of LINE. */
static inline uint64_t *
cab_cachesim_ways (struct cab_cachesim *sim, const struct cab_cachesim_cache *cache, uint64_t line)
{
  return (uint64_t *) ((unsigned char *) sim + cache->tags_at)
       + cab_cachesim_set_of (cache, line) * cache->assoc;
}

/* Use LINE, and insert it if it was not there.  Return true if it missed.  One pass both searches
   and shifts: each way takes the tag of the one before. */
static inline bool
cab_cachesim_use (uint64_t *ways, uint32_t assoc, uint64_t line)
{
  uint64_t tag = line + 1, before = ways[0];
  if (__builtin_expect (before == tag, 1))
    return false;
  ways[0] = tag;
  for (uint32_t i = 1; i < assoc; i++)
    {
      uint64_t here = ways[i];
      ways[i] = before;
      if (here == tag)
	return false;
      before = here;
    }
  return true;
}

/* Use LINE if it is there; return true if it is. */
static inline bool
cab_cachesim_look (uint64_t *ways, uint32_t assoc, uint64_t line)
{
  uint64_t tag = line + 1;
  if (__builtin_expect (ways[0] == tag, 1))
    return true;
  for (uint32_t i = 1; i < assoc; i++)
    if (ways[i] == tag)
      {
	memmove (ways + 1, ways, i * sizeof *ways);
	ways[0] = tag;
	return true;
      }
  return false;
}

/* Insert LINE, which is not there.  Return the tag that is evicted, 0 if none is. */
static inline uint64_t
cab_cachesim_fill (uint64_t *ways, uint32_t assoc, uint64_t line)
{
  uint64_t gone = ways[assoc - 1];
  memmove (ways + 1, ways, (assoc - 1) * sizeof *ways);
  ways[0] = line + 1;
  return gone;
}

/* Remove LINE if it is there. */
static inline void
cab_cachesim_drop (uint64_t *ways, uint32_t assoc, uint64_t line)
{
  for (uint32_t i = 0; i < assoc; i++)
    if (ways[i] == line + 1)
      {
	memmove (ways + i, ways + i + 1, (assoc - 1 - i) * sizeof *ways);
	ways[assoc - 1] = 0;
	return;
      }
}

#endif
