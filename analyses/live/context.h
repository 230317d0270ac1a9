/* context.h - give events the tree's node of the activation that they belong to.
 *
 * Model:      The words of one thread are cut at CALL, TAIL, UNDER and RESUME words.  Calls go to
 *             the host, which feeds the tree.  The words between them belong to the node on top,
 *             and go to the host as batches with the column `node'.  If the host takes paths and
 *             accesses, these are in program order, and say which frames were left.  How words are
 *             cut into batches depends on the words alone, so that the reader of a dead process
 *             cuts them as the process did.
 * Threads:    as the decoder.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CONTEXT_H
#define CAB_RT_CONTEXT_H

#include "analyses/wire/decode.h"

/* What a host asks for, and the column `node' of the batches that it is given. */
struct cab_context
{
  void *host;
  uint32_t kinds;                           /* bits 1 << kind that `rest' takes; others are
					       skipped */
  uint32_t is_ordered;                      /* an analysis that CAB_WANTS_STACK gets paths and
					       accesses, so their order matters */
  /* Called with a batch of calls, which the host feeds to the tree. */
  void (*calls) (void *host, const struct cab_batch *batch);
  /* Called with a batch of PATH, LOOP, SAMPLE or ACCESS events, never empty; and, if order
     matters, with one of paths without rows, for analyses that CAB_WANTS_STACK alone. */
  void (*rest) (void *host, const struct cab_batch *batch);
  struct cab_arena *(*tree) (void *host);   /* return the tree's state, perhaps not yet opened; null
					       if there is none */
  uint32_t node[CAB_BATCH_MAX];
  uint32_t last;                            /* the first N_NODES elements of node are this one */
  uint32_t n_nodes;
  uint32_t kept;                            /* frames that have not been left since the last batch
					       of paths or accesses; at most so many */
};

/* Return nonzero if analysis A wants contexts. */
static inline int
cab_context_wanted (const struct cab_analysis *a)
{
  return (a->wants & CAB_WANTS_NODE) != 0;
}

/* Return nonzero if analysis A wants to know where the stack stands. */
static inline int
cab_context_stack_wanted (const struct cab_analysis *a)
{
  return (a->wants & CAB_WANTS_STACK) != 0;
}

/* Return nonzero if analysis A wants the levels of accesses, in rows that are cut for it. */
static inline int
cab_context_level_wanted (const struct cab_analysis *a)
{
  return (a->wants & CAB_WANTS_LEVEL) != 0;
}

/* Decode the N words at WORDS, whole events of thread THREAD, by D, and give them to the host.  D's
   accounts count what it decodes. */
void cab_context_words (struct cab_context *c, struct cab_decode *d, const uint64_t *words,
			size_t n, uint32_t thread);

/* Give the nodes of FROM the same numbers in TREE, which is about to replace it: see
   cab_tree_number_as. */
void cab_context_number_as (struct cab_arena *tree, const struct cab_arena *from);

/* Return where the tree's stack stands, as cab_tree_mark; 0 while there is no tree. */
uint64_t cab_context_mark (const struct cab_context *c);

#endif
