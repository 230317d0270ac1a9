/* cache_commit.c - commit a section that was looked up: see cache_section.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a section is one step of the caches (live_caches.h), so it happens as a whole or not
 *             at all. Lines that a section has brought to a set of D1, or found there, are those
 *             that were used last, in the order that the section's D1 has; after them come the
 *             others that the set had, in their order.
 */
#include "analyses/live/cache/cache_commit.h"
#include "analyses/live/cache/cache_feed.h"
#include "analyses/live/cache/live_lines.h"
#include "analyses/live/cache/live_steps.h"

#define AHEAD 12u    /* misses ahead of the current one whose sets are prefetched */
#define NOTED_MOST (CAB_SECTION_NOTED / 4 * 3)   /* fewer than there are entries, so that a search
						    for a missing one ends soon */
#define LINE (UINT64_C (1) << CAB_LIVE_USUAL_LOG2)
#define IN_ORDER UINT64_C (0xfedcba9876543210)   /* of ways, the one that was used last first */

struct commit
{
  struct cab_arena *arena;
  const struct cab_section *section;
  struct cab_live live;
  struct cab_tally *tallies;
  struct cab_section_noted *noted;
  uint32_t stamp;                        /* of entries that are valid */
  unsigned n_noted;
  unsigned ways;                         /* D1's ways; set_mask: the last bits of a line's number,
					    which are its set's */
  uint64_t set_mask;
  uint64_t saved[CAB_SECTION_SETS / 64]; /* sets whose order is in the journal, by bits */
};

/* Save the order of SET, number NUMBER, before it first changes. */
static inline void
save_order (struct commit *c, struct cab_live_set *set, uint64_t number)
{
  uint64_t *saved = &c->saved[number / 64], bit = UINT64_C (1) << number % 64;
  if (*saved & bit)
    return;
  cab_live_change (&c->live, &set->order, set->order);
  *saved |= bit;
}

/* Use LINE in D1, and insert it if it was not there.  Return true if it was. */
static bool __attribute__ ((noinline))
use (struct commit *c, uint64_t line)
{
  const struct cab_live_level *d1 = &c->live.level[0];
  uint64_t number = line & c->set_mask, *tags = d1->tags + number * c->ways;
  struct cab_live_set *set = d1->sets + number;
  unsigned way = cab_live_way (set, tags, d1->ways, line >> CAB_LIVE_USUAL_SIGN, line),
	   last = c->ways - 1;
  bool found = way != CAB_LIVE_NOWHERE;
  save_order (c, set, number);
  if (!found)
    {
      way = set->order >> 4 * last & 15;
      cab_live_change (&c->live, tags + way, line + 1);
      set->sign[way] = line >> CAB_LIVE_USUAL_SIGN;
    }
  *(volatile uint64_t *) &set->order = found ? cab_live_used (set->order, way)
					     : cab_live_to_front (set->order, last, way);
  return found;
}

/* Return how R's passes are counted; CAB_CACHE_UNKNOWN if that cannot be determined. */
static enum cab_cache_how
know (struct cab_arena *arena, const struct cab_region *r)
{
  uint64_t passes = cab_cache_state (arena)->passes;
  enum cab_cache_how how = CAB_CACHE_UNKNOWN;
  if (r->shape.id < cab_space_capacity (arena, passes))
    how = ((const struct cab_cache_passes *) cab_space_elements (arena, passes))[r->shape.id].how;
  return how ? how : cab_cache_know (arena, r);
}

/* Return how many counters a commit may note. */
static uint64_t
most_noted (const struct cab_section *s)
{
  return s->n_misses < NOTED_MOST ? s->n_misses : NOTED_MOST;
}

/* Make room in the state's tables for all that section S has in caches of LEVELS, and in the
   journal for that and N words more.  Return false if there is none. */
