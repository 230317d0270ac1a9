/* law_check.c - check that an analysis keeps the laws of cabprof/analysis.h, with the events that
 * it is fed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/law_check.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/wire/keyed.h"
#include "analyses/trace/law_keys.h"
#include "analyses/trace/law_report.h"

#define PARTS 3
#define PART_TURNS 40u      /* mean number of batches in a row that one part gets */
#define CUT_TURNS 4u        /* a state is cut off once in this many batches at first */
#define MOST_CUTS 64        /* limit of cuts, each of which makes the next one rarer */
#define SHORT_STATES 16     /* number of lengths that a state is cut short to */
#define KEY_PARTS 3         /* parts by key */

/* The states that the events of one ring go to. */
struct ring
{
  struct cab_arena whole, pieces, parts[PARTS];
  uint64_t fed, part_fed[PARTS];
  struct cab_arena keyed[1 + KEY_PARTS];   /* of an analysis that is sharded by key: in one part,
					      and in several */
  uint64_t key_fed[1 + KEY_PARTS];
  uint32_t thread;
  int part;
};

static struct
{
  const struct cab_analysis *analysis;
  struct cab_analysis stand_in;
  struct cab_keyed_split *split;      /* null: it is not sharded by key */
  struct cab_keyed_rows *key_rows;
  uint64_t seed, n_batches, n_cuts, n_events;
  struct ring **rings;
  uint32_t n_rings;
  char *broken[CAB_LAW_MOST];
  size_t n_broken;
} check;

static uint32_t
chance (uint32_t below)
{
  check.seed = check.seed * 6364136223846793005u + 1442695040888963407u;
  return (check.seed >> 33) % below;
}

static void __attribute__ ((format (printf, 1, 2)))
broken (const char *format, ...)
{
  va_list ap;
  if (check.n_broken == CAB_LAW_MOST)
    return;
  va_start (ap, format);
  check.broken[check.n_broken++] = xvasprintf (format, ap);
  va_end (ap);
}

/* Check that applied + lost of STATE, fed as WHAT says, is FED. */
static void
account (const struct cab_arena *state, uint64_t fed, const char *what)
{
  unsigned long long applied = check.analysis->applied (state), lost = check.analysis->lost (state);
  if (applied + lost != fed)
    broken ("%s: applied %llu + lost %llu is not %llu, the events that were fed", what, applied,
	    lost, (unsigned long long) fed);
}

static struct ring *
ring_of (const struct cab_arena *arena)
{
  return check.rings[*(const uint32_t *) arena->base - 1];
}

static int
open_all (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  struct ring *ring = XCNEW (struct ring);
  cab_law_set_arguments (xstrdup (arguments));
  struct cab_arena *states[] = { &ring->whole, &ring->pieces, &ring->parts[0], &ring->parts[1],
				 &ring->parts[2] };
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    if (cab_heap_open_with (states[i], check.analysis, arguments, diag) < 0)
      return -1;
  for (size_t i = 0; check.split && i < 1 + KEY_PARTS; i++)
    if (cab_heap_open_with (&ring->keyed[i], check.analysis, arguments, diag) < 0)
      return -1;
  account (&ring->whole, 0, "an empty state");
  check.rings = XRESIZEVEC (struct ring *, check.rings, check.n_rings + 1);
  check.rings[check.n_rings++] = ring;
  *(uint32_t *) arena->base = check.n_rings;
  arena->used = sizeof (uint32_t);
  return 0;
}

/* Return N rows of BATCH after its first SKIP rows. */
static struct cab_batch
slice (const struct cab_batch *batch, uint32_t skip, uint32_t n)
{
  struct cab_batch part = *batch;
  part.n = n;
#define COLUMN(name) part.name = batch->name ? batch->name + skip : NULL
  COLUMN (events), COLUMN (fn), COLUMN (site), COLUMN (form), COLUMN (node), COLUMN (loop),
    COLUMN (count), COLUMN (address), COLUMN (other);
  COLUMN (bytes), COLUMN (value), COLUMN (value_type), COLUMN (level);
#undef COLUMN
  part.kept = skip ? batch->depth : batch->kept;
  return part;
}

