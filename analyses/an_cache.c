/* an_cache.c - which accesses miss in which cache?  Caches of data, simulated while the program runs.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      each thread has caches of its own (cachesim.h says how they work), which begin empty.  An access that reads and writes
 *             counts as a read.  A range (memcpy, an aggregate), and what is longer than a line of D1, is an access to each line of D1
 *             that it touches, in ascending order, CAB_CACHE_RANGE_MOST bytes of it at most.  A range of no bytes is no access.
 *             Allocations and releases touch nothing.
 *
 * Passes:     the events of a region with a shape come whole.  A pass that finds all its lines in D1 changes their order at most, and is one count for all of
 *             it; where each line is the one that its set used last it changes nothing at all, and that is seen by its spans.  Behind a pass
 *             that missed nothing, passes on the same lines find and leave the same: they are counted, however many there are.
 *             Where an access of a pass misses, those before it are counted one by one, and it is a step.
 *
 * State: counters by number of the access and of the shape, and the caches (live_caches.h).  One counter stands for each row (n[]) or pass; where
 * others change with it, all do in one step.  Of a row with several lines those that are in already stand in `begun', until the last one is.
 */
#include "cache_arguments.h"
#include "live_caches.h"
#include "regions.h"
#include "states.h"

#define NAME "cache"
#define MAGIC 0x63616368u
#define LEAST 1024

/* Rows by form: allocations and releases, reads, writes, both at once. */
struct site
{
  uint64_t n[4];
};

/* By row of struct cab_cachesim_counts, less the fetches. */
struct misses
{
  uint64_t more[2];                       /* accesses, beyond one for each row */
  uint64_t missed[2][CAB_LIVE_LEVELS];
};

/* Whole passes through a shape. */
struct passes
{
  uint64_t n;
  uint32_t how;                           /* enum how */
  uint32_t reserved;
};
enum how
{
  UNKNOWN,
  BY_ROW,                                 /* each access is a row */
  BY_PASS,
  BY_SPAN                                 /* ... and the spans are no longer than a line of D1 */
};

/* The shape that an access belongs to; 0: none that counts passes. */
struct member
{
  uint32_t shape, form;
};

/* Of the next row: how many of its lines are in, and how many of them missed. */
struct begun
{
  uint64_t lines, missed[CAB_LIVE_LEVELS];
};

struct state
{
  uint32_t magic, mixed;
  uint64_t lost;
  struct cab_cachesim_config config;
  uint64_t config_sum;                    /* of its bytes: a geometry that is damaged may ask for any amount of memory */
  struct cab_live_caches caches;
  uint64_t sites;                         /* table of struct site */
  uint64_t misses;                        /* table of struct misses, at least as long */
  uint64_t members;                       /* table of struct member, by number of the access */
  uint64_t passes;                        /* table of struct passes, by number of the shape */
  struct begun begun;
};
#define CACHES offsetof (struct state, caches)

/* Where a batch is applied. */
struct feeding
{
  struct cab_arena *arena;
  struct cab_live live;
  struct site *sites;
  struct misses *misses;
  struct passes *passes;
  uint64_t n_sites, n_passes;
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static uint64_t
sum_of (const struct cab_cachesim_config *config)
{
  const unsigned char *p = (const unsigned char *) config;
  uint64_t sum = UINT64_C (0xcbf29ce484222325);
  for (size_t i = 0; i < sizeof *config; i++)
    sum = (sum ^ p[i]) * UINT64_C (0x100000001b3);
  return sum;
}

static void
set_config (struct state *state, const struct cab_cachesim_config *config)
{
  memcpy (&state->config, config, sizeof *config);
  state->config_sum = sum_of (config);
}

static int
cache_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  struct cab_cachesim_config config;
  if (cab_cache_configure (arguments, &config, diag) < 0 || cab_state_open (arena, sizeof (struct state), 0, NAME, "", diag) < 0)
    return -1;
  set_config ((struct state *) arena->base, &config);
  cab_space_order ();
  ((struct state *) arena->base)->magic = MAGIC;
  cab_space_order ();
  return 0;
}

