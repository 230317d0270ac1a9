/* cache_commit.c - what was looked up in a section takes effect: see cache_section.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a section is one step of the caches (live_caches.h), so it happens as a whole or not at all.
 *             Lines that a section has brought to a set of D1, or found there, are those that were used last, in the order that it knows; behind them come the others that
 *             the set had, in theirs.
 */
#include "cache_section.h"
#include "live_lines.h"

#define AHEAD 12u    /* misses */
#define NOTED 256u   /* counters of misses */

/* D1 in words of its own: sets, then tags. */
struct d1
{
  struct cab_live_set *sets;
  uint64_t *tags;
  uint64_t n_sets;
  unsigned ways;
};

struct commit
{
  struct cab_arena *arena;
  const struct cab_section *section;
  struct cab_live live;
  struct cab_tally *tallies;
  struct d1 d1;                /* as it will be */
  uint64_t noted[NOTED];       /* what is in the journal of counters of misses: 2 * number + write + 1, at its last bits */
};

static struct d1
d1_at (uint64_t *words, uint64_t n_sets, unsigned ways)
{
  return (struct d1) { (struct cab_live_set *) words, words + n_sets * CAB_LIVE_SET_WORDS, n_sets, ways };
}

static uint64_t
d1_words (uint64_t n_sets, unsigned ways)
{
  return n_sets * (CAB_LIVE_SET_WORDS + ways);
}

/* Use the line at ADDRESS, which comes in if it was not there; was it? */
static bool
use (const struct d1 *d1, uint64_t address)
{
  uint64_t line = address >> CAB_LIVE_USUAL_LOG2, number = line & (d1->n_sets - 1);
  struct cab_live_set *set = d1->sets + number;
  uint64_t *tags = d1->tags + number * d1->ways;
  unsigned way = cab_live_way (set, tags, (1u << d1->ways) - 1, line >> CAB_LIVE_USUAL_SIGN, line);
  if (way != CAB_LIVE_NOWHERE)
    {
      set->order = cab_live_used (set->order, way);
      return true;
    }
  way = set->order >> 4 * (d1->ways - 1) & 15;
  tags[way] = line + 1;
  set->sign[way] = line >> CAB_LIVE_USUAL_SIGN;
  set->order = cab_live_to_front (set->order, d1->ways - 1, way);
  return false;
}

/* How R's passes are counted; unknown: that cannot be said. */
static enum cab_cache_how
know (struct cab_arena *arena, const struct cab_region *r)
{
  uint64_t passes = cab_cache_state (arena)->passes;
  enum cab_cache_how how = CAB_CACHE_UNKNOWN;
  if (r->shape.id < cab_space_capacity (arena, passes))
    how = ((const struct cab_cache_passes *) cab_space_elements (arena, passes))[r->shape.id].how;
  return how ? how : cab_cache_know (arena, r);
}

/* Tables of the state that have room for all that SECTION has, and for N words more that change; false: there are none. */
static bool
make_room (struct cab_arena *arena, const struct cab_section *s, uint64_t n)
{
  n += s->n_misses * (uint64_t) (2 * CAB_LIVE_BEHIND_WORDS + CAB_LIVE_LEVELS) + 2 * (uint64_t) s->n_rows;
  for (uint32_t i = 0; i < s->n_passes; i++)
    {
      const struct cab_region *r = s->passes[i].region;
      enum cab_cache_how how = know (arena, r);
      if (how == CAB_CACHE_UNKNOWN)
	return false;
      for (uint32_t k = 0; how == CAB_CACHE_BY_ROW && k < r->shape.n; k++)
	if (!cab_cache_make_tally (arena, r->shape.site[k]))
	  return false;
      n += how == CAB_CACHE_BY_ROW ? r->shape.n : 1;
    }
  for (uint32_t i = 0; i < s->n_rows; i++)
    if (!cab_cache_make_tally (arena, s->row[i].number))
      return false;
  return cab_simulate_reserve (arena, CAB_CACHE_CACHES, n);
}

static void
add (struct commit *c, uint64_t *counter, uint64_t n)
{
  cab_live_change (&c->live, counter, *counter + n);
}

static void
put_counts (struct commit *c)
{
  const struct cab_section *s = c->section;
  struct cab_cache_passes *passes = cab_space_elements (c->arena, cab_cache_state (c->arena)->passes);
  for (uint32_t i = 0; i < s->n_passes; i++)
    {
      const struct cab_shape *shape = &s->passes[i].region->shape;
      bool by_row = passes[shape->id].how == CAB_CACHE_BY_ROW;
      if (!by_row)
	add (c, &passes[shape->id].n, s->passes[i].n * CAB_CACHE_PASS);
      for (uint32_t k = 0; by_row && k < shape->n; k++)
	add (c, &c->tallies[shape->site[k]].n[shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE)], s->passes[i].n);
    }
  for (uint32_t i = 0; i < s->n_rows; i++)
    {
      const struct cab_section_row *row = s->row + i;
      add (c, &c->tallies[row->number].n[row->form], 1);
      if (row->more)
	add (c, &c->tallies[row->number].more[row->form == CAB_ROW_WRITE], row->more);
    }
}

/* The counters of misses of M, which are in the journal. */
static inline uint64_t *
missed_of (struct commit *c, const struct cab_section_miss *m)
{
  uint64_t *missed = c->tallies[m->number].missed[m->write], key = 2 * (uint64_t) m->number + m->write + 1;
  if (__builtin_expect (c->noted[key % NOTED] == key, 1))
    return missed;
  for (unsigned level = 0; level < c->live.n_levels; level++)
    cab_live_change (&c->live, missed + level, missed[level]);
  c->noted[key % NOTED] = key;
  return missed;
}

