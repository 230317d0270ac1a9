/* cmd_trace.h - what the stages of `cabprof trace' share.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     calls that return int give 0, or an exit status after they have said what is wrong.
 */
#ifndef CAB_CMD_TRACE_H
#define CAB_CMD_TRACE_H

#include <stdbool.h>
#include "analyses/base/table.h"
#include "analyses/trace/trace_out.h"
#include "analyses/trace/trace_source.h"

/* argv[0] is the stage's name. */
int cab_trace_dump (int argc, char **argv);
int cab_trace_stat (int argc, char **argv);
int cab_trace_filter (int argc, char **argv);
int cab_trace_replay (int argc, char **argv);
int cab_trace_check (int argc, char **argv);

/* Feed the events of the packed trace in PATH to ANALYSES, a list with all arguments, and forget
   their states; what is wrong is said.  The exit status. */
int cab_trace_feed (const char *path, const char *analyses);

/* What all stages can do, on standard output; CAB_EXIT_GOOD. */
int cab_trace_help (void);

/* The options of a stage that has --format alone, and the trace behind them.  False: the stage is
   over, with *STATUS. */
bool cab_trace_format (int argc, char **argv, enum cab_format *format, const char **path,
		       int *status);
int cab_trace_file (const char *path, int *fd);

/* Open, say what is wrong, close.  Status: CAB_EXIT_GOOD, or that of what was said. */
int cab_trace_begin (struct cab_rows_reader *reader, const char *path, int *fd);
/* The trace was read up to RESULT of cab_rows_next: say what is wrong with it or is missing; the
   exit status. */
int cab_trace_finish (struct cab_rows_reader *reader, const char *path, int fd, int result,
		      const struct cab_diag *diag);

/* The modules of PROCESS of the packed trace behind READER that it has told of since *N_TOLD, 0 at
   first, go to ADD; where that fails, why is said. */
void cab_trace_modules (const struct cab_rows_reader *reader, uint32_t process, uint32_t *n_told,
			int (*add) (void *to, const char *path, uint64_t load_bias,
				    struct cab_diag *diag),
			void *to);

/* A row's kind in a word: call, tail, under, path, last, loop, read, write, modify, allocated,
   released, moved. */
const char *cab_trace_kind (const struct cab_trace_row *row);

/* Which rows are wanted. */
struct cab_trace_wish
{
  uint32_t process, thread;              /* 0: any */
  const char *function, *file, *variable;   /* patterns; null: any */
  const char *kinds;                     /* words joined by commas; null: any */
  uint64_t from, to;                     /* addresses, [from, to) */
  uint64_t after, before;                /* times, [after, before) */
  bool has_range;
};
bool cab_trace_wanted (const struct cab_trace_wish *wish, const struct cab_rows_reader *reader,
		       const struct cab_trace_row *row);
/* ROW was not wanted: which names that are still MISSING does it have, each for itself?  They
   go. */
void cab_trace_note_names (struct cab_trace_wish *missing, const struct cab_rows_reader *reader,
			   const struct cab_trace_row *row);
/* The part of the trace in PATH that is wanted, packed.  The wish must not ask for what single rows
   are. */
int cab_trace_filter_packed (const char *path, const struct cab_trace_wish *wish,
			     const struct cab_trace_request *request);
/* The option that does, or null. */
const char *cab_trace_wish_of_rows (const struct cab_trace_wish *wish);
/* Are all the words of KINDS kinds?  The first that is none, or null. */
const char *cab_trace_no_kind (const char *kinds);

/* Rows of the trace in PATH on standard output, as text (text), tsv or json lines: what `dump'
   does. */
int cab_trace_print (const char *path, int format);
/* Read a packed trace on standard input and write it as FORMAT, "rows" or "text", on standard
   output; the exit status. */
int cab_trace_convert (const char *format);

#endif
