/* trace_out.h - where `cabprof record' puts a trace: a file, standard output, a socket; as it is,
 * compressed, or as rows or text.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      frames go in.  Compressed: chunks are predicted (analyses/wire/trace_words.h), by the
 *             program or here, and the whole may go through zstd.  Rows and text are made by a
 *             process of our own behind a pipe, so that neither waits for the other.
 * Threads:    open and close in the one, put in another, never at once.  Only put and close write;
 *             where a reader may go away and the process is to go on, SIGPIPE is blocked around
 *             them.
 * Errors:     open: negative, with words.  put: the first error stays, later calls do nothing.
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
  CAB_COMPRESS_ZSTD          /* predicted words, too */
};

struct cab_trace_request
{
  const char *target;        /* FILE, -, tcp:HOST:PORT, unix:PATH; null: no trace */
  const char *format;        /* packed, rows, text */
  enum cab_trace_compress compress;
  bool predict;              /* here: chunks come as they are, but for those that stay so */
  int (*convert) (const char *format);   /* Read a packed trace on standard input, write FORMAT on
					    standard output; the exit status. */
};

struct cab_trace_out
{
  const char *target;
  int fd, error;
  pid_t stage;               /* that makes rows or text; 0: none */
  bool predict, begun;
  struct cab_words **predictors;   /* by process; null: as at the start */
  uint32_t n_predictors;
  unsigned char *packed;     /* a chunk */
  size_t packed_room;
  struct ZSTD_CCtx_s *zstd;
  unsigned char *buffer;
  size_t room, unflushed;
};

int cab_trace_out_open (struct cab_trace_out *out, const struct cab_trace_request *request,
			struct cab_diag *diag);
void cab_trace_out_put (struct cab_trace_out *out, const struct cab_trace_frame *frame,
			const void *bytes);
/* The HOW of --compress=HOW; negative: there is none. */
int cab_trace_compress_named (const char *how);
/* What is left, and the end: 0, or an errno. */
int cab_trace_out_close (struct cab_trace_out *out);

#endif
