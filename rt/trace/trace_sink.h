/* trace_sink.h - where the frames of a trace go: a file, a device, a named pipe, or the socket of
 * `cabprof record'.
 *
 * Model:      TARGET is "unix:PATH" or the name of a file, in which %p stands for PID-START, as
 *             parts are named.  A file that is there already is left as it is: the trace is then
 *             FILE.PID-START.  A character device or a named pipe that is there is written to.  A
 *             pipe is opened once, which waits for its reader, and takes one process' trace: forked
 *             children and others that come to it are -EBUSY.
 * Threads:    one at a time.
 * Errors:     -errno; a connection or a pipe that the reader has ended is -EPIPE, a file at its
 *             limit of size -EFBIG: neither sends a signal.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_TRACE_SINK_H
#define CAB_RT_TRACE_SINK_H

#include <sys/types.h>
#include "cabprof/trace.h"
#include "rt/common/sys.h"

/* How often something is tried again where another thread of the program closes what it does not
   know in the midst of it. */
#define CAB_TRACE_TRIES 8

enum cab_trace_sink_kind
{
  CAB_SINK_FILE,             /* opened for each frame, as is */
  CAB_SINK_DEVICE,
  CAB_SINK_PIPE,             /* kept open, as is */
  CAB_SINK_SOCKET
};

struct cab_trace_sink
{
  enum cab_trace_sink_kind kind;
  int fd;                    /* of what is kept open, + 1; 0: none */
  dev_t dev;
  ino_t ino;
  char path[CAB_PATH_BYTES]; /* of all but the socket, absolute */
};

/* Open, and write the start.  QUIET: that the name was taken is not told, since a forked child
   finds its parent's. */
int cab_trace_sink_open (struct cab_trace_sink *sink, const char *target, int quiet);
/* False: the program has closed the connection. */
int cab_trace_sink_ready (const struct cab_trace_sink *sink);
/* A frame and its bytes.  A file that the program has closed meanwhile is opened again, and what is
   left of the frame is written; a connection is not: the frame has to come again. */
int cab_trace_sink_put (struct cab_trace_sink *sink, const struct cab_trace_frame *frame,
			const void *bytes);
/* Has the other end said that it has told why it goes? */
int cab_trace_sink_was_told (const struct cab_trace_sink *sink);
void cab_trace_sink_close (struct cab_trace_sink *sink);

#endif