/* Feed BATCH to STATE in pieces, or as a whole if rows represent regions. */
static void
feed_pieces (struct cab_arena *state, const struct cab_batch *batch,
	     const struct cab_functions *functions)
{
  bool whole = batch->shape || batch->region || batch->times || !batch->n;
  uint32_t step = whole ? batch->n : 1 + chance (batch->n);
  if (!batch->n)
    check.analysis->feed (state, batch, functions);
  for (uint32_t at = 0; at < batch->n; at += step)
    {
      struct cab_batch part = slice (batch, at, step < batch->n - at ? step : batch->n - at);
      check.analysis->feed (state, step == batch->n ? batch : &part, functions);
    }
}

/* Replace STATE with a copy of its bytes, as for the state of a killed process. */
static void
cut_off (struct cab_arena *state, uint64_t fed)
{
  struct cab_arena copy;
  struct cab_diag diag = { "" };
  void *bytes = xcalloc (1, state->cap);
  memcpy (bytes, state->base, state->used);
  cab_heap_adopt (&copy, bytes, state->cap, state->used);
  check.n_cuts++;
  if (check.analysis->check (&copy, &diag) < 0)
    {
      broken ("a state that was cut off after %llu events is refused: %s", (unsigned long long) fed,
	      diag.text);
      cab_heap_fini (&copy);
      return;
    }
  if (check.analysis->resume)
    check.analysis->resume (&copy);
  account (&copy, fed, "a state that was cut off");
  cab_heap_fini (state);
  *state = copy;
}

/* Check that bytes that are cut short are refused, or read: neither may crash. */
static void
cut_short (const struct cab_arena *state)
{
  for (int i = 0; i < SHORT_STATES && state->used; i++)
    {
      struct cab_arena copy;
      struct cab_diag diag;
      size_t used = (size_t) i * state->used / SHORT_STATES;
      void *bytes = xcalloc (1, used + 1);
      memcpy (bytes, state->base, used);
      cab_heap_adopt (&copy, bytes, used, used);
      if (check.analysis->check (&copy, &diag) == 0)
	{
	  if (check.analysis->resume)
	    check.analysis->resume (&copy);
	  check.analysis->applied (&copy);
	  check.analysis->lost (&copy);
	}
      cab_heap_fini (&copy);
    }
}

/* States that rows are given to by key. */
struct keyed
{
  struct cab_arena *state;
  uint64_t *fed;
  const struct cab_functions *functions;
};

/* Feed the rows that are gathered for part PART. */
static void
flush_key (struct keyed *to, uint32_t part)
{
  struct cab_batch *batch = &check.key_rows[part].batch;
  if (!batch->n)
    return;
  check.analysis->feed (&to->state[part], batch, to->functions);
  to->fed[part] += cab_batch_events (batch);
  batch->n = 0;
}

/* Return empty rows for part PART: each batch is fed at once. */
static struct cab_keyed_rows *
key_room (void *host, uint32_t part, const struct cab_batch *batch, uint32_t n)
{
  struct cab_keyed_rows *rows = &check.key_rows[part];
  (void) host;
  if (rows->batch.n && cab_keyed_fits (rows, batch, n))
    return rows;
  flush_key (host, part);
  cab_keyed_begin (rows, batch);
  return rows;
}

/* Feed BATCH by key to the N states at STATE, which have had FED events. */
static void
feed_by_key (struct cab_arena *state, uint64_t *fed, uint32_t n, const struct cab_batch *batch,
	     const struct cab_functions *functions)
{
  struct keyed to = { state, fed, functions };
  const struct cab_keyed_host host = { &to, key_room };
  cab_keyed_rows (check.split, check.analysis, batch, n, &host);
  for (uint32_t i = 0; i < n; i++)
    {
      flush_key (&to, i);
      account (&state[i], fed[i], "a part of a state, by key");
    }
}

