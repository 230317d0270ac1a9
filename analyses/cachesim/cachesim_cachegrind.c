/* cachesim_cachegrind.c - the model of Valgrind's cachegrind: I1, D1 and LL; whole accesses go from
 * one level to the next.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * In parts: a part owns those sets whose number ends in its own, in each cache.  Whether an access
 *           goes to LL depends on both of its lines, which may belong to two parts, so LL has a
 *           phase of its own, after all parts have marked what missed in I1 and D1.
 */
#include "analyses/cachesim/cachesim_cachegrind.h"

#define NO_LINE UINT64_MAX
/* A call in it would make the loop over accesses slower. */
#define ALWAYS_INLINE inline __attribute__ ((always_inline))

/* Return the line of an access's last byte. */
static inline uint64_t
last_line (const struct cab_cachesim_cache *cache, const struct cab_access *access)
{
  return (access->address + access->size - 1) >> cache->line_log2;
}

/* Use all lines of ACCESS.  Return true if one missed.  RECENT, unless null, is the line that was
   used last in this cache: nothing changes when it is used again, as it mostly is by fetches.  For
   data the comparison costs more than it saves. */
static ALWAYS_INLINE bool
use (struct cab_cachesim *sim, const struct cab_cachesim_cache *cache,
     const struct cab_access *access, uint64_t *recent)
{
  uint64_t line = access->address >> cache->line_log2, last = last_line (cache, access);
  if (recent)
    {
      if (line == *recent && last == line)
	return false;
      *recent = last;
    }
  bool missed = cab_cachesim_use (cab_cachesim_ways (sim, cache, line), cache->assoc, line);
  while (__builtin_expect (line != last, 0))
    {
      line++;
      missed |= cab_cachesim_use (cab_cachesim_ways (sim, cache, line), cache->assoc, line);
    }
  return missed;
}

void
cab_cachesim_feed_cachegrind (struct cab_cachesim *sim, const struct cab_access *accesses, size_t n,
			      uint8_t *marks)
{
  /* Copies, and counts in registers: a store to a tag might change the originals, for all that the
     compiler knows. */
  const struct cab_cachesim_cache i1 = sim->cache[0], d1 = sim->cache[1], ll = sim->cache[2];
  struct cab_cachesim_counts *counts = &sim->part[0].counts;
  uint64_t reads = 0, writes = 0, recent = NO_LINE;
  for (size_t i = 0; i < n; i++)
    {
      unsigned row = cab_cachesim_row_of[accesses[i].kind & 3], mark = 0;
      reads += row == CAB_CACHESIM_READS;
      writes += row == CAB_CACHESIM_WRITES;
      if (__builtin_expect (row == CAB_CACHESIM_FETCHES ? use (sim, &i1, &accesses[i], &recent)
			    : use (sim, &d1, &accesses[i], NULL), 0))
	{
	  mark = use (sim, &ll, &accesses[i], NULL) ? 3 : 1;
	  counts->misses[row][0]++;
	  counts->misses[row][1] += mark >> 1;
	}
      if (marks)
	marks[i] = mark;
    }
  counts->accesses[CAB_CACHESIM_FETCHES] += n - reads - writes;
  counts->accesses[CAB_CACHESIM_READS] += reads;
  counts->accesses[CAB_CACHESIM_WRITES] += writes;
}

/* Use those lines of ACCESS that are PART's.  Return true if one missed.  RECENT is as in use,
   whichever part owns the line. */
static ALWAYS_INLINE bool
use_part (struct cab_cachesim *sim, const struct cab_cachesim_cache *cache,
	  const struct cab_access *access, uint64_t *recent, unsigned part, unsigned n_parts)
{
  uint64_t line = access->address >> cache->line_log2, last = last_line (cache, access);
  bool missed = false;
  if (line == *recent && last == line)
    return false;
  *recent = last;
  for (; ; line++)
    {
      uint64_t set = cab_cachesim_set_of (cache, line);
      if ((set & (n_parts - 1)) == part)
	missed |= cab_cachesim_use (cab_cachesim_ways (sim, cache, line), cache->assoc, line);
      if (__builtin_expect (line == last, 1))
	return missed;
    }
}

/* Set BIT in mark I, atomically as two parts may mark the same access. */
static inline void
mark (uint8_t *marks, size_t i, unsigned bit)
{
  __atomic_fetch_or (&marks[i], bit, __ATOMIC_RELAXED);
}

void
cab_cachesim_first_part (struct cab_cachesim *sim, unsigned part, unsigned n_parts,
			 const struct cab_access *accesses, size_t n, uint8_t *marks)
{
  const struct cab_cachesim_cache i1 = sim->cache[0], d1 = sim->cache[1];
  uint64_t recent_i1 = NO_LINE, recent_d1 = NO_LINE;
  for (size_t i = 0; i < n; i++)
    if (accesses[i].kind == CAB_ACCESS_FETCH
	  ? use_part (sim, &i1, &accesses[i], &recent_i1, part, n_parts)
	  : use_part (sim, &d1, &accesses[i], &recent_d1, part, n_parts))
      mark (marks, i, 1);
}

void
cab_cachesim_last_part (struct cab_cachesim *sim, unsigned part, unsigned n_parts,
			const struct cab_access *accesses, size_t n, uint8_t *marks)
{
  const struct cab_cachesim_cache ll = sim->cache[2];
  uint64_t recent = NO_LINE;
  for (size_t i = 0; i < n; i++)
    /* Another part may be adding its bit; the first phase's no longer changes. */
    if (__atomic_load_n (&marks[i], __ATOMIC_RELAXED)
	&& use_part (sim, &ll, &accesses[i], &recent, part, n_parts))
      mark (marks, i, 2);
}
