/* cache_feed.c - the analysis `cache' takes accesses: see an_cache.c, and cache_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Passes:     the events of a region with a shape come whole, those of a nest loop by loop.  A pass that finds all its lines in D1 changes their order at most, and is one count for
 *             all of it; where each line is the one that its set used last it changes nothing at all, and that is seen by its spans.  Behind a pass
 *             that missed nothing, passes on the same lines find and leave the same: they are counted, however many there are.  Passes of an event may
 *             happen again as long as none misses, so they are counted in the end.
 *             Where an access of a pass misses, it is a step, which counts all before it, too: the counter of passes also has how many accesses of one
 *             more pass there were.  Who goes on behind one that was cut off feeds rows.
 */
#include "cache_state.h"
#include "live_lines.h"
#include "region_passes.h"

#define MISSED (1u << 16)
#define TWO (1u << 31)

/* Where a batch is applied. */
struct feeding
{
  struct cab_arena *arena;
  struct cab_simulating caches;
  struct cab_tally *tallies;
  struct cab_cache_passes *passes;
  uint64_t n_tallies, n_passes;           /* 0 while there are no caches */
  uint32_t lines;                         /* that a pass has come to; with MISSED if it missed, and TWO if an access lies in two of them */
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

/* M is access K of shape ID, too; false: it belongs to two others. */
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
      if (!join (m, shape->id, k))
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

/* Does the access from ADDRESS to LAST bytes behind it lie in two lines? */
static inline bool
is_two (uint64_t address, uint64_t last, uint64_t line_mask)
{
  return (address ^ (address + last)) > line_mask;
}

/* An access of a pass is not merely the line that was used last in its set: does it find all in D1? */
static bool __attribute__ ((noinline))
find_any (struct feeding *f, uint64_t address, uint64_t last)
{
  if (is_two (address, last, f->caches.quick.line_mask))
    f->lines = (f->lines + 1) | TWO;
  f->lines++;
  return cab_live_reuse (&f->caches.live, address, cab_simulate_last (address, last + 1));
}

/* The same, in caches that are usual, of WAYS. */
static inline __attribute__ ((always_inline)) bool
find_usual (struct feeding *f, uint64_t address, uint64_t last, unsigned ways)
{
  if (__builtin_expect (is_two (address, last, (1u << CAB_LIVE_USUAL_LOG2) - 1), 0))
    return find_any (f, address, last);
  f->lines++;
  return cab_live_reuse_usual (&f->caches.live.d1, address, ways);
}

static bool __attribute__ ((noinline))
find_few (struct feeding *f, uint64_t address, uint64_t last)
{
  return find_usual (f, address, last, CAB_LIVE_FEW);
}

static bool __attribute__ ((noinline))
find_many (struct feeding *f, uint64_t address, uint64_t last)
{
  return find_usual (f, address, last, CAB_LIVE_MANY);
}

/* USUAL: that of the caches. */
static inline bool
find (struct feeding *f, uint64_t address, uint64_t last, unsigned usual)
{
  return usual == CAB_LIVE_FEW ? find_few (f, address, last) : usual ? find_many (f, address, last) : find_any (f, address, last);
}

/* Access K of a pass through R, which has BEFORE in its counter when it begins, does not: it is counted, with all those before. */
static void __attribute__ ((noinline))
miss (struct feeding *f, const struct cab_region *r, uint32_t k, uint64_t address, uint64_t before)
{
  uint64_t last = r->shape.bytes[k] - 1, *counter = &f->passes[r->shape.id].n;
  unsigned form = r->shape.form[k] & (CAB_ROW_READ | CAB_ROW_WRITE);
  uint64_t *missed = f->tallies[r->shape.site[k]].missed[form == CAB_ROW_WRITE];
  f->lines |= MISSED;
  if (f->caches.live.straight && !is_two (address, last, f->caches.quick.line_mask))
    cab_live_miss (&f->caches.live, address, counter, before + k + 1, missed);
  else
    cab_simulate_step (&f->caches, counter, before + k + 1, missed, address, cab_simulate_last (address, last + 1));
}

/* What is needed to look at accesses; USUAL: that of the caches. */
static inline struct cab_live_quick
quick_of (const struct feeding *f, unsigned usual)
{
  struct cab_live_quick quick = f->caches.quick;
  quick.line_log2 = usual ? (uint32_t) CAB_LIVE_USUAL_LOG2 : quick.line_log2;
  quick.line_mask = usual ? (1u << CAB_LIVE_USUAL_LOG2) - 1 : quick.line_mask;
  return quick;
}

/* A counter of passes becomes VALUE. */
static inline void
put_passes (uint64_t *counter, uint64_t value)
{
  cab_space_add (counter, value - *counter);
}

/* A pass, access by access. */
static inline __attribute__ ((always_inline)) void
apply_pass (struct feeding *f, const struct cab_live_quick *quick, const struct cab_region *r, struct cab_passes *e, uint64_t before, unsigned usual)
{
  for (struct cab_pass_access *a = e->access, *end = a + e->n; a < end; a++)
    {
      uint64_t address = a->address;
      a->address = address + a->step;
      if (__builtin_expect (cab_live_distance (quick, address) + a->last <= quick->line_mask, 1))
	continue;
      if (!find (f, address, a->last, usual))
	miss (f, r, a - e->access, address, before);
    }
}

/* Would that pass once more find all that it touches in D1, and leave that as it is?  If all was found, or if all lines of the
   pass have room in a set: those that were not their set's last ones when they were used, and one that was, since only a set's first one of the pass
   can be that. */
static inline bool
is_settled (const struct feeding *f)
{
  return (f->lines & ~TWO) <= f->caches.live.stay + MISSED;
}

/* An event that is one pass through R, whose accesses all have words. */
static inline __attribute__ ((always_inline)) void
apply_once (struct feeding *f, const struct cab_region *r, const uint64_t *words, unsigned usual)
{
  const struct cab_live_quick quick = quick_of (f, usual);
  uint64_t *counter = &f->passes[r->shape.id].n, before = *counter;
  for (const struct cab_region_access *a = r->access, *end = a + r->shape.n; a < end; a++)
    {
      uint64_t address = words[a->word] + a->offset;
      if (__builtin_expect (cab_live_is_in (&quick, address, a->bytes), 1))
	continue;
      if (!find (f, address, a->bytes - 1, usual))
	miss (f, r, a - r->access, address, before);
    }
  put_passes (counter, before + CAB_CACHE_PASS);
}

/* How often may it be looked in vain, in an event of so many passes, for passes that stay on their lines?  Each one that did makes up for once. */
static inline uint64_t
most_tries (uint64_t passes)
{
  return passes < 384 ? 4 + passes / 32 : 16;
}

/* Passes of E, at most *PASSES, which they are taken from, until it seems that each one comes to other lines than the one before it.  The counter was NOW:
   what it is to be. */
static inline __attribute__ ((always_inline)) uint64_t
apply_slow_passes (struct feeding *f, const struct cab_live_quick *quick, const struct cab_region *r, struct cab_passes *e, uint64_t now, uint64_t *passes,
		   unsigned usual)
{
  const uint64_t most = most_tries (*passes);
  cab_passes_measure (e);
  for (uint64_t tries = most; *passes && tries;)
    {
      f->lines = 1;
      apply_pass (f, quick, r, e, now, usual);
      now += CAB_CACHE_PASS;
      if (!--*passes || !is_settled (f))
	continue;
      uint64_t stay = cab_passes_stay (e, quick->line_mask, f->lines & TWO), more = stay < *passes ? stay : *passes;
      tries = tries - 1 + more < most ? tries - 1 + more : most;
      now += more * CAB_CACHE_PASS;
      *passes -= more;
      if (more)
	cab_passes_ahead (e, more);
    }
  return now;
}

/* PASSES passes of an event, and of one more the parts below PART.  What finds its lines may do so again, so passes are counted when one of their accesses
   misses, and in the end. */
static inline __attribute__ ((always_inline)) void
apply_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words, uint64_t passes, unsigned part, unsigned usual)
{
  struct cab_passes e;
  const struct cab_live_quick quick = quick_of (f, usual);
  uint64_t *counter = &f->passes[r->shape.id].n, now = *counter;
  if (cab_passes_begin (&e, r, words) <= quick.line_mask / 2 && passes > 2)
    now = apply_slow_passes (f, &quick, r, &e, now, &passes, usual);
  for (; passes; passes--, now += CAB_CACHE_PASS)
    apply_pass (f, &quick, r, &e, now, usual);
  put_passes (counter, now);
  for (uint32_t k = 0; part && k < r->shape.n; k++)
    if (r->access[k].part < part)
      apply_row (f, r->shape.site[k], r->access[k].form, e.access[k].address, r->access[k].bytes);
}

