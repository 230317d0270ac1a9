/* cmd_trace_stat.c - cabprof trace stat: how many events there are by kind and thread, and how many
 * bytes one takes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/output.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/command/command.h"

static const struct cab_column columns[] = {
  { "process", CAB_NUMBER, 0 },
  { "thread", CAB_NUMBER, 0 },
  { "kind", CAB_TEXT, 0 },
  { "events", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 }
};
enum { PROCESS, THREAD, KIND, EVENTS, BYTES, N_COLUMNS };

struct stat_of
{
  struct cab_table table;
  size_t last;                 /* the row that was counted last */
  uint64_t accesses, events, first, end;
};

/* Return the line for rows like ROW. */
static union cab_cell *
cell_of (struct stat_of *stat, const struct cab_trace_row *row)
{
  const char *kind = cab_trace_kind (row);
  for (size_t k = 0; k < stat->table.n_rows; k++)
    {
      size_t i = (stat->last + k) % stat->table.n_rows;
      union cab_cell *cell = stat->table.cells + i * N_COLUMNS;
      if (cell[KIND].text == kind && cell[PROCESS].count == row->process
	  && cell[THREAD].count == row->thread)
	{
	  stat->last = i;
	  return cell;
	}
    }
  union cab_cell *cell = cab_table_row (&stat->table);
  stat->last = stat->table.n_rows - 1;
  cell[PROCESS].count = row->process;
  cell[THREAD].count = row->thread;
  cell[KIND].text = kind;
  return cell;
}

static void
count (struct stat_of *stat, const struct cab_trace_row *row)
{
  union cab_cell *cell = cell_of (stat, row);
  cell[EVENTS].count += row->times;
  cell[BYTES].count += row->bytes;
  stat->accesses += row->kind == CAB_EV_ACCESS && row->form < CAB_ROW_ALLOCATED;
  stat->events += row->times;
  stat->first = row->time < stat->first ? row->time : stat->first;
  stat->end = row->time > stat->end ? row->time : stat->end;
}

static void
print (struct stat_of *stat, struct cab_rows_reader *reader, const char *path,
       enum cab_format format)
{
  const struct cab_trace_reader *packed = cab_source_packed (reader);
  uint64_t bytes = packed ? packed->in.raw : reader->in.raw;
  char *title = xasprintf ("%s: %ju bytes, %.4g per access, %.4g per event, over %.3g s", path,
			   (uintmax_t) bytes, stat->accesses ? (double) bytes / stat->accesses : 0,
			   stat->events ? (double) bytes / stat->events : 0,
			   stat->events ? (stat->end - stat->first) / 1e9 : 0);
  stat->table.title = title;
  stat->table.total = stat->events;
  stat->table.note = cab_rows_sampled (reader);
  cab_table_sort (&stat->table, PROCESS);
  cab_arg_write (&stat->table, format, 0, path);
  free (title);
}

int
cab_trace_stat (int argc, char **argv)
{
  struct stat_of stat = { .first = UINT64_MAX };
  enum cab_format format = CAB_FORMAT_TEXT;
  struct cab_rows_reader reader;
  struct cab_diag diag;
  const char *path;
  int fd, result, status;
  status = cab_trace_format ("trace stat",
			     "Count events by kind and thread, and the bytes of each.", argc, argv,
			     &format, &path);
  if (status || (status = cab_trace_begin (&reader, path, &fd)))
    return status < 0 ? CAB_EXIT_GOOD : status;
  cab_table_init (&stat.table, "trace", "", columns, N_COLUMNS);
  stat.table.total_column = EVENTS;
  while ((result = cab_rows_next (&reader, &diag)) > 0)
    for (size_t i = 0; result == CAB_ROWS_ROWS && i < reader.n_rows; i++)
      count (&stat, &reader.rows[i]);
  print (&stat, &reader, path, format);
  cab_table_fini (&stat.table);
  return cab_trace_finish (&reader, path, fd, result, &diag);
}
