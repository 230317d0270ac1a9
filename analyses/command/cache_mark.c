/* cache_mark.c - see cache_mark.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cache_mark.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/command/command.h"
#include "analyses/live/cache/an_cache.h"

/* Return which levels the access to bytes [FIRST, LAST] missed, one bit each. */
static unsigned
misses (struct cab_cachesim *sim, uint64_t first, uint64_t last, unsigned form)
{
  struct cab_access access = { .address = first,
			       .size = last - first + 1,
			       .kind = form == (CAB_ROW_READ | CAB_ROW_WRITE) ? CAB_ACCESS_MODIFY
				     : form == CAB_ROW_WRITE ? CAB_ACCESS_WRITE
				     : CAB_ACCESS_READ };
  uint8_t mark = 0;
  cab_cachesim_feed (sim, &access, 1, &mark);
  return mark;
}

static void
mark_row (struct cab_cachesim *sim, const struct cab_cachesim_config *config,
	  struct cab_trace_row *row)
{
  unsigned form = row->form & (CAB_ROW_READ | CAB_ROW_WRITE), missed = 0, level = 0;
  if (row->kind != CAB_EV_ACCESS || !form || !row->bytes)
    return;
  uint64_t bytes = row->bytes < CAB_CACHE_RANGE_MOST ? row->bytes : CAB_CACHE_RANGE_MOST,
	   first = row->address, line = config->d1.line;
  uint64_t last = bytes - 1 > UINT64_MAX - first ? UINT64_MAX : first + bytes - 1;
  if ((row->form & CAB_ROW_RANGE) || bytes > line)
    for (; first / line != last / line; first = (first / line + 1) * line)
      missed |= misses (sim, first, (first / line + 1) * line - 1, form);
  missed |= misses (sim, first, last, form);
  for (unsigned k = 0; k <= config->n_shared; k++)
    if (missed >> k & 1)
      level = k + 1;
  row->level = level > config->n_shared ? CAB_ROW_MISSED_ALL : level + 1;
}

/* Write the number of caches to which the levels refer.  It precedes all names, since the first of
   two such lines is valid, and the rows may have been marked before. */
static void
tell_caches (struct cab_rows_writer *writer, const struct cab_cachesim_config *config)
{
  char line[32];
  int n = snprintf (line, sizeof line, "L\t0\t%u\n", 1 + config->n_shared);
  cab_rows_write_names (writer, line, n);
}

int
cab_cache_mark (struct cab_cachesim *sim, const struct cab_cachesim_config *config,
		const char *path)
{
  struct cab_rows_reader reader;
  struct cab_rows_writer writer;
  struct cab_diag diag;
  int fd, result, status;
  if (isatty (STDOUT_FILENO))
    {
      cab_say (
	"rows: a terminal cannot show them: pass them on by a pipe, as to `cabprof trace dump -'");
      return CAB_EXIT_FAILED;
    }
  if ((status = cab_trace_begin (&reader, path, &fd)))
    return status;
  cab_rows_begin (&writer, STDOUT_FILENO);
  tell_caches (&writer, config);
  while ((result = cab_rows_next (&reader, &diag)) > 0 && !writer.error)
    if (result == CAB_ROWS_NAMES)
      cab_rows_write_names (&writer, reader.names, reader.n_names);
    else
      for (size_t i = 0; i < reader.n_rows; i++)
	{
	  struct cab_trace_row row = reader.rows[i];
	  mark_row (sim, config, &row);
	  cab_rows_write (&writer, &row, 1);
	}
  int error = cab_rows_end (&writer);
  status = cab_trace_finish (&reader, path, fd, result, &diag);
  if (error && error != -EPIPE)
    cab_say ("standard output: cannot write: %s: check the disk", strerror (-error));
  return error ? CAB_EXIT_FAILED : status;
}
