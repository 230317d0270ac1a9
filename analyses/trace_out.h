/* trace_out.h - where `cabprof record' puts a trace: a file, standard output, a socket; as it is, compressed, or as rows or text.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      frames go in.  Compressed: chunks are predicted (trace_pack.h), and the whole goes through zstd.  Rows and text are made by a
 *             process of our own behind a pipe, so that neither waits for the other.
 * Threads:    open and close in the one, put in another, never at once.
 * Errors:     open: negative, with words.  put: the first error stays, later calls do nothing.
 */
#ifndef CAB_TRACE_OUT_H
#define CAB_TRACE_OUT_H

#include <stdbool.h>
#include <sys/types.h>
#include "cabprof/analysis.h"
#include "cabprof/trace.h"

struct cab_trace_request
{
  const char *target;        /* FILE, -, tcp:HOST:PORT, unix:PATH; null: no trace */
  const char *format;        /* packed, rows, text */
  bool compress;
};

struct cab_trace_out
{
  const char *target;
  int fd, error;
  pid_t stage;               /* that makes rows or text; 0: none */
  struct cab_trace_pack *pack;
  struct ZSTD_CCtx_s *zstd;
  unsigned char *buffer;
  size_t room, unflushed;
};

int cab_trace_out_open (struct cab_trace_out *out, const struct cab_trace_request *request, struct cab_diag *diag);
void cab_trace_out_put (struct cab_trace_out *out, const struct cab_trace_frame *frame, const void *bytes);
/* What is left, and the end: 0, or an errno. */
int cab_trace_out_close (struct cab_trace_out *out);

#endif
