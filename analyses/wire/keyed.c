/* keyed.c - see keyed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/keyed.h"

#include <string.h>

void
cab_keyed_begin (struct cab_keyed_rows *rows, const struct cab_batch *batch)
{
  rows->batch = (struct cab_batch) { .kind = batch->kind, .thread = batch->thread };
#define COLUMN(name) rows->batch.name = batch->name ? rows->name : NULL
  COLUMN (events), COLUMN (fn), COLUMN (site), COLUMN (form), COLUMN (node), COLUMN (loop);
  COLUMN (count), COLUMN (address), COLUMN (other), COLUMN (bytes), COLUMN (value);
  COLUMN (value_type), COLUMN (times), COLUMN (step);
#undef COLUMN
}

bool
cab_keyed_fits (const struct cab_keyed_rows *rows, const struct cab_batch *batch, uint32_t n)
{
  const struct cab_batch *to = &rows->batch;
#define COLUMN(name) !to->name == !batch->name
  return to->kind == batch->kind && to->thread == batch->thread && n <= CAB_KEYED_ROWS - to->n
      && COLUMN (events) && COLUMN (fn) && COLUMN (site) && COLUMN (form) && COLUMN (node)
      && COLUMN (loop) && COLUMN (count) && COLUMN (address) && COLUMN (other) && COLUMN (bytes)
      && COLUMN (value) && COLUMN (value_type) && COLUMN (times) && COLUMN (step);
#undef COLUMN
}

const char *
cab_keyed_wrong (const struct cab_analysis *a)
{
  const uint32_t calls = 1u << CAB_EV_CALL, flows = 1u << CAB_EV_PATH | 1u << CAB_EV_LOOP,
		 accesses = 1u << CAB_EV_ACCESS, samples = 1u << CAB_EV_SAMPLE;
  const uint32_t takes[] = { [CAB_KEY_SITE] = UINT32_MAX,
			     [CAB_KEY_TARGET] = calls | flows,
			     [CAB_KEY_ADDRESS] = accesses | samples,
			     [CAB_KEY_VALUE] = accesses,
			     [CAB_KEY_OWN] = UINT32_MAX };
  if (a->key > CAB_KEY_OWN || a->kinds & ~takes[a->key])
    return "its `key' does not exist, or some of its kinds of events do not have it";
  if (a->wants & (CAB_WANTS_SHAPES | CAB_WANTS_REGIONS))
    return "it is sharded by key, and wants accesses as shapes or regions, which have none";
  if (a->wants & CAB_WANTS_LEVEL)
    return "it is sharded by key, and wants levels, which are known batch by batch only";
  if ((a->key == CAB_KEY_OWN) != (a->own_key != NULL))
    return "its `key' and `own_key' do not belong together";
  if (a->key_log2
      && (a->key != CAB_KEY_ADDRESS || a->key_log2 < CAB_KEY_LOG2_LEAST
	  || a->key_log2 > CAB_KEY_LOG2_MOST))
    return "its `key_log2' is not from 6 to 40, or its key is not an address";
  return NULL;
}

/* Return the key of row I of BATCH by site. */
static uint64_t
site_of (const struct cab_batch *batch, uint32_t i)
{
  switch (batch->kind)
    {
    case CAB_EV_CALL: return cab_ev_site (batch->events[i]);
    case CAB_EV_PATH: return cab_ev_fn (batch->events[i]);
    case CAB_EV_LOOP: return (uint64_t) batch->fn[i] << 32 | batch->loop[i];
    case CAB_EV_SAMPLE: return batch->address[i];
    default: return batch->site[i];
    }
}

/* Return the key of row I of BATCH by where control goes. */
static uint64_t
target_of (const struct cab_batch *batch, uint32_t i)
{
  return batch->kind == CAB_EV_CALL   ? cab_ev_callee (batch->events[i])
	 : batch->kind == CAB_EV_PATH ? cab_ev_fn (batch->events[i])
				      : batch->fn[i];
}

static uint64_t
key_of (const struct cab_analysis *analysis, const struct cab_batch *batch, uint32_t i)
{
  switch (analysis->key)
    {
    case CAB_KEY_TARGET: return target_of (batch, i);
    case CAB_KEY_ADDRESS: return batch->address[i] >> cab_keyed_log2 (analysis);
    case CAB_KEY_VALUE: return batch->value && batch->value_type[i] ? batch->value[i] : 0;
    case CAB_KEY_OWN: return analysis->own_key (batch, i);
    default: return site_of (batch, i);
    }
}

/* Set the part of each of the N rows of BATCH from FIRST on. */
static void
choose (struct cab_keyed_split *split, const struct cab_analysis *analysis,
	const struct cab_batch *batch, uint32_t first, uint32_t n, uint32_t n_parts)
{
  const uint32_t *site = batch->site ? batch->site + first : NULL;
  uint8_t *part = split->part;
  if (analysis->key == CAB_KEY_SITE && site)
    for (uint32_t i = 0; i < n; i++)
      part[i] = cab_keyed_part (site[i], n_parts);
  else
    for (uint32_t i = 0; i < n; i++)
      part[i] = cab_keyed_part (key_of (analysis, batch, first + i), n_parts);
}

