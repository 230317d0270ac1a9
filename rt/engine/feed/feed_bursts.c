/* feed_bursts.c - see feed_bursts.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_bursts.h"

#include <string.h>

#include "analyses/wire/decode.h"
#include "rt/base/rt.h"
#include "rt/engine/feed/feed_make.h"

#define ROWS CAB_BATCH_MAX
#define BURSTS 512u

/* Rows of one kind, with their bursts. */
struct gathered
{
  uint32_t n, n_bursts;
  uint64_t words;   /* of the ring that they came in */
  bool has_runs;
  uint64_t rows[ROWS];
  struct cab_burst bursts[BURSTS];
};

struct cab_feed_bursts
{
  struct gathered call, path;
};

/* Feed the rows of G, which are of KIND, and empty it. */
static void
flush (struct cab_feed *feed, struct gathered *g, unsigned kind, uint32_t ring, uint32_t thread)
{
  struct cab_batch batch = { .kind = kind,
			     .n = g->n,
			     .thread = thread,
			     .events = g->rows,
			     .has_runs = g->has_runs,
			     .burst = g->bursts,
			     .n_bursts = g->n_bursts };
  cab_feed_gathered (feed, ring, &batch, g->words);
  g->n = g->n_bursts = 0;
  g->words = 0;
  g->has_runs = false;
}

/* Add the rows of BATCH, which WORDS words held, to G: rows of burst NUMBER. */
static void
gather (struct cab_feed *feed, struct gathered *g, const struct cab_batch *batch, uint64_t words,
	uint64_t number, uint32_t weight, uint32_t ring)
{
  if (!batch->n)
    return;
  if (g->n + batch->n > ROWS || g->n_bursts == BURSTS)
    flush (feed, g, batch->kind, ring, batch->thread);
  memcpy (g->rows + g->n, batch->events, batch->n * sizeof *g->rows);
  g->n += batch->n;
  g->words += words;
  g->has_runs |= batch->has_runs;
  struct cab_burst *last = g->n_bursts ? &g->bursts[g->n_bursts - 1] : NULL;
  if (!last || last->number != number)
    last = &g->bursts[g->n_bursts++];
  *last = (struct cab_burst) { number, g->n, weight };
}

/* Feed the accesses of the last decoding of WORDS, which are part of burst NUMBER, and those that
   follow without further words.  A burst that has any is a whole chunk, so they are fed as they
   come. */
static void
feed_accesses (struct cab_feed *feed, const uint64_t *words, uint64_t number, uint32_t weight,
	       uint32_t ring, uint32_t thread)
{
  struct cab_decode *d = feed->decode;
  uint64_t events = d->n_accesses;
  for (bool more = true; more; events = 0)
    {
      struct cab_burst burst = { number, d->access.n, weight };
      d->access.burst = &burst;
      d->access.n_bursts = 1;
      feed->account.tally.accesses += d->access.n;
      cab_feed_gathered (feed, ring, &d->access, events);
      if ((more = cab_decode_pending (d)))
	cab_decode (d, words, 0, thread);
    }
}

/* Count events of the last decoding that are in no batch, or in none that is fed. */
static void
count_others (struct cab_feed *feed)
{
  struct cab_decode *d = feed->decode;
  struct cab_ledger *tally = &feed->account.tally;
  tally->dropped[CAB_DROP_UNREGISTERED] += d->n_unregistered + d->n_unknown;
  tally->dropped[CAB_DROP_UNWANTED] += d->loop.n + d->sample.n + d->n_resumes;
  tally->raw_words += d->n_raw;
}

/* Return where FEED gathers; null without memory. */
static struct cab_feed_bursts *
place (struct cab_feed *feed)
{
  if (cab_feed_begin (feed) && !feed->bursts)
    feed->bursts = cab_feed_memory (sizeof *feed->bursts);
  return feed->bursts;
}

void
cab_feed_burst (struct cab_feed *feed, uint32_t ring, uint32_t thread, uint64_t number,
		uint32_t weight, const uint64_t *words, size_t n)
{
  struct cab_feed_bursts *b = place (feed);
  struct cab_decode *d = feed->decode;
  if (!b)
    feed->account.tally.dropped[CAB_DROP_NO_MEMORY] += n;
  for (size_t taken; b && n > 0; words += taken, n -= taken)
    {
      d->n_unknown = d->n_unregistered = d->n_raw = d->n_accesses = d->n_resumes = 0;
      taken = cab_decode (d, words, n, thread);
      gather (feed, &b->call, &d->call, d->call.n, number, weight, ring);
      gather (feed, &b->path, &d->path, d->path.n - d->n_extra, number, weight, ring);
      count_others (feed);
      feed_accesses (feed, words, number, weight, ring, thread);
    }
}

void
cab_feed_bursts_end (struct cab_feed *feed, uint32_t ring, uint32_t thread)
{
  if (!feed->bursts)
    return;
  flush (feed, &feed->bursts->call, CAB_EV_CALL, ring, thread);
  flush (feed, &feed->bursts->path, CAB_EV_PATH, ring, thread);
}
