/* trace_input.h - the bytes of a trace, packed or rows, taken out of zstd's format if they are in
 * it.
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
  uint64_t offset;           /* bytes given out; of a compressed trace: as if it were not */
  uint64_t raw;              /* bytes read */
  struct ZSTD_DCtx_s *zstd;  /* null: not compressed */
  bool ended;
  bool inside;               /* of a frame of zstd's */
  unsigned char ahead[8];    /* of a compressed one: what has been looked at and not yet read, so
				many */
  size_t n_ahead;
  unsigned char *buffer;
  size_t at, end;            /* what is in the buffer and not yet used */
};

void cab_trace_input_open (struct cab_trace_input *in, int fd, const char *path);
/* Looks at the first bytes, out of zstd's format if they are in it; they stay to be read.  *HEAD:
   up to eight of them. */
int cab_trace_input_look (struct cab_trace_input *in, unsigned char head[8], size_t *n,
			  struct cab_diag *diag);
/* N bytes, or as many as there are before the end (*HAD). */
int cab_trace_input_read (struct cab_trace_input *in, void *to, size_t n, size_t *had,
			  struct cab_diag *diag);
void cab_trace_input_close (struct cab_trace_input *in);

/* "PATH: at offset N: WRONG: REMEDY"; -1. */
int cab_trace_refuse (const struct cab_trace_input *in, struct cab_diag *diag, const char *wrong,
		      const char *todo);

#endif
