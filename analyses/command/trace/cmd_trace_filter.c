/* cmd_trace_filter.c - cabprof trace filter: pass on the wanted rows of a trace.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/command/command.h"

/* Parse FROM-TO, either of which may be missing. */
static int
parse_range (const char *text, int base, uint64_t *from, uint64_t *to)
{
  char *end;
  errno = 0;
  *from = *text == '-' ? 0 : strtoull (text, &end, base);
  if (*text == '-')
    end = (char *) text;
  if (*end != '-' || errno)
    return cab_usage ("trace filter", text, "not of the form FROM-TO");
  *to = end[1] ? strtoull (end + 1, &end, base) : UINT64_MAX;
  if ((*end && *end != '-') || (*end == '-' && end[1]) || errno || *from >= *to)
    return cab_usage ("trace filter", text, "not of the form FROM-TO");
  return 0;
}

static int
take_address (const struct cab_argument *option, const char *value)
{
  struct cab_row_filter *filter = option->to;
  filter->has_range = true;
  return parse_range (value, 16, &filter->from, &filter->to);
}

static int
take_time (const struct cab_argument *option, const char *value)
{
  struct cab_row_filter *filter = option->to;
  return parse_range (value, 10, &filter->after, &filter->before);
}

static int
take_kinds (const struct cab_argument *option, const char *value)
{
  const char **kinds = option->to;
  *kinds = value;
  if (*value && !cab_trace_no_kind (value))
    return 0;
  return cab_usage ("trace filter", *value ? cab_trace_no_kind (value) : "",
		    "no such kind (call, read, write, ...)");
}

static int
take_format (const struct cab_argument *option, const char *value)
{
  const char **format = option->to;
  *format = value;
  return !strcmp (value, "rows") || !strcmp (value, "packed")
	 ? 0
	 : cab_usage ("trace filter", value, "no such format of a filter (rows, packed)");
}

static int
take_compress (const struct cab_argument *option, const char *value)
{
  struct cab_trace_request *request = option->to;
  int how = cab_trace_compress_named (value);
  if (how < 0)
    return cab_usage ("trace filter", value, "no such compression (none, predicted, zstd)");
  request->compress = how;
  return 0;
}

