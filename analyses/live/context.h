/* context.h - events with the tree's node of the activation that they belong to.
 *
 * Model:      the words of one thread are taken apart at CALL, TAIL, UNDER and RESUME words.  Calls
 *             go to the host, which feeds the tree; what stands between belongs to the node on top,
 *             and goes to the host as batches with the column `node'.  How words are cut into
 *             batches depends on the words alone, so that the reader of a dead process cuts them as
 *             the process did.
 * Threads:    as the decoder.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CONTEXT_H
#define CAB_RT_CONTEXT_H

#include "analyses/wire/decode.h"

struct cab_context
{
  void *host;
  uint32_t kinds;                           /* bits 1 << kind that `rest' takes: others are passed
					       over */
  /* Calls: to be fed to the tree.  */
  void (*calls) (void *host, const struct cab_batch *batch);
  /* PATH, LOOP, SAMPLE or ACCESS, never empty. */
  void (*rest) (void *host, const struct cab_batch *batch);
  struct cab_arena *(*tree) (void *host);   /* the tree's state, perhaps not yet opened; null: there
					       is none */
  uint32_t node[CAB_BATCH_MAX];
  uint32_t last;                            /* node holds N_NODES of it */
  uint32_t n_nodes;
};

/* Does A want contexts? */
static inline int
cab_context_wanted (const struct cab_analysis *a)
{
  return (a->wants & CAB_WANTS_NODE) != 0;
}

/* The N words at WORDS, whole events, of thread THREAD.  D is used meanwhile; its accounts count
   what it decodes. */
void cab_context_words (struct cab_context *c, struct cab_decode *d, const uint64_t *words,
			size_t n, uint32_t thread);

#endif