/* Make room for the counters of access NUMBER. */
static bool
make_counters (struct cab_arena *arena, uint32_t number)
{
  if (number > CAB_ACCESS_MAX)
    return false;
  uint64_t misses = cab_space_table_for (arena, state_of (arena)->misses, number, LEAST, sizeof (struct misses));
  if (!misses)
    return false;
  state_of (arena)->misses = misses;
  cab_space_order ();
  uint64_t sites = cab_space_table_for (arena, state_of (arena)->sites, number, LEAST, sizeof (struct site));
  if (!sites)
    return false;
  state_of (arena)->sites = sites;
  cab_space_order ();
  return true;
}

/* ... and for the caches, if there are none yet. */
static bool
make_room (struct cab_arena *arena, uint32_t number)
{
  const struct cab_cachesim_config config = state_of (arena)->config;   /* the arena may move */
  bool made = state_of (arena)->caches.tags || cab_live_make (arena, CACHES, &config) == 0;
  return made && make_counters (arena, number);
}

static void
begin (struct feeding *f, struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  f->arena = arena;
  f->n_sites = f->n_passes = 0;
  f->sites = NULL;
  if (!state->caches.tags)
    return;
  cab_live_begin (&f->live, arena, CACHES, &state->config);
  f->n_passes = cab_space_capacity (arena, state->passes);
  f->passes = cab_space_elements (arena, state->passes);
  f->n_sites = cab_space_capacity (arena, state->sites);
  f->sites = cab_space_elements (arena, state->sites);
  f->misses = cab_space_elements (arena, state->misses);
}

/* One access more, of a row of SITE and FORM, that missed in the levels MISSED: the end of a step, with MORE accesses beyond the row's
   own. */
static void
count (struct feeding *f, uint32_t number, unsigned form, const uint64_t *missed, uint64_t more)
{
  struct misses *m = &f->misses[number];
  unsigned row = form == CAB_ROW_WRITE;
  uint64_t *n = &f->sites[number].n[form];
  cab_live_put (&f->live, n, *n + 1);
  if (more)
    cab_live_put (&f->live, &m->more[row], m->more[row] + more);
  for (unsigned level = 0; level < CAB_LIVE_LEVELS; level++)
    if (missed[level])
      cab_live_put (&f->live, &m->missed[row][level], m->missed[row][level] + missed[level]);
}

/* A row that is one access, which does not find all in D1. */
static void __attribute__ ((noinline))
apply_step (struct feeding *f, uint32_t number, unsigned form, uint64_t first, uint64_t last)
{
  unsigned mark = cab_live_access (&f->live, first, last);
  const uint64_t missed[CAB_LIVE_LEVELS] = { mark & 1, mark >> 1 & 1, mark >> 2 & 1, mark >> 3 };
  count (f, number, form, missed, 0);
  cab_live_end (&f->live, last);
}

static void
apply_one (struct feeding *f, uint32_t number, unsigned form, uint64_t first, uint64_t last)
{
  if (cab_live_reuse (&f->live, first, last))
    cab_space_count (&f->sites[number].n[form]);
  else
    apply_step (f, number, form, first, last);
}

/* A row that is an access to each line from FIRST to LAST: a step for each. */
static void
apply_lines (struct feeding *f, uint32_t number, unsigned form, uint64_t first, uint64_t last)
{
  struct begun *begun = &state_of (f->arena)->begun;
  uint32_t line_log2 = f->live.level[0].cache.line_log2;
  uint64_t line = first >> line_log2, n = (last >> line_log2) - line + 1;
  for (uint64_t i = begun->lines < n ? begun->lines : 0; i < n; i++)
    {
      uint64_t from = i ? (line + i) << line_log2 : first, to = i + 1 < n ? ((line + i + 1) << line_log2) - 1 : last;
      unsigned mark = cab_live_access (&f->live, from, to);
      uint64_t missed[CAB_LIVE_LEVELS];
      for (unsigned level = 0; level < CAB_LIVE_LEVELS; level++)
	missed[level] = begun->missed[level] + (mark >> level & 1);
      bool over = i + 1 == n;
      if (over)
	count (f, number, form, missed, n - 1);
      cab_live_put (&f->live, &begun->lines, over ? 0 : i + 1);
      for (unsigned level = 0; level < CAB_LIVE_LEVELS; level++)
	cab_live_put (&f->live, &begun->missed[level], over ? 0 : missed[level]);
      cab_live_end (&f->live, to);
    }
}