/* List the N rows by part, in `row': those of part P are the last N[P] ones before END[P]. */
static void
list (struct cab_keyed_split *split, uint32_t n, uint32_t n_parts)
{
  uint32_t sum = 0;
  memset (split->n, 0, n_parts * sizeof *split->n);
  for (uint32_t i = 0; i < n; i++)
    split->n[split->part[i]]++;
  for (uint32_t p = 0; p < n_parts; p++)
    {
      split->end[p] = sum;
      sum += split->n[p];
    }
  for (uint32_t i = 0; i < n; i++)
    split->row[split->end[split->part[i]]++] = i;
}

/* Add the N rows of BATCH from FIRST on that ROW lists to TO. */
static void
gather (struct cab_keyed_rows *to, const struct cab_batch *batch, uint32_t first,
	const uint16_t *row, uint32_t n)
{
#define COLUMN(name, type) \
  if (batch->name) \
    { \
      const type *restrict from = batch->name + first; \
      type *restrict at = to->name + to->batch.n; \
      for (uint32_t i = 0; i < n; i++) \
	at[i] = from[row[i]]; \
    }
  COLUMN (events, uint64_t)
  COLUMN (fn, uint32_t)
  COLUMN (site, uint32_t)
  COLUMN (form, uint8_t)
  COLUMN (node, uint32_t)
  COLUMN (loop, uint32_t)
  COLUMN (count, uint64_t)
  COLUMN (address, uint64_t)
  COLUMN (other, uint64_t)
  COLUMN (bytes, uint64_t)
  COLUMN (value, uint64_t)
  COLUMN (value_type, uint8_t)
#undef COLUMN
  to->batch.n += n;
  to->batch.has_runs |= batch->has_runs;
}

/* Give N rows of BATCH from FIRST on to HOST; N is CAB_KEYED_ROWS at most. */
static void
give (struct cab_keyed_split *split, const struct cab_analysis *analysis,
      const struct cab_batch *batch, uint32_t first, uint32_t n, uint32_t n_parts,
      const struct cab_keyed_host *host)
{
  choose (split, analysis, batch, first, n, n_parts);
  list (split, n, n_parts);
  for (uint32_t p = 0; p < n_parts; p++)
    {
      uint32_t n_own = split->n[p];
      struct cab_keyed_rows *rows = n_own ? host->room (host->host, p, batch, n_own) : NULL;
      if (rows)
	gather (rows, batch, first, split->row + split->end[p] - n_own, n_own);
    }
}

/* Return how many bytes of row I of BATCH, from byte DONE on, lie in one block. */
static uint64_t
in_block (const struct cab_batch *batch, uint32_t i, uint64_t done, unsigned log2)
{
  uint64_t bytes = batch->bytes[i], at = batch->address[i] + done, block = UINT64_C (1) << log2;
  uint64_t room = block - (at & (block - 1));
  bool is_whole = !(batch->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE)) || bytes - done <= room
	       || bytes >> log2 >= CAB_KEY_PIECES || batch->address[i] + bytes < bytes;
  return is_whole ? bytes - done : room;
}

/* Copy row I of BATCH, of accesses, to row N of ROWS. */
static void
copy_access (struct cab_keyed_rows *rows, uint32_t n, const struct cab_batch *batch, uint32_t i)
{
#define COLUMN(name) \
  if (batch->name) \
  rows->name[n] = batch->name[i]
  COLUMN (site);
  COLUMN (form);
  COLUMN (node);
  COLUMN (address);
  COLUMN (other);
  COLUMN (bytes);
  COLUMN (value);
  COLUMN (value_type);
#undef COLUMN
}

/* Fill ROWS with pieces of the rows of BATCH from *ROW on, the first of them without its first
   *DONE bytes, as far as they fit. */
static void
cut (struct cab_keyed_rows *rows, const struct cab_batch *batch, unsigned log2, uint32_t *row,
     uint64_t *done)
{
  cab_keyed_begin (rows, batch);
  for (uint32_t n = 0; *row < batch->n && n < CAB_KEYED_ROWS; rows->batch.n = ++n)
    {
      uint64_t bytes = in_block (batch, *row, *done, log2);
      copy_access (rows, n, batch, *row);
      rows->address[n] += *done;
      rows->bytes[n] = bytes;
      *done += bytes;
      if (*done < batch->bytes[*row])
	continue;
      *done = 0;
      ++*row;
    }
}

/* Return true if a row of BATCH reaches into several blocks. */
static bool
is_cut (const struct cab_batch *batch, unsigned log2)
{
  for (uint32_t i = 0; i < batch->n; i++)
    if (in_block (batch, i, 0, log2) != batch->bytes[i])
      return true;
  return false;
}

void
cab_keyed_rows (struct cab_keyed_split *split, const struct cab_analysis *analysis,
		const struct cab_batch *batch, uint32_t n_parts,
		const struct cab_keyed_host *host)
{
  unsigned log2 = cab_keyed_log2 (analysis);
  if (cab_keyed_shares (analysis))
    {
      cab_keyed_share_rows (split, analysis, batch, n_parts, host);
      return;
    }
  if (cab_keyed_cuts (analysis) && batch->kind == CAB_EV_ACCESS && is_cut (batch, log2))
    {
      uint64_t done = 0;
      for (uint32_t row = 0; row < batch->n;)
	{
	  cut (&split->cut, batch, log2, &row, &done);
	  give (split, analysis, &split->cut.batch, 0, split->cut.batch.n, n_parts, host);
	}
      return;
    }
  for (uint32_t at = 0, n; at < batch->n; at += n)
    {
      n = batch->n - at < CAB_KEYED_ROWS ? batch->n - at : CAB_KEYED_ROWS;
      give (split, analysis, batch, at, n, n_parts, host);
    }
}
