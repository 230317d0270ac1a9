/* finish_keyed.c - see finish_keyed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/finish_keyed.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/wire/keyed.h"
#include "analyses/profile/finish/finish_words.h"

/* Working memory, and the batch that is being split. */
struct cab_finish_keyed
{
  struct cab_keyed_split split;
  struct cab_keyed_rows rows[CAB_KEYED_PARTS + 1];   /* the last: of the state for all keys */
  struct cab_finish_rest *rest;
  const struct cab_analysis *analysis;
  uint32_t n_parts, first;   /* `first': part 0 stands for this one */
};

/* Return how many parts the states of ANALYSIS for this ring are; 0: the state is whole. */
static uint32_t
n_parts_of (struct cab_finish_rest *rest, const struct cab_analysis *analysis)
{
  if (analysis->shard != CAB_SHARD_KEY)
    return 0;
  const struct cab_finish_arena *one = cab_finish_find (rest, analysis);
  return one ? one->key.n_parts : cab_keyed_cuts (analysis);
}

/* Return which of the two counts of events fed belongs to the ring's tail. */
static unsigned
bank_of (const struct cab_ring_header *h)
{
  return (h->type == CAB_RING_CAB ? h->tail / h->chunk_slots : h->tail) & 1;
}

/* Feed BATCH to ONE, which knows how many events it was given before. */
static void
feed (struct cab_finish_rest *rest, struct cab_finish_arena *one, const struct cab_batch *batch)
{
  if (!one->begun)
    one->before = one->key.fed[bank_of (rest->header)];
  one->begun = true;
  cab_finish_feed (rest, one, *batch, one->before);
  one->before += cab_batch_events (batch);
}

/* Feed BATCH to the serial state of ANALYSIS.  That of a running process is left as it is: which
   events it has had is known only while it stands still. */
static void
feed_serial (struct cab_finish_rest *rest, const struct cab_analysis *analysis,
	     const struct cab_batch *batch)
{
  if (!rest->finish->live)
    feed (rest, cab_finish_part_of (rest, analysis, rest->number, CAB_PART_SERIAL), batch);
}

void
cab_finish_serial (struct cab_finish_rest *rest)
{
  for (uint32_t i = 0; i < rest->finish->n_arenas; i++)
    {
      struct cab_finish_arena *one = &rest->finish->arenas[i];
      if (one->key.n_parts == CAB_PART_SERIAL && one->key.part == rest->number)
	one->before = one->key.fed[bank_of (rest->header)];
    }
}

/* Feed part PART the rows that are gathered for it. */
static void
flush (struct cab_finish_keyed *k, uint32_t part)
{
  struct cab_batch *batch = &k->rows[part].batch;
  if (!batch->n)
    return;
  feed (k->rest, cab_finish_part_of (k->rest, k->analysis, part, k->n_parts), batch);
  batch->n = 0;
}

static struct cab_keyed_rows *
room (void *host, uint32_t part, const struct cab_batch *batch, uint32_t n)
{
  struct cab_finish_keyed *k = host;
  part += k->first;
  struct cab_keyed_rows *rows = &k->rows[part];
  if (!rows->batch.n || !cab_keyed_fits (rows, batch, n))
    {
      flush (k, part);
      cab_keyed_begin (rows, batch);
    }
  return rows;
}

bool
cab_finish_keyed (struct cab_finish_rest *rest, const struct cab_analysis *analysis,
		  const struct cab_batch *batch)
{
  if (analysis->shard == CAB_SHARD_SERIAL)
    {
      feed_serial (rest, analysis, batch);
      return true;
    }
  uint32_t n_parts = n_parts_of (rest, analysis);
  if (!n_parts)
    return false;
  if (!rest->keyed)
    rest->keyed = XCNEW (struct cab_finish_keyed);
  struct cab_finish_keyed *k = rest->keyed;
  const struct cab_keyed_host host = { k, room };
  k->rest = rest;
  k->analysis = analysis;
  k->n_parts = n_parts;
  k->first = 0;
  cab_keyed_rows (&k->split, analysis, batch, n_parts, &host);
  k->first = n_parts;
  if (cab_finish_find_part (rest, analysis, n_parts, n_parts))
    cab_keyed_rows (&k->split, analysis, batch, 1, &host);
  for (uint32_t part = 0; part <= n_parts; part++)
    flush (k, part);
  return true;
}

void
cab_finish_keyed_free (struct cab_finish_keyed *keyed)
{
  free (keyed);
}
