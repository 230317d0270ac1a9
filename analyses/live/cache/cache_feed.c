/* cache_feed.c - the analysis `cache' takes accesses: see an_cache.c, and cache_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Passes:     the events of a region with a shape come whole, those of a nest loop by loop.  A pass
 *             that finds all its lines in D1 changes their order at most, and is one count for all
 *             of it; where each line is the one that its set used last it changes nothing at all,
 *             as a look at its spans shows.  After the first pass of an event only those accesses
 *             are looked at that reach other lines, and what is in a set with them
 *             (region_passes.h), if that is less work. Passes of an event may happen again as long
 *             as none misses, so they are counted at the end. Where an access of a pass misses, it
 *             is a step, which counts all before it, too: the counter of passes also has how many
 *             accesses of one more pass there were.  After one that was cut off, the rest is fed
 *             as rows.
 */
#include "analyses/live/cache/cache_feed.h"
#include "analyses/live/cache/cache_section.h"
#include "analyses/live/cache/live_lines.h"
#include "analyses/live/cache/live_steps.h"

#define AHEAD 8u   /* events ahead of the current one */

/* Where a batch is applied. */
struct feeding
{
  struct cab_arena *arena;
  struct cab_simulating caches;
  struct cab_tally *tallies;
  struct cab_cache_passes *passes;
  uint64_t n_tallies, n_passes;           /* 0 while there are no caches */
};

static void
begin (struct feeding *f, struct cab_arena *arena)
{
  const struct cab_cache_state *state = cab_cache_state (arena);
  *f = (struct feeding) { .arena = arena };
  cab_simulate_begin (&f->caches, arena, CAB_CACHE_CACHES);
  if (!f->caches.state)
    return;
  f->n_tallies = cab_space_capacity (arena, state->tallies);
  f->tallies = cab_space_elements (arena, state->tallies);
  f->n_passes = cab_space_capacity (arena, state->passes);
  f->passes = cab_space_elements (arena, state->passes);
}

/* Apply a row that is not just the line that was used last in its set. */
static void __attribute__ ((noinline))
apply_row (struct feeding *f, uint32_t number, unsigned form, uint64_t first, uint64_t bytes)
{
  if (number >= f->n_tallies)
    {
      if (!cab_simulate_make (f->arena, CAB_CACHE_CACHES)
	  || !cab_cache_make_tally (f->arena, number))
	{
	  cab_space_count (&cab_cache_state (f->arena)->lost);
	  return;
	}
      begin (f, f->arena);
    }
  cab_simulate_row (&f->caches, &f->tallies[number], form, first, bytes);
}

enum cab_cache_how
cab_cache_how (const struct cab_region *r, uint64_t line)
{
  if (r->shape.n > CAB_PASS_MOST)
    return CAB_CACHE_BY_ROW;
  for (uint32_t k = 0; k < r->shape.n; k++)
    if (!r->access[k].bytes || r->access[k].bytes > line)
      return CAB_CACHE_BY_ROW;
  for (uint32_t k = 0; k < r->n_spans; k++)
    if (r->span[k].last >= line || r->span[k].word == CAB_NO_WORD)
      return CAB_CACHE_BY_PASS;
  return r->n_spans && r->count == CAB_NO_WORD ? CAB_CACHE_BY_SPAN : CAB_CACHE_BY_PASS;
}

/* Note that M is also access K of shape ID.  Return false if it belongs to two other shapes. */
static bool
join (struct cab_cache_member *m, uint32_t id, uint32_t k)
{
  unsigned i = m->shape[0] && m->shape[0] != id;
  if (m->shape[i] && m->shape[i] != id)
    return false;
  m->place[i] = k;
  m->shape[i] = id;
  return true;
}

/* Make room for the counters of all accesses of R, and note its members.  Return false if there is
   none. */