/* Of an access that missed for sure, or may have: which of its lines go to the levels behind. */
static inline uint64_t
resolve (struct commit *c, uint64_t address)
{
  uint64_t flags = address & (CAB_MISS_FIRST | CAB_MISS_SECOND);
  if (address & CAB_MISS_UNSURE_FIRST && !use (&c->d1, address))
    flags |= CAB_MISS_FIRST;
  if (address & CAB_MISS_UNSURE_SECOND && !use (&c->d1, address + (UINT64_C (1) << CAB_LIVE_USUAL_LOG2)))
    flags |= CAB_MISS_SECOND;
  return flags && c->live.whole && address & CAB_MISS_TWO ? CAB_MISS_FIRST | CAB_MISS_SECOND : flags;
}

static void
put_misses (struct commit *c)
{
  const struct cab_section *s = c->section;
  for (const struct cab_section_miss *m = s->miss, *end = m + s->n_misses; m < end; m++)
    {
      if (end - m > AHEAD)
	cab_live_ahead (&c->live, m[AHEAD].address);
      uint64_t which = resolve (c, m->address);
      if (!which)
	continue;
      uint64_t *missed = missed_of (c, m);
      unsigned mark = cab_live_behind (&c->live, m->address & -(UINT64_C (1) << CAB_LIVE_USUAL_LOG2), which);
      for (unsigned level = 0; level < c->live.n_levels; level++)
	missed[level] += mark >> level & 1;
    }
}

/* SET of D1: in front what FROM has there. */
static void
put_set (const struct d1 *d1, const struct d1 *from, uint64_t set)
{
  uint64_t lines[2 * CAB_LIVE_ORDERED], *tags = d1->tags + set * d1->ways;
  const uint64_t *used = from->tags + set * d1->ways;
  unsigned n = 0, ways = d1->ways;
  struct cab_live_set *to = d1->sets + set;
  for (unsigned pos = 0; pos < ways; pos++)
    if (used[from->sets[set].order >> 4 * pos & 15])
      lines[n++] = used[from->sets[set].order >> 4 * pos & 15];
  const unsigned n_used = n;
  for (unsigned pos = 0; n_used && pos < ways; pos++)
    {
      uint64_t tag = tags[to->order >> 4 * pos & 15];
      unsigned i = 0;
      while (i < n_used && lines[i] != tag)
	i++;
      if (tag && i == n_used)
	lines[n++] = tag;
    }
  for (unsigned way = 0; n_used && way < ways; way++)
    {
      tags[way] = way < n ? lines[way] : 0;
      to->sign[way] = (tags[way] - 1) >> CAB_LIVE_USUAL_SIGN;
    }
  if (n_used)
    to->order = UINT64_C (0xfedcba9876543210);
}

/* D1 as it is behind the section. */
static void
merge_d1 (const struct commit *c)
{
  const struct d1 *d1 = &c->d1, from = d1_at ((uint64_t *) c->section->d1, d1->n_sets, d1->ways);
  for (uint64_t set = 0; set < d1->n_sets; set++)
    if (from.tags[set * d1->ways + (from.sets[set].order >> 4 * (d1->ways - 1) & 15)])
      {
	d1->sets[set] = from.sets[set];
	memcpy (d1->tags + set * d1->ways, from.tags + set * d1->ways, d1->ways * sizeof *d1->tags);
      }
    else
      put_set (d1, &from, set);
}

/* D1 becomes that. */
static void
put_d1 (struct commit *c)
{
  struct cab_live *live = &c->live;
  struct cab_live_level *to = &live->level[0];
  for (uint64_t i = 0; i <= live->recent_mask; i++)
    live->recent[i] = cab_live_unknown (i, to->cache.line_log2);
  cab_space_order ();
  for (uint64_t set = 0; set < c->d1.n_sets; set++)
    {
      const uint64_t *tags = c->d1.tags + set * c->d1.ways;
      uint64_t *to_tags = to->tags + set * c->d1.ways;
      for (unsigned way = 0; way < c->d1.ways; way++)
	if (to_tags[way] != tags[way])
	  cab_live_change (live, to_tags + way, tags[way]);
      memcpy (to->sets[set].sign, c->d1.sets[set].sign, sizeof to->sets[set].sign);
      if (to->sets[set].order != c->d1.sets[set].order)
	cab_live_change (live, &to->sets[set].order, c->d1.sets[set].order);
    }
}

bool
cab_cache_commit (struct cab_arena *arena, struct cab_section_worker *worker, const struct cab_section *section)
{
  struct cab_simulating caches;
  struct commit c = { .arena = arena, .section = section };
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  const struct cab_cachesim_cache *level = &caches.live.level[0].cache;
  uint64_t words = d1_words (level->n_sets, level->assoc);
  if (!make_room (arena, section, words))
    return false;
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);   /* it may have moved */
  c.live = caches.live;
  c.tallies = cab_space_elements (arena, cab_cache_state (arena)->tallies);
  c.d1 = d1_at (worker->real_d1, level->n_sets, level->assoc);
  memcpy (c.d1.sets, c.live.level[0].sets, words * sizeof (uint64_t));
  put_counts (&c);
  put_misses (&c);
  merge_d1 (&c);
  put_d1 (&c);
  cab_live_set_saved (c.live.caches, 0);
  return true;
}

void
cab_cache_take_section (struct cab_arena *arena, struct cab_section_worker *worker, const struct cab_section_caches *caches, struct cab_section *s)
{
  for (;;)
    {
      if (!cab_cache_commit (arena, worker, s))
	break;
      s->from = s->to;
      if (s->from.item == s->n_items)
	return;
      if (s->is_long)
	break;
      cab_section_look_up (worker, caches, s);
    }
  cab_cache_feed_section (arena, s);
}
