/* cache_commit.c - what was looked up in a section takes effect: see cache_section.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      all that a section comes to is written down in the state first: what goes to the levels behind D1, what counters get, and D1 as it is then.  The store of how
 *             many items that is makes it so: from then on the state has the section, and whoever reads it does what is left.  An item is a step of the caches.
 *             Lines that a section has brought to a set of D1, or found there, are those that were used last, in the order that it knows; behind them come the others that
 *             the set had, in theirs.
 */
#include "cache_section.h"
#include "live_lines.h"

#define AHEAD 8u   /* items */

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
  struct cab_cache_pending *pending;
  struct cab_cache_item *item;   /* the next one */
  const struct cab_tally *tallies;
  bool whole;
  struct d1 d1;                  /* the real one, as it will be */
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

/* Tables of the state that have room for all that SECTION has; false: there are none. */
static bool
make_room (struct cab_arena *arena, const struct cab_section *s, uint64_t d1)
{
  uint64_t most = s->n_misses + 2 * (uint64_t) s->n_rows;
  for (uint32_t i = 0; i < s->n_passes; i++)
    {
      const struct cab_region *r = s->passes[i].region;
      enum cab_cache_how how = know (arena, r);
      if (how == CAB_CACHE_UNKNOWN)
	return false;
      for (uint32_t k = 0; how == CAB_CACHE_BY_ROW && k < r->shape.n; k++)
	if (!cab_cache_make_tally (arena, r->shape.site[k]))
	  return false;
      most += how == CAB_CACHE_BY_ROW ? r->shape.n : 1;
    }
  for (uint32_t i = 0; i < s->n_rows; i++)
    if (!cab_cache_make_tally (arena, s->row[i].number))
      return false;
  uint64_t items = cab_space_table_for (arena, cab_cache_state (arena)->pending.items, most, CAB_CACHE_LEAST, sizeof (struct cab_cache_item));
  if (!items)
    return false;
  cab_cache_state (arena)->pending.items = items;
  uint64_t words = cab_space_table_for (arena, cab_cache_state (arena)->pending.d1, d1 - 1, d1, sizeof (uint64_t));
  if (words)
    cab_cache_state (arena)->pending.d1 = words;
  return words;
}

static inline void
put (struct commit *c, uint64_t what, const void *at)
{
  *c->item++ = (struct cab_cache_item) { what, (uint64_t) ((const unsigned char *) at - c->arena->base) };
}

static void
add (struct commit *c, const uint64_t *counter, uint64_t n)
{
  put (c, n * CAB_CACHE_ADD, counter);
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
  return flags && c->whole && address & CAB_MISS_TWO ? CAB_MISS_FIRST | CAB_MISS_SECOND : flags;
}

static void
put_misses (struct commit *c)
{
  const struct cab_section *s = c->section;
  for (const struct cab_section_miss *m = s->miss, *end = m + s->n_misses; m < end; m++)
    {
      uint64_t which = resolve (c, m->address);
      if (which)
	put (c, (m->address & -(UINT64_C (1) << CAB_LIVE_USUAL_LOG2)) | which, c->tallies[m->number].missed[m->write]);
    }
}

static void
put_counts (struct commit *c)
{
  const struct cab_section *s = c->section;
  const struct cab_cache_passes *passes = cab_space_elements (c->arena, cab_cache_state (c->arena)->passes);
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

/* D1 becomes what it is behind the section. */
static void
put_d1 (const struct commit *c)
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

bool
cab_cache_commit (struct cab_arena *arena, const struct cab_section *section)
{
  struct cab_simulating caches;
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  const struct cab_cachesim_cache *level = &caches.live.level[0].cache;
  uint64_t n_sets = level->n_sets, words = d1_words (n_sets, level->assoc);
  if (!make_room (arena, section, words))
    return false;
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);   /* it may have moved */
  struct cab_cache_state *state = cab_cache_state (arena);
  struct commit c = { arena, section, &state->pending, cab_space_elements (arena, state->pending.items), cab_space_elements (arena, state->tallies), caches.live.whole,
		      d1_at (cab_space_elements (arena, state->pending.d1), n_sets, caches.live.level[0].cache.assoc) };
  memcpy (c.d1.sets, caches.live.level[0].sets, words * sizeof (uint64_t));
  put_misses (&c);
  put_counts (&c);
  put_d1 (&c);
  state->pending.done = 0;
  cab_space_add (&state->pending.n, c.item - (struct cab_cache_item *) cab_space_elements (arena, state->pending.items));
  cab_cache_resume (arena);
  return true;
}

