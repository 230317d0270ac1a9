/* trace_out.h - where `cabprof record' puts a trace: a file, standard output, a socket; as it is,
 * compressed, or as rows or text.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      it takes frames.  If compressed, chunks are predicted (analyses/wire/trace_words.h),
 *             by the program or here, and everything may go through zstd.  Rows and text are made
 *             by a child process at the end of a pipe, so that neither waits for the other.
 * Threads:    open and close in one thread, put in another, never at the same time.  Only put and
 *             close write; where a reader may go away and the process must continue, SIGPIPE is
 *             blocked around them.
 * Errors:     open: negative, with words. put: the first error stays, later calls do nothing.
 */
#ifndef CAB_TRACE_OUT_H
#define CAB_TRACE_OUT_H

#include <stdbool.h>
#include <sys/types.h>
#include "cabprof/analysis.h"
#include "cabprof/trace.h"

enum cab_trace_compress
{
  CAB_COMPRESS_NONE,
  CAB_COMPRESS_PREDICTED,
  CAB_COMPRESS_ZSTD          /* words are predicted, too */
};

struct cab_trace_request
{
  const char *target;        /* FILE, -, tcp:HOST:PORT, unix:PATH; null: no trace */
  const char *format;        /* packed, rows, text */
  enum cab_trace_compress compress;
  bool predict;              /* predict the chunks here, as they arrive plain; those that are too
				long stay plain */
  int (*convert) (const char *format);   /* read a packed trace on standard input, write FORMAT to
					    standard output; returns the exit status */
};

struct cab_trace_out
{
  const char *target;
  int fd, error;
  pid_t stage;               /* the process that makes rows or text; 0: none */
  bool predict, begun;
  struct cab_words **predictors;   /* by process; null: as at the start */
  uint32_t n_predictors;
  unsigned char *packed;     /* a predicted chunk */
  size_t packed_room;
  struct ZSTD_CCtx_s *zstd;
  unsigned char *buffer;
  size_t room, unflushed;
};

int cab_trace_out_open (struct cab_trace_out *out, const struct cab_trace_request *request,
			struct cab_diag *diag);
/* Put FRAME and its BYTES. */
void cab_trace_out_put (struct cab_trace_out *out, const struct cab_trace_frame *frame,
			const void *bytes);
/* Return the value of HOW in --compress=HOW, or negative if there is none. */
int cab_trace_compress_named (const char *how);
/* Write what is left, and the end.  Return 0, or an errno. */
int cab_trace_out_close (struct cab_trace_out *out);

#endif