static uint64_t
last_of (uint64_t first, uint64_t bytes)
{
  return bytes - 1 > UINT64_MAX - first ? UINT64_MAX : first + bytes - 1;
}

/* A row that is not merely the line that was used last in its set. */
static void __attribute__ ((noinline))
apply_row (struct feeding *f, uint32_t number, unsigned row_form, uint64_t first, uint64_t bytes)
{
  unsigned form = row_form & (CAB_ROW_READ | CAB_ROW_WRITE);
  if (number >= f->n_sites)
    {
      if (!make_room (f->arena, number))
	{
	  cab_space_count (&state_of (f->arena)->lost);
	  return;
	}
      begin (f, f->arena);
    }
  if (!form || !bytes)
    {
      cab_space_count (&f->sites[number].n[0]);
      return;
    }
  bytes = bytes > CAB_CACHE_RANGE_MOST ? CAB_CACHE_RANGE_MOST : bytes;
  uint64_t last = last_of (first, bytes);
  uint32_t line_log2 = f->live.level[0].cache.line_log2;
  bool cut = (row_form & CAB_ROW_RANGE) || bytes > state_of (f->arena)->config.d1.line;
  if (cut && first >> line_log2 != last >> line_log2)
    apply_lines (f, number, form, first, last);
  else
    apply_one (f, number, form, first, last);
}

static struct cab_live_quick
quick_of (const struct feeding *f)
{
  return f->n_sites ? cab_live_quick (&f->live) : (struct cab_live_quick) { 0 };
}

/* How passes through R are counted. */
static enum how
how_of (const struct cab_region *r, uint64_t line)
{
  for (uint32_t k = 0; k < r->shape.n; k++)
    if (!r->access[k].bytes || r->access[k].bytes > line)
      return BY_ROW;
  for (uint32_t k = 0; k < r->n_spans; k++)
    if (r->span[k].last >= line || r->span[k].word == CAB_NO_WORD)
      return BY_PASS;
  return r->n_spans && r->count == CAB_NO_WORD ? BY_SPAN : BY_PASS;
}

/* Make room for all accesses of R, and say which they are; false: there is none. */
static bool
note_members (struct cab_arena *arena, const struct cab_region *r)
{
  const struct cab_shape *shape = &r->shape;
  for (uint32_t k = 0; k < shape->n; k++)
    {
      if (!make_room (arena, shape->site[k]))
	return false;
      uint64_t members = cab_space_table_for (arena, state_of (arena)->members, shape->site[k], LEAST, sizeof (struct member));
      if (!members)
	return false;
      state_of (arena)->members = members;
      struct member *m = (struct member *) cab_space_elements (arena, members) + shape->site[k];
      *m = (struct member) { shape->id, shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE) };
    }
  cab_space_order ();
  return true;
}

/* The first pass through R: how it is counted from now on. */
static void __attribute__ ((noinline))
note_region (struct feeding *f, const struct cab_region *r)
{
  uint64_t passes = cab_space_table_for (f->arena, state_of (f->arena)->passes, r->shape.id, LEAST, sizeof (struct passes));
  if (passes)
    {
      state_of (f->arena)->passes = passes;
      cab_space_order ();
      enum how how = how_of (r, state_of (f->arena)->config.d1.line);
      bool noted = how == BY_ROW || note_members (f->arena, r);
      begin (f, f->arena);
      if (r->shape.id < f->n_passes)
	f->passes[r->shape.id].how = noted ? how : BY_ROW;
    }
}

/* An event of a region under way.  Of accesses without a word, or a step that is one, words[CAB_NO_WORD] is 0. */
struct event
{
  const struct cab_region *region;
  uint64_t words[CAB_ACCESS_WORDS + 1];
};

static inline uint64_t
address_of (const struct event *e, const struct cab_region_access *a, uint64_t pass)
{
  return e->words[a->word] + a->offset + pass * (e->words[a->step_word] + a->step);
}

/* Count accesses FROM to below TO of a pass one by one. */
static void
count_each (struct feeding *f, const struct cab_shape *shape, uint32_t from, uint32_t to)
{
  for (uint32_t k = from; k < to; k++)
    cab_space_count (&f->sites[shape->site[k]].n[shape->form[k] & (CAB_ROW_READ | CAB_ROW_WRITE)]);
}

