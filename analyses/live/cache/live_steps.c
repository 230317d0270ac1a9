/* live_steps.c - accesses that change more than the order of lines in D1: see live_caches.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/live_steps.h"
#include "analyses/live/cache/live_lines.h"

/* Return ORDER, of ASSOC ways, with the way at digit POS moved to the back, to be reused next. */
static inline uint64_t
to_back (uint64_t order, unsigned pos, unsigned assoc)
{
  uint64_t way = order >> 4 * pos & 15;
  for (; pos + 1 < assoc; pos++)
    order = (order & ~(UINT64_C (15) << 4 * pos)) | (order >> (4 * pos + 4) & 15) << 4 * pos;
  return (order & ~(UINT64_C (15) << 4 * pos)) | way << 4 * pos;
}

bool
cab_live_reuse (struct cab_live *live, uint64_t first, uint64_t last)
{
  uint32_t line_log2 = live->level[0].cache.line_log2;
  return cab_live_reuse_line (live, first >> line_log2)
      && (first >> line_log2 == last >> line_log2 || cab_live_reuse_line (live, last >> line_log2));
}

void
cab_live_put (struct cab_live *live, uint64_t *word, uint64_t value)
{
  cab_live_change (live, word, value);
}

void
cab_live_end (struct cab_live *live, uint64_t last)
{
  cab_live_set_saved (live->caches, 0);
  cab_live_know (live, last >> live->level[0].cache.line_log2);
}

/* Save WORD's present value as entry I of the journal. */
static inline void
save (const struct cab_live *live, unsigned i, const uint64_t *word)
{
  live->journal[2 * i] = (uint64_t) ((const unsigned char *) word - live->base);
  live->journal[2 * i + 1] = *word;
}

static inline void
put (uint64_t *word, uint64_t value)
{
  *(volatile uint64_t *) word = value;
}

/* A line to be inserted into SET of LEVEL, in the least recently used way; entries I and I + 1 of
   the journal have what this changes. */
struct coming
{
  uint64_t *tag;
  struct cab_live_set *set;
  uint64_t way, new_order;
};

static inline struct coming
come (const struct cab_live *live, unsigned i, const struct cab_live_level *level, uint32_t assoc,
      uint64_t number)
{
  struct cab_live_set *set = level->sets + number;
  uint64_t order = cab_live_order (set, level->fresh), way = order >> 4 * (assoc - 1) & 15;
  struct coming c = { level->tags + number * assoc + way, set, way,
		      cab_live_to_front (order, assoc - 1, way) };
  save (live, i, c.tag);
  save (live, i + 1, &set->order);
  return c;
}

static inline void
put_coming (const struct cab_live_level *level, const struct coming *c, uint64_t line)
{
  put (c->tag, line + 1);
  c->set->sign[c->way] = cab_live_sign (level, line);
  put (&c->set->order, c->new_order);
}

/* Use LINE if LEVEL has it, before the step: when the step is repeated, LINE is found again, and
   the result is the same.  Return true if it was found. */
static inline bool
use_behind (const struct cab_live_level *level, uint64_t line)
{
  uint64_t number = cab_cachesim_set_of (&level->cache, line);
  struct cab_live_set *set = level->sets + number;
  const uint64_t *tags = level->tags + number * level->cache.assoc;
  for (uint32_t i = 0; i < level->cache.assoc; i += 8)
    __builtin_prefetch (tags + i);   /* together with the set: a level may be larger than this
					machine's near caches */
  unsigned way = cab_live_way (set, tags, level->ways, cab_live_sign (level, line), line);
  if (way == CAB_LIVE_NOWHERE)
    return false;
  put (&set->order, cab_live_used (cab_live_order (set, level->fresh), way));
  return true;
}

/* Save entries 0 to 3 of a step that brings a line to P in D1, which is usual and has WAYS. */
static inline void
come_usual (struct cab_live *live, const struct cab_live_place *p, uint64_t *rows, uint64_t *missed,
	    unsigned ways)
{
  save (live, 0, rows);
  save (live, 1, missed);
  save (live, 2, &p->set->order);
  save (live, 3, p->tags + (p->set->order >> 4 * (ways - 1) & 15));
  cab_live_usual_forget (p);
}

