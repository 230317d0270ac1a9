/* cache_section.c - a section is looked up: see cache_section.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      whole passes of an item, and a row, add at most CAB_SECTION_PIECE entries to what has missed, and accesses of a part of a pass fewer than CAB_PASS_MOST: so
 *             there is room for them if there is so much room in front of them.
 */
#include "cache_section.h"
#include "live_lines.h"

enum found { FOUND, MISSED, UNSURE };

#define AHEAD 16u   /* items */
#define LINE (UINT64_C (1) << CAB_LIVE_USUAL_LOG2)

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
  return true;
}

/* Use the line at ADDRESS, which comes in if it was not there. */
static inline __attribute__ ((always_inline)) enum found
touch (struct cab_section_worker *w, uint64_t address, unsigned ways)
{
  struct cab_live_place p = cab_live_usual_place (&w->d1, address, ways);
  uint64_t line = address >> CAB_LIVE_USUAL_LOG2, order = p.set->order;
  unsigned way = cab_live_way (p.set, p.tags, (1u << ways) - 1, line >> CAB_LIVE_USUAL_SIGN, line);
  *p.recent = address & -LINE;
  if (__builtin_expect (way != CAB_LIVE_NOWHERE, 1))
    {
      p.set->order = ways <= 8 ? cab_live_used_of_eight (order, way) : cab_live_used (order, way);
      return FOUND;
    }
  uint64_t last = order >> 4 * (ways - 1) & 15, gone = p.tags[last];
  p.tags[last] = line + 1;
  p.set->sign[last] = line >> CAB_LIVE_USUAL_SIGN;
  p.set->order = cab_live_to_front (order, ways - 1, last);
  return gone ? MISSED : UNSURE;
}

static inline void
note_miss (struct cab_section_worker *w, uint64_t address, uint64_t flags, uint32_t number, bool write)
{
  *w->miss++ = (struct cab_section_miss) { (address & -LINE) | flags, number, write };
}

/* An access, whose number and direction these are, from ADDRESS to LAST bytes behind it, which lie in two lines. */
static void __attribute__ ((noinline))
look_two (struct cab_section_worker *w, uint64_t address, uint64_t last, uint32_t number, bool write, unsigned ways)
{
  static const uint8_t first_flags[] = { [MISSED] = CAB_MISS_FIRST, [UNSURE] = CAB_MISS_UNSURE_FIRST };
  static const uint8_t second_flags[] = { [MISSED] = CAB_MISS_SECOND, [UNSURE] = CAB_MISS_UNSURE_SECOND };
  uint64_t end = cab_simulate_last (address, last + 1), flags = first_flags[touch (w, address, ways)];
  if ((end ^ address) >= LINE)
    flags |= CAB_MISS_TWO | second_flags[touch (w, end, ways)];
  if (flags & ~CAB_MISS_TWO)
    note_miss (w, address, flags, number, write);
}

static inline __attribute__ ((always_inline)) void
look_line (struct cab_section_worker *w, uint64_t address, uint32_t number, bool write, unsigned ways)
{
  enum found found = touch (w, address, ways);
  if (__builtin_expect (found != FOUND, 0))
    note_miss (w, address, found == MISSED ? CAB_MISS_FIRST : CAB_MISS_UNSURE_FIRST, number, write);
}

