/* trace_contexts.h - the calling contexts of a process of a trace; for trace_source.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one tree for all threads of a process (the analysis `tree'), whose stack is that of
 *             the thread that was selected last; the stacks of the others are kept as marks.  For
 *             calls that a trace lacks, see docs/limits.md on the tree.
 * Ownership:  the tree belongs to CONTEXTS, until cab_trace_contexts_fini.
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

/* Select THREAD, from 0, as the one whose events follow. */
void cab_trace_contexts_thread (struct cab_trace_contexts *contexts, uint32_t thread);
/* Take the RESUME words that the N words at WORDS begin with.  Return how many they are. */
size_t cab_trace_contexts_resume (struct cab_trace_contexts *contexts, const uint64_t *words,
				  size_t n);
/* Return how many of the N words at WORDS, which are whole events, precede the first RESUME
   word. */
size_t cab_trace_contexts_stretch (const uint64_t *words, size_t n);
/* Follow CALLS of the selected thread. */
void cab_trace_contexts_calls (struct cab_trace_contexts *contexts, const struct cab_batch *calls);

#endif