/* Do and end that step: in the order the last digit, the least recently used way, becomes the
   first. */
static inline void
put_usual (struct cab_live *live, const struct cab_live_place *p, uint64_t address, uint64_t *rows,
	   uint64_t value, uint64_t *missed, unsigned ways)
{
  uint64_t now = p->set->order, first = now >> 4 * (ways - 1) & 15,
	   digits = (UINT64_C (1) << 4 * ways) - 1, line = address >> CAB_LIVE_USUAL_LOG2;
  put (p->tags + first, line + 1);
  p->set->sign[first] = line >> CAB_LIVE_USUAL_SIGN;
  put (&p->set->order, (now & ~digits) | ((now << 4 | first) & digits));
  put (missed, *missed + 1);
  put (rows, value);
  cab_live_set_saved (live->caches, 0);
  cab_live_usual_know (p, address);
}

/* Do cab_live_miss where D1 is usual, and there is one more level, in which the line is not found
   either. */
static inline __attribute__ ((always_inline)) void
miss_both (struct cab_live *live, uint64_t address, uint64_t *rows, uint64_t value,
	   uint64_t *missed, unsigned ways)
{
  const struct cab_live_level *next = &live->level[1];
  const struct cab_live_place p = cab_live_usual_place (&live->d1, address, ways);
  uint64_t line = address >> next->cache.line_log2;
  come_usual (live, &p, rows, missed, ways);
  struct coming c = come (live, 4, next, next->cache.assoc,
			  cab_cachesim_set_of (&next->cache, line));
  save (live, 6, missed + 1);
  cab_live_set_saved (live->caches, 2 * 7);
  put_coming (next, &c, line);
  put (missed + 1, missed[1] + 1);
  put_usual (live, &p, address, rows, value, missed, ways);
}

static void __attribute__ ((noinline))
miss_both_few (struct cab_live *live, uint64_t address, uint64_t *rows, uint64_t value,
	       uint64_t *missed)
{
  miss_both (live, address, rows, value, missed, CAB_LIVE_FEW);
}

static void __attribute__ ((noinline))
miss_both_many (struct cab_live *live, uint64_t address, uint64_t *rows, uint64_t value,
		uint64_t *missed)
{
  miss_both (live, address, rows, value, missed, CAB_LIVE_MANY);
}

static inline __attribute__ ((always_inline)) void
miss_usual (struct cab_live *live, uint64_t address, uint64_t *rows, uint64_t value,
	    uint64_t *missed, unsigned ways)
{
  if (!use_behind (&live->level[1], address >> live->level[1].cache.line_log2))
    {
      if (ways == CAB_LIVE_FEW)
	miss_both_few (live, address, rows, value, missed);
      else
	miss_both_many (live, address, rows, value, missed);
      return;
    }
  const struct cab_live_place p = cab_live_usual_place (&live->d1, address, ways);
  come_usual (live, &p, rows, missed, ways);
  cab_live_set_saved (live->caches, 2 * 4);
  put_usual (live, &p, address, rows, value, missed, ways);
}

/* Do cab_live_miss for any D1, with any number of levels. */
static void __attribute__ ((noinline)) miss_many (struct cab_live *live, uint64_t address,
						  uint64_t *rows, uint64_t value, uint64_t *missed)
{
  struct coming coming[CAB_LIVE_LEVELS];
  unsigned n = 1, level = 0;
  uint64_t *order = NULL, used = 0;
  save (live, 0, rows);
  for (; level < live->n_levels; level++, n += 3)
    {
      const struct cab_live_level *l = &live->level[level];
      uint64_t line = address >> l->cache.line_log2, set = cab_cachesim_set_of (&l->cache, line);
      unsigned way = level ? cab_live_way (l->sets + set, l->tags + set * l->cache.assoc, l->ways,
					   cab_live_sign (l, line), line)
			   : CAB_LIVE_NOWHERE;
      if (way != CAB_LIVE_NOWHERE)
	{
	  order = &l->sets[set].order;
	  used = cab_live_used (cab_live_order (&l->sets[set], l->fresh), way);
	  break;
	}
      coming[level] = come (live, n, l, l->cache.assoc, set);
      save (live, n + 2, missed + level);
    }
  cab_live_forget_set (live, coming[0].set - live->level[0].sets);
  cab_live_set_saved (live->caches, 2 * n);
  if (order)
    put (order, used);
  while (level-- > 0)
    {
      put_coming (&live->level[level], &coming[level],
		  address >> live->level[level].cache.line_log2);
      put (missed + level, missed[level] + 1);
    }
  put (rows, value);
  cab_live_set_saved (live->caches, 0);
  cab_live_know (live, address >> live->level[0].cache.line_log2);
}

