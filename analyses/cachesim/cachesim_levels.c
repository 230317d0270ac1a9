/* cachesim_levels.c - the models with any number of shared caches: each line of an access goes its
 * own way through them.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * In parts: memory is cut into pieces as long as the longest line, and dealt out to the parts.  No
 *           set of any cache has lines of two parts (max_parts sees to it), so a part goes through
 *           all levels by itself.
 */
#include "analyses/cachesim/cachesim_levels.h"

/* Remove what the caches before cache LEVEL have of the line TAG, which it has evicted. */
static void
drop_before (struct cab_cachesim *sim, unsigned level, uint64_t tag)
{
  uint32_t line_log2 = sim->cache[1 + level].line_log2;
  uint64_t from = (tag - 1) << line_log2, bytes = UINT64_C (1) << line_log2;
  for (unsigned i = 0; i < 1 + level; i++)
    {
      const struct cab_cachesim_cache *cache = &sim->cache[i];
      for (uint64_t offset = 0; offset < bytes; offset += UINT64_C (1) << cache->line_log2)
	{
	  uint64_t line = (from + offset) >> cache->line_log2;
	  cab_cachesim_drop (cab_cachesim_ways (sim, cache, line), cache->assoc, line);
	}
    }
}

/* Look for the line at ADDRESS, which has missed in I1 or D1 (FIRST), in the shared caches, then
   insert it, the outermost cache first, so that what an inclusive cache takes out of the inner ones
   makes room there.  Return the levels in which it missed, as bits. */
static __attribute__ ((noinline)) unsigned
miss (struct cab_cachesim *sim, unsigned first, uint64_t address)
{
  unsigned level = 1, missed = 1;
  for (; level <= sim->n_shared; level++)
    {
      const struct cab_cachesim_cache *cache = &sim->cache[1 + level];
      uint64_t line = address >> cache->line_log2;
      if (cab_cachesim_look (cab_cachesim_ways (sim, cache, line), cache->assoc, line))
	break;
      missed |= 1u << level;
    }
  while (level-- > 0)
    {
      const struct cab_cachesim_cache *cache = &sim->cache[level ? 1 + level : first];
      uint64_t line = address >> cache->line_log2;
      uint64_t gone = cab_cachesim_fill (cab_cachesim_ways (sim, cache, line), cache->assoc, line);
      if (gone && level && sim->model == CAB_CACHESIM_INCLUSIVE)
	drop_before (sim, level, gone);
    }
  return missed;
}

/* Use those lines of ACCESS that are PART's, through all levels.  Return the levels in which one of
   them missed, as bits. */
static inline unsigned
use_part (struct cab_cachesim *sim, const struct cab_cachesim_cache *cache,
	  const struct cab_access *access, uint32_t part_log2, unsigned part, unsigned n_parts)
{
  uint64_t line = access->address >> cache->line_log2,
	   last = (access->address + access->size - 1) >> cache->line_log2;
  unsigned missed = 0;
  for (; ; line++)
    {
      uint64_t piece = line >> (part_log2 - cache->line_log2);
      if ((piece & (n_parts - 1)) == part
	  && __builtin_expect (
	    !cab_cachesim_look (cab_cachesim_ways (sim, cache, line), cache->assoc, line), 0))
	missed |= miss (sim, access->kind == CAB_ACCESS_FETCH ? 0 : 1, line << cache->line_log2);
      if (__builtin_expect (line == last, 1))
	return missed;
    }
}

void
cab_cachesim_feed_levels (struct cab_cachesim *sim, const struct cab_access *accesses, size_t n,
			  uint8_t *marks)
{
  const struct cab_cachesim_cache i1 = sim->cache[0], d1 = sim->cache[1];
  struct cab_cachesim_counts *counts = &sim->part[0].counts;
  uint32_t part_log2 = sim->part_log2;
  for (size_t i = 0; i < n; i++)
    {
      unsigned row = cab_cachesim_row_of[accesses[i].kind & 3];
      unsigned missed = use_part (sim, row == CAB_CACHESIM_FETCHES ? &i1 : &d1, &accesses[i],
				  part_log2, 0, 1);
      counts->accesses[row]++;
      if (marks)
	marks[i] = missed;
      for (unsigned level = 0; __builtin_expect (missed, 0); level++, missed >>= 1)
	counts->misses[row][level] += missed & 1;
    }
}

void
cab_cachesim_levels_part (struct cab_cachesim *sim, unsigned part, unsigned n_parts,
			  const struct cab_access *accesses, size_t n, uint8_t *marks)
{
  const struct cab_cachesim_cache i1 = sim->cache[0], d1 = sim->cache[1];
  uint32_t part_log2 = sim->part_log2;
  for (size_t i = 0; i < n; i++)
    {
      unsigned missed = use_part (sim, accesses[i].kind == CAB_ACCESS_FETCH ? &i1 : &d1,
				  &accesses[i], part_log2, part, n_parts);
      /* Two parts may mark the same access. */
      if (__builtin_expect (missed, 0))
	__atomic_fetch_or (&marks[i], missed, __ATOMIC_RELAXED);
    }
}