static bool
note_members (struct cab_arena *arena, const struct cab_region *r)
{
  const struct cab_shape *shape = &r->shape;
  for (uint32_t k = 0; k < shape->n; k++)
    {
      if (!cab_cache_make_tally (arena, shape->site[k]))
	return false;
      uint64_t members = cab_space_table_for (arena, cab_cache_state (arena)->members,
					      shape->site[k], CAB_CACHE_LEAST,
					      sizeof (struct cab_cache_member));
      if (!members)
	return false;
      cab_cache_state (arena)->members = members;
      struct cab_cache_member *m = (struct cab_cache_member *) cab_space_elements (arena, members)
				 + shape->site[k];
      m->form = shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE);
      if (!join (m, shape->id, k))
	return false;
    }
  cab_space_order ();
  return true;
}

/* At the first pass through R, decide how it is counted from now on. */
static void __attribute__ ((noinline))
note_region (struct feeding *f, const struct cab_region *r)
{
  uint64_t passes = cab_space_table_for (f->arena, cab_cache_state (f->arena)->passes, r->shape.id,
					 CAB_CACHE_LEAST, sizeof (struct cab_cache_passes));
  if (passes)
    {
      cab_cache_state (f->arena)->passes = passes;
      cab_space_order ();
      enum cab_cache_how how = cab_cache_how (r, cab_cache_state (f->arena)->caches.config.d1.line);
      bool noted = how == CAB_CACHE_BY_ROW || note_members (f->arena, r);
      begin (f, f->arena);
      if (r->shape.id < f->n_passes)
	f->passes[r->shape.id].how = noted ? how : CAB_CACHE_BY_ROW;
    }
}

/* Return true if the access from ADDRESS to ADDRESS + LAST lies in two lines. */
static inline bool
is_two (uint64_t address, uint64_t last, uint64_t line_mask)
{
  return (address ^ (address + last)) > line_mask;
}

/* Count an access of a pass through R that misses, with all those before it.  COUNTED is the new
   value of R's counter, and tells which of its accesses this is.  LINE: as miss_line. */
static inline __attribute__ ((always_inline)) void
miss (struct feeding *f, const struct cab_region *r, uint64_t address, uint64_t counted, bool line)
{
  uint32_t k = (counted - 1) % CAB_CACHE_PASS;
  uint64_t *counter = &f->passes[r->shape.id].n;
  unsigned form = r->shape.form[k] & (CAB_ROW_READ | CAB_ROW_WRITE);
  uint64_t *missed = f->tallies[r->shape.site[k]].missed[form == CAB_ROW_WRITE];
  f->passes[r->shape.id].missed++;
  if (line)
    cab_live_miss (&f->caches.live, address, counter, counted, missed);
  else
    cab_simulate_step (&f->caches, counter, counted, missed, address,
		       cab_simulate_last (address, r->shape.bytes[k]));
}

static void __attribute__ ((noinline))
miss_any (struct feeding *f, const struct cab_region *r, uint64_t address, uint64_t counted)
{
  miss (f, r, address, counted, false);
}

/* Do miss_any in caches that are straight, for an access in one line. */
static void __attribute__ ((noinline))
miss_line (struct feeding *f, const struct cab_region *r, uint64_t address, uint64_t counted)
{
  miss (f, r, address, counted, true);
}

/* Use an access of a pass that is not just the line that was used last in its set. */
static void __attribute__ ((noinline))
use_any (struct feeding *f, const struct cab_region *r, uint64_t address, uint64_t counted)
{
  uint64_t bytes = r->shape.bytes[(counted - 1) % CAB_CACHE_PASS];
  if (!cab_live_reuse (&f->caches.live, address, cab_simulate_last (address, bytes)))
    miss_any (f, r, address, counted);
}

/* Do use_any for one line in caches that are usual, of WAYS. */
static inline __attribute__ ((always_inline)) void
use_usual (struct feeding *f, const struct cab_region *r, uint64_t address, uint64_t counted,
	   unsigned ways)
{
  if (__builtin_expect (cab_live_reuse_usual (&f->caches.live, address, ways), 1))
    return;
  if (__builtin_expect (f->caches.live.straight, 1))
    miss_line (f, r, address, counted);
  else
    miss_any (f, r, address, counted);
}

static void __attribute__ ((noinline))
use_few (struct feeding *f, const struct cab_region *r, uint64_t address, uint64_t counted)
{
  use_usual (f, r, address, counted, CAB_LIVE_FEW);
}

