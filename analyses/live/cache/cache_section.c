/* cache_section.c - look a section up: see cache_section.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      whole passes of an item, and a row, add at most CAB_SECTION_PIECE entries to what has
 *             missed, and accesses of a part of a pass fewer than CAB_PASS_MOST: so they fit if
 *             that much room is left when they begin.
 */
#include "analyses/live/cache/section_again.h"
#include "analyses/live/cache/cache_feed.h"
#include "analyses/live/cache/section_strides.h"
#include "analyses/live/cache/cache_streams.h"
#include "analyses/live/cache/live_lines.h"
#include "analyses/live/cache/an_cache.h"

#define AHEAD CAB_SECTION_AHEAD

/* Return true if every outer level can be accessed in the order of D1's N_SETS sets. */
static bool
keep_order (const struct cab_live *live, uint64_t n_sets)
{
  for (unsigned level = 1; level < live->n_levels; level++)
    if (live->level[level].cache.line_log2 != CAB_LIVE_USUAL_LOG2
	|| live->level[level].cache.n_sets % n_sets)
      return false;
  return true;
}

bool
cab_cache_sections_begin (struct cab_section_caches *c, struct cab_arena *arena)
{
  struct cab_simulating caches;
  if (!cab_cache_state (arena) || !cab_simulate_make (arena, CAB_CACHE_CACHES))
    return false;
  cab_simulate_begin (&caches, arena, CAB_CACHE_CACHES);
  if (!caches.live.usual || !caches.live.straight || caches.live.recent_mask >= CAB_SECTION_SETS)
    return false;
  c->usual = caches.live.usual;
  c->n_sets = caches.live.level[0].cache.n_sets;
  c->walk = cab_walk_of (&caches.live);
  c->quick = cab_walk_quick (caches.quick, c->usual);
  c->streams = keep_order (&caches.live, c->n_sets);
  return true;
}

static inline void
note_miss (struct cab_section_worker *w, uint64_t address, uint64_t flags, uint32_t number,
	   bool write)
{
  *w->miss++ = (struct cab_section_miss) { .address = (address & -LINE) | flags,
					   .number = number,
					   .write = write };
}

/* Look up an access with this NUMBER and direction, from ADDRESS to ADDRESS + LAST, which lies in
   two lines. */
static void __attribute__ ((noinline)) look_two (struct cab_section_worker *w, uint64_t address,
						 uint64_t last, uint32_t number, bool write)
{
  static const uint8_t first_flags[] = {
    [CAB_SECTION_MISSED] = CAB_MISS_FIRST, [CAB_SECTION_UNSURE] = CAB_MISS_UNSURE_FIRST
  };
  static const uint8_t second_flags[] = {
    [CAB_SECTION_MISSED] = CAB_MISS_SECOND, [CAB_SECTION_UNSURE] = CAB_MISS_UNSURE_SECOND
  };
  uint64_t end = cab_simulate_last (address, last + 1),
	   flags = first_flags[w->way->line (w, address >> CAB_LIVE_USUAL_LOG2)];
  if ((end ^ address) >= LINE)
    flags |= CAB_MISS_TWO | second_flags[w->way->line (w, end >> CAB_LIVE_USUAL_LOG2)];
  if (!(flags & ~CAB_MISS_TWO))
    return;
  note_miss (w, address, flags, number, write);
  w->section->n_two++;
}

static inline __attribute__ ((always_inline)) enum cab_section_found
touch (struct cab_section_worker *w, uint64_t line, use_line *use)
{
  w->recent[line & w->d1.set_mask] = line << CAB_LIVE_USUAL_LOG2;
  cab_section_d1_note (&w->d1, line);
  return use (&w->d1, line);
}

