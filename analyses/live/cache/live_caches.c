/* live_caches.c - see live_caches.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/live_lines.h"
#include "analyses/live/cache/live_steps.h"

static struct cab_live_caches *
caches_of (const struct cab_arena *arena, uint64_t at)
{
  return (struct cab_live_caches *) (arena->base + at);
}

static uint64_t
n_sets (const struct cab_cache_geometry *g)
{
  return g->size / g->line / g->assoc;
}

/* Return the words in front of the tags of a cache. */
static uint64_t
set_words (const struct cab_cache_geometry *g)
{
  return g->assoc <= CAB_LIVE_ORDERED ? n_sets (g) * CAB_LIVE_SET_WORDS : 0;
}

static uint64_t
words_of (const struct cab_cache_geometry *g)
{
  return set_words (g) + g->size / g->line;
}

static uint64_t
n_tags (const struct cab_cachesim_config *config)
{
  uint64_t n = 0;
  for (unsigned i = 1; i < 2 + config->n_shared; i++)
    n += words_of (cab_cachesim_geometry (config, i));
  return n;
}

/* Return how many words `recent' has: at least as many as D1 has sets, and so many that the
   neighbour of a line's neighbour has another place. */
static uint64_t
n_recent (const struct cab_cachesim_config *config)
{
  uint64_t n = 4;
  while (n < n_sets (&config->d1))
    n *= 2;
  return n;
}

/* Return the words of the journal for the longest step: in each level all sets that two lines of D1
   reach, in inclusive caches also those of what goes with the lines that are evicted, and the
   caller's. */
static uint64_t
journal_words (const struct cab_cachesim_config *config)
{
  uint64_t n = CAB_LIVE_WORDS;
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
  return 2 * n;
}

static void
fill_tables (const struct cab_arena *arena, const struct cab_cachesim_config *config, uint64_t tags,
	     uint64_t recent)
{
  uint64_t *word = cab_space_elements (arena, tags), *place = cab_space_elements (arena, recent);
  for (uint64_t i = 0; i < set_words (&config->d1); i += CAB_LIVE_SET_WORDS)
    word[i] = cab_live_fresh (config->d1.assoc);
  for (uint64_t i = 0; i < n_recent (config); i++)
    place[i] = cab_live_unknown (i, __builtin_ctz (config->d1.line));
}

int
cab_live_make (struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config)
{
  uint64_t journal = cab_space_table (arena, journal_words (config), sizeof (uint64_t));
  uint64_t recent = journal ? cab_space_table (arena, n_recent (config), sizeof (uint64_t)) : 0;
  uint64_t tags = recent ? cab_space_table (arena, n_tags (config), sizeof (uint64_t)) : 0;
  if (!tags)
    return -1;
  fill_tables (arena, config, tags, recent);
  caches_of (arena, at)->journal = journal;
  caches_of (arena, at)->recent = recent;
  cab_space_order ();
  caches_of (arena, at)->tags = tags;
  cab_space_order ();
  return 0;
}

bool
cab_live_reserve (struct cab_arena *arena, uint64_t at, uint64_t n)
{
  uint64_t journal = cab_space_table_for (arena, caches_of (arena, at)->journal, 2 * n, 1,
					  sizeof (uint64_t));
  if (journal)
    caches_of (arena, at)->journal = journal;
  cab_space_order ();
  return journal;
}

/* If WORD is a tag, compute its way's sign from it. */
static void
sign_anew (const struct cab_live *live, const uint64_t *word)
{
  for (const struct cab_live_level *level = live->level; level < live->level + live->n_levels;
       level++)
    {
      uint64_t i = word - level->tags;
      if (word >= level->tags && i < level->cache.n_sets * level->cache.assoc && level->sets
	  && *word)
	level->sets[i / level->cache.assoc].sign[i % level->cache.assoc] = cab_live_sign (
	  level, *word - 1);
    }
}

/* Restore the last saved word first, so that a word saved twice gets its oldest value. */
void
cab_live_take_back (const struct cab_live *live)
{
  for (uint64_t i = live->caches->n_saved; i >= 2; i -= 2)
    {
      uint64_t *word = (uint64_t *) (live->base + live->journal[i - 2]);
      *word = live->journal[i - 1];
      sign_anew (live, word);
    }
  cab_live_set_saved (live->caches, 0);
}