static void __attribute__ ((noinline))
use_many (struct feeding *f, const struct cab_region *r, uint64_t address, uint64_t counted)
{
  use_usual (f, r, address, counted, CAB_LIVE_MANY);
}

/* Use an access of a pass.  USUAL is that of the caches. */
static inline __attribute__ ((always_inline)) void
use (struct feeding *f, const struct cab_region *r, uint64_t address, uint64_t last,
     uint64_t counted, unsigned usual)
{
  if (!usual || __builtin_expect (is_two (address, last, (1u << CAB_LIVE_USUAL_LOG2) - 1), 0))
    use_any (f, r, address, counted);
  else if (usual == CAB_LIVE_FEW)
    use_few (f, r, address, counted);
  else
    use_many (f, r, address, counted);
}

/* Set a counter of passes to VALUE. */
static inline void
put_passes (uint64_t *counter, uint64_t value)
{
  cab_space_add (counter, value - *counter);
}

/* The cab_walk_use functions for caches that are usual, of few or many ways, and for others. */
static inline __attribute__ ((always_inline)) void
use_few_ways (void *host, const struct cab_region *r, uint64_t address, uint64_t last,
	      uint64_t counted)
{
  use (host, r, address, last, counted, CAB_LIVE_FEW);
}

static inline __attribute__ ((always_inline)) void
use_many_ways (void *host, const struct cab_region *r, uint64_t address, uint64_t last,
	       uint64_t counted)
{
  use (host, r, address, last, counted, CAB_LIVE_MANY);
}

static void
use_other (void *host, const struct cab_region *r, uint64_t address, uint64_t last,
	   uint64_t counted)
{
  (void) last;
  use_any (host, r, address, counted);
}

#define USE(usual) \
  ((usual) == CAB_LIVE_FEW ? use_few_ways : (usual) == CAB_LIVE_MANY ? use_many_ways : use_other)

/* Apply an event that is one pass through R, whose accesses all have words. */
static inline __attribute__ ((always_inline)) void
apply_once (struct feeding *f, const struct cab_region *r, const uint64_t *words, unsigned usual)
{
  const struct cab_live_quick quick = cab_walk_quick (f->caches.quick, usual);
  uint64_t *counter = &f->passes[r->shape.id].n, before = *counter;
  cab_walk_once (f, USE (usual), &quick, r, words, before);
  put_passes (counter, before + CAB_CACHE_PASS);
}

/* Apply PASSES passes of an event from FIRST on, and of one more the parts below PART.  What finds
   its lines may do so again, so passes are counted when one of their accesses misses, and at the
   end. */
static inline __attribute__ ((always_inline)) void
apply_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words, uint64_t first,
	      uint64_t passes, unsigned part, unsigned usual)
{
  struct cab_passes e;
  const struct cab_live_quick quick = cab_walk_quick (f->caches.quick, usual);
  const struct cab_cache_walk w = cab_walk_of (&f->caches.live);
  uint64_t *counter = &f->passes[r->shape.id].n, now = *counter;
  cab_passes_begin (&e, r, words);
  cab_passes_ahead (&e, first);
  cab_walk_passes (f, USE (usual), &w, &quick, r, &e, now, passes);
  put_passes (counter, now + passes * CAB_CACHE_PASS);
  for (uint32_t k = 0; part && k < r->shape.n; k++)
    if (r->access[k].part < part)
      apply_row (f, r->shape.site[k], r->access[k].form, e.access[k].address, r->access[k].bytes);
}

static bool
use_row (void *host, uint32_t number, unsigned form, uint64_t address, uint64_t bytes)
{
  apply_row (host, number, form, address, bytes);
  return true;
}

/* Do apply_passes where accesses are rows, with ranges; the first SKIP of them have been
   applied. */
static void __attribute__ ((noinline))
apply_rows (struct feeding *f, const struct cab_region *r, const uint64_t *words, uint64_t first,
	    uint64_t passes, unsigned part, uint64_t skip)
{
  cab_walk_rows (f, use_row, r, words, first, passes, part, skip);
}

