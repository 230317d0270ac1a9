/* trace_sink.h - where the frames of a trace go: a file, a device, a named pipe, or the socket of
 * `cabprof record'.
 *
 * Model:      TARGET is "unix:PATH" or the name of a file, in which %p stands for PID-START, as
 *             parts are named.  A file that exists is left as it is: the trace is then
 *             FILE.PID-START.  An existing character device or named pipe is written to.  A pipe is
 *             opened once, which waits for its reader, and takes one process' trace: forked
 *             children and other processes get -EBUSY.
 * Threads:    one at a time.
 * Errors:     -errno; a connection or a pipe that the reader has closed is -EPIPE, a file at its
 *             size limit -EFBIG: neither sends a signal.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_TRACE_SINK_H
#define CAB_RT_TRACE_SINK_H

#include <sys/types.h>
#include "cabprof/trace.h"
#include "rt/common/sys.h"

/* How often an operation is tried again while another thread of the program closes descriptors that
   it does not know. */
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
  int fd;                    /* descriptor that is kept open, + 1; 0: none */
  dev_t dev;
  ino_t ino;
  char path[CAB_PATH_BYTES]; /* absolute; not of a socket */
};

/* Open the sink and write the start of a trace.  QUIET: do not report that the name was taken,
   since a forked child finds its parent's.  Return 0 or -errno. */
int cab_trace_sink_open (struct cab_trace_sink *sink, const char *target, int quiet);
/* Return false if the program has closed the connection. */
int cab_trace_sink_ready (const struct cab_trace_sink *sink);
/* Write FRAME and its BYTES.  A file that the program has closed meanwhile is opened again, and the
   rest of the frame is written; a connection is not: the frame must then be sent again.  Return 0
   or -errno. */
int cab_trace_sink_put (struct cab_trace_sink *sink, const struct cab_trace_frame *frame,
			const void *bytes);
/* Return nonzero if the other end has announced that it has reported why it ends. */
int cab_trace_sink_was_told (const struct cab_trace_sink *sink);
/* Close what is kept open, if it is still ours. */
void cab_trace_sink_close (struct cab_trace_sink *sink);

#endif