/* An event whose accesses are rows, ranges among them, which the columns of R have behind the others. */
static void __attribute__ ((noinline))
apply_rows (struct feeding *f, const struct cab_region *r, const uint64_t *raw, uint64_t passes, unsigned part)
{
  uint64_t words[CAB_ACCESS_WORDS + 1];
  for (unsigned i = 0; i < r->words; i++)
    words[i] = raw[i];
  words[CAB_NO_WORD] = 0;
  for (uint64_t pass = 0; pass <= passes; pass++)
    {
      const uint32_t *site = r->shape.site, *range_site = site + r->fixed.n;
      for (const struct cab_region_access *a = r->access, *end = a + r->shape.n; a < end; a++)
	{
	  uint32_t number = a->form & CAB_ROW_RANGE ? *range_site++ : *site++;
	  if (pass < passes || a->part < part)
	    apply_row (f, number, a->form, words[a->word] + a->offset + pass * (words[a->step_word] + a->step), words[a->bytes_word] + a->bytes);
	}
    }
}

/* apply_once and apply_passes, of caches that are usual, and of others. */
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
apply_few_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words, uint64_t passes, unsigned part)
{
  apply_passes (f, r, words, passes, part, CAB_LIVE_FEW);
}

static void __attribute__ ((noinline))
apply_many_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words, uint64_t passes, unsigned part)
{
  apply_passes (f, r, words, passes, part, CAB_LIVE_MANY);
}