/* The instances of apply_once and apply_passes for caches that are usual, and for others. */
static void __attribute__ ((noinline))
apply_few_once (struct feeding *f, const struct cab_region *r, const uint64_t *words)
{
  apply_once (f, r, words, CAB_LIVE_FEW);
}

static void __attribute__ ((noinline))
apply_many_once (struct feeding *f, const struct cab_region *r, const uint64_t *words)
{
  apply_once (f, r, words, CAB_LIVE_MANY);
}

static void __attribute__ ((noinline))
apply_other_once (struct feeding *f, const struct cab_region *r, const uint64_t *words)
{
  apply_once (f, r, words, 0);
}

static void __attribute__ ((noinline))
apply_few_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words,
		  uint64_t first, uint64_t passes, unsigned part)
{
  apply_passes (f, r, words, first, passes, part, CAB_LIVE_FEW);
}

static void __attribute__ ((noinline))
apply_many_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words,
		   uint64_t first, uint64_t passes, unsigned part)
{
  apply_passes (f, r, words, first, passes, part, CAB_LIVE_MANY);
}

static void __attribute__ ((noinline))
apply_other_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words,
		    uint64_t first, uint64_t passes, unsigned part)
{
  apply_passes (f, r, words, first, passes, part, 0);
}

/* Return true if a pass was cut off: then all that follows is applied as rows. */
static inline bool
is_cut_off (const struct cab_cache_passes *passes)
{
  return passes->n % CAB_CACHE_PASS;
}

/* Let the state know how R's passes are counted. */
static void
know_region (struct feeding *f, const struct cab_region *r)
{
  uint32_t id = r->shape.id;
  if (id && (id >= f->n_passes || f->passes[id].how == CAB_CACHE_UNKNOWN))
    note_region (f, r);
}

/* Apply COUNT (cab_region_count) passes of an event from FIRST on that are not just lines that were
   used last in their sets.  SKIP of its rows have been applied, if it is counted by rows; else
   0. */
static void
apply_some (struct feeding *f, const struct cab_region *r, const uint64_t *words, uint64_t first,
	    uint64_t count, uint64_t skip)
{
  uint32_t id = r->shape.id;
  know_region (f, r);
  if (skip || !id || id >= f->n_passes || f->passes[id].how == CAB_CACHE_BY_ROW
      || is_cut_off (&f->passes[id]))
    apply_rows (f, r, words, first, count >> 8, count & 255, skip);
  else if (!f->caches.live.usual)
    apply_other_passes (f, r, words, first, count >> 8, count & 255);
  else if (f->caches.live.usual == CAB_LIVE_FEW)
    apply_few_passes (f, r, words, first, count >> 8, count & 255);
  else
    apply_many_passes (f, r, words, first, count >> 8, count & 255);
}

static void __attribute__ ((noinline))
apply_region (struct feeding *f, const struct cab_region *r, const uint64_t *words)
{
  apply_some (f, r, words, 0, cab_region_count (r, words), 0);
}

/* Apply an event that is one pass, whose spans are not all lines that were used last in their
   sets. */
static inline void
apply_spans (struct feeding *f, const struct cab_region *r, const uint64_t *words, unsigned usual)
{
  if (usual == CAB_LIVE_MANY)
    apply_many_once (f, r, words);
  else if (usual)
    apply_few_once (f, r, words);
  else
    apply_other_once (f, r, words);
}

/* Prefetch for an event of R that comes soon: the sets of its spans that were not used last, if its
   passes have missed before. */
static inline __attribute__ ((always_inline)) void
look_ahead (const struct feeding *f, const struct cab_live_quick *quick, const struct cab_region *r,
	    const uint64_t *words)
{
  uint32_t id = r->shape.id;
  if (id >= f->n_passes || f->passes[id].missed * UINT64_C (16) * CAB_CACHE_PASS < f->passes[id].n
      || f->passes[id].how < CAB_CACHE_BY_PASS)
    return;
  for (const struct cab_span *span = r->span, *end = span + r->n_spans; span < end; span++)
    {
      uint64_t address = (span->word == CAB_NO_WORD ? 0 : words[span->word]) + span->offset;
      if (cab_live_distance (quick, address) > quick->line_mask)
	cab_live_ahead (&f->caches.live, address);
    }
}

