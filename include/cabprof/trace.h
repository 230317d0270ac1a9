/* trace.h - recorded events: the packed form of a trace, which the runtime writes and `cabprof
 * trace' reads.
 *
 * Source:     docs/trace.md describes the same format for other readers of traces.
 * Model:      struct cab_trace_start, then frames, each a header and its bytes.  A trace is of one
 *             process or of several, distinguished by their numbers.  What is needed to read a
 *             process' events (tables and records, as in its part: profile.h) comes before the
 *             first chunk that needs it, written by the same thread.  `cabprof record' may compress
 *             the whole in zstd's format.  What a process sends to `cabprof record' by a unix
 *             socket has the same form.
 * Shapes:     frame kinds:
 *     HEADER    bytes: struct cab_part_header up to `arenas'.  The first frame of a process, and
 *               its last: there `state' is CAB_PART_ENDED and the ledger is final.  Chunks may
 *               follow that, and another HEADER; the last one holds.  `owner' 1: the process was
 *               killed, and `cabprof record' has added what its rings held.  If the last one has
 *               neither, the process was killed and nobody finished its trace, or the trace was cut
 *               off between two frames.
 *     TABLE     bytes of area (table, owner) of the part, from area offset `at' on: strings,
 *               modules, functions, threads, counts.  Tables grow, and rows of threads may be
 *               repeated.
 *     RECORDS   of module `owner' (its index): bytes of modules/KEY.info
 *     CHUNK     words of ring `owner', of thread `thread', which were published at `stamp'; `at': a
 *               number of the ring that grows with each chunk (chunk ring: of the chunk; CAB: slots
 *               before it)
 *   A process that has lost its connection, or that forked, starts again with HEADER.  A process is
 *   identified by (pid, start_realtime_ns).
 * Units:      bytes, or as named.
 * Errors:     every reader treats every field as hostile.
 */
#ifndef CABPROF_TRACE_H
#define CABPROF_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include "cabprof/profile.h"

#define CAB_TRACE_MAGIC "CABTRAC"   /* with its NUL */
#define CAB_TRACE_VERSION 2

struct cab_trace_start
{
  char magic[8];
  uint32_t version;
  uint32_t byte_order;              /* CAB_PART_BYTE_ORDER */
};

enum cab_trace_kind
{
  CAB_TRACE_HEADER = 1,
  CAB_TRACE_TABLE,
  CAB_TRACE_RECORDS,
  CAB_TRACE_CHUNK
};

enum cab_trace_method
{
  CAB_TRACE_PLAIN,
  CAB_TRACE_PREDICTED               /* of a CHUNK: docs/trace.md, "Predicted words" */
};

#define CAB_TRACE_MARK 0x4d524643u  /* "CFRM" */
struct cab_trace_frame
{
  uint32_t mark;
  uint16_t kind, method;
  uint32_t process;                 /* 1, 2, ... in the order of their first frames; by a process
				       itself: 1 */
  uint32_t table;                   /* TABLE: enum cab_extent_kind */
  uint32_t owner;
  uint32_t thread;                  /* CHUNK: index in THREADS */
  uint64_t at;
  uint64_t stamp;                   /* CHUNK: CLOCK_MONOTONIC, ns */
  uint64_t bytes;                   /* that follow */
};

#define CAB_TRACE_HEADER_BYTES offsetof (struct cab_part_header, arenas)
#define CAB_TRACE_FRAME_MAX (UINT64_C (1) << 30)

#endif