void
cab_live_begin (struct cab_live *live, const struct cab_arena *arena, uint64_t at,
		const struct cab_cachesim_config *config)
{
  live->caches = caches_of (arena, at);
  live->base = arena->base;
  live->journal = cab_space_elements (arena, live->caches->journal);
  live->recent = cab_space_elements (arena, live->caches->recent);
  live->recent_mask = cab_space_capacity (arena, live->caches->recent) - 1;
  live->n_levels = 1 + config->n_shared;
  live->whole = config->model == CAB_CACHESIM_CACHEGRIND;
  live->inclusive = config->model == CAB_CACHESIM_INCLUSIVE;
  live->straight = !live->inclusive;
  live->stay = live->inclusive ? 0 : config->d1.assoc;
  uint64_t *word = cab_space_elements (arena, live->caches->tags);
  for (unsigned i = 0; i < live->n_levels; i++)
    {
      const struct cab_cache_geometry *g = cab_cachesim_geometry (config, 1 + i);
      struct cab_live_level *level = &live->level[i];
      uint32_t line_log2 = __builtin_ctz (g->line);
      uint64_t sets = (g->size >> line_log2) / g->assoc,
	       words = g->assoc <= CAB_LIVE_ORDERED ? sets * CAB_LIVE_SET_WORDS : 0;
      level->cache = (struct cab_cachesim_cache) { .n_sets = sets,
						   .assoc = g->assoc,
						   .line_log2 = line_log2 };
      level->cache.inverse = sets & (sets - 1) ? UINT64_MAX / sets : 0;
      level->sets = words ? (struct cab_live_set *) word : NULL;
      level->tags = word + words;
      level->sign_log2 = 63 - __builtin_clzll (sets);
      level->ways = words ? (1u << g->assoc) - 1 : 0;
      level->fresh = words ? cab_live_fresh (g->assoc) : 0;
      live->straight &= words && g->line >= config->d1.line;
      live->stay = g->line >= config->d1.line ? live->stay : 0;
      word = level->tags + sets * g->assoc;
    }
  bool usual = config->d1.line == 1u << CAB_LIVE_USUAL_LOG2
	    && (config->d1.assoc == CAB_LIVE_FEW || config->d1.assoc == CAB_LIVE_MANY)
	    && live->recent_mask + 1 == live->level[0].cache.n_sets;
  live->usual = usual ? config->d1.assoc : 0;
  live->pair = live->straight && live->n_levels == 2 ? live->usual : 0;
  live->level[0].sign_log2 = usual ? CAB_LIVE_USUAL_SIGN : live->level[0].sign_log2;
  if (live->caches->n_saved)
    cab_live_take_back (live);
  live->d1 = (struct cab_live_usual) { (unsigned char *) live->recent,
				       (unsigned char *) live->level[0].sets,
				       (unsigned char *) live->level[0].tags,
				       live->recent_mask * 8 };
}

/* Empty the sets of LEVEL that were used.  Order 0 stands for that of empty ways, except in D1.  An
   order changes by one store, so that it is sound at each moment. */
static void
empty_sets (struct cab_live_level *level, bool is_d1)
{
  for (uint64_t i = 0; i < level->cache.n_sets; i++)
    if (level->sets[i].order)
      {
	memset (level->tags + i * level->cache.assoc, 0, level->cache.assoc * sizeof *level->tags);
	memset (level->sets[i].sign, 0, sizeof level->sets[i].sign);
	*(volatile uint64_t *) &level->sets[i].order = is_d1 ? level->fresh : 0;
      }
}

void
cab_live_empty (struct cab_live *live)
{
  for (unsigned k = 0; k < live->n_levels; k++)
    {
      struct cab_live_level *level = &live->level[k];
      if (level->sets)
	empty_sets (level, k == 0);
      else
	cab_space_clear ((unsigned char *) level->tags,
			 level->cache.n_sets * level->cache.assoc * sizeof *level->tags);
    }
  for (uint64_t i = 0; i <= live->recent_mask; i++)
    live->recent[i] = cab_live_unknown (i, live->level[0].cache.line_log2);
  cab_space_order ();
}