static void __attribute__ ((noinline))
apply_other_passes (struct feeding *f, const struct cab_region *r, const uint64_t *words, uint64_t passes, unsigned part)
{
  apply_passes (f, r, words, passes, part, 0);
}

/* An event that is not merely lines that were used last in their sets. */
static void __attribute__ ((noinline))
apply_region (struct feeding *f, const struct cab_region *r, const uint64_t *words)
{
  uint32_t id = r->shape.id;
  if (id && (id >= f->n_passes || f->passes[id].how == CAB_CACHE_UNKNOWN))
    note_region (f, r);
  uint64_t count = cab_region_count (r, words);
  if (!id || id >= f->n_passes || f->passes[id].how == CAB_CACHE_BY_ROW)
    apply_rows (f, r, words, count >> 8, count & 255);
  else if (!f->caches.live.usual)
    apply_other_passes (f, r, words, count >> 8, count & 255);
  else if (r->told && r->header == r->told)
    {
      if (f->caches.live.usual == CAB_LIVE_FEW)
	apply_few_once (f, r, words);
      else
	apply_many_once (f, r, words);
    }
  else if (f->caches.live.usual == CAB_LIVE_FEW)
    apply_few_passes (f, r, words, count >> 8, count & 255);
  else
    apply_many_passes (f, r, words, count >> 8, count & 255);
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
	  cab_space_add (&passes[id].n, CAB_CACHE_PASS);
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
