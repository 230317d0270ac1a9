/* cache_feed.c - the analysis `cache' takes accesses: see an_cache.c, and cache_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Passes:     the events of a region with a shape come whole, those of a nest loop by loop.  A pass that finds all its lines in D1 changes their order at most, and is one count for all of
 *             it; where each line is the one that its set used last it changes nothing at all, and that is seen by its spans.  Behind a pass
 *             that missed nothing, passes on the same lines find and leave the same: they are counted, however many there are.
 *             Where an access of a pass misses, those before it are counted one by one, and it is a step.
 */
#include "cache_state.h"
#include "live_lines.h"
#include "region_passes.h"

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

/* A row that is not merely the line that was used last in its set. */
static void __attribute__ ((noinline))
apply_row (struct feeding *f, uint32_t number, unsigned form, uint64_t first, uint64_t bytes)
{
  if (number >= f->n_tallies)
    {
      if (!cab_simulate_make (f->arena, CAB_CACHE_CACHES) || !cab_cache_make_tally (f->arena, number))
	{
	  cab_space_count (&cab_cache_state (f->arena)->lost);
	  return;
	}
      begin (f, f->arena);
    }
  cab_simulate_row (&f->caches, &f->tallies[number], form, first, bytes);
}

/* How passes through R are counted. */
static enum cab_cache_how
how_of (const struct cab_region *r, uint64_t line)
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

/* M is an access of shape ID, too; false: it belongs to two others. */
static bool
join (struct cab_cache_member *m, uint32_t id)
{
  unsigned i = m->shape[0] && m->shape[0] != id;
  if (m->shape[i] && m->shape[i] != id)
    return false;
  m->shape[i] = id;
  return true;
}

/* Make room for all accesses of R, and say which they are; false: there is none. */
static bool
note_members (struct cab_arena *arena, const struct cab_region *r)
{
  const struct cab_shape *shape = &r->shape;
  for (uint32_t k = 0; k < shape->n; k++)
    {
      if (!cab_cache_make_tally (arena, shape->site[k]))
	return false;
      uint64_t members = cab_space_table_for (arena, cab_cache_state (arena)->members, shape->site[k], CAB_CACHE_LEAST, sizeof (struct cab_cache_member));
      if (!members)
	return false;
      cab_cache_state (arena)->members = members;
      struct cab_cache_member *m = (struct cab_cache_member *) cab_space_elements (arena, members) + shape->site[k];
      m->form = shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE);
      if (!join (m, shape->id))
	return false;
    }
  cab_space_order ();
  return true;
}

/* The first pass through R: how it is counted from now on. */
static void __attribute__ ((noinline))
note_region (struct feeding *f, const struct cab_region *r)
{
  uint64_t passes = cab_space_table_for (f->arena, cab_cache_state (f->arena)->passes, r->shape.id, CAB_CACHE_LEAST, sizeof (struct cab_cache_passes));
  if (passes)
    {
      cab_cache_state (f->arena)->passes = passes;
      cab_space_order ();
      enum cab_cache_how how = how_of (r, cab_cache_state (f->arena)->caches.config.d1.line);
      bool noted = how == CAB_CACHE_BY_ROW || note_members (f->arena, r);
      begin (f, f->arena);
      if (r->shape.id < f->n_passes)
	f->passes[r->shape.id].how = noted ? how : CAB_CACHE_BY_ROW;
    }
}

/* Count accesses FROM to below TO of a pass one by one. */
static inline void
count_each (struct feeding *f, const struct cab_shape *shape, uint32_t from, uint32_t to)
{
  for (uint32_t k = from; k < to; k++)
    cab_space_count (&f->tallies[shape->site[k]].n[shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE)]);
}

/* Does the access to BYTES bytes at ADDRESS lie in two lines? */
static inline bool
is_two (const struct cab_live_quick *quick, uint64_t address, uint64_t bytes)
{
  return (address & quick->line_mask) + bytes - 1 > quick->line_mask;
}