void
cab_live_miss (struct cab_live *live, uint64_t address, uint64_t *rows, uint64_t value,
	       uint64_t *missed)
{
  if (live->pair == CAB_LIVE_FEW)
    miss_usual (live, address, rows, value, missed, CAB_LIVE_FEW);
  else if (live->pair)
    miss_usual (live, address, rows, value, missed, CAB_LIVE_MANY);
  else
    miss_many (live, address, rows, value, missed);
}

/* A cache in a step, and the set that a line of it belongs to. */
struct place
{
  struct cab_live *live;
  const struct cab_live_level *level;
  uint64_t set, *ways;
};

static inline struct place
place_of (struct cab_live *live, unsigned level, uint64_t line)
{
  const struct cab_live_level *l = &live->level[level];
  uint64_t set = cab_cachesim_set_of (&l->cache, line);
  if (level == 0)
    cab_live_forget_set (live, set);
  return (struct place) { live, l, set, l->tags + set * l->cache.assoc };
}

static inline void
put_order (const struct place *p, uint64_t order)
{
  if (order != p->level->sets[p->set].order)
    cab_live_put (p->live, &p->level->sets[p->set].order, order);
}

/* In a set without a word for the order, put TAG first, and move what was before way UP_TO back by
   one. */
static void
shift (const struct place *p, uint32_t up_to, uint64_t tag)
{
  for (uint32_t i = up_to; i > 0; i--)
    cab_live_put (p->live, &p->ways[i], p->ways[i - 1]);
  cab_live_put (p->live, &p->ways[0], tag);
}

static uint32_t
find_way (const struct place *p, uint64_t tag)
{
  uint32_t i = 0;
  while (i < p->level->cache.assoc && p->ways[i] != tag)
    i++;
  return i;
}

/* Use LINE if it is there; return true if it is. */
static bool
look (const struct place *p, uint64_t line)
{
  if (!p->level->sets)
    {
      uint32_t way = find_way (p, line + 1);
      if (way > 0 && way < p->level->cache.assoc)
	shift (p, way, line + 1);
      return way < p->level->cache.assoc;
    }
  const struct cab_live_set *set = &p->level->sets[p->set];
  unsigned way = cab_live_way (set, p->ways, p->level->ways, cab_live_sign (p->level, line), line);
  if (way != CAB_LIVE_NOWHERE)
    put_order (p, cab_live_used (cab_live_order (set, p->level->fresh), way));
  return way != CAB_LIVE_NOWHERE;
}

/* Insert LINE, which is not there.  Return the tag that is evicted, 0 if none is. */
static uint64_t
fill (const struct place *p, uint64_t line)
{
  unsigned last = p->level->cache.assoc - 1;
  uint64_t gone = p->ways[last];
  if (!p->level->sets)
    {
      shift (p, last, line + 1);
      return gone;
    }
  struct cab_live_set *set = &p->level->sets[p->set];
  uint64_t order = cab_live_order (set, p->level->fresh), way = order >> 4 * last & 15;
  gone = p->ways[way];
  cab_live_put (p->live, &p->ways[way], line + 1);
  set->sign[way] = cab_live_sign (p->level, line);
  put_order (p, cab_live_to_front (order, last, way));
  return gone;
}

