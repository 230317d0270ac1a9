/* cmd_trace.h - what the stages of `cabprof trace' share.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     calls that return int return 0, or an exit status after printing what is wrong.
 */
#ifndef CAB_CMD_TRACE_H
#define CAB_CMD_TRACE_H

#include <stdbool.h>
#include "analyses/base/table.h"
#include "analyses/trace/trace_out.h"
#include "analyses/trace/trace_source.h"

/* The stages.  argv[0] is the stage's name.  Each returns the exit status. */
int cab_trace_dump (int argc, char **argv);
int cab_trace_stat (int argc, char **argv);
int cab_trace_filter (int argc, char **argv);
int cab_trace_replay (int argc, char **argv);
int cab_trace_check (int argc, char **argv);

/* Feed the events of the packed trace in PATH to ANALYSES, a list with all arguments, and discard
   their states.  Print what is wrong and return the exit status. */
int cab_trace_feed (const char *path, const char *analyses);

/* Parse the arguments of a stage whose only option is --format, and the trace after them, into
   *FORMAT and *PATH.  SUBCOMMAND and ABOUT are as in struct cab_arguments.  Return 0, an exit
   status, or CAB_ARGUMENTS_HELPED. */
int cab_trace_format (const char *subcommand, const char *about, int argc, char **argv,
		      enum cab_format *format, const char **path);
/* Open the trace in PATH, - being standard input, and set *FD. */
int cab_trace_file (const char *path, int *fd);

/* Open the trace in PATH and prepare READER for it.  On an error, print what is wrong and close the
   file.  Return CAB_EXIT_GOOD, or the status of the error. */
int cab_trace_begin (struct cab_rows_reader *reader, const char *path, int *fd);
/* End the reading of a trace after cab_rows_next returned RESULT: print what is wrong with the
   trace or missing from it, and return the exit status. */
int cab_trace_finish (struct cab_rows_reader *reader, const char *path, int fd, int result,
		      const struct cab_diag *diag);

/* Call ADD for each module of PROCESS that the packed trace of READER has recorded since *N_TOLD,
   which is 0 at first.  Print the reason where ADD fails. */
void cab_trace_modules (const struct cab_rows_reader *reader, uint32_t process, uint32_t *n_told,
			int (*add) (void *to, const char *path, uint64_t load_bias,
				    struct cab_diag *diag),
			void *to);

/* Return the kind of ROW in a word: call, tail, under, path, last, loop, read, write, modify,
   allocated, released, moved. */
const char *cab_trace_kind (const struct cab_trace_row *row);

/* The rows that the user wants. */
struct cab_row_filter
{
  uint32_t process, thread;              /* 0: any */
  const char *function, *file, *variable;   /* patterns; null: any */
  const char *kinds;                     /* words joined by commas; null: any */
  uint64_t from, to;                     /* addresses, [from, to) */
  uint64_t after, before;                /* times, [after, before) */
  bool has_range;
};
/* Return true if ROW matches FILTER. */
bool cab_trace_wanted (const struct cab_row_filter *filter, const struct cab_rows_reader *reader,
		       const struct cab_trace_row *row);
/* Clear each name in MISSING that ROW, which was not wanted, matches on its own. */
void cab_trace_note_names (struct cab_row_filter *missing, const struct cab_rows_reader *reader,
			   const struct cab_trace_row *row);
/* Write the wanted part of the packed trace in PATH, packed.  FILTER must not select by properties
   of single rows.  Return the exit status. */
int cab_trace_filter_packed (const char *path, const struct cab_row_filter *filter,
			     const struct cab_trace_request *request);
/* Return the option of FILTER that selects by properties of single rows, or null. */
const char *cab_row_filter_of_rows (const struct cab_row_filter *filter);
/* Return the first word of KINDS that is not a kind, or null. */
const char *cab_trace_no_kind (const char *kinds);

/* Write the rows of the trace in PATH to standard output in FORMAT: as text, TSV or JSON lines, as
   the stage `dump' does. */
int cab_trace_print (const char *path, int format);
/* Read a packed trace from standard input and write it to standard output as FORMAT, "rows" or
   "text".  Return the exit status. */
int cab_trace_convert (const char *format);

#endif
