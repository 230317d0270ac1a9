/* live_caches.c - see live_caches.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "live_caches.h"

static struct cab_live_caches *
caches_of (const struct cab_arena *arena, uint64_t at)
{
  return (struct cab_live_caches *) (arena->base + at);
}

static uint64_t
n_tags (const struct cab_cachesim_config *config)
{
  uint64_t n = 0;
  for (unsigned i = 1; i < 2 + config->n_shared; i++)
    n += cab_cachesim_geometry (config, i)->size / cab_cachesim_geometry (config, i)->line;
  return n;
}

/* Words that the longest step saves: in each level all sets that two lines of D1 reach, in inclusive caches also those of what goes with
   the
   lines that are evicted, and the caller's. */
static uint64_t
journal_words (const struct cab_cachesim_config *config)
{
  uint64_t n = CAB_LIVE_WORDS + 8 * 2;
  for (unsigned i = 1; i < 2 + config->n_shared; i++)
    {
      const struct cab_cache_geometry *g = cab_cachesim_geometry (config, i);
      uint64_t lines = 2 * (config->d1.line > g->line ? config->d1.line / g->line : 1);
      n += lines * (g->assoc + 2);
      for (unsigned inner = 1; inner < i && config->model == CAB_CACHESIM_INCLUSIVE; inner++)
	{
	  const struct cab_cache_geometry *in = cab_cachesim_geometry (config, inner);
	  n += lines * (g->line / in->line) * (in->assoc + 2);
	}
    }
  return n;
}

int
cab_live_make (struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config)
{
  uint64_t journal = cab_space_table (arena, journal_words (config), sizeof (uint64_t));
  uint64_t tags = journal ? cab_space_table (arena, n_tags (config), sizeof (uint64_t)) : 0;
  if (!tags)
    return -1;
  caches_of (arena, at)->journal = journal;
  cab_space_order ();
  caches_of (arena, at)->tags = tags;
  cab_space_order ();
  return 0;
}

static void
copy_words (uint64_t *to, const uint64_t *from, uint64_t n)
{
  for (; n >= 8; n -= 8, to += 8, from += 8)
    memcpy (to, from, 64);
  for (; n > 0; n--)
    *to++ = *from++;
}

/* Take back, the last piece first. */
static void
settle (const struct cab_arena *arena, uint64_t at)
{
  struct cab_live_caches *caches = caches_of (arena, at);
  const uint64_t *journal = cab_space_elements (arena, caches->journal);
  for (uint64_t i = caches->n_saved; i >= 2; i -= 2 + journal[i - 1])
    copy_words ((uint64_t *) (arena->base + journal[i - 2]), journal + i - 2 - journal[i - 1], journal[i - 1]);
  cab_space_order ();
  *(volatile uint64_t *) &caches->n_saved = 0;
  cab_space_order ();
}

void
cab_live_begin (struct cab_live *live, const struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config)
{
  uint64_t tags_at = 0;
  live->caches = caches_of (arena, at);
  if (live->caches->n_saved)
    settle (arena, at);
  live->base = arena->base;
  live->tags = cab_space_elements (arena, live->caches->tags);
  live->journal = cab_space_elements (arena, live->caches->journal);
  live->n_levels = 1 + config->n_shared;
  live->whole = config->model == CAB_CACHESIM_CACHEGRIND;
  live->inclusive = config->model == CAB_CACHESIM_INCLUSIVE;
  for (unsigned i = 0; i < live->n_levels; i++)
    {
      const struct cab_cache_geometry *g = cab_cachesim_geometry (config, 1 + i);
      struct cab_cachesim_cache *cache = &live->level[i];
      uint64_t n_sets = g->size / g->line / g->assoc;
      *cache = (struct cab_cachesim_cache) { .n_sets = n_sets, .tags_at = tags_at, .assoc = g->assoc };
      cache->line_log2 = __builtin_ctz (g->line);
      cache->inverse = n_sets & (n_sets - 1) ? UINT64_MAX / n_sets : 0;
      tags_at += g->size / g->line;
    }
}

void
cab_live_save (struct cab_live *live, const uint64_t *words, uint64_t n)
{
  uint64_t saved = live->caches->n_saved;
  copy_words (live->journal + saved, words, n);
  live->journal[saved + n] = (uint64_t) ((const unsigned char *) words - live->base);
  live->journal[saved + n + 1] = n;
  cab_space_order ();
  *(volatile uint64_t *) &live->caches->n_saved = saved + n + 2;
  cab_space_order ();
}

static inline uint64_t *
ways_of (const struct cab_live *live, const struct cab_cachesim_cache *cache, uint64_t line)
{
  return live->tags + cache->tags_at + cab_cachesim_set_of (cache, line) * cache->assoc;
}