/* A pass, access by access.  Has it found all in D1?  If those that found theirs are found again before they are counted, it does no harm. */
static bool
apply_pass (struct feeding *f, const struct event *e, uint64_t pass)
{
  const struct cab_shape *shape = &e->region->shape;
  struct cab_live_quick quick = cab_live_quick (&f->live);
  uint32_t from = 0;
  for (uint32_t k = 0; k < shape->n; k++)
    {
      const struct cab_region_access *a = e->region->access + k;
      uint64_t address = address_of (e, a, pass), last;
      if (cab_live_is_recent (&quick, address, a->bytes) || cab_live_reuse (&f->live, address, last = last_of (address, a->bytes)))
	continue;
      count_each (f, shape, from, k);
      apply_step (f, shape->site[k], a->form & (CAB_ROW_READ | CAB_ROW_WRITE), address, last);
      from = k + 1;
    }
  if (from)
    count_each (f, shape, from, shape->n);
  else
    cab_space_count (&f->passes[shape->id].n);
  return from == 0;
}

/* For how many passes behind PASS, up to MOST, does each access stay on its lines? */
static uint64_t
steady (const struct feeding *f, const struct event *e, uint64_t pass, uint64_t most)
{
  uint64_t mask = (UINT64_C (1) << f->live.level[0].cache.line_log2) - 1;
  for (uint32_t k = 0; most && k < e->region->shape.n; k++)
    {
      const struct cab_region_access *a = e->region->access + k;
      uint64_t step = e->words[a->step_word] + a->step, back = -step;
      uint64_t first = address_of (e, a, pass), last = first + a->bytes - 1;
      bool ahead = step <= mask;
      if (!step)
	continue;
      if (!ahead && back > mask)
	return 0;
      first &= mask;
      last &= mask;
      uint32_t room = ahead ? mask - (first > last ? first : last) : first < last ? first : last;
      uint32_t fit = room / (uint32_t) (ahead ? step : back);
      most = fit < most ? fit : most;
    }
  return most;
}

/* An event that is not merely lines that were used last in their sets. */
static void __attribute__ ((noinline))
apply_region (struct feeding *f, const struct cab_region *r, const uint64_t *words)
{
  struct event e = { .region = r };
  uint64_t count = cab_region_count (r, words), passes = count >> 8, part = count & 255;
  for (unsigned i = 0; i < r->words; i++)
    e.words[i] = words[i];
  if (r->shape.id >= f->n_passes || f->passes[r->shape.id].how == UNKNOWN)
    note_region (f, r);
  bool by_row = r->shape.id >= f->n_passes || f->passes[r->shape.id].how == BY_ROW;
  for (uint64_t pass = 0; pass <= passes; pass++)
    if (pass == passes || by_row)
      {
	for (uint32_t k = 0; k < r->shape.n; k++)
	  if (pass < passes || r->access[k].part < part)
	    apply_row (f, r->shape.site[k], r->access[k].form, address_of (&e, r->access + k, pass), r->access[k].bytes);
      }
    else if (apply_pass (f, &e, pass))
      {
	uint64_t more = steady (f, &e, pass, passes - pass - 1);
	if (more)
	  cab_space_add (&f->passes[r->shape.id].n, more);
	pass += more;
      }
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
  struct cab_live_quick quick = quick_of (f);
  struct passes *passes = f->passes;
  uint64_t n_passes = f->n_passes;
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      const struct cab_region *r = batch->region[i];
      uint32_t id = r->shape.id;
      if (__builtin_expect (id < n_passes && passes[id].how == BY_SPAN && is_recent (&quick, r, batch->words[i]), 1))
	{
	  cab_space_count (&passes[id].n);
	  continue;
	}
      apply_region (f, r, batch->words[i]);
      quick = quick_of (f);
      passes = f->passes;
      n_passes = f->n_passes;
    }
}