static void
feed_all (struct cab_arena *arena, const struct cab_batch *batch,
	  const struct cab_functions *functions)
{
  struct ring *ring = ring_of (arena);
  uint64_t events = cab_batch_events (batch);
  cab_law_note (batch, functions);
  check.analysis->feed (&ring->whole, batch, functions);
  feed_pieces (&ring->pieces, batch, functions);
  if (!chance (PART_TURNS))
    ring->part = (ring->part + 1) % PARTS;
  check.analysis->feed (&ring->parts[ring->part], batch, functions);
  if (check.split)
    {
      feed_by_key (&ring->keyed[0], &ring->key_fed[0], 1, batch, functions);
      feed_by_key (&ring->keyed[1], &ring->key_fed[1], KEY_PARTS, batch, functions);
      cab_law_keys_note (ring, check.analysis, batch);
    }
  ring->fed += events;
  ring->part_fed[ring->part] += events;
  check.n_events += events;
  account (&ring->whole, ring->fed, "a state");
  account (&ring->pieces, ring->fed, "a state that is fed in pieces");
  if (check.n_cuts < MOST_CUTS && !chance (CUT_TURNS + (uint32_t) check.n_cuts * CUT_TURNS))
    cut_off (&ring->pieces, ring->fed);
  check.n_batches++;
}

static void
begin_all (struct cab_arena *arena, uint32_t thread)
{
  struct ring *ring = ring_of (arena);
  struct cab_arena *states[] = { &ring->whole, &ring->pieces, &ring->parts[0], &ring->parts[1],
				 &ring->parts[2] };
  for (size_t i = 0; i < sizeof states / sizeof *states && check.analysis->begin_thread; i++)
    check.analysis->begin_thread (states[i], thread);
  for (size_t i = 0; check.split && i < 1 + KEY_PARTS && check.analysis->begin_thread; i++)
    check.analysis->begin_thread (&ring->keyed[i], thread);
  cab_law_keys_stop (ring);
  account (&ring->whole, ring->fed, "a state whose next thread begins");
}

static uint64_t
applied_all (const struct cab_arena *arena)
{
  return ring_of (arena)->fed;
}

static uint64_t
lost_all (const struct cab_arena *arena)
{
  (void) arena;
  return 0;
}

static int
check_all (const struct cab_arena *arena, struct cab_diag *diag)
{
  (void) arena, (void) diag;
  return 0;
}

static int
merge_all (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	   struct cab_diag *diag)
{
  (void) into, (void) from, (void) map, (void) diag;
  return 0;
}

static int
settle (const char *arguments, char *full, size_t bytes, struct cab_diag *diag)
{
  return check.analysis->settle (arguments, full, bytes, diag);
}

const struct cab_analysis *
cab_law_begin (const struct cab_analysis *analysis, uint64_t seed)
{
  check.analysis = analysis;
  check.seed = seed;
  if (analysis->shard == CAB_SHARD_KEY)
    {
      check.split = XCNEW (struct cab_keyed_split);
      check.key_rows = XCNEWVEC (struct cab_keyed_rows, KEY_PARTS);
    }
  check.stand_in = (struct cab_analysis) { .abi = CAB_ANALYSIS_ABI,
					   .bytes = sizeof check.stand_in,
					   .name = CAB_LAW_NAME,
					   .summary = analysis->summary,
					   .kinds = analysis->kinds,
					   .wants = analysis->wants,
					   .shard = CAB_SHARD_THREAD,
					   .arena_bytes = sizeof (uint64_t),
					   .options = analysis->options,
					   .open = open_all,
					   .feed = feed_all,
					   .applied = applied_all,
					   .lost = lost_all,
					   .check = check_all,
					   .merge = merge_all,
					   .settle = analysis->settle ? settle : NULL,
					   .begin_thread = begin_all };
  return &check.stand_in;
}

/* Merge FROM into INTO, which together have had N_EVENTS events.  Return false if the analysis
   refuses. */
static bool
merge (struct cab_arena *into, const struct cab_arena *from, uint64_t n_events, const char *what)
{
  struct cab_diag diag = { "" };
  if (check.analysis->merge (into, from, cab_law_map (), &diag) < 0)
    {
      broken ("%s: merge refuses: %s", what, diag.text);
      return false;
    }
  account (into, n_events, what);
  return true;
}

/* Return the report on the states of RING, merged in the ORDER of their numbers. */
static char *
merged (const struct ring *ring, const int *order)
{
  struct cab_arena into;
  uint64_t n = 0;
  char *text = NULL;
  bool good = true;
  if (cab_heap_open_with (&into, check.analysis, cab_law_arguments (), NULL) < 0)
    return NULL;
  for (int i = 0; i < PARTS && good; i++)
    good = merge (&into, &ring->parts[order[i]], n += ring->part_fed[order[i]], "merged states");
  if (good)
    text = cab_law_report (check.analysis, &into);
  cab_heap_fini (&into);
  return text;
}

