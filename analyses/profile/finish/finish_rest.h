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
  uint64_t seen[8];                      /* by batch kind: events that analyses had been fed up to
					    `tail' */
  uint64_t found[8];                     /* by batch kind: events found after `tail' so far */
  struct cab_decode *decode;
  struct cab_context *context;           /* null: no analysis wants nodes */
  uint64_t placed[8];                    /* by batch kind, like `found': events that came with their
					    nodes, or went to the tree that knows these */
};

/* Return the analysis of ITEM of a list of analyses, or null if it is not known.  An analysis that
   the profile names is loaded by its name only. */
const struct cab_analysis *cab_finish_analysis (const char *item);
/* Return the state of ANALYSIS for this ring and for the set of regions that its words belong to,
   or null if the process had not created it. */
struct cab_finish_arena *cab_finish_find (struct cab_finish_rest *rest,
					  const struct cab_analysis *analysis);
/* Return the same state as cab_finish_find, created if the process had not done so. */
struct cab_finish_arena *cab_finish_arena_of (struct cab_finish_rest *rest,
					      const struct cab_analysis *analysis);
/* Set `shapes' and `rows' to whether analyses of the process take accesses by shape, or one by
   one. */
void cab_finish_note_accesses (struct cab_finish *finish);
/* Return the kinds of events that analyses of the process want with nodes. */
uint32_t cab_finish_kinds_with_nodes (const struct cab_finish *finish);

/* If an analysis of the process wants nodes, set up their context and rewind the tree to where it
   stood when the consumer reached the ring's tail. */
void cab_finish_begin_context (struct cab_finish_rest *rest);
/* Feed ONE the words that its state holds but has not counted yet.  RECORDS are those of the
   decoder. */
void cab_finish_ahead (struct cab_finish_arena *one, const struct cab_decode_records *records);
/* Feed N words, which are whole events, to the analyses that have not had them.  PUBLISHED: the
   ledger counts them as enqueued. */
void cab_finish_words (struct cab_finish_rest *rest, const uint64_t *words, uint64_t n,
		       bool published);

#endif
