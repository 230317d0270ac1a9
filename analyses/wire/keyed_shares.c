/* keyed_shares.c - rows of loops, accesses and memory, each to all parts that it concerns: see
 * cab_keyed_share_rows.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      Rows of loops, allocations and releases concern all parts.  An access concerns those
 *             whose blocks it touches, and an access of a stretch those whose blocks it touches in
 *             any of its iterations.  A part gets each stretch as one, with its own accesses alone.
 *             A stretch of more rows than fit in one piece is given iteration by iteration.
 */
#include "analyses/wire/keyed.h"

#define LOOKS 256u   /* at blocks that a row touches: one of more concerns all parts */

struct sharing
{
  struct cab_keyed_split *split;
  const struct cab_keyed_host *host;
  struct cab_batch like;      /* with the columns that all pieces have */
  uint32_t n_parts;
  unsigned log2;
  uint64_t all;               /* a bit for each part */
};

/* Return the parts whose blocks the BYTES bytes at ADDRESS touch. */
static uint64_t
touched (const struct sharing *s, uint64_t address, uint64_t bytes)
{
  uint64_t last = address + bytes - !!bytes, block = address >> s->log2, parts = 0;
  last = (last < address ? UINT64_MAX : last) >> s->log2;
  if (last - block >= LOOKS)
    return s->all;
  for (; block <= last; block++)
    parts |= UINT64_C (1) << cab_keyed_part (block, s->n_parts);
  return parts;
}

/* Return the parts whose blocks row I of BATCH, an access of a stretch, touches. */
static uint64_t
touched_by_stretch (const struct sharing *s, const struct cab_batch *batch, uint32_t i)
{
  uint64_t n = batch->times[i], step = batch->step[i], at = batch->address[i], parts = 0;
  for (uint32_t looks = 0; n && parts != s->all; looks++)
    {
      uint64_t run = cab_keyed_run (at, step, n, s->log2), way = (run - 1) * step;
      if (looks == LOOKS)
	return s->all;
      parts |= touched (s, at, batch->bytes[i]);
      at += way;
      parts |= touched (s, at, batch->bytes[i]);
      at += step;
      n -= run;
    }
  return parts;
}

/* Return rows of part P with room for N, or null. */
static inline struct cab_keyed_rows *
room (struct sharing *s, uint32_t p, uint32_t n)
{
  struct cab_keyed_rows *rows = s->split->open[p];
  if (rows && n <= CAB_KEYED_ROWS - rows->batch.n)
    return rows;
  rows = s->split->open[p] = s->host->room (s->host->host, p, &s->like, n);
  if (rows)
    {
      rows->batch.part = p;
      rows->batch.n_parts = s->n_parts;
    }
  return rows;
}

/* Add row I of BATCH to ROWS, at ADDRESS. */
static inline void
add (struct cab_keyed_rows *rows, const struct cab_batch *batch, uint32_t i, uint64_t address)
{
  uint32_t at = rows->batch.n++;
  rows->site[at] = batch->site[i];
  rows->form[at] = batch->form[i];
  rows->address[at] = address;
  rows->bytes[at] = batch->bytes[i];
  if (batch->other)
    rows->other[at] = batch->other[i];
  rows->times[at] = rows->step[at] = 0;
}

/* Give row I of BATCH in iteration K, from 0, of its stretch, if it has one. */
static void
give_row (struct sharing *s, const struct cab_batch *batch, uint32_t i, uint64_t k)
{
  uint64_t address = batch->address[i] + (k ? k * batch->step[i] : 0),
	   parts = batch->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE)
		   ? touched (s, address, batch->bytes[i])
		   : s->all;
  for (; parts; parts &= parts - 1)
    {
      struct cab_keyed_rows *rows = room (s, __builtin_ctzll (parts), 1);
      if (rows)
	add (rows, batch, i, address);
    }
}

/* Give rows [FIRST, END) of BATCH, a stretch. */
static void
give_stretch (struct sharing *s, const struct cab_batch *batch, uint32_t first, uint32_t end)
{
  uint64_t *concerns = s->split->concerns;
  concerns[0] = s->all;
  for (uint32_t i = first + 1; i < end; i++)
    concerns[i - first] = touched_by_stretch (s, batch, i);
  for (uint32_t p = 0; p < s->n_parts; p++)
    {
      uint32_t n = 0;
      for (uint32_t i = first; i < end; i++)
	n += concerns[i - first] >> p & 1;
      struct cab_keyed_rows *rows = room (s, p, n);
      for (uint32_t i = first; rows && i < end; i++)
	if (concerns[i - first] >> p & 1)
	  {
	    add (rows, batch, i, batch->address[i]);
	    rows->times[rows->batch.n - 1] = batch->times[i];
	    rows->step[rows->batch.n - 1] = batch->step[i];
	  }
    }
}

/* Return the end of the stretch that begins with row I of BATCH. */
static uint32_t
end_of (const struct cab_batch *batch, uint32_t i)
{
  uint32_t end = i + 1;
  while (end < batch->n && batch->times[end] && !(batch->form[end] & CAB_ROW_LOOP))
    end++;
  return end;
}

void
cab_keyed_share_rows (struct cab_keyed_split *split, const struct cab_analysis *analysis,
		      const struct cab_batch *batch, uint32_t n_parts,
		      const struct cab_keyed_host *host)
{
  struct sharing s = { split, host, *batch, n_parts, cab_keyed_log2 (analysis),
		       UINT64_MAX >> (64 - n_parts) };
  s.like.times = s.like.step = split->concerns;   /* any column */
  s.like.node = NULL;
  s.like.value = NULL;
  s.like.value_type = NULL;
  for (uint32_t p = 0; p < n_parts; p++)
    split->open[p] = NULL;
  for (uint32_t i = 0, end; i < batch->n; i = end)
    {
      bool is_stretch = batch->times && batch->times[i];
      end = is_stretch ? end_of (batch, i) : i + 1;
      if (is_stretch && end - i <= CAB_KEYED_ROWS)
	{
	  give_stretch (&s, batch, i, end);
	  continue;
	}
      for (uint64_t k = 0, n = is_stretch ? batch->times[i] : 1; k < n; k++)
	for (uint32_t row = i; row < end; row++)
	  give_row (&s, batch, row, k);
    }
}
