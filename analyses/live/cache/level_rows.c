/* level_rows.c - see level_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/level_rows.h"

#include <stdbool.h>
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/cache/simulate.h"

uint32_t
cab_level_rows_line_log2 (const struct cab_arena *levels)
{
  return cab_levels_line_log2 (levels);
}

const uint8_t *
cab_level_rows_last (const struct cab_arena *levels)
{
  return cab_levels_last (levels);
}

/* Return true if row I of BATCH is to be cut. */
static bool
is_cut (const struct cab_batch *batch, uint32_t i, uint32_t line_log2)
{
  uint64_t first = batch->address[i], bytes = batch->bytes[i];
  bool longer = batch->form[i] & CAB_ROW_RANGE || bytes > UINT64_C (1) << line_log2;
  return longer && batch->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE) && bytes
      && first >> line_log2 != cab_simulate_last (first, bytes) >> line_log2;
}

/* Return N rows of BATCH from row FIRST on. */
static struct cab_batch
some_of (const struct cab_batch *batch, uint32_t first, uint32_t n)
{
  struct cab_batch part = *batch;
  part.n = n;
#define COLUMN(name) part.name = batch->name ? batch->name + first : NULL
  COLUMN (site), COLUMN (form), COLUMN (node), COLUMN (address), COLUMN (other), COLUMN (bytes);
  COLUMN (value), COLUMN (value_type);
#undef COLUMN
  part.kept = first ? batch->depth : batch->kept;
  return part;
}

/* Give row I of BATCH, which is to be cut, with HOST. */
static void
give_pieces (struct cab_level_rows *rows, const struct cab_batch *batch, uint32_t i,
	     uint32_t line_log2, void *host,
	     void (*give) (void *host, const struct cab_batch *batch))
{
  uint64_t bytes = batch->bytes[i], at = batch->address[i];
  bytes = bytes > CAB_CACHE_RANGE_MOST ? CAB_CACHE_RANGE_MOST : bytes;
  uint64_t last = cab_simulate_last (at, bytes), end;
  struct cab_batch pieces = some_of (batch, i, 0);
  pieces.site = rows->site;
  pieces.form = rows->form;
  pieces.node = batch->node ? rows->node : NULL;
  pieces.address = rows->address;
  pieces.other = rows->other;
  pieces.bytes = rows->bytes;
  pieces.value = batch->value ? rows->value : NULL;
  pieces.value_type = batch->value_type ? rows->value_type : NULL;
  do
    {
      uint32_t n = pieces.n++;
      end = at | ((UINT64_C (1) << line_log2) - 1);
      end = end < last ? end : last;
      rows->site[n] = batch->site[i];
      rows->form[n] = batch->form[i];
      rows->node[n] = batch->node ? batch->node[i] : 0;
      rows->address[n] = at;
      rows->bytes[n] = end - at + 1;
      rows->other[n] = rows->value[n] = rows->value_type[n] = 0;
      at = end + 1;
      if (pieces.n == CAB_BATCH_MAX || end == last)
	{
	  give (host, &pieces);
	  pieces.n = 0;
	  pieces.kept = pieces.depth;
	}
    }
  while (end != last);
}

void
cab_level_rows_cut (struct cab_level_rows *rows, const struct cab_batch *batch, uint32_t line_log2,
		    void *host, void (*give) (void *host, const struct cab_batch *batch))
{
  for (uint32_t i = 0, first; i < batch->n;)
    {
      for (first = i; i < batch->n && !is_cut (batch, i, line_log2);)
	i++;
      struct cab_batch part = some_of (batch, first, i - first);
      if (part.n)
	give (host, &part);
      if (i < batch->n)
	give_pieces (rows, batch, i++, line_log2, host, give);
    }
}
