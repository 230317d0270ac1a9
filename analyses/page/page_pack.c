/* page_pack.c - see page_pack.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_pack.h"
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>
#include <libiberty/libiberty.h>

#define GZIP 16   /* added to the window's size: zlib writes the header of gzip */

/* A stream that is compressed, then encoded. */
struct packer
{
  z_stream z;
  FILE *to;
  unsigned char out[3 * 4096];   /* whole groups of base64 */
};

/* Write N bytes of DATA in base64.  Only the last call may have an N that is no multiple of 3. */
static void
encode (const unsigned char *data, size_t n, FILE *to)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3)
    {
      unsigned left = n - i < 3 ? n - i : 3;
      unsigned bits = data[i] << 16 | (left > 1 ? data[i + 1] << 8 : 0)
		    | (left > 2 ? data[i + 2] : 0);
      putc (digits[bits >> 18], to);
      putc (digits[bits >> 12 & 63], to);
      putc (left > 1 ? digits[bits >> 6 & 63] : '=', to);
      putc (left > 2 ? digits[bits & 63] : '=', to);
    }
}

/* Compress what P has to read, and write each full buffer; with FINISH, all that is left. */
static void
compress_on (struct packer *p, bool finish)
{
  int status;
  do
    {
      status = deflate (&p->z, finish ? Z_FINISH : Z_NO_FLUSH);
      if (p->z.avail_out && status != Z_STREAM_END)
	continue;
      encode (p->out, sizeof p->out - p->z.avail_out, p->to);
      p->z.next_out = p->out;
      p->z.avail_out = sizeof p->out;
    }
  while (finish ? status != Z_STREAM_END : p->z.avail_in != 0);
}

static int
take (const char *buffer, size_t n, void *host)
{
  struct packer *p = host;
  p->z.next_in = (unsigned char *) buffer;
  p->z.avail_in = n;
  compress_on (p, false);
  return 0;
}

void
cab_page_pack (const json_t *document, FILE *to)
{
  struct packer *p = XCNEW (struct packer);
  p->to = to;
  p->z.next_out = p->out;
  p->z.avail_out = sizeof p->out;
  if (deflateInit2 (&p->z, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS | GZIP, MAX_MEM_LEVEL,
		    Z_DEFAULT_STRATEGY)
      != Z_OK)
    xmalloc_failed (sizeof *p);
  json_dump_callback (document, take, p, JSON_COMPACT | JSON_REAL_PRECISION (17));
  compress_on (p, true);
  deflateEnd (&p->z);
  free (p);
}