/* An access that is not merely the line that was used last in its set: does it find all in D1?  If not, what is looked for in the next level is fetched. */
static bool __attribute__ ((noinline))
find (struct feeding *f, uint64_t address, uint64_t bytes)
{
  struct cab_live *live = &f->caches.live;
  if (__builtin_expect (is_two (&f->caches.quick, address, bytes), 0))
    return cab_live_reuse (live, address, cab_simulate_last (address, bytes));
  if (live->usual ? cab_live_reuse_usual (live, address) : cab_live_reuse_line (live, address >> f->caches.quick.line_log2))
    return true;
  if (live->straight && live->n_levels > 1)
    cab_live_fetch (&live->level[1], address);
  return false;
}

/* Access K of a pass is not all in D1. */
static void __attribute__ ((noinline))
miss (struct feeding *f, const struct cab_shape *shape, uint32_t k, uint64_t address)
{
  struct cab_tally *tally = &f->tallies[shape->site[k]];
  unsigned form = shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE);
  if (f->caches.live.straight && !is_two (&f->caches.quick, address, shape->bytes[k]))
    cab_live_miss (&f->caches.live, address, &tally->n[form], tally->missed[form == CAB_ROW_WRITE]);
  else
    cab_simulate_step (&f->caches, tally, form, address, cab_simulate_last (address, shape->bytes[k]));
}

/* A pass whose accesses before FROM are counted. */
static inline void
count_pass (struct feeding *f, const struct cab_shape *shape, uint32_t from)
{
  if (from)
    count_each (f, shape, from, shape->n);
  else
    cab_space_count (&f->passes[shape->id].n);
}

/* What is needed to look at accesses; USUAL: that of the caches. */
static inline struct cab_live_quick
quick_of (const struct feeding *f, bool usual)
{
  struct cab_live_quick quick = f->caches.quick;
  quick.line_log2 = usual ? (uint32_t) CAB_LIVE_USUAL_LOG2 : quick.line_log2;
  quick.line_mask = usual ? (1u << CAB_LIVE_USUAL_LOG2) - 1 : quick.line_mask;
  return quick;
}

/* A pass, access by access.  Would the same once more find all that it touches in D1, and leave that as it is?  If all was found, or if all lines of the
   pass have room in a set.  If those that found theirs are found again before they are counted, it does no harm. */
static inline __attribute__ ((always_inline)) bool
apply_pass (struct feeding *f, const struct cab_passes *e, bool usual)
{
  const struct cab_shape *shape = &e->region->shape;
  const struct cab_live_quick quick = quick_of (f, usual);
  const uint64_t *bytes = shape->bytes;
  uint32_t from = 0, n = shape->n, lines = n;
  for (uint32_t k = 0; k < n; k++)
    {
      uint64_t address = cab_pass_address (e, k);
      if (__builtin_expect (cab_live_is_in (&quick, address, bytes[k]), 1))
	continue;
      lines += is_two (&quick, address, bytes[k]);
      if (find (f, address, bytes[k]))
	continue;
      count_each (f, shape, from, k);
      miss (f, shape, k, address);
      from = k + 1;
    }
  count_pass (f, shape, from);
  return from == 0 || lines <= f->caches.live.stay;
}

/* An event that is one pass through R, whose accesses all have words. */
static inline __attribute__ ((always_inline)) void
apply_once (struct feeding *f, const struct cab_region *r, const uint64_t *words, bool usual)
{
  const struct cab_live_quick quick = quick_of (f, usual);
  const uint64_t *bytes = r->shape.bytes, *offset = r->offset;
  const uint8_t *word = r->word;
  uint32_t from = 0;
  for (uint32_t k = 0, n = r->shape.n; k < n; k++)
    {
      uint64_t address = words[word[k]] + offset[k];
      if (__builtin_expect (cab_live_is_in (&quick, address, bytes[k]), 1) || find (f, address, bytes[k]))
	continue;
      count_each (f, &r->shape, from, k);
      miss (f, &r->shape, k, address);
      from = k + 1;
    }
  count_pass (f, &r->shape, from);
}