void
cab_live_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy,
		  uint64_t n)
{
  const struct cab_live_caches *caches = caches_of (arena, at);
  const uint64_t *journal = cab_space_elements (arena, caches->journal);
  for (uint64_t i = caches->n_saved; i >= 2; i -= 2)
    if (journal[i - 2] >= offset && journal[i - 2] - offset < n * 8)
      copy[(journal[i - 2] - offset) / 8] = journal[i - 1];
}

/* Return true if ORDER may be that of a set of cache K. */
static bool
order_ok (unsigned k, const struct cab_cache_geometry *g, uint64_t order)
{
  return (k > 1 && !order) || cab_live_order_ok (order, g->assoc);
}

/* Return true if word I of the table of tags may become VALUE.  The order of a set names its
   ways. */
static bool
word_ok (const struct cab_cachesim_config *config, uint64_t i, uint64_t value)
{
  for (unsigned k = 1; k < 2 + config->n_shared; k++)
    {
      const struct cab_cache_geometry *g = cab_cachesim_geometry (config, k);
      if (i < set_words (g))
	return i % CAB_LIVE_SET_WORDS == 0 && order_ok (k, g, value);
      if (i < words_of (g))
	return true;
      i -= words_of (g);
    }
  return false;
}

static bool
orders_ok (const struct cab_arena *arena, const struct cab_live_caches *caches,
	   const struct cab_cachesim_config *config)
{
  const uint64_t *word = cab_space_elements (arena, caches->tags);
  for (unsigned k = 1; k < 2 + config->n_shared; k++)
    {
      const struct cab_cache_geometry *g = cab_cachesim_geometry (config, k);
      for (uint64_t i = 0; i < set_words (g); i += CAB_LIVE_SET_WORDS)
	if (!order_ok (k, g, word[i]))
	  return false;
      word += words_of (g);
    }
  return true;
}

/* Return true if all words of the journal are such as a step changes. */
static bool
journal_ok (const struct cab_arena *arena, const struct cab_live_caches *caches,
	    const struct cab_cachesim_config *config,
	    bool (*own) (const struct cab_arena *arena, uint64_t offset))
{
  const uint64_t *journal = cab_space_elements (arena, caches->journal);
  uint64_t tags = caches->tags + sizeof (struct cab_table_head);
  for (uint64_t i = 0; i < caches->n_saved; i += 2)
    {
      bool tag = journal[i] >= tags && journal[i] - tags < n_tags (config) * 8;
      if (journal[i] % 8
	  || !(tag ? word_ok (config, (journal[i] - tags) / 8, journal[i + 1])
		   : own (arena, journal[i])))
	return false;
    }
  return true;
}

static bool
is_table_of (const struct cab_arena *arena, uint64_t table, uint64_t words)
{
  return table && cab_space_table_ok (arena, table, 8)
      && cab_space_capacity (arena, table) == words;
}

/* Return true if the journal has at least the room that it begins with, and no more words than
   that. */
static bool
is_journal (const struct cab_arena *arena, const struct cab_live_caches *caches,
	    const struct cab_cachesim_config *config)
{
  uint64_t words = cab_space_table_ok (arena, caches->journal, 8)
		   ? cab_space_capacity (arena, caches->journal)
		   : 0;
  return words >= journal_words (config) && caches->n_saved <= words && caches->n_saved % 2 == 0;
}

bool
cab_live_ok (const struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config,
	     bool (*own) (const struct cab_arena *arena, uint64_t offset))
{
  const struct cab_live_caches *caches = caches_of (arena, at);
  if (!caches->tags)
    return !caches->n_saved && cab_space_table_ok (arena, caches->journal, 8)
	&& cab_space_table_ok (arena, caches->recent, 8);
  return is_table_of (arena, caches->tags, n_tags (config))
      && is_table_of (arena, caches->recent, n_recent (config))
      && is_journal (arena, caches, config) && orders_ok (arena, caches, config)
      && journal_ok (arena, caches, config, own);
}