static bool
make_room (struct cab_arena *arena, const struct cab_section *s, unsigned levels, uint64_t n)
{
  uint32_t most = 0;
  n += (s->n_misses + s->n_two + s->n_more) * UINT64_C (2) * (levels - 1) + most_noted (s) * levels
     + 2 * (uint64_t) s->n_rows;
  for (uint32_t i = 0; i < s->n_passes; i++)
    {
      const struct cab_region *r = s->passes[i].region;
      enum cab_cache_how how = know (arena, r);
      if (how == CAB_CACHE_UNKNOWN)
	return false;
      for (uint32_t k = 0; how == CAB_CACHE_BY_ROW && k < r->shape.n; k++)
	most = most > r->shape.site[k] ? most : r->shape.site[k];
      n += how == CAB_CACHE_BY_ROW ? r->shape.n : 1;
    }
  for (uint32_t i = 0; i < s->n_rows; i++)
    most = most > s->row[i].number ? most : s->row[i].number;
  return cab_cache_make_tally (arena, most) && cab_simulate_reserve (arena, CAB_CACHE_CACHES, n);
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
  struct cab_cache_passes *passes = cab_space_elements (c->arena,
							cab_cache_state (c->arena)->passes);
  for (uint32_t i = 0; i < s->n_passes; i++)
    {
      const struct cab_shape *shape = &s->passes[i].region->shape;
      bool by_row = passes[shape->id].how == CAB_CACHE_BY_ROW;
      if (!by_row)
	add (c, &passes[shape->id].n, s->passes[i].n * CAB_CACHE_PASS);
      for (uint32_t k = 0; by_row && k < shape->n; k++)
	add (c, &c->tallies[shape->site[k]].n[shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE)],
	     s->passes[i].n);
    }
  for (uint32_t i = 0; i < s->n_rows; i++)
    {
      const struct cab_section_row *row = s->row + i;
      add (c, &c->tallies[row->number].n[row->form], 1);
      if (row->more)
	add (c, &c->tallies[row->number].more[row->form == CAB_ROW_WRITE], row->more);
    }
}

/* Save the counters of misses of M in the journal, and enter them at AT.  Return null if no more
   may be noted. */
static uint64_t * __attribute__ ((noinline))
note_missed (struct commit *c, const struct cab_section_miss *m, struct cab_section_noted *at)
{
  uint64_t *missed = c->tallies[m->number].missed[m->write];
  if (c->n_noted++ == most_noted (c->section))
    return NULL;
  for (unsigned level = 0; level < c->live.n_levels; level++)
    cab_live_change (&c->live, missed + level, missed[level]);
  *at = (struct cab_section_noted) { missed, c->stamp, 2 * m->number + m->write };
  return missed;
}

/* Return the counters of misses of M, which are in the journal afterwards; null if there is no
   room. */
static inline uint64_t *
missed_of (struct commit *c, const struct cab_section_miss *m)
{
  uint32_t which = 2 * m->number + m->write, at = which % CAB_SECTION_NOTED;
  while (__builtin_expect (c->noted[at].which != which || c->noted[at].stamp != c->stamp, 0))
    {
      if (c->noted[at].stamp != c->stamp)
	return note_missed (c, m, &c->noted[at]);
      at = (at + 1) % CAB_SECTION_NOTED;
    }
  return c->noted[at].missed;
}

/* Return which lines of an access that missed, or may have, go to the outer levels. */
static inline uint64_t
resolve (struct commit *c, uint64_t address)
{
  uint64_t flags = address & (CAB_MISS_FIRST | CAB_MISS_SECOND);
  if (address & CAB_MISS_UNSURE_FIRST && !use (c, address / LINE))
    flags |= CAB_MISS_FIRST;
  if (address & CAB_MISS_UNSURE_SECOND && !use (c, address / LINE + 1))
    flags |= CAB_MISS_SECOND;
  return flags && c->live.whole && address & CAB_MISS_TWO ? CAB_MISS_FIRST | CAB_MISS_SECOND
							  : flags;
}

/* Do an access of M to the line at ADDRESS, whose low bits are its flags.  Return false if there is
   no room. */
static bool
put_miss (struct commit *c, const struct cab_section_miss *m, uint64_t address)
{
  uint64_t which = resolve (c, address);
  if (!which)
    return true;
  uint64_t *missed = missed_of (c, m);
  if (__builtin_expect (!missed, 0))
    return false;
  unsigned mark = cab_live_behind (&c->live, address & -LINE, which);
  for (unsigned level = 0; level < c->live.n_levels; level++)
    missed[level] += mark >> level & 1;
  return true;
}

