/* trace_input.c - see trace_input.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_input.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include <libiberty/libiberty.h>

#define BUFFER_BYTES (256u << 10)
#define WINDOW_LOG_MAX 27   /* limits the memory that a trace may ask for to 128 MB */

int
cab_trace_refuse (const struct cab_trace_input *in, struct cab_diag *diag, const char *wrong,
		  const char *todo)
{
  snprintf (diag->text, sizeof diag->text, "%.200s: at offset %" PRIu64 ": %s: %s", in->path,
	    in->offset, wrong, todo);
  return -1;
}

void
cab_trace_input_open (struct cab_trace_input *in, int fd, const char *path)
{
  *in = (struct cab_trace_input) { .fd = fd, .path = path, .buffer = xmalloc (BUFFER_BYTES) };
}

/* Read more bytes into the buffer, after those in it; at the end of the file there are none. */
static int
fill (struct cab_trace_input *in, struct cab_diag *diag)
{
  if (in->at == in->end)
    in->at = in->end = 0;
  ssize_t n;
  do
    n = read (in->fd, in->buffer + in->end, BUFFER_BYTES - in->end);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return cab_trace_refuse (in, diag, strerror (errno), "check what it is read from");
  in->ended = n == 0;
  in->end += n;
  in->raw += n;
  return 0;
}

static int
read_plain (struct cab_trace_input *in, void *to, size_t n, size_t *had, struct cab_diag *diag)
{
  while (*had < n)
    {
      if (in->at == in->end && (in->ended || fill (in, diag) < 0))
	return in->ended ? 0 : -1;
      size_t part = in->end - in->at < n - *had ? in->end - in->at : n - *had;
      memcpy ((char *) to + *had, in->buffer + in->at, part);
      in->at += part;
      *had += part;
    }
  return 0;
}

static int
read_compressed (struct cab_trace_input *in, void *to, size_t n, size_t *had, struct cab_diag *diag)
{
  ZSTD_outBuffer out = { to, n, 0 };
  while (out.pos < n)
    {
      if (in->at == in->end && !in->ended && fill (in, diag) < 0)
	return -1;
      ZSTD_inBuffer from = { in->buffer, in->end, in->at };
      size_t before = out.pos, left = in->at == in->end && !in->inside
				      ? 0
				      : ZSTD_decompressStream (in->zstd, &out, &from);
      if (ZSTD_isError (left))
	return cab_trace_refuse (in, diag, ZSTD_getErrorName (left),
				 "the compressed trace is damaged; what came before is whole");
      bool stuck = out.pos == before && in->at == from.pos;
      in->at = from.pos;
      in->inside = left != 0;
      if (in->ended && stuck)
	break;
    }
  *had = out.pos;
  return 0;
}

int
cab_trace_input_look (struct cab_trace_input *in, unsigned char head[8], size_t *n,
		      struct cab_diag *diag)
{
  static const unsigned char magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };
  while (in->end < 8 && !in->ended)
    if (fill (in, diag) < 0)
      return -1;
  *n = in->end < 8 ? in->end : 8;
  memcpy (head, in->buffer, *n);
  if (*n < sizeof magic || memcmp (head, magic, sizeof magic))
    return 0;
  in->zstd = ZSTD_createDCtx ();
  if (!in->zstd)
    xmalloc_failed (0);
  ZSTD_DCtx_setParameter (in->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
  if (read_compressed (in, in->ahead, sizeof in->ahead, n, diag) < 0)
    return -1;
  in->n_ahead = *n;
  memcpy (head, in->ahead, *n);
  return 0;
}

int
cab_trace_input_read (struct cab_trace_input *in, void *to, size_t n, size_t *had,
		      struct cab_diag *diag)
{
  size_t first = n < in->n_ahead ? n : in->n_ahead;
  memcpy (to, in->ahead, first);
  memmove (in->ahead, in->ahead + first, in->n_ahead -= first);
  *had = 0;
  int result = in->zstd ? read_compressed (in, (char *) to + first, n - first, had, diag)
			: read_plain (in, to, n, had, diag);
  *had += first;
  in->offset += *had;
  return result;
}

void
cab_trace_input_close (struct cab_trace_input *in)
{
  ZSTD_freeDCtx (in->zstd);
  free (in->buffer);
  memset (in, 0, sizeof *in);
}
