/* cachesim.c - simulated caches: state, counts, and the choice of the model.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "cabprof/cachesim.h"
#include "analyses/cachesim/cachesim_cachegrind.h"
#include "analyses/cachesim/cachesim_levels.h"
#include "analyses/live/cache/cachesim_state.h"

static unsigned
max_part_log2 (const struct cab_cachesim *sim)
{
  unsigned log2 = 6;
  for (unsigned i = 0; i < 2 + sim->n_shared; i++)
    {
      const struct cab_cachesim_cache *cache = &sim->cache[i];
      int digits;
      if (sim->model == CAB_CACHESIM_CACHEGRIND)
	digits = 63 - __builtin_clzll (cache->n_sets);
      else
	/* A set holds addresses that agree in this many digits from the longest line's offset
	   on. */
	digits = (int) cache->line_log2 + __builtin_ctzll (cache->n_sets) - (int) sim->part_log2;
      log2 = digits < 0 ? 0 : (unsigned) digits < log2 ? (unsigned) digits : log2;
    }
  return log2;
}

struct cab_cachesim *
cab_cachesim_init (void *memory, const struct cab_cachesim_config *config)
{
  struct cab_cachesim *sim = memory;
  uint64_t at = sizeof *sim;
  sim->model = config->model;
  sim->n_shared = config->n_shared;
  for (unsigned i = 0; i < 2 + config->n_shared; i++)
    {
      const struct cab_cache_geometry *geometry = cab_cachesim_geometry (config, i);
      struct cab_cachesim_cache *cache = &sim->cache[i];
      cache->assoc = geometry->assoc;
      cache->line_log2 = __builtin_ctz (geometry->line);
      cache->n_sets = geometry->size / geometry->line / geometry->assoc;
      cache->inverse = cache->n_sets & (cache->n_sets - 1) ? UINT64_MAX / cache->n_sets : 0;
      cache->tags_at = at;
      at += (geometry->size / geometry->line * sizeof (uint64_t) + 63) & -64;
      sim->part_log2 = cache->line_log2 > sim->part_log2 ? cache->line_log2 : sim->part_log2;
    }
  sim->max_parts = 1u << max_part_log2 (sim);
  return sim;
}

void
cab_cachesim_feed (struct cab_cachesim *sim, const struct cab_access *accesses, size_t n,
		   uint8_t *marks)
{
  if (sim->model == CAB_CACHESIM_CACHEGRIND)
    cab_cachesim_feed_cachegrind (sim, accesses, n, marks);
  else
    cab_cachesim_feed_levels (sim, accesses, n, marks);
}

unsigned
cab_cachesim_max_parts (const struct cab_cachesim *sim)
{
  return sim->max_parts;
}

unsigned
cab_cachesim_phases (const struct cab_cachesim *sim)
{
  return sim->model == CAB_CACHESIM_CACHEGRIND ? 3 : 2;
}

/* Do the last phase: count the marks.  Here a part is a piece of the accesses. */
static void
count_marks (struct cab_cachesim *sim, unsigned part, unsigned n_parts,
	     const struct cab_access *accesses, size_t n, const uint8_t *marks)
{
  struct cab_cachesim_counts *counts = &sim->part[part].counts;
  size_t from = n / n_parts * part, to = part + 1 == n_parts ? n : from + n / n_parts;
  for (size_t i = from; i < to; i++)
    {
      unsigned row = cab_cachesim_row_of[accesses[i].kind & 3];
      counts->accesses[row]++;
      for (unsigned level = 0, mark = marks[i]; __builtin_expect (mark, 0); level++, mark >>= 1)
	counts->misses[row][level] += mark & 1;
    }
}

void
cab_cachesim_feed_part (struct cab_cachesim *sim, unsigned phase, unsigned part, unsigned n_parts,
			const struct cab_access *accesses, size_t n, uint8_t *marks)
{
  if (phase + 1 == cab_cachesim_phases (sim))
    count_marks (sim, part, n_parts, accesses, n, marks);
  else if (sim->model != CAB_CACHESIM_CACHEGRIND)
    cab_cachesim_levels_part (sim, part, n_parts, accesses, n, marks);
  else if (phase == 0)
    cab_cachesim_first_part (sim, part, n_parts, accesses, n, marks);
  else
    cab_cachesim_last_part (sim, part, n_parts, accesses, n, marks);
}

void
cab_cachesim_counts (const struct cab_cachesim *sim, struct cab_cachesim_counts *counts)
{
  memset (counts, 0, sizeof *counts);
  for (unsigned part = 0; part < CAB_CACHESIM_PARTS_MAX; part++)
    for (int row = 0; row < CAB_CACHESIM_ROWS; row++)
      {
	counts->accesses[row] += sim->part[part].counts.accesses[row];
	for (int level = 0; level < CAB_CACHESIM_LEVELS_MAX; level++)
	  counts->misses[row][level] += sim->part[part].counts.misses[row][level];
      }
}
