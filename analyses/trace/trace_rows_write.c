/* trace_rows_write.c - write the format `rows': see trace_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_rows.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/trace/trace_rows_layout.h"

static void
write_all (struct cab_rows_writer *w, const void *bytes, size_t n)
{
  const char *at = bytes;
  while (n > 0 && !w->error)
    {
      ssize_t done = write (w->fd, at, n);
      if (done < 0 && errno != EINTR)
	w->error = errno;
      else if (done > 0)
	{
	  at += done;
	  n -= done;
	}
    }
}

static void
write_block (struct cab_rows_writer *w, uint32_t kind, uint64_t n, const void *bytes,
	     size_t n_bytes)
{
  struct cab_rows_block_header header = { CAB_ROWS_MARK, kind, n, n_bytes };
  write_all (w, &header, sizeof header);
  write_all (w, bytes, n_bytes);
}

static void
flush (struct cab_rows_writer *w)
{
  if (w->n)
    write_block (w, CAB_ROWS_ROWS, w->n, w->rows, w->n * sizeof *w->rows);
  w->total += w->n;
  w->n = 0;
}

void
cab_rows_begin (struct cab_rows_writer *w, int fd)
{
  struct cab_rows_header header = {
    .magic = CAB_ROWS_MAGIC, .version = CAB_ROWS_VERSION, .byte_order = CAB_ROWS_BYTE_ORDER,
    .row_bytes = sizeof (struct cab_trace_row), .n_columns = CAB_ROWS_COLUMNS
  };
  *w = (struct cab_rows_writer) { .fd = fd,
				  .rows = XCNEWVEC (struct cab_trace_row, CAB_ROWS_BLOCK) };
  write_all (w, &header, sizeof header);
  write_all (w, cab_rows_columns, sizeof *cab_rows_columns * CAB_ROWS_COLUMNS);
}

void
cab_rows_write (struct cab_rows_writer *w, const struct cab_trace_row *rows, size_t n)
{
  while (n > 0)
    {
      size_t taken = n < CAB_ROWS_BLOCK - w->n ? n : CAB_ROWS_BLOCK - w->n;
      memcpy (w->rows + w->n, rows, taken * sizeof *rows);
      w->n += taken;
      rows += taken;
      n -= taken;
      if (w->n == CAB_ROWS_BLOCK)
	flush (w);
    }
}

void
cab_rows_write_names (struct cab_rows_writer *w, const char *names, size_t n)
{
  flush (w);
  while (n > 0)
    {
      /* Write whole lines, as many as fit into a block. */
      const char *end = n <= CAB_ROWS_NAMES_MAX ? names + n - 1
						: memrchr (names, '\n', CAB_ROWS_NAMES_MAX);
      size_t taken = end ? (size_t) (end + 1 - names) : n;
      write_block (w, CAB_ROWS_NAMES, 0, names, taken);
      names += taken;
      n -= taken;
    }
}

/* Free the memory of a writer, without writing an end to the trace. */
static void
abandon (struct cab_rows_writer *w)
{
  free (w->rows);
  w->rows = NULL;
}

int
cab_rows_end (struct cab_rows_writer *w)
{
  flush (w);
  write_block (w, CAB_ROWS_END, w->total, NULL, 0);
  abandon (w);
  return -w->error;
}