/* Check that the filter and the output format go together. */
static int
check_packed (const struct cab_row_filter *filter, const struct cab_trace_request *request)
{
  bool packed = !strcmp (request->format, "packed");
  if (packed && cab_row_filter_of_rows (filter))
    return cab_usage ("trace filter", cab_row_filter_of_rows (filter),
		      "chooses single rows, but packed chunks stay whole: leave it out");
  if (!packed && request->compress)
    return cab_usage ("trace filter", "--compress", "is for packed traces: pass rows through zstd");
  return 0;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct cab_row_filter *filter, struct cab_trace_request *request,
       const char **path)
{
  static const char no_number[] = "no number, from 1 on";
  long process = 0, thread = 0;
  char **words;
  const struct cab_argument options[] = {
    { "format", "FORMAT",
      "rows (default); packed: whole chunks of a packed trace, by process, thread and time alone",
      .take = take_format, .to = &request->format },
    { "compress", "HOW", "none (default), predicted, or zstd, of packed ones",
      .take = take_compress, .to = request },
    { "process", "N", "of process N of the trace, from 1", .whole = &process, .least = 1,
      .most = UINT32_MAX, .wrong = no_number },
    { "thread", "N", "of thread N of its process, from 1", .whole = &thread, .least = 1,
      .most = UINT32_MAX, .wrong = no_number },
    { "function", "GLOB", "in functions, as people write them or as the assembler does",
      .pattern = &filter->function },
    { "file", "GLOB", "at places in files; a name also matches by its last components",
      .pattern = &filter->file },
    { "variable", "GLOB", "accesses of variables or type.field, as the source calls them",
      .pattern = &filter->variable },
    { "kind", "KIND,...",
      "call, tail, under, path, last, loop, read, write, modify, allocated, released, moved",
      .take = take_kinds, .to = &filter->kinds },
    { "address", "FROM-TO", "accesses that touch a byte of [FROM, TO); hexadecimal",
      .take = take_address, .to = filter },
    { "time", "FROM-TO",
      "of chunks published in [FROM, TO), ns as `dump --format=tsv' shows them",
      .take = take_time, .to = filter },
    { "o", "FILE", "write there, not to standard output", .text = &request->target }
  };
  const struct cab_arguments arguments = {
    "trace filter", "[OPTION...] TRACE", "Pass on the rows that all hold for what is asked.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  filter->process = process;
  filter->thread = thread;
  if (!status)
    status = check_packed (filter, request);
  return status ? status : cab_arguments_trace ("trace filter", words, path);
}

/* Write the wanted rows.  MISSING has FILTER's names at first, and in the end those that occur
   nowhere in the trace. */
static int
pass (struct cab_rows_reader *reader, const struct cab_row_filter *filter,
      struct cab_row_filter *missing, struct cab_rows_writer *writer, struct cab_diag *diag)
{
  int result;
  while ((result = cab_rows_next (reader, diag)) > 0 && !writer->error)
    if (result == CAB_ROWS_NAMES)
      cab_rows_write_names (writer, reader->names, reader->n_names);
    else
      for (size_t i = 0; i < reader->n_rows; i++)
	if (cab_trace_wanted (filter, reader, &reader->rows[i]))
	  {
	    cab_rows_write (writer, &reader->rows[i], 1);
	    missing->function = missing->file = missing->variable = NULL;
	  }
	else
	  cab_trace_note_names (missing, reader, &reader->rows[i]);
  return result;
}

/* Complain about a name that occurs nowhere, which is a mistake.  Names that never occur together
   are a valid result. */
static int
say_missing (const struct cab_row_filter *missing, const char *path)
{
  const char *name = missing->function ? missing->function
		   : missing->file ? missing->file
		   : missing->variable;
  const char *what = missing->function ? "function" : missing->file ? "file" : "variable";
  if (name)
    cab_say ("%s: nothing in it is of a %s of this name: `cabprof trace dump %s' shows what is",
	     *name ? name : "an empty name", what, path);
  return name ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
}

static int
open_output (const char *output)
{
  int fd = !strcmp (output, "-") ? STDOUT_FILENO
				 : open (output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    cab_say ("%s: cannot write: %s: name another file with -o", output, strerror (errno));
  else if (isatty (fd))
    {
      cab_say ("rows: a terminal cannot show them: pass them on by a pipe, write them with -o, or "
	       "use `cabprof trace dump'");
      return -1;
    }
  return fd;
}

/* Filter the trace in PATH by FILTER and write it to descriptor TO, which is named OUTPUT. */
static int
filter_rows (const char *path, const struct cab_row_filter *filter, int to, const char *output)
{
  struct cab_rows_reader reader;
  struct cab_rows_writer writer;
  struct cab_row_filter missing = *filter;
  struct cab_diag diag;
  int fd, status = cab_trace_begin (&reader, path, &fd);
  if (status)
    return status;
  cab_rows_begin (&writer, to);
  int result = pass (&reader, filter, &missing, &writer, &diag);
  /* All that was read of a truncated trace is passed on.  The next stage cannot say more about it
     than is said here. */
  int error = cab_rows_end (&writer);
  status = cab_trace_finish (&reader, path, fd, result, &diag);
  if (error && error != -EPIPE)
    cab_say ("%s: cannot write: %s: check the disk", output, strerror (-error));
  else if (!error && !status)
    status = say_missing (&missing, path);
  return error ? CAB_EXIT_FAILED : status;
}

int
cab_trace_convert (const char *format)
{
  const struct cab_row_filter all = { .before = UINT64_MAX };
  return strcmp (format, "rows") ? cab_trace_print ("-", CAB_FORMAT_TEXT)
				 : filter_rows ("-", &all, STDOUT_FILENO, "standard output");
}

int
cab_trace_filter (int argc, char **argv)
{
  struct cab_row_filter filter = { .before = UINT64_MAX };
  struct cab_trace_request request = {
    .target = "-", .format = "rows", .predict = true, .convert = cab_trace_convert
  };
  const char *path;
  int status = parse (argc, argv, &filter, &request, &path);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  if (!strcmp (request.format, "packed"))
    return cab_trace_filter_packed (path, &filter, &request);
  int to = open_output (request.target);
  return to < 0 ? CAB_EXIT_FAILED
		: filter_rows (path, &filter, to,
			       strcmp (request.target, "-") ? request.target : "standard output");
}
