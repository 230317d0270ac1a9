/* trace_left.h - what a process left that did not end its trace: the words in its rings, from its
 * part.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "finishing" in include/cabprof/profile.h
 * Model:      a chunk is returned to its producer only after it was written to the trace, so the
 *             numbers of the chunks tell which were received.  Records go to the trace with the
 *             first chunk that needs them; a process that was killed before that has sent none.
 */
#ifndef CAB_TRACE_LEFT_H
#define CAB_TRACE_LEFT_H

#include "analyses/profile/part.h"
#include "analyses/trace/trace_out.h"

/* The last chunk of ring RING that was received. */
struct cab_trace_seen
{
  uint32_t ring;
  uint64_t at, words;
};

/* What was received of a process. */
struct cab_trace_came
{
  uint32_t n_seen, n_records;
  struct cab_trace_seen *seen;
  uint32_t *records;         /* the modules whose records were received */
};

/* Put to OUT what PART, of the trace's process PROCESS, has beyond CAME, and that nothing more
   follows. */
void cab_trace_left_put (struct cab_trace_out *out, const struct cab_part *part, uint32_t process,
			 const struct cab_trace_came *came);

#endif
