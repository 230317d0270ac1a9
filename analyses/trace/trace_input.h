/* trace_input.h - the bytes of a trace, packed or rows, decompressed if they are in zstd's format.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  the descriptor is the caller's.
 * Errors:     negative with words in DIAG.
 */
#ifndef CAB_TRACE_INPUT_H
#define CAB_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include "cabprof/analysis.h"

struct cab_trace_input
{
  int fd;
  const char *path;
  uint64_t offset;           /* bytes delivered, counted after decompression */
  uint64_t raw;              /* bytes read from the descriptor */
  struct ZSTD_DCtx_s *zstd;  /* null: not compressed */
  bool ended;
  bool inside;               /* the position is within a frame of zstd's */
  unsigned char ahead[8];    /* of a compressed trace: n_ahead bytes that were looked at and not yet
				read */
  size_t n_ahead;
  unsigned char *buffer;
  size_t at, end;            /* range of the buffer that is not yet used */
};

void cab_trace_input_open (struct cab_trace_input *in, int fd, const char *path);
/* Copy the first bytes, decompressed if need be, to *HEAD, up to eight, *N of them; they remain to
   be read. */
int cab_trace_input_look (struct cab_trace_input *in, unsigned char head[8], size_t *n,
			  struct cab_diag *diag);
/* Read N bytes, or as many as there are before the end, *HAD of them. */
int cab_trace_input_read (struct cab_trace_input *in, void *to, size_t n, size_t *had,
			  struct cab_diag *diag);
void cab_trace_input_close (struct cab_trace_input *in);

/* Write "PATH: at offset N: WRONG: TODO" to DIAG.  Return -1. */
int cab_trace_refuse (const struct cab_trace_input *in, struct cab_diag *diag, const char *wrong,
		      const char *todo);

#endif