/* PASSES passes of an event, and of one more the parts below PART. */
static inline __attribute__ ((always_inline)) void
apply_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words, uint64_t passes, unsigned part, bool usual)
{
  struct cab_passes e;
  uint64_t *counter = &f->passes[r->shape.id].n, mask = quick_of (f, usual).line_mask;
  cab_passes_begin (&e, r, words, passes > 1 ? mask : 0);
  while (passes)
    {
      uint64_t more = apply_pass (f, &e, usual) ? e.until - e.pass < passes - 1 ? e.until - e.pass : passes - 1 : 0;
      if (more)
	cab_space_add (counter, more);
      passes -= 1 + more;
      if (passes | part)
	cab_passes_ahead (&e, 1 + more, mask);
    }
  for (uint32_t k = 0; part && k < r->shape.n; k++)
    if (r->access[k].part < part)
      apply_row (f, r->shape.site[k], r->access[k].form, cab_pass_address (&e, k), r->access[k].bytes);
}

/* An event whose accesses are rows. */
static void __attribute__ ((noinline))
apply_rows (struct feeding *f, const struct cab_region *r, const uint64_t *raw, uint64_t passes, unsigned part)
{
  uint64_t words[CAB_ACCESS_WORDS + 1];
  for (unsigned i = 0; i < r->words; i++)
    words[i] = raw[i];
  words[CAB_NO_WORD] = 0;
  for (uint64_t pass = 0; pass <= passes; pass++)
    for (uint32_t k = 0; k < r->shape.n; k++)
      {
	const struct cab_region_access *a = r->access + k;
	if (pass < passes || a->part < part)
	  apply_row (f, r->shape.site[k], a->form, words[a->word] + a->offset + pass * (words[a->step_word] + a->step), a->bytes);
      }
}

static inline __attribute__ ((always_inline)) void
apply_event (struct feeding *f, const struct cab_region *r, const uint64_t *words, bool usual)
{
  uint64_t count = cab_region_count (r, words);
  if (r->told && r->header == r->told)
    apply_once (f, r, words, usual);
  else
    apply_passes (f, r, words, count >> 8, count & 255, usual);
}

/* An event that is not merely lines that were used last in their sets. */
static void __attribute__ ((noinline))
apply_region (struct feeding *f, const struct cab_region *r, const uint64_t *words)
{
  uint32_t id = r->shape.id;
  if (id >= f->n_passes || f->passes[id].how == CAB_CACHE_UNKNOWN)
    note_region (f, r);
  if (id >= f->n_passes || f->passes[id].how == CAB_CACHE_BY_ROW)
    apply_rows (f, r, words, cab_region_count (r, words) >> 8, cab_region_count (r, words) & 255);
  else if (f->caches.live.usual)
    apply_event (f, r, words, true);
  else
    apply_event (f, r, words, false);
}

/* Are all spans of R surely the lines that were used last in their sets? */
static inline bool
is_recent (const struct cab_live_quick *quick, const struct cab_region *r, const uint64_t *words)
{
  const struct cab_span *span = r->span, *end = span + r->n_spans;
  do
    if (!cab_live_are_recent (quick, words[span->word] + span->offset, span->last))
      return false;
  while (++span < end);
  return true;
}

static void
feed_regions (struct feeding *f, const struct cab_batch *batch)
{
  /* Copies: a store to a counter might change the originals, for all that the compiler knows. */
  struct cab_live_quick quick = f->caches.quick;
  struct cab_cache_passes *passes = f->passes;
  uint64_t n_passes = f->n_passes;
  const struct cab_region *const *region = batch->region;
  const uint64_t *const *words = batch->words;
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      const struct cab_region *r = region[i];
      uint32_t id = r->shape.id;
      if (__builtin_expect (id < n_passes && passes[id].how == CAB_CACHE_BY_SPAN && is_recent (&quick, r, words[i]), 1))
	{
	  cab_space_count (&passes[id].n);
	  continue;
	}
      apply_region (f, r, words[i]);
      quick = f->caches.quick;
      passes = f->passes;
      n_passes = f->n_passes;
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
      if (__builtin_expect (site[i] < n_tallies && form != 0 && cab_live_is_recent (&quick, address[i], bytes[i]), 1))
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
cab_cache_feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions, const struct cab_out *out)
{
  struct feeding f;
  (void) functions, (void) out;
  if (batch->kind != CAB_EV_ACCESS || (!cab_cache_state (arena) && cab_cache_open (arena, "", NULL) < 0))
    return;
  begin (&f, arena);
  if (batch->region)
    feed_regions (&f, batch);
  else
    feed_rows (&f, batch);
}