static inline __attribute__ ((always_inline)) void
look (struct cab_section_worker *w, const struct cab_region *r, uint64_t address, uint64_t last,
      uint64_t counted, use_line *use)
{
  uint32_t k = (counted - 1) % CAB_CACHE_PASS;
  if (__builtin_expect ((address ^ (address + last)) >= LINE, 0))
    {
      look_two (w, address, last, r->shape.site[k],
		(r->shape.form[k] & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE);
      return;
    }
  enum cab_section_found found = touch (w, address >> CAB_LIVE_USUAL_LOG2, use);
  if (__builtin_expect (found != CAB_SECTION_FOUND, 0))
    note_miss (w, address, found == CAB_SECTION_MISSED ? CAB_MISS_FIRST : CAB_MISS_UNSURE_FIRST,
	       r->shape.site[k],
	       (r->shape.form[k] & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE);
}

/* Return true if events of R are looked up as short ones. */
static inline bool
is_short (const struct cab_region *r)
{
  return r->short_id - 1 < CAB_SECTION_SHAPES - 1;   /* 0 is none */
}

/* Count PASSES more through R. */
static inline void
count (struct cab_section_worker *w, const struct cab_region *r, uint64_t passes)
{
  struct cab_section *s = w->section;
  uint64_t *n = &w->passes[r->shape.id];
  if (!*n && passes)
    s->passes[s->n_passes++].region = r;
  *n += passes;
}

/* Look up an event that is one pass through R, and uses lines that are not surely the last used
   ones of their sets. */
static inline __attribute__ ((always_inline)) void
look_once (struct cab_section_worker *w, struct looking *l, const struct cab_region *r,
	   const uint64_t *words, use_line *use)
{
  for (const struct cab_region_brief *a = r->brief, *end = a + r->shape.n; a < end; a++)
    {
      uint64_t address = words[a->word] + a->offset;
      if (__builtin_expect (cab_live_distance (&l->quick, address) + a->last <= l->quick.line_mask,
			    1))
	continue;
      if (__builtin_expect ((address ^ (address + a->last)) < LINE, 1))
	{
	  cab_section_d1_note (&l->d1, address >> CAB_LIVE_USUAL_LOG2);
	  look_line (w, l, address, a->site, a->is_write, use);
	  continue;
	}
      w->miss = l->miss;
      look_two (w, address, a->last, a->site, a->is_write);
      l->miss = w->miss;
    }
}

/* Look up events from item AT on that are one pass each.  Return the first item that is none, or
   for which there is no room. */
static inline __attribute__ ((always_inline)) uint32_t
look_short (struct cab_section_worker *w, const struct cab_section *s, uint32_t at, use_line *use)
{
  struct looking l = begin_looking (w);
  const struct cab_section_item *item = s->item + at, *end = s->item + s->n_items;
  for (; item < end; item++)
    {
      const struct cab_region *r = item->event.region;
      __builtin_prefetch (item[AHEAD].event.words);   /* another processor may have them */
      if (item->a & CAB_SECTION_KIND || !is_short (r))
	break;
      if (!cab_walk_is_recent (&l.quick, r, item->event.words))
	{
	  if (l.miss >= w->miss_end)
	    break;
	  look_once (w, &l, r, item->event.words, use);
	}
      count (w, r, 1);
    }
  end_looking (w, &l);
  return item - s->item;
}

/* Note that N lines from LINE on have missed, or may have. */
static inline void
note_misses (struct cab_section_worker *w, uint64_t line, uint32_t n, bool down,
	     enum cab_section_found found, uint32_t number, bool write)
{
  uint64_t flags = found == CAB_SECTION_MISSED ? CAB_MISS_FIRST : CAB_MISS_UNSURE_FIRST;
  *w->miss++ = (struct cab_section_miss) { .address = line << CAB_LIVE_USUAL_LOG2 | flags,
					   .number = number,
					   .write = write,
					   .down = down,
					   .more = n - 1 };
  w->section->n_more += n - 1;
}

/* Note that the pages of N consecutive lines from LINE on are used. */
static inline void
note_pages (struct cab_section_d1 *d1, uint64_t line, uint32_t n, bool down)
{
  uint64_t from = down ? line - (n - 1) : line, end = from + (n - 1);
  cab_section_d1_note (d1, from);
  for (uint64_t at = from + d1->set_mask + 1; at < end; at += d1->set_mask + 1)
    cab_section_d1_note (d1, at);
  cab_section_d1_note (d1, end);
}

static inline __attribute__ ((always_inline)) void
look_along (struct cab_section_worker *w, uint64_t line, uint32_t n, bool down, uint32_t number,
	    bool write, use_line *use)
{
  note_pages (&w->d1, line, n, down);
  const struct cab_section_d1 d1 = w->d1;
  enum cab_section_found before = CAB_SECTION_FOUND;
  uint64_t first = line;
  uint32_t begun = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      enum cab_section_found found = use (&d1, line);
      w->recent[line & d1.set_mask] = line << CAB_LIVE_USUAL_LOG2;
      if (__builtin_expect (found != before, 0))
	{
	  if (before != CAB_SECTION_FOUND)
	    note_misses (w, first, i - begun, down, before, number, write);
	  before = found;
	  first = line;
	  begun = i;
	}
      line += down ? UINT64_MAX : 1;
    }
  if (before != CAB_SECTION_FOUND)
    note_misses (w, first, n - begun, down, before, number, write);
}

static inline __attribute__ ((always_inline)) void
look_passes (struct cab_section_worker *w, const struct cab_region *r, struct cab_passes *e,
	     uint64_t passes, cab_walk_use *use)
{
  const struct cab_live_quick quick = cab_walk_quick (w->caches.quick, CAB_LIVE_FEW);
  const struct cab_cache_walk walk = w->caches.walk;
  cab_walk_passes (w, use, &walk, &quick, r, e, 0, passes);
}

/* Define the functions of a struct cab_section_way NAME, which use a D1 by the function USE. */
#define WAY(name, use, TARGET) \
  static inline TARGET void __attribute__ ((always_inline)) name##_here ( \
    void *host, const struct cab_region *r, uint64_t address, uint64_t last, uint64_t counted) \
  { \
    look (host, r, address, last, counted, use); \
  } \
  static TARGET void __attribute__ ((noinline)) name##_use ( \
    void *host, const struct cab_region *r, uint64_t address, uint64_t last, uint64_t counted) \
  { \
    look (host, r, address, last, counted, use); \
  } \
  static TARGET void __attribute__ ((noinline)) \
  name##_passes (struct cab_section_worker *w, const struct cab_region *r, struct cab_passes *e, \
		 uint64_t passes) \
  { \
    look_passes (w, r, e, passes, name##_here); \
  } \
  static TARGET void __attribute__ ((noinline)) \
  name##_strides (struct cab_section_worker *w, const struct cab_region *r, struct cab_strides *p, \
		  struct cab_passes *e, uint64_t passes) \
  { \
    walk_strides (w, r, p, e, passes, name##_here, use); \
  } \
  static TARGET uint32_t __attribute__ ((noinline)) \
  name##_short (struct cab_section_worker *w, const struct cab_section *s, uint32_t at) \
  { \
    return look_short (w, s, at, use); \
  } \
  static TARGET enum cab_section_found name##_line (struct cab_section_worker *w, uint64_t line) \
  { \
    return touch (w, line, use); \
  } \
  static TARGET void name##_lines (struct cab_section_worker *w, uint64_t line, uint32_t n, \
				   bool down, uint32_t number, bool write) \
  { \
    look_along (w, line, n, down, number, write, use); \
  } \
  static const struct cab_section_way name = { name##_use,   name##_line,  name##_lines, \
					       name##_short, name##_strides, name##_passes }

static inline enum cab_section_found
use_few (const struct cab_section_d1 *d1, uint64_t line)
{
  return cab_section_use (d1, line, CAB_LIVE_FEW);
}

static inline enum cab_section_found
use_many (const struct cab_section_d1 *d1, uint64_t line)
{
  return cab_section_use (d1, line, CAB_LIVE_MANY);
}

WAY (few, use_few, );
WAY (many, use_many, );
#ifdef CAB_SECTION_AVX2
WAY (few_avx2, cab_section_use_few_avx2, CAB_AVX2);
WAY (many_avx2, cab_section_use_many_avx2, CAB_AVX2);
WAY (few_avx512, cab_section_use_few_avx512, CAB_AVX512);
WAY (many_avx512, cab_section_use_many_avx512, CAB_AVX512);
#endif

static const struct cab_section_way *
way_of (unsigned usual)
{
#ifdef CAB_SECTION_AVX2
  if (cab_section_machine () == CAB_SECTION_HAS_AVX512)
    return usual == CAB_LIVE_FEW ? &few_avx512 : &many_avx512;
  if (cab_section_machine () == CAB_SECTION_HAS_AVX2)
    return usual == CAB_LIVE_FEW ? &few_avx2 : &many_avx2;
#endif
  return usual == CAB_LIVE_FEW ? &few : &many;
}

/* Look up a row that is an access, of LINES lines, and not just the line that was used last.
   Return how many accesses it is beyond one. */
static uint64_t
look_new (struct cab_section_worker *w, uint32_t number, unsigned form, uint64_t address,
	  uint64_t bytes, uint64_t lines)
{
  uint64_t last = cab_simulate_last (address, bytes);
  bool write = (form & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE;
  if (lines == 1 || form & CAB_ROW_RANGE || bytes > LINE)
    {
      w->way->lines (w, address >> CAB_LIVE_USUAL_LOG2, lines, false, number, write);
      return lines - 1;
    }
  look_two (w, address, last - address, number, write);
  return 0;
}

/* Look up a row, as cab_simulate_row does, for which there is room.  Return false if it is too
   long. */
static bool
look_fitting (struct cab_section_worker *w, uint32_t number, unsigned form, uint64_t address,
	      uint64_t bytes)
{
  struct cab_section *s = w->section;
  unsigned way = bytes ? form & (CAB_ROW_READ | CAB_ROW_WRITE) : 0;
  uint64_t more = 0;
  if (way && !cab_live_is_recent (&w->caches.quick, address, bytes))
    {
      bytes = bytes < CAB_CACHE_RANGE_MOST ? bytes : CAB_CACHE_RANGE_MOST;
      uint64_t lines = (cab_simulate_last (address, bytes) >> CAB_LIVE_USUAL_LOG2)
		     - (address >> CAB_LIVE_USUAL_LOG2) + 1;
      if (lines > CAB_SECTION_PIECE)
	return false;
      more = look_new (w, number, form, address, bytes, lines);
    }
  s->row[s->n_rows++] = (struct cab_section_row) { number, way, more };
  return true;
}

/* Look up a row.  Return false if there is no room for its misses, or it is too long. */
static bool
look_row (void *host, uint32_t number, unsigned form, uint64_t address, uint64_t bytes)
{
  struct cab_section_worker *w = host;
  if (w->miss >= w->miss_end || w->section->n_rows == CAB_SECTION_ROWS)
    return false;
  w->section->is_long = !look_fitting (w, number, form, address, bytes);
  return !w->section->is_long;
}

/* Look up the lines that T of S reaches in N passes after pass P of an event of R. */
static inline void
look_stream (struct cab_section_worker *w, const struct cab_region *r, const struct cab_streams *s,
	     const struct cab_stream *t, uint64_t p, uint64_t n)
{
  uint64_t lines = ((t->place + p + n) >> s->line_log2) - ((t->place + p) >> s->line_log2),
	   line = (t->address + p * s->step) >> CAB_LIVE_USUAL_LOG2;
  bool down = s->step > -s->step,
       write = (r->shape.form[t->first] & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE;
  if (lines)
    w->way->lines (w, down ? line - 1 : line + 1, lines, down, r->shape.site[t->first], write);
}

/* Look up PASSES passes of E, an event of R that is the streams S. */
static void
look_streams (struct cab_section_worker *w, const struct cab_live_quick *quick,
	      const struct cab_region *r, const struct cab_streams *s, struct cab_passes *e,
	      uint64_t passes)
{
  cab_walk_pass (w, w->way->use, quick, r, e, 0);
  for (uint32_t i = 0; i < s->n; i++)
    {
      use_again (w, quick, s->stream[i].address - s->stream[i].lag * s->step);
      use_again (w, quick, s->stream[i].address);
    }
  for (uint64_t p = 0, n; p < passes - 1; p += n)
    {
      n = passes - 1 - p < s->window ? passes - 1 - p : s->window;
      for (uint32_t i = 0; i < s->n; i++)
	look_stream (w, r, s, &s->stream[i], p, n);
      for (uint32_t i = 0; i < s->n_stays; i++)
	use_again (w, quick, e->access[s->stays[i]].address);
    }
  cab_passes_ahead (e, passes - 2);
  cab_walk_pass (w, w->way->use, quick, r, e, 0);
}

/* Look up PASSES passes of an event from FIRST on, with E for its accesses, which is after them on
   return. */
static void
look_many (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words,
	   uint64_t first, uint64_t passes, struct cab_passes *e)
{
  const struct cab_live_quick quick = cab_walk_quick (w->caches.quick, w->caches.usual);
  struct cab_strides strides;
  cab_passes_begin (e, r, words);
  cab_passes_ahead (e, first);
  if (passes >= CAB_STREAMS_PASSES && w->caches.streams
      && cab_streams_plan (&w->streams, e, w->caches.n_sets, w->caches.usual, CAB_LIVE_USUAL_LOG2))
    look_streams (w, &quick, r, &w->streams, e, passes);
  else if (passes >= CAB_STRIDES_PASSES
	   && cab_strides_plan (&strides, e, w->caches.n_sets, w->caches.usual,
				CAB_LIVE_USUAL_LOG2))
    w->way->strides (w, r, &strides, e, passes);
  else
    w->way->passes (w, r, e, passes);
  count (w, r, passes);
}

/* Return how R's passes are counted here. */
static inline enum cab_cache_how
how_of (struct cab_section_worker *w, const struct cab_region *r)
{
  uint32_t id = r->shape.id;
  if (__builtin_expect (!id || id >= CAB_SECTION_SHAPES, 0))
    return CAB_CACHE_BY_ROW;
  if (__builtin_expect (!w->how[id], 0))
    w->how[id] = cab_cache_how (r, LINE);
  return w->how[id];
}

/* Look up COUNT passes of an event, and accesses of one more, from FIRST on; the first *ROW of its
   rows have been looked up.  Return false if there is no room for all of it. */
static bool __attribute__ ((noinline))
look_some (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words,
	   uint64_t first, uint64_t count, uint64_t *row)
{
  struct cab_passes e;
  uint64_t passes = count >> 8;
  unsigned part = count & 255;
  if (how_of (w, r) == CAB_CACHE_BY_ROW)
    {
      *row = cab_walk_rows (w, look_row, r, words, first, passes, part, *row);
      return *row == UINT64_MAX;
    }
  if (w->miss >= w->miss_end || w->section->n_rows + CAB_PASS_MOST > CAB_SECTION_ROWS)
    return false;
  look_many (w, r, words, first, passes, &e);
  for (uint32_t k = 0; part && k < r->shape.n; k++)
    if (r->access[k].part < part)
      look_fitting (w, r->shape.site[k], r->access[k].form, e.access[k].address,
		    r->access[k].bytes);
  return true;
}

/* Look up an item that is no short event, and its second one, if it has one.  Return how many items
   these are; 0 if there is no room. */
static inline uint32_t
look_item (struct cab_section_worker *w, const struct cab_section_item *item, uint64_t *row)
{
  const struct cab_region *r = (const struct cab_region *) (uintptr_t) (item->a
									& ~CAB_SECTION_KIND);
  const uint64_t *words = (const uint64_t *) (uintptr_t) item->b;
  switch (item->a & CAB_SECTION_KIND)
    {
    case CAB_SECTION_ROW:
      return look_row (w, item->a >> 32, item->a >> 8 & 255, item->b, item[1].a) ? 2 : 0;
    case CAB_SECTION_PART:
      return look_some (w, r, words, item[1].a, item[1].b, row) ? 2 : 0;
    default:
      return !is_short (r) && look_some (w, r, words, 0, cab_region_count (r, words), row);
    }
}

/* Return true if one of N items from AT on, events, is counted by rows. */
static inline bool
any_rows (struct cab_section_worker *w, const struct cab_section *s, uint32_t at, uint32_t n)
{
  for (uint32_t i = at; i < at + n; i++)
    if (how_of (w, s->item[i].event.region) == CAB_CACHE_BY_ROW)
      return true;
  return false;
}

/* Count the items from AT on that use the same lines as those before, which found them.  Return how
   many they are. */
static inline uint32_t
look_again (struct cab_section_worker *w, const struct cab_section *s, uint32_t at)
{
  uint32_t n = cab_section_again (&w->again, s, at, w->miss);
  if (any_rows (w, s, at, n))
    return 0;
  for (const struct cab_section_item *item = s->item + at, *end = item + n; item < end; item++)
    count (w, item->event.region, cab_region_count (item->event.region, item->event.words) >> 8);
  cab_section_again_note (&w->again, s, at, w->miss);
  return n;
}

/* Begin to look S up in an empty D1, of which nothing is known. */
static void
begin (struct cab_section_worker *w, const struct cab_section_caches *caches, struct cab_section *s)
{
  uint64_t n = caches->n_sets;
  if (w->caches.n_sets != n || w->caches.usual != caches->usual)
    w->streams.n_accesses = 0;
  w->caches = *caches;
  w->caches.quick.recent = w->recent;
  w->section = s;
  w->miss = s->miss;
  cab_section_again_begin (&w->again);
  w->miss_end = s->miss + CAB_SECTION_MISSES - CAB_SECTION_PIECE - CAB_PASS_MOST + 1;
  w->way = way_of (caches->usual);
  cab_section_d1_begin (&w->d1, s->tag, n, caches->usual);
  for (uint64_t i = 0; i < n; i++)
    w->recent[i] = cab_live_unknown (i, CAB_LIVE_USUAL_LOG2);
  s->n_more = s->n_two = s->n_passes = s->n_rows = 0;
  s->is_long = false;
}

/* Drop what was found of S, which has lines that its D1 cannot tell apart: all of it is to be fed
   directly. */
static void
forget (struct cab_section *s)
{
  s->to = s->from;
  s->is_long = true;
  s->n_misses = s->n_more = s->n_two = s->n_passes = s->n_rows = 0;
  cab_section_d1_begin (&s->d1, s->tag, s->d1.set_mask + 1, s->d1.ways);
}

void
cab_section_look_up (struct cab_section_worker *w, const struct cab_section_caches *caches,
		     struct cab_section *s)
{
  struct cab_section_place at = s->from;
  begin (w, caches, s);
  for (uint32_t n = 1; n && at.item < s->n_items;)
    {
      at.item = w->way->short_events (w, s, at.item);
      n = at.item < s->n_items && !at.row ? look_again (w, s, at.item) : 0;
      n = n || at.item == s->n_items ? n : look_item (w, s->item + at.item, &at.row);
      at.item += n;
      at.row = n ? 0 : at.row;
    }
  s->to = at;
  s->n_misses = w->miss - s->miss;
  s->d1 = w->d1;
  for (uint32_t i = 0; i < s->n_passes; i++)
    {
      uint64_t *n = &w->passes[s->passes[i].region->shape.id];
      s->passes[i].n = *n;
      *n = 0;
    }
  if (__builtin_expect (!cab_section_d1_ok (&s->d1), 0))
    forget (s);
}