static void
feed_rows (struct feeding *f, const struct cab_batch *batch)
{
  /* Copies: a store to a counter might change the originals, for all that the compiler knows. */
  struct cab_live_quick quick = quick_of (f);
  struct site *sites = f->sites;
  uint64_t n_sites = f->n_sites;
  const uint32_t *site = batch->site;
  const uint64_t *address = batch->address, *bytes = batch->bytes;
  const uint8_t *forms = batch->form;
  for (uint32_t i = 0, n = batch->n; i < n; i++)
    {
      unsigned form = forms[i] & (CAB_ROW_READ | CAB_ROW_WRITE);
      if (__builtin_expect (site[i] < n_sites && form != 0 && cab_live_is_recent (&quick, address[i], bytes[i]), 1))
	{
	  cab_space_count (&sites[site[i]].n[form]);
	  continue;
	}
      apply_row (f, site[i], forms[i], address[i], bytes[i]);
      quick = quick_of (f);
      sites = f->sites;
      n_sites = f->n_sites;
    }
}

static void
cache_feed (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *functions, const struct cab_out *out)
{
  struct feeding f;
  (void) functions, (void) out;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && cache_open (arena, "", NULL) < 0))
    return;
  begin (&f, arena);
  if (batch->region)
    feed_regions (&f, batch);
  else
    feed_rows (&f, batch);
}

/* The counters of access NUMBER, without what was cut off. */
static void
read_counters (const struct cab_arena *arena, uint64_t number, struct site *site, struct misses *misses)
{
  const struct state *state = state_of (arena);
  const struct site *s = (const struct site *) cab_space_elements (arena, state->sites) + number;
  const struct misses *m = (const struct misses *) cab_space_elements (arena, state->misses) + number;
  *site = *s;
  *misses = *m;
  if (state->caches.n_saved)
    {
      cab_live_overlay (arena, CACHES, (const unsigned char *) s - arena->base, (uint64_t *) site, sizeof *site / 8);
      cab_live_overlay (arena, CACHES, (const unsigned char *) m - arena->base, (uint64_t *) misses, sizeof *misses / 8);
    }
  if (number >= cab_space_capacity (arena, state->members))
    return;
  const struct member *member = (const struct member *) cab_space_elements (arena, state->members) + number;
  if (member->shape && member->shape < cab_space_capacity (arena, state->passes))
    site->n[member->form & 3] += ((const struct passes *) cab_space_elements (arena, state->passes))[member->shape].n;
}

bool
cab_cache_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_cache_row *row)
{
  uint64_t n = state_of (arena) ? cab_space_capacity (arena, state_of (arena)->sites) : 0;
  struct site site;
  struct misses misses;
  for (; *cursor < n; ++*cursor)
    {
      read_counters (arena, *cursor, &site, &misses);
      *row = (struct cab_cache_row) { .number = *cursor, .rows = cab_state_sum (site.n, 4), .others = site.n[0] };
      if (!row->rows)
	continue;
      row->accesses[0] = site.n[CAB_ROW_READ] + site.n[CAB_ROW_READ | CAB_ROW_WRITE] + misses.more[0];
      row->accesses[1] = site.n[CAB_ROW_WRITE] + misses.more[1];
      memcpy (row->missed, misses.missed, sizeof row->missed);
      ++*cursor;
      return true;
    }
  return false;
}

bool
cab_cache_config (const struct cab_arena *arena, struct cab_cachesim_config *config)
{
  *config = state_of (arena)->config;
  return !state_of (arena)->mixed;
}

static uint64_t
cache_applied (const struct cab_arena *arena)
{
  struct cab_cache_row row;
  uint64_t sum = 0;
  for (uint64_t cursor = 0; cab_cache_next (arena, &cursor, &row);)
    sum += row.rows;
  return sum;
}

static uint64_t
cache_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

static bool
is_in (const struct cab_arena *arena, uint64_t table, size_t element, uint64_t offset)
{
  uint64_t first = table + sizeof (struct cab_table_head);
  return table && offset >= first && offset - first < cab_space_capacity (arena, table) * element;
}

/* Does a step change the word at OFFSET? */
static bool
changes (const struct cab_arena *arena, uint64_t offset)
{
  const struct state *state = state_of (arena);
  return is_in (arena, state->sites, sizeof (struct site), offset) || is_in (arena, state->misses, sizeof (struct misses), offset)
	 || (offset >= offsetof (struct state, begun) && offset < sizeof *state);
}

