/* feed_make.h - makes what a ring's feed consists of: a decoder, states, delegates, sections.
 *
 * Threads:    under the ring's consumer lock.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_MAKE_H
#define CAB_RT_FEED_MAKE_H

#include "rt/engine/feed/feed.h"

/* Return nonzero if A is fed by itself, run by run: it takes several kinds, or rows of loops, which
   no other analysis gets. */
static inline int
cab_feed_takes_runs (const struct cab_analysis *a)
{
  return (a->kinds & (a->kinds - 1)) != 0 || a->wants & CAB_WANTS_LOOPS;
}

/* Return BYTES of zeros for a ring, or null.  Addresses for ever more rings are mapped at once, so
   that rings do not need a mapping each. */
void *cab_feed_memory (size_t bytes);

/* Make the decoder and the states of FEED, which has none, for the chosen analyses; delegates get
   FUNCTIONS.  Set *WANTED to the kinds of those that want nodes.  Return false if there is no
   memory. */
bool cab_feed_make (struct cab_feed *feed, const struct cab_functions *functions, uint32_t *wanted);

#endif
