/* feed_levels.c - see feed_levels.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_levels.h"

#include <string.h>

#include "analyses/live/cache/level_rows.h"
#include "analyses/live/context.h"

/* Feed rows that have been cut. */
static void
feed_rows (void *host, const struct cab_batch *batch)
{
  struct cab_feed *feed = host;
  struct cab_batch rows = *batch;
  if (cab_feed_batch (feed->levels, feed->ring, &rows) < 0)
    return;
  memcpy (feed->level_rows->level, cab_level_rows_last (&feed->levels->arena), rows.n);
  rows.level = feed->level_rows->level;
  for (uint32_t i = 0; i < feed->n; i++)
    if (cab_context_level_wanted (feed->states[i].analysis))
      cab_feed_batch (&feed->states[i], feed->ring, &rows);
  feed->account.levelled += rows.n;
}

void
cab_feed_levels (struct cab_feed *feed, const struct cab_batch *batch)
{
  if (feed->levels->arena.base)
    cab_level_rows_cut (feed->level_rows, batch,
			cab_level_rows_line_log2 (&feed->levels->arena), feed, feed_rows);
}
