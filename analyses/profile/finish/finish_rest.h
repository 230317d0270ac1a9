/* finish_rest.h - one ring that is being finished; for finish.c, finish_words.c and
 * finish_stream.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_FINISH_REST_H
#define CAB_FINISH_REST_H

#include "analyses/profile/finish/finish.h"
#include "analyses/live/context.h"

struct cab_finish_rest
{
  struct cab_finish *finish;
  const struct cab_part *part;
  uint32_t number;
  const struct cab_ring_header *header;
  const uint64_t *slots;
  uint64_t n_slots;
  uint64_t seen[8];                      /* events of each batch kind that analyses had been fed up
					    to `tail` */
  uint64_t found[8];                     /* ... and those found behind it so far */
  struct cab_decode *decode;
  struct cab_context *context;           /* null: no analysis wants nodes */
  uint64_t placed[8];                    /* as `found', of events that came with their nodes, or to
					    the tree that knows these */
};

/* What ITEM of a list of analyses is; null: it is not known.  What it names in the profile is
   loaded by its name alone. */
const struct cab_analysis *cab_finish_analysis (const char *item);
/* The state of ANALYSIS for this ring, and for the set of regions that its words belong to; null:
   the process had not come to it. */
struct cab_finish_arena *cab_finish_find (struct cab_finish_rest *rest,
					  const struct cab_analysis *analysis);
/* ... made if the process had not come to it. */
struct cab_finish_arena *cab_finish_arena_of (struct cab_finish_rest *rest,
					      const struct cab_analysis *analysis);
/* Do analyses of the process take accesses, and how?  Goes to `shapes' and `rows'. */
void cab_finish_note_accesses (struct cab_finish *finish);
/* Kinds of events that analyses of the process want with nodes. */
uint32_t cab_finish_kinds_with_nodes (const struct cab_finish *finish);

/* If an analysis of the process wants nodes: back to where the tree stood when the consumer came to
   the ring's tail. */
void cab_finish_begin_context (struct cab_finish_rest *rest);
/* Words that are in ONE's state, and not in what it counts: they are fed.  RECORDS as the
   decoder's. */
void cab_finish_ahead (struct cab_finish_arena *one, const struct cab_decode_records *records);
/* Whole events: to those analyses that have not had them.  PUBLISHED: the ledger has them as
   enqueued. */
void cab_finish_words (struct cab_finish_rest *rest, const uint64_t *words, uint64_t n,
		       bool published);

#endif