/* Return the distance from one line of M to the next. */
static inline uint64_t
step_of (const struct cab_section_miss *m)
{
  return m->down ? -LINE : LINE;
}

/* Do all accesses of M. */
static bool
put_more (struct commit *c, const struct cab_section_miss *m)
{
  const uint64_t step = step_of (m);
  uint64_t address = m->address;
  for (uint32_t n = m->more + 1; n > 0; n--, address += step)
    {
      if (n > AHEAD)
	cab_live_ahead (&c->live, address + AHEAD * step);
      if (!put_miss (c, m, address))
	return false;
    }
  return true;
}

static bool
put_any (struct commit *c)
{
  const struct cab_section *s = c->section;
  for (const struct cab_section_miss *m = s->miss, *end = m + s->n_misses; m < end; m++)
    {
      if (end - m > AHEAD)
	cab_live_ahead (&c->live, m[AHEAD].address);
      if (!(m->more ? put_more (c, m) : put_miss (c, m, m->address)))
	return false;
    }
  return true;
}

/* Count N misses of M in D1, and N_NEXT in the next level.  Return false if there is no room. */
static inline bool
count_missed (struct commit *c, const struct cab_section_miss *m, uint64_t n, uint64_t n_next)
{
  uint64_t *missed = missed_of (c, m);
  if (__builtin_expect (!missed, 0))
    return false;
  missed[0] += n;
  missed[1] += n_next;
  return true;
}

/* Use the line at ADDRESS, of an access that was unsure, in D1.  Return true if it was found. */
static inline __attribute__ ((always_inline)) bool
is_found (struct commit *c, struct cab_live_next *next, uint64_t address)
{
  bool found = use (c, address / LINE);
  next->n = *next->n_saved;
  return found;
}

/* Do put_more in caches that are a pair. */
static inline __attribute__ ((always_inline)) bool
put_lines (struct commit *c, struct cab_live_next *next, const struct cab_section_miss *m)
{
  uint64_t address = m->address, step = step_of (m), n = 0, n_next = 0;
  for (uint32_t left = m->more + 1; left > 0; left--, address += step)
    {
      if (left > AHEAD)
	cab_live_fetch (&next->cache, next->sets, next->tags, address + AHEAD * step);
      if (__builtin_expect (address & CAB_MISS_UNSURE_FIRST, 0) && is_found (c, next, address))
	continue;
      n++;
      n_next += !cab_live_next_use (next, address);
    }
  return !n || count_missed (c, m, n, n_next);
}

/* Do put_miss for one line in caches that are a pair. */
static inline __attribute__ ((always_inline)) bool
put_line (struct commit *c, struct cab_live_next *next, const struct cab_section_miss *m)
{
  uint64_t address = m->address;
  if (__builtin_expect (address & CAB_MISS_UNSURE_FIRST, 0) && is_found (c, next, address))
    return true;
  return count_missed (c, m, 1, !cab_live_next_use (next, address));
}

/* Do put_any in caches that are a pair. */
static inline __attribute__ ((always_inline)) bool
put_pairs (struct commit *c, bool usual)
{
  const struct cab_section *s = c->section;
  struct cab_live_next next = cab_live_next (&c->live, usual);
  for (const struct cab_section_miss *m = s->miss, *end = m + s->n_misses; m < end; m++)
    {
      if (end - m > AHEAD)
	cab_live_fetch (&next.cache, next.sets, next.tags, m[AHEAD].address);
      if (__builtin_expect (m->address & CAB_MISS_TWO, 0))
	{
	  if (!put_miss (c, m, m->address))
	    return false;
	}
      else if (!(m->more ? put_lines (c, &next, m) : put_line (c, &next, m)))
	return false;
      next.n = *next.n_saved;   /* counting may have added to the journal */
    }
  return true;
}

#ifdef CAB_SECTION_AVX2
static CAB_AVX2 bool __attribute__ ((noinline))
put_usual_avx2 (struct commit *c)
{
  return put_pairs (c, true);
}
#endif