/* The ways of LINE's set, saved. */
static inline uint64_t *
saved_ways (struct cab_live *live, const struct cab_cachesim_cache *cache, uint64_t line)
{
  uint64_t *ways = ways_of (live, cache, line);
  cab_live_save (live, ways, cache->assoc);
  return ways;
}

/* Cachegrind's model: use all lines of the access in LEVEL; has one missed? */
static bool
use (struct cab_live *live, unsigned level, uint64_t first, uint64_t last)
{
  const struct cab_cachesim_cache *cache = &live->level[level];
  bool missed = false;
  for (uint64_t line = first >> cache->line_log2; ; line++)
    {
      missed |= cab_cachesim_use (saved_ways (live, cache, line), cache->assoc, line);
      if (line == last >> cache->line_log2)
	return missed;
    }
}

/* The line TAG of LEVEL has gone: nothing before it may keep a piece of it. */
static void
drop_before (struct cab_live *live, unsigned level, uint64_t tag)
{
  uint32_t line_log2 = live->level[level].line_log2;
  uint64_t from = (tag - 1) << line_log2, bytes = UINT64_C (1) << line_log2;
  for (unsigned i = 0; i < level; i++)
    for (uint64_t offset = 0; offset < bytes; offset += UINT64_C (1) << live->level[i].line_log2)
      {
	const struct cab_cachesim_cache *cache = &live->level[i];
	uint64_t line = (from + offset) >> cache->line_log2;
	cab_cachesim_drop (saved_ways (live, cache, line), cache->assoc, line);
      }
}

/* The other models: the line of D1 at ADDRESS through all levels; those that it missed in. */
static unsigned
use_line (struct cab_live *live, uint64_t address)
{
  unsigned level = 0, missed = 0;
  for (; level < live->n_levels; level++)
    {
      const struct cab_cachesim_cache *cache = &live->level[level];
      uint64_t line = address >> cache->line_log2;
      if (cab_cachesim_look (saved_ways (live, cache, line), cache->assoc, line))
	break;
      missed |= 1u << level;
    }
  while (level-- > 0)
    {
      const struct cab_cachesim_cache *cache = &live->level[level];
      uint64_t line = address >> cache->line_log2;
      uint64_t gone = cab_cachesim_fill (ways_of (live, cache, line), cache->assoc, line);
      if (gone && level && live->inclusive)
	drop_before (live, level, gone);
    }
  return missed;
}

unsigned
cab_live_access (struct cab_live *live, uint64_t first, uint64_t last)
{
  uint32_t line_log2 = live->level[0].line_log2;
  if (live->whole)
    return !use (live, 0, first, last) ? 0 : use (live, 1, first, last) ? 3 : 1;
  unsigned missed = use_line (live, first);
  return first >> line_log2 == last >> line_log2 ? missed : missed | use_line (live, last);
}

void
cab_live_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy, uint64_t n)
{
  const struct cab_live_caches *caches = caches_of (arena, at);
  const uint64_t *journal = cab_space_elements (arena, caches->journal);
  for (uint64_t i = caches->n_saved; i >= 2; i -= 2 + journal[i - 1])
    for (uint64_t k = 0; k < journal[i - 1]; k++)
      {
	uint64_t saved = journal[i - 2] + k * 8;
	if (saved >= offset && saved - offset < n * 8)
	  copy[(saved - offset) / 8] = journal[i - 2 - journal[i - 1] + k];
      }
}

/* Do the pieces of the journal lie where something changes in a step? */
static bool
journal_ok (const struct cab_arena *arena, const struct cab_live_caches *caches, uint64_t n,
	    bool (*own) (const struct cab_arena *arena, uint64_t offset, uint64_t words))
{
  const uint64_t *journal = cab_space_elements (arena, caches->journal);
  uint64_t tags = caches->tags + sizeof (struct cab_table_head), i = caches->n_saved;
  for (; i >= 2; i -= 2 + journal[i - 1])
    {
      uint64_t words = journal[i - 1], offset = journal[i - 2];
      if (words > i - 2 || offset % 8)
	return false;
      bool tag = offset >= tags && (offset - tags) / 8 < n && words <= n - (offset - tags) / 8;
      if (!tag && !own (arena, offset, words))
	return false;
    }
  return i == 0;
}

bool
cab_live_ok (const struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config,
	     bool (*own) (const struct cab_arena *arena, uint64_t offset, uint64_t words))
{
  const struct cab_live_caches *caches = caches_of (arena, at);
  if (!caches->tags)
    return !caches->n_saved && cab_space_table_ok (arena, caches->journal, 8);
  return caches->journal && cab_space_table_ok (arena, caches->tags, 8) && cab_space_table_ok (arena, caches->journal, 8)
	 && cab_space_capacity (arena, caches->tags) == n_tags (config) && caches->n_saved <= cab_space_capacity (arena, caches->journal)
	 && cab_space_capacity (arena, caches->journal) == journal_words (config) && journal_ok (arena, caches, n_tags (config), own);
}