static void
check_merging (const struct ring *ring)
{
  static const int orders[][PARTS] = { { 0, 1, 2 }, { 2, 0, 1 }, { 1, 2, 0 } };
  char *first = merged (ring, orders[0]);
  for (size_t i = 1; i < sizeof orders / sizeof *orders && first; i++)
    {
      char *other = merged (ring, orders[i]);
      if (other && strcmp (first, other))
	broken ("states that are merged in another order say something else");
      free (other);
    }
  free (first);
}

/* Check that merging the whole into an empty state changes nothing. */
static void
check_unit (const struct ring *ring)
{
  struct cab_arena into;
  if (cab_heap_open_with (&into, check.analysis, cab_law_arguments (), NULL) < 0)
    return;
  if (merge (&into, &ring->whole, ring->fed, "a state merged into an empty one"))
    {
      char *before = cab_law_report (check.analysis, &ring->whole),
	   *after = cab_law_report (check.analysis, &into);
      if (before && after && strcmp (before, after))
	broken ("a state that is merged into an empty one says something else than before");
      free (before);
      free (after);
    }
  cab_heap_fini (&into);
}

/* Turn what separates columns of TEXT into spaces. */
static void
blank (char *text)
{
  for (; *text; text++)
    *text = *text != '\n' && (unsigned char) *text < ' ' ? ' ' : *text;
}

/* Report the first line in which the report on the merged parts of RING, PARTS, differs from that
   on one state, WHOLE. */
static void
compare_keys (const struct ring *ring, char *whole, char *parts)
{
  size_t at = 0, line = 0;
  blank (whole);
  blank (parts);
  for (; whole[at] && whole[at] == parts[at]; at++)
    line = whole[at] == '\n' ? at + 1 : line;
  if (!whole[at] && !parts[at])
    return;
  char *pair = cab_law_keys_pair (ring, check.analysis, KEY_PARTS);
  broken ("states of different keys depend on each other: in one state \"%.*s\", in %d by key "
	  "\"%.*s\"%s%s",
	  (int) strcspn (whole + line, "\n"), whole + line, KEY_PARTS,
	  (int) strcspn (parts + line, "\n"), parts + line, pair ? "; these two show it: " : "",
	  pair ? pair : "");
  free (pair);
}

/* Check that the parts of a state by key, merged, say what one state for all keys says. */
static void
check_keys (const struct ring *ring)
{
  struct cab_arena into[2];
  uint64_t n = 0;
  char *text[2] = { NULL, NULL };
  bool good = true;
  for (int i = 0; i < 2; i++)
    good &= cab_heap_open_with (&into[i], check.analysis, cab_law_arguments (), NULL) == 0;
  good = good && merge (&into[0], &ring->keyed[0], ring->key_fed[0], "one part by key");
  for (int i = 1; i < 1 + KEY_PARTS && good; i++)
    good = merge (&into[1], &ring->keyed[i], n += ring->key_fed[i], "merged parts by key");
  for (int i = 0; i < 2 && good; i++)
    text[i] = cab_law_report (check.analysis, &into[i]);
  if (good && text[0] && text[1])
    compare_keys (ring, text[0], text[1]);
  for (int i = 0; i < 2; i++)
    {
      free (text[i]);
      cab_heap_fini (&into[i]);
    }
}

const char *const *
cab_law_end (size_t *n)
{
  for (uint32_t i = 0; i < check.n_rings; i++)
    {
      struct ring *ring = check.rings[i];
      char *whole = cab_law_report (check.analysis, &ring->whole),
	   *pieces = cab_law_report (check.analysis, &ring->pieces);
      if (whole && strcmp (whole, pieces))
	broken ("events that are fed in pieces, and after the state was cut off, give something "
		"else than fed as a whole");
      free (whole);
      free (pieces);
      cut_short (&ring->whole);
      check_unit (ring);
      check_merging (ring);
      if (check.split)
	check_keys (ring);
    }
  *n = check.n_broken;
  return (const char *const *) check.broken;
}

void
cab_law_counts (uint64_t *n_events, uint64_t *n_cuts)
{
  *n_events = check.n_events;
  *n_cuts = check.n_cuts;
}