/* Remove LINE if it is there. */
static void
drop (const struct place *p, uint64_t line)
{
  uint32_t assoc = p->level->cache.assoc, way = find_way (p, line + 1);
  if (way == assoc)
    return;
  if (p->level->sets)
    {
      uint64_t order = cab_live_order (&p->level->sets[p->set], p->level->fresh);
      cab_live_put (p->live, &p->ways[way], 0);
      unsigned pos = 0;
      while ((order >> 4 * pos & 15) != way)
	pos++;
      put_order (p, to_back (order, pos, assoc));
      return;
    }
  for (; way + 1 < assoc; way++)
    cab_live_put (p->live, &p->ways[way], p->ways[way + 1]);
  cab_live_put (p->live, &p->ways[way], 0);
}

/* Use all lines of the access in LEVEL, in cachegrind's model.  Return true if one missed. */
static bool
use (struct cab_live *live, unsigned level, uint64_t first, uint64_t last)
{
  uint32_t line_log2 = live->level[level].cache.line_log2;
  bool missed = false;
  for (uint64_t line = first >> line_log2; ; line++)
    {
      struct place p = place_of (live, level, line);
      if (!look (&p, line))
	{
	  missed = true;
	  fill (&p, line);
	}
      if (line == last >> line_log2)
	return missed;
    }
}

/* Remove what the levels before LEVEL have of the line TAG, which it has evicted. */
static void
drop_before (struct cab_live *live, unsigned level, uint64_t tag)
{
  uint32_t line_log2 = live->level[level].cache.line_log2;
  uint64_t from = (tag - 1) << line_log2, bytes = UINT64_C (1) << line_log2;
  for (unsigned i = 0; i < level; i++)
    for (uint64_t offset = 0; offset < bytes;
	 offset += UINT64_C (1) << live->level[i].cache.line_log2)
      {
	uint64_t line = (from + offset) >> live->level[i].cache.line_log2;
	struct place p = place_of (live, i, line);
	drop (&p, line);
      }
}

/* Use the line of D1 at ADDRESS in all levels from FROM on, in the other models.  Return the levels
   in which it missed, as bits. */
static unsigned
use_line (struct cab_live *live, unsigned from, uint64_t address)
{
  unsigned level = from, missed = 0;
  for (; level < live->n_levels; level++)
    {
      uint64_t line = address >> live->level[level].cache.line_log2;
      struct place p = place_of (live, level, line);
      if (look (&p, line))
	break;
      missed |= 1u << level;
    }
  while (level-- > from)
    {
      uint64_t line = address >> live->level[level].cache.line_log2;
      struct place p = place_of (live, level, line);
      uint64_t gone = fill (&p, line);
      if (gone && level && live->inclusive)
	drop_before (live, level, gone);
    }
  return missed;
}

unsigned
cab_live_access (struct cab_live *live, uint64_t first, uint64_t last)
{
  uint32_t line_log2 = live->level[0].cache.line_log2;
  if (live->whole)
    return !use (live, 0, first, last) ? 0 : use (live, 1, first, last) ? 3 : 1;
  unsigned missed = use_line (live, 0, first);
  return first >> line_log2 == last >> line_log2 ? missed : missed | use_line (live, 0, last);
}

unsigned
cab_live_behind (struct cab_live *live, uint64_t address, unsigned which)
{
  uint64_t next = address + (UINT64_C (1) << live->level[0].cache.line_log2);
  if (live->pair && which == CAB_LIVE_FIRST)
    {
      struct cab_live_next behind = cab_live_next (live, false);
      return 1 | (unsigned) !cab_live_next_use (&behind, address) << 1;
    }
  if (live->whole)
    return 1
	 | (unsigned) use (live, 1, which & CAB_LIVE_FIRST ? address : next,
			   which & CAB_LIVE_SECOND ? next : address)
	     << 1;
  return 1 | (which & CAB_LIVE_FIRST ? use_line (live, 1, address) : 0)
       | (which & CAB_LIVE_SECOND ? use_line (live, 1, next) : 0);
}