static void
feed_regions (struct feeding *f, const struct cab_batch *batch)
{
  /* Copies: a store to a counter might change the originals, for all that the compiler knows. */
  struct cab_live_quick quick = f->caches.quick;
  struct cab_cache_passes *passes = f->passes;
  uint64_t n_passes = f->n_passes;
  const struct cab_region_event *event = batch->region;
  unsigned usual = f->caches.live.usual;
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      const struct cab_region *r = event[i].region;
      const uint64_t *words = event[i].words;
      uint32_t id = r->shape.id;
      if (f->caches.live.pair && i + AHEAD < n)
	look_ahead (f, &quick, event[i + AHEAD].region, event[i + AHEAD].words);
      bool by_span = id < n_passes && passes[id].how == CAB_CACHE_BY_SPAN;
      if (__builtin_expect (by_span && cab_walk_is_recent (&quick, r, words), 1))
	{
	  cab_space_add (&passes[id].n, CAB_CACHE_PASS);
	  continue;
	}
      if (by_span && !is_cut_off (&passes[id]))
	{
	  apply_spans (f, r, words, usual);   /* moves nothing */
	  continue;
	}
      apply_region (f, r, words);
      quick = f->caches.quick;
      passes = f->passes;
      n_passes = f->n_passes;
      usual = f->caches.live.usual;
    }
}

static void
feed_rows (struct feeding *f, const struct cab_batch *batch)
{
  struct cab_live_quick quick = f->caches.quick;
  struct cab_tally *tallies = f->tallies;
  uint64_t n_tallies = f->n_tallies;
  const uint32_t *site = batch->site;
  const uint64_t *address = batch->address, *bytes = batch->bytes;
  const uint8_t *forms = batch->form;
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      unsigned form = forms[i] & (CAB_ROW_READ | CAB_ROW_WRITE);
      if (__builtin_expect (site[i] < n_tallies && form != 0
			      && cab_live_is_recent (&quick, address[i], bytes[i]),
			    1))
	{
	  cab_space_count (&tallies[site[i]].n[form]);
	  continue;
	}
      apply_row (f, site[i], forms[i], address[i], bytes[i]);
      quick = f->caches.quick;
      tallies = f->tallies;
      n_tallies = f->n_tallies;
    }
}

void
cab_cache_feed (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions)
{
  struct feeding f;
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS
      || (!cab_cache_state (arena) && cab_cache_open (arena, "", NULL) < 0))
    return;
  begin (&f, arena);
  if (batch->region)
    feed_regions (&f, batch);
  else
    feed_rows (&f, batch);
}

void
cab_cache_feed_section (struct cab_arena *arena, const struct cab_section *section)
{
  struct feeding f;
  uint64_t skip = section->from.row;
  begin (&f, arena);
  for (uint32_t i = section->from.item; i < section->n_items; i++, skip = 0)
    {
      const struct cab_section_item *item = section->item + i;
      const struct cab_region *r = (const struct cab_region *) (uintptr_t) (item->a
									    & ~CAB_SECTION_KIND);
      const uint64_t *words = (const uint64_t *) (uintptr_t) item->b;
      switch (item->a & CAB_SECTION_KIND)
	{
	case CAB_SECTION_EVENT:
	  apply_some (&f, r, words, 0, cab_region_count (r, words), skip);
	  break;
	case CAB_SECTION_PART:
	  apply_some (&f, r, words, item[1].a, item[1].b, skip);
	  i++;
	  break;
	default:
	  apply_row (&f, item->a >> 32, item->a >> 8 & 255, item->b, item[1].a);
	  i++;
	}
    }
}

enum cab_cache_how
cab_cache_know (struct cab_arena *arena, const struct cab_region *r)
{
  struct feeding f;
  begin (&f, arena);
  know_region (&f, r);
  return r->shape.id < f.n_passes ? f.passes[r->shape.id].how : CAB_CACHE_UNKNOWN;
}
