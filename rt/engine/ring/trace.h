/* trace.h - writes the process' events, unchanged, to a file or to `cabprof record'.
 *
 * Source:     include/cabprof/trace.h
 * Model:      each drain of a ring hands a chunk over before it is given back to the producer; so
 *             no chunk is missing from both the trace and the ring of a dead process.  A file is
 *             opened for each chunk, and checked to be the same one; a connection is kept open,
 *             checked to be ours, and made again where the program has closed it.
 * Threads:    chunk: one consumer per ring, any number of rings at once; a lock of its own guards
 *             the trace, taken after a ring's lock and before `lock'.
 * Errors:     reported once.  What cannot be written is counted in the ledger (untraced), and the
 *             program goes on.  The trace then ends with the frame before, or with a part of one,
 *             which readers report.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_TRACE_H
#define CAB_RT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begin the trace if one is wanted; the options have been parsed.  Under `lock'. */
void cab_trace_start (void);

/* Return nonzero if a trace is to be written. */
int cab_trace_on (void);

/* Write N words of ring RING, whose producer is THREAD; AT and STAMP are the frame's. */
void cab_trace_chunk (uint32_t ring, uint32_t thread, uint64_t at, uint64_t stamp,
		      const uint64_t *words, size_t n);

/* Write all tables and the header: the process ends, and its state and ledger are final. */
void cab_trace_end (void);

/* In a forked child, begin a trace of its own with the first chunk.  SHARED: the parent's
   descriptors may belong to this process as well, and stay open. */
void cab_trace_fork (bool shared);

#endif