static inline __attribute__ ((always_inline)) void
look (struct cab_section_worker *w, const struct cab_region *r, uint64_t address, uint64_t last, uint64_t counted, unsigned ways)
{
  uint32_t k = (counted - 1) % CAB_CACHE_PASS;
  bool write = (r->shape.form[k] & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE;
  if (__builtin_expect ((address ^ (address + last)) >= LINE, 0))
    look_two (w, address, last, r->shape.site[k], write, ways);
  else
    look_line (w, address, r->shape.site[k], write, ways);
}

/* As a use of passes that are walked over. */
static void __attribute__ ((noinline))
look_few (void *host, const struct cab_region *r, uint64_t address, uint64_t last, uint64_t counted)
{
  look (host, r, address, last, counted, CAB_LIVE_FEW);
}

static void __attribute__ ((noinline))
look_many (void *host, const struct cab_region *r, uint64_t address, uint64_t last, uint64_t counted)
{
  look (host, r, address, last, counted, CAB_LIVE_MANY);
}

#define LOOK(usual) ((usual) == CAB_LIVE_FEW ? look_few : look_many)

/* A row that touches all lines from ADDRESS to LAST. */
static void
look_lines (struct cab_section_worker *w, uint32_t number, bool write, uint64_t address, uint64_t last)
{
  for (uint64_t line = address >> CAB_LIVE_USUAL_LOG2; line <= last >> CAB_LIVE_USUAL_LOG2; line++)
    if (w->caches.usual == CAB_LIVE_FEW)
      look_line (w, line << CAB_LIVE_USUAL_LOG2, number, write, CAB_LIVE_FEW);
    else
      look_line (w, line << CAB_LIVE_USUAL_LOG2, number, write, CAB_LIVE_MANY);
}

/* A row that is an access, of so many LINES, not that line that was used last: how many accesses more than one it is. */
static uint64_t
look_new (struct cab_section_worker *w, uint32_t number, unsigned form, uint64_t address, uint64_t bytes, uint64_t lines)
{
  uint64_t last = cab_simulate_last (address, bytes);
  bool write = (form & (CAB_ROW_READ | CAB_ROW_WRITE)) == CAB_ROW_WRITE;
  if (lines == 1 || form & CAB_ROW_RANGE || bytes > LINE)
    {
      look_lines (w, number, write, address, last);
      return lines - 1;
    }
  look_two (w, address, last - address, number, write, w->caches.usual);
  return 0;
}

/* A row, as cab_simulate_row has it, for which there is room; false: it is too long. */
static bool
look_fitting (struct cab_section_worker *w, uint32_t number, unsigned form, uint64_t address, uint64_t bytes)
{
  struct cab_section *s = w->section;
  unsigned way = bytes ? form & (CAB_ROW_READ | CAB_ROW_WRITE) : 0;
  uint64_t more = 0;
  if (way && !cab_live_is_recent (&w->caches.quick, address, bytes))
    {
      bytes = bytes < CAB_CACHE_RANGE_MOST ? bytes : CAB_CACHE_RANGE_MOST;
      uint64_t lines = (cab_simulate_last (address, bytes) >> CAB_LIVE_USUAL_LOG2) - (address >> CAB_LIVE_USUAL_LOG2) + 1;
      if (lines > CAB_SECTION_PIECE)
	return false;
      more = look_new (w, number, form, address, bytes, lines);
    }
  s->row[s->n_rows++] = (struct cab_section_row) { number, way, more };
  return true;
}

/* False: there is no room for what it may miss. */
static bool
look_row (void *host, uint32_t number, unsigned form, uint64_t address, uint64_t bytes)
{
  struct cab_section_worker *w = host;
  if (w->miss >= w->miss_end || w->section->n_rows == CAB_SECTION_ROWS)
    return false;
  w->section->is_long = !look_fitting (w, number, form, address, bytes);
  return !w->section->is_long;
}

/* PASSES more through R. */
static inline void
count (struct cab_section_worker *w, const struct cab_region *r, uint64_t passes)
{
  struct cab_section *s = w->section;
  uint64_t *n = &w->passes[r->shape.id];
  if (!*n && passes)
    s->passes[s->n_passes++].region = r;
  *n += passes;
}

/* PASSES passes of E, an event, from FIRST on. */
static inline __attribute__ ((always_inline)) void
look_passes (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words, uint64_t first, uint64_t passes, struct cab_passes *e, unsigned usual)
{
  const struct cab_live_quick quick = cab_walk_quick (w->caches.quick, usual);
  const struct cab_walk walk = w->caches.walk;
  cab_passes_begin (e, r, words);
  cab_passes_ahead (e, first);
  cab_walk_passes (w, LOOK (usual), &walk, &quick, r, e, 0, passes);
  count (w, r, passes);
}

static void __attribute__ ((noinline))
look_few_passes (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words, uint64_t first, uint64_t passes, struct cab_passes *e)
{
  look_passes (w, r, words, first, passes, e, CAB_LIVE_FEW);
}

static void __attribute__ ((noinline))
look_many_passes (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words, uint64_t first, uint64_t passes, struct cab_passes *e)
{
  look_passes (w, r, words, first, passes, e, CAB_LIVE_MANY);
}

/* How R's passes are counted here. */
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

/* COUNT passes of an event, and accesses of one more, from FIRST on; *ROW: so many rows of it are behind.  False: there is no room for all of it. */
static bool __attribute__ ((noinline))
look_some (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words, uint64_t first, uint64_t count, uint64_t *row)
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
  if (w->caches.usual == CAB_LIVE_FEW)
    look_few_passes (w, r, words, first, passes, &e);
  else
    look_many_passes (w, r, words, first, passes, &e);
  for (uint32_t k = 0; part && k < r->shape.n; k++)
    if (r->access[k].part < part)
      look_fitting (w, r->shape.site[k], r->access[k].form, e.access[k].address, r->access[k].bytes);
  return true;
}

