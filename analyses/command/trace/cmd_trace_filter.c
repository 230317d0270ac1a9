/* cmd_trace_filter.c - cabprof trace filter: pass on the wanted rows of a trace.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/command/command.h"

enum
{
  OPT_PROCESS = 256,
  OPT_THREAD,
  OPT_FUNCTION,
  OPT_FILE,
  OPT_VARIABLE,
  OPT_KIND,
  OPT_ADDRESS,
  OPT_TIME,
  OPT_FORMAT,
  OPT_COMPRESS,
  OPT_HELP
};

static const struct option long_options[] = {
  { "process", required_argument, NULL, OPT_PROCESS },
  { "thread", required_argument, NULL, OPT_THREAD },
  { "function", required_argument, NULL, OPT_FUNCTION },
  { "file", required_argument, NULL, OPT_FILE },
  { "variable", required_argument, NULL, OPT_VARIABLE },
  { "kind", required_argument, NULL, OPT_KIND },
  { "address", required_argument, NULL, OPT_ADDRESS },
  { "time", required_argument, NULL, OPT_TIME },
  { "format", required_argument, NULL, OPT_FORMAT },
  { "compress", required_argument, NULL, OPT_COMPRESS },
  { "help", no_argument, NULL, OPT_HELP },
  { NULL, 0, NULL, 0 }
};

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
    return cab_usage ("trace", text, "not of the form FROM-TO");
  *to = end[1] ? strtoull (end + 1, &end, base) : UINT64_MAX;
  if ((*end && *end != '-') || (*end == '-' && end[1]) || errno || *from >= *to)
    return cab_usage ("trace", text, "not of the form FROM-TO");
  return 0;
}

static int
parse_number (const char *text, uint32_t *n)
{
  char *end;
  unsigned long value = strtoul (text, &end, 10);
  if (*text < '0' || *text > '9' || *end || !value || value > UINT32_MAX)
    return cab_usage ("trace", text, "no number, from 1 on");
  *n = value;
  return 0;
}

static int
parse_output (struct cab_trace_request *request, int option, const char *value)
{
  if (option == 'o')
    request->target = value;
  if (option == OPT_FORMAT)
    request->format = value;
  int how = option == OPT_COMPRESS ? cab_trace_compress_named (value) : (int) request->compress;
  if (option == OPT_FORMAT && strcmp (value, "rows") && strcmp (value, "packed"))
    return cab_usage ("trace", value, "no such format of a filter (rows, packed)");
  if (how < 0)
    return cab_usage ("trace", value, "no such compression (none, predicted, zstd)");
  request->compress = how;
  return 0;
}

/* Check that the wish and the output format go together. */
static int
check_packed (const struct cab_trace_wish *wish, const struct cab_trace_request *request)
{
  bool packed = !strcmp (request->format, "packed");
  if (packed && cab_trace_wish_of_rows (wish))
    return cab_usage ("trace", cab_trace_wish_of_rows (wish),
		      "chooses single rows, but packed chunks stay whole: leave it out");
  if (!packed && request->compress)
    return cab_usage ("trace", "--compress", "is for packed traces: pass rows through zstd");
  return 0;
}

static int
parse (int argc, char **argv, struct cab_trace_wish *wish, struct cab_trace_request *request)
{
  opterr = optind = 0;
  for (int c, status = 0; (c = getopt_long (argc, argv, ":ho:", long_options, NULL)) != -1;)
    {
      switch (c)
	{
	case OPT_PROCESS: status = parse_number (optarg, &wish->process); break;
	case OPT_THREAD: status = parse_number (optarg, &wish->thread); break;
	case OPT_FUNCTION: status = cab_arg_pattern ("trace", optarg, &wish->function); break;
	case OPT_FILE: status = cab_arg_pattern ("trace", optarg, &wish->file); break;
	case OPT_VARIABLE: status = cab_arg_pattern ("trace", optarg, &wish->variable); break;
	case OPT_KIND:
	  wish->kinds = optarg;
	  if (!*optarg || cab_trace_no_kind (optarg))
	    status = cab_usage ("trace", *optarg ? cab_trace_no_kind (optarg) : "",
				"no such kind (call, read, write, ...)");
	  break;
	case OPT_ADDRESS:
	  wish->has_range = true;
	  status = parse_range (optarg, 16, &wish->from, &wish->to);
	  break;
	case OPT_TIME: status = parse_range (optarg, 10, &wish->after, &wish->before); break;
	case OPT_FORMAT:
	case OPT_COMPRESS:
	case 'o': status = parse_output (request, c, optarg); break;
	case 'h':
	case OPT_HELP: cab_trace_help (); return -1;
	default: status = cab_arg_wrong ("trace", argv, c);
	}
      if (status)
	return status;
    }
  return check_packed (wish, request);
}

/* Write the wanted rows.  MISSING has WISH's names at first, and in the end those that occur
   nowhere in the trace. */
static int
pass (struct cab_rows_reader *reader, const struct cab_trace_wish *wish,
      struct cab_trace_wish *missing, struct cab_rows_writer *writer, struct cab_diag *diag)
{
  int result;
  while ((result = cab_rows_next (reader, diag)) > 0 && !writer->error)
    if (result == CAB_ROWS_NAMES)
      cab_rows_write_names (writer, reader->names, reader->n_names);
    else
      for (size_t i = 0; i < reader->n_rows; i++)
	if (cab_trace_wanted (wish, reader, &reader->rows[i]))
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
say_missing (const struct cab_trace_wish *missing, const char *path)
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

/* Filter the trace in PATH by WISH and write it to descriptor TO, which is named OUTPUT. */
static int
filter (const char *path, const struct cab_trace_wish *wish, int to, const char *output)
{
  struct cab_rows_reader reader;
  struct cab_rows_writer writer;
  struct cab_trace_wish missing = *wish;
  struct cab_diag diag;
  int fd, status = cab_trace_begin (&reader, path, &fd);
  if (status)
    return status;
  cab_rows_begin (&writer, to);
  int result = pass (&reader, wish, &missing, &writer, &diag);
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
  const struct cab_trace_wish all = { .before = UINT64_MAX };
  return strcmp (format, "rows") ? cab_trace_print ("-", CAB_FORMAT_TEXT)
				 : filter ("-", &all, STDOUT_FILENO, "standard output");
}

int
cab_trace_filter (int argc, char **argv)
{
  struct cab_trace_wish wish = { .before = UINT64_MAX };
  struct cab_trace_request request = {
    .target = "-", .format = "rows", .predict = true, .convert = cab_trace_convert
  };
  const char *path;
  int status = parse (argc, argv, &wish, &request);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  if ((status = cab_arg_trace ("trace", argc, argv, &path)))
    return status;
  if (!strcmp (request.format, "packed"))
    return cab_trace_filter_packed (path, &wish, &request);
  int to = open_output (request.target);
  return to < 0 ? CAB_EXIT_FAILED
		: filter (path, &wish, to,
			  strcmp (request.target, "-") ? request.target : "standard output");
}