bool
cab_cache_commit_ok (const struct cab_arena *arena)
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  const struct cab_cache_geometry *d1 = &state->caches.config.d1;
  uint64_t n_sets = d1->size / d1->line / d1->assoc;
  const uint64_t *word = cab_space_elements (arena, state->pending.d1);
  if (d1->line != 1u << CAB_LIVE_USUAL_LOG2 || (d1->assoc != CAB_LIVE_FEW && d1->assoc != CAB_LIVE_MANY) || (n_sets & (n_sets - 1)) || !state->caches.caches.tags
      || cab_space_capacity (arena, state->pending.d1) != d1_words (n_sets, d1->assoc))
    return false;
  for (uint64_t i = 0; i < n_sets; i++)
    if (!cab_live_order_ok (word[i * CAB_LIVE_SET_WORDS], d1->assoc))
      return false;
  return true;
}

/* An item that comes soon: what it needs is fetched. */
static inline void
fetch_ahead (const struct cab_live *live, const struct cab_cache_item *item)
{
  if (item->what & (CAB_MISS_FIRST | CAB_MISS_SECOND))
    cab_live_ahead (live, item->what);
  __builtin_prefetch (live->base + item->at, 1);
}

static void
apply (struct cab_live *live, struct cab_cache_pending *pending, const struct cab_cache_item *item)
{
  uint64_t *counter = (uint64_t *) (live->base + item->at), which = item->what & (CAB_MISS_FIRST | CAB_MISS_SECOND);
  if (which)
    cab_live_miss_behind (live, item->what & -(UINT64_C (1) << CAB_LIVE_USUAL_LOG2), which, &pending->done, pending->done + 1, counter);
  else
    {
      cab_live_put (live, counter, *counter + item->what / CAB_CACHE_ADD);
      cab_live_put (live, &pending->done, pending->done + 1);
      cab_live_set_saved (live->caches, 0);
    }
}

/* All items have happened. */
static void
end (struct cab_live *live, struct cab_cache_pending *pending, const uint64_t *d1)
{
  for (uint64_t i = 0; i <= live->recent_mask; i++)
    live->recent[i] = cab_live_unknown (i, live->level[0].cache.line_log2);
  cab_space_order ();
  memcpy (live->level[0].sets, d1, d1_words (live->level[0].cache.n_sets, live->level[0].cache.assoc) * sizeof *d1);
  cab_space_order ();
  *(volatile uint64_t *) &pending->n = 0;
  cab_space_order ();
}

void
cab_cache_resume (struct cab_arena *arena)
{
  struct cab_simulating caches;
  struct cab_cache_state *state = cab_cache_state (arena);
  struct cab_cache_pending *pending = &state->pending;
  if (__builtin_expect (!pending->n, 1))
    return;
  const struct cab_cache_item *item = cab_space_elements (arena, pending->items);
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  /* Commits are of such caches alone, but whoever wrote a file may say otherwise. */
  if (!caches.live.straight || !caches.live.usual)
    {
      pending->n = 0;
      return;
    }
  for (uint64_t i = pending->done; i < pending->n; i++)
    {
      if (caches.live.pair && i + AHEAD < pending->n)
	fetch_ahead (&caches.live, item + i + AHEAD);
      apply (&caches.live, pending, item + i);
    }
  end (&caches.live, pending, cab_space_elements (arena, pending->d1));
}

void
cab_cache_take_section (struct cab_arena *arena, struct cab_section_worker *worker, const struct cab_section_caches *caches, struct cab_section *s)
{
  for (;;)
    {
      if (!cab_cache_commit (arena, s))
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
