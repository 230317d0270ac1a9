/* trace_contexts.h - in which calling context is a process of a trace?  For trace_source.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one tree for all threads of a process (the analysis `tree'), whose stack is that of
 *             the thread that was asked for last; the others' stacks are kept as marks.  Of calls
 *             that a trace lacks, what docs/limits.md says of the tree.
 * Ownership:  the tree is that of CONTEXTS, until the free.
 */
#ifndef CAB_TRACE_CONTEXTS_H
#define CAB_TRACE_CONTEXTS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

struct cab_trace_contexts
{
  struct cab_arena tree;
  uint32_t thread, n_threads;
  uint64_t *marks;              /* by thread */
  bool resumed;                 /* something was compiled with "context" */
};

void cab_trace_contexts_init (struct cab_trace_contexts *contexts);
void cab_trace_contexts_fini (struct cab_trace_contexts *contexts);

/* What comes now is THREAD's, from 0. */
void cab_trace_contexts_thread (struct cab_trace_contexts *contexts, uint32_t thread);
/* The RESUME words that the N words at WORDS begin with; how many they are. */
size_t cab_trace_contexts_resume (struct cab_trace_contexts *contexts, const uint64_t *words,
				  size_t n);
/* How many of the N words at WORDS, whole events, stand before the first RESUME word. */
size_t cab_trace_contexts_stretch (const uint64_t *words, size_t n);
void cab_trace_contexts_calls (struct cab_trace_contexts *contexts, const struct cab_batch *calls);

#endif
