/* trace.h - the process' events, as they are, to a file or to `cabprof record'.
 *
 * Source:     include/cabprof/trace.h
 * Model:      who drains a ring hands each chunk over before it is given back to the producer; so a
 *             chunk that is neither in the trace nor in the ring of a dead process does not exist.
 *             A file is opened for each chunk, and checked to be the same one; a connection is
 *             kept, checked to be ours, and made anew where the program has closed it.
 * Threads:    chunk: one consumer of a ring, any rings at once; a lock of its own guards the trace,
 *             below a ring's lock and above `lock'.
 * Errors:     told once.  What cannot be written is counted in the ledger (untraced), and the
 *             program goes on.  The trace then ends with the frame before, or with a part of one,
 *             which readers tell.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_TRACE_H
#define CAB_RT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options were parsed: begin, if a trace is wanted.  Under `lock'. */
void cab_trace_start (void);

/* Is there a trace to be written? */
int cab_trace_on (void);

/* N words of ring RING, whose producer is THREAD; AT and STAMP as in the frame. */
void cab_trace_chunk (uint32_t ring, uint32_t thread, uint64_t at, uint64_t stamp,
		      const uint64_t *words, size_t n);

/* The process ends, its state and ledger are final: all tables and the header. */
void cab_trace_end (void);

/* In a forked child: a trace of its own, with the first chunk.  SHARED: the parent's descriptors
   may be this process' as well, and stay open. */
void cab_trace_fork (bool shared);

#endif
