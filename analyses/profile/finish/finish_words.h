/* finish_words.h - feed a ring's words to the analyses that have not had them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      finish.h.
 */
#ifndef CAB_FINISH_WORDS_H
#define CAB_FINISH_WORDS_H

#include "analyses/profile/finish/finish_rest.h"

/* Return the kinds of events that analyses of the process want with nodes. */
uint32_t cab_finish_kinds_with_nodes (const struct cab_finish *finish);

/* If an analysis of the process wants nodes, set up their context and rewind the tree to where it
   stood when the consumer reached the ring's tail. */
void cab_finish_begin_context (struct cab_finish_rest *rest);

/* Feed ONE the words that its state holds but has not counted yet.  RECORDS are those of the
   decoder. */
void cab_finish_ahead (struct cab_finish_arena *one, const struct cab_decode_records *records);

/* Feed ONE the rows that it has not had of BATCH, which follows BEFORE events that it was given.
   Return how many rows it had already. */
uint32_t cab_finish_feed (struct cab_finish_rest *rest, struct cab_finish_arena *one,
			  struct cab_batch batch, uint64_t before);

/* Feed N words, which are whole events, to the analyses that have not had them.  PUBLISHED: the
   ledger counts them as enqueued. */
void cab_finish_words (struct cab_finish_rest *rest, const uint64_t *words, uint64_t n,
		       bool published);

#endif