/* An event that is one pass, whose spans are not all lines that were used last in their sets. */
static inline __attribute__ ((always_inline)) void
look_once (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words, unsigned usual)
{
  const struct cab_live_quick quick = cab_walk_quick (w->caches.quick, usual);
  cab_walk_once (w, LOOK (usual), &quick, r, words, 0);
}

static void __attribute__ ((noinline))
look_few_once (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words)
{
  look_once (w, r, words, CAB_LIVE_FEW);
}

static void __attribute__ ((noinline))
look_many_once (struct cab_section_worker *w, const struct cab_region *r, const uint64_t *words)
{
  look_once (w, r, words, CAB_LIVE_MANY);
}

/* One item, or that and the next one: how many; 0: there is no room. */
static inline uint32_t
look_item (struct cab_section_worker *w, const struct cab_section_item *item, const struct cab_live_quick *quick, uint64_t *row)
{
  const struct cab_region *r = (const struct cab_region *) (uintptr_t) (item->a & ~CAB_SECTION_KIND);
  const uint64_t *words = (const uint64_t *) (uintptr_t) item->b;
  unsigned kind = item->a & CAB_SECTION_KIND;
  if (__builtin_expect (kind == CAB_SECTION_ROW, 0))
    return look_row (w, item->a >> 32, item->a >> 8 & 255, item->b, item[1].a) ? 2 : 0;
  if (kind == CAB_SECTION_PART)
    return look_some (w, r, words, item[1].a, item[1].b, row) ? 2 : 0;
  if (__builtin_expect (!r->is_short || r->shape.id >= CAB_SECTION_SHAPES, 0))
    return look_some (w, r, words, 0, cab_region_count (r, words), row);
  if (!cab_walk_is_recent (quick, r, words))
    {
      if (w->miss >= w->miss_end)
	return 0;
      if (w->caches.usual == CAB_LIVE_FEW)
	look_few_once (w, r, words);
      else
	look_many_once (w, r, words);
    }
  count (w, r, 1);
  return 1;
}

/* An empty D1, of which nothing is known. */
static void
begin (struct cab_section_worker *w, const struct cab_section_caches *caches, struct cab_section *s)
{
  struct cab_live_set *sets = (struct cab_live_set *) s->d1;
  uint64_t n = caches->n_sets;
  w->caches = *caches;
  w->caches.quick.recent = w->recent;
  w->section = s;
  w->miss = s->miss;
  w->miss_end = s->miss + CAB_SECTION_MISSES - CAB_SECTION_PIECE - CAB_PASS_MOST + 1;
  w->d1 = (struct cab_live_usual) { (unsigned char *) w->recent, (unsigned char *) sets, (unsigned char *) (sets + n), (n - 1) * 8 };
  memset (s->d1, 0, n * (sizeof *sets + caches->usual * sizeof (uint64_t)));
  for (uint64_t i = 0; i < n; i++)
    {
      sets[i].order = cab_live_fresh (caches->usual);
      w->recent[i] = cab_live_unknown (i, CAB_LIVE_USUAL_LOG2);
    }
  s->n_passes = s->n_rows = 0;
  s->is_long = false;
}

/* Words of an item that comes soon, which another processor may have. */
static inline void
fetch_ahead (const struct cab_section *s, uint32_t item)
{
  __builtin_prefetch ((const void *) (uintptr_t) s->item[item < CAB_SECTION_ITEMS ? item : 0].b);
}

void
cab_section_look_up (struct cab_section_worker *w, const struct cab_section_caches *caches, struct cab_section *s)
{
  struct cab_section_place at = s->from;
  begin (w, caches, s);
  const struct cab_live_quick quick = cab_walk_quick (w->caches.quick, caches->usual);
  for (uint32_t n; at.item < s->n_items; at.item += n, at.row = 0)
    {
      fetch_ahead (s, at.item + AHEAD);
      n = look_item (w, s->item + at.item, &quick, &at.row);
      if (!n)
	break;
    }
  s->to = at;
  s->n_misses = w->miss - s->miss;
  for (uint32_t i = 0; i < s->n_passes; i++)
    {
      uint64_t *n = &w->passes[s->passes[i].region->shape.id];
      s->passes[i].n = *n;
      *n = 0;
    }
}