static bool
put_misses (struct commit *c)
{
  if (!c->live.pair)
    return put_any (c);
#ifdef CAB_SECTION_AVX2
  if (cab_live_next_usual (&c->live) && cab_section_machine () >= CAB_SECTION_HAS_AVX2)
    return put_usual_avx2 (c);
#endif
  return cab_live_next_usual (&c->live) ? put_pairs (c, true) : put_pairs (c, false);
}

/* Make set NUMBER of D1 hold all of LINES, and nothing else. */
static void
put_set (struct commit *c, uint64_t number, const uint64_t lines[])
{
  const struct cab_live_level *d1 = &c->live.level[0];
  uint64_t *tags = d1->tags + number * c->ways;
  struct cab_live_set *set = d1->sets + number;
  for (unsigned way = 0; way < c->ways; way++)
    if (tags[way] != lines[way] + 1)
      {
	cab_live_change (&c->live, tags + way, lines[way] + 1);
	set->sign[way] = lines[way] >> CAB_LIVE_USUAL_SIGN;
      }
  save_order (c, set, number);
  *(volatile uint64_t *) &set->order = IN_ORDER;
}

/* Update D1 to its state after the section: the lines that the section's D1 has in a set were used
   last, in its order. */
static void
put_d1 (struct commit *c)
{
  const struct cab_section_d1 *d1 = &c->section->d1;
  const uint32_t *tag = c->section->tag;
  uint64_t above[8], lines[CAB_LIVE_MANY];
  cab_section_d1_pages (d1, above);
  for (uint64_t set = 0; set <= c->set_mask; set++, tag += cab_section_d1_stride (c->ways))
    {
      unsigned n = 0;
      for (; n < c->ways && tag[n]; n++)
	lines[n] = (above[tag[n] >> 29] | tag[n]) << d1->sets_log2 | set;
      if (n == c->ways)
	put_set (c, set, lines);
      else
	while (n-- > 0)
	  use (c, lines[n]);
    }
}

/* Return a stamp that no entry has. */
static uint32_t
stamp (struct cab_section_worker *w)
{
  if (!++w->stamp)
    {
      memset (w->noted, 0, sizeof w->noted);
      w->stamp = 1;
    }
  return w->stamp;
}

/* Forget what is known of D1, while it changes. */
static void
forget_recent (struct cab_live *live)
{
  for (uint64_t i = 0; i <= live->recent_mask; i++)
    live->recent[i] = cab_live_unknown (i, CAB_LIVE_USUAL_LOG2);
  cab_space_order ();
}

bool
cab_cache_begin_commit (struct cab_arena *arena, struct cab_section_worker *worker,
			const struct cab_section *section)
{
  struct cab_simulating caches;
  struct commit c = { .arena = arena, .section = section };
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  const struct cab_cachesim_cache *level = &caches.live.level[0].cache;
  if (!make_room (arena, section, caches.live.n_levels, level->n_sets * (2 * level->assoc + 1)))
    return false;
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);   /* the arena may have moved */
  c.live = caches.live;
  c.tallies = cab_space_elements (arena, cab_cache_state (arena)->tallies);
  c.noted = worker->noted;
  c.stamp = stamp (worker);
  c.set_mask = level->n_sets - 1;
  c.ways = level->assoc;
  forget_recent (&c.live);
  put_counts (&c);
  bool good = put_misses (&c);
  if (good)
    put_d1 (&c);
  else
    cab_live_take_back (&c.live);
  return good;
}

/* Commit SECTION, which was looked up, with the help of a WORKER that has no section in progress.
   Return false if that is not possible, and nothing has happened. */
static bool
commit_section (struct cab_arena *arena, struct cab_section_worker *worker,
		const struct cab_section *section)
{
  if (!cab_cache_begin_commit (arena, worker, section))
    return false;
  cab_live_set_saved (&cab_cache_state (arena)->caches.caches, 0);
  return true;
}

void
cab_cache_take_section (struct cab_arena *arena, struct cab_section_worker *worker,
			const struct cab_section_caches *caches, struct cab_section *s)
{
  for (;;)
    {
      if (!commit_section (arena, worker, s))
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