/* Do the tables keep off each other, and off the state itself? */
static bool
apart (const struct cab_arena *arena)
{
  const struct state *state = state_of (arena);
  const struct cab_state_table tables[] =
  {
    { state->sites, sizeof (struct site) }, { state->misses, sizeof (struct misses) }, { state->members, sizeof (struct member) },
    { state->passes, sizeof (struct passes) }, { state->caches.tags, 8 }, { state->caches.journal, 8 }, { state->caches.recent, 8 }
  };
  return cab_state_apart (arena, tables, 7, sizeof *state);
}

static int
cache_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  struct cab_diag inner;
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0) ? 0 : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  if (state->config_sum != sum_of (&state->config) || (unsigned) state->config.model > CAB_CACHESIM_INCLUSIVE
      || !cab_cachesim_bytes (&state->config, &inner))
    return cab_state_refuse (diag, NAME, "its caches are impossible");
  if (!cab_space_table_ok (arena, state->sites, sizeof (struct site)) || !cab_space_table_ok (arena, state->misses, sizeof (struct misses))
      || cab_space_capacity (arena, state->misses) < cab_space_capacity (arena, state->sites))
    return cab_state_refuse (diag, NAME, "the tables of accesses leave the arena");
  if (!cab_space_table_ok (arena, state->members, sizeof (struct member)) || !cab_space_table_ok (arena, state->passes, sizeof (struct passes)))
    return cab_state_refuse (diag, NAME, "the tables of shapes leave the arena");
  if (!cab_space_table_ok (arena, state->caches.tags, 8) || !cab_space_table_ok (arena, state->caches.journal, 8)
      || !cab_space_table_ok (arena, state->caches.recent, 8) || !apart (arena))
    return cab_state_refuse (diag, NAME, "its tables overlap");
  if (!cab_live_ok (arena, CACHES, &state->config, changes))
    return cab_state_refuse (diag, NAME, "its caches are of another state");
  return 0;
}

/* The geometry of a state that has nothing is the other's; of two that differ, the greater one, so that the order does not matter. */
static void
merge_config (struct cab_arena *into, const struct cab_arena *from)
{
  struct state *state = state_of (into);
  const struct state *other = state_of (from);
  bool empty = !cache_applied (into) && !state->lost;
  int order = memcmp (&other->config, &state->config, sizeof state->config);
  state->mixed |= other->mixed | (!empty && order);
  if (!order || (!empty && order < 0))
    return;
  set_config (state, &other->config);
  state->caches = (struct cab_live_caches) { 0 };
}

static void
add_counters (struct cab_arena *into, uint32_t target, const struct cab_arena *from, uint32_t number)
{
  struct site site, *to = (struct site *) cab_space_elements (into, state_of (into)->sites) + target;
  struct misses misses, *m = (struct misses *) cab_space_elements (into, state_of (into)->misses) + target;
  read_counters (from, number, &site, &misses);
  for (size_t i = 0; i < sizeof site / 8; i++)
    ((uint64_t *) to)[i] += ((const uint64_t *) &site)[i];
  for (size_t i = 0; i < sizeof misses / 8; i++)
    ((uint64_t *) m)[i] += ((const uint64_t *) &misses)[i];
}

static int
cache_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map, struct cab_diag *diag)
{
  struct cab_cache_row row;
  struct feeding f;
  if (!state_of (into) && cache_open (into, "", diag) < 0)
    return -1;
  begin (&f, into);   /* takes back what was cut off */
  if (state_of (from) && (cache_applied (from) || cache_lost (from)))
    merge_config (into, from);
  state_of (into)->lost += cache_lost (from);
  for (uint64_t cursor = 0; cab_cache_next (from, &cursor, &row);)
    {
      uint32_t target = map ? cab_space_mapped (map->access, map->n_access, row.number) : row.number;
      if ((!target && row.number) || !make_counters (into, target))
	state_of (into)->lost += row.rows;
      else
	add_counters (into, target, from, row.number);
    }
  return 0;
}

const struct cab_analysis cab_cache = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "which accesses miss in which cache",
  .kinds = 1u << CAB_EV_ACCESS,
  .wants = CAB_WANTS_REGIONS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .options = cab_cache_options,
  .open = cache_open,
  .feed = cache_feed,
  .applied = cache_applied,
  .lost = cache_lost,
  .check = cache_check,
  .merge = cache_merge,
  .settle = cab_cache_settle
};
