/* feed_begun.c - see feed_begun.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_begun.h"

#include "analyses/wire/batch_rows.h"
#include "analyses/wire/decode.h"
#include "rt/engine/feed/feed_sets.h"

/* Return how many events state I of FEED has had beyond those accounted for. */
static uint64_t
had_more (struct cab_feed *feed, uint32_t i)
{
  struct cab_feed_state *s = &feed->states[i];
  uint64_t before = 0, had = cab_feed_sets_had (feed, i);
  if (!s->arena.base)
    return 0;
  if (s->analysis->resume)
    s->analysis->resume (&s->arena);
  had += s->analysis->applied (&s->arena) + s->analysis->lost (&s->arena);
  for (unsigned kind = 1; kind < CAB_SEEN_KINDS; kind++)
    before += s->analysis->kinds >> kind & 1 ? feed->account.total[kind] : 0;
  return had > before ? had - before : 0;
}

/* Feed what S has not had of BATCH; of that and the batches after it S has had *HAD events. */
static void
feed_rest (struct cab_feed_state *s, uint32_t ring, struct cab_batch batch, uint64_t *had)
{
  uint64_t events = cab_batch_events (&batch), skip = *had < events ? *had : events;
  if (!(s->analysis->kinds >> batch.kind & 1))
    return;
  *had -= skip;
  cab_batch_skip (&batch, cab_batch_rows_of (&batch, skip));
  cab_feed_batch (s, ring, &batch);
}

void
cab_feed_begun (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words,
		size_t n)
{
  struct cab_decode *d = feed->decode;
  uint64_t had[CAB_SELECTION_MOST];
  for (uint32_t i = 0; i < feed->n; i++)
    had[i] = had_more (feed, i);
  d->by_shape = d->by_region = false;
  d->expand.n_accesses = 0;
  while (n > 0 || cab_decode_pending (d))
    {
      size_t taken = cab_decode (d, words, cab_decode_pending (d) ? 0 : n, thread);
      for (uint32_t i = 0; i < feed->n; i++)
	{
	  feed_rest (&feed->states[i], ring, d->call, &had[i]);
	  feed_rest (&feed->states[i], ring, d->path, &had[i]);
	  feed_rest (&feed->states[i], ring, d->access, &had[i]);
	}
      words += taken;
      n -= taken;
    }
}
