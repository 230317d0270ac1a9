/* cmd_trace_filter_packed.c - cabprof trace filter --format=packed: whole chunks of a packed trace,
 * with all that is known of them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a chunk has one process, one thread and one time, and is wanted or not; all else that
 *             a filter may ask for is about single rows.  Tables and records of the wanted
 *             processes are included, so that the result is a trace like any other.
 */
#include "analyses/command/trace/cmd_trace.h"
#include <string.h>
#include <unistd.h>
#include "analyses/command/command.h"
#include "analyses/trace/trace_out.h"

const char *
cab_row_filter_of_rows (const struct cab_row_filter *filter)
{
  return filter->function ? "--function"
       : filter->file ? "--file"
       : filter->variable ? "--variable"
       : filter->kinds ? "--kind"
       : filter->has_range ? "--address"
       : NULL;
}

static bool
wanted (const struct cab_row_filter *filter, const struct cab_trace_frame *frame)
{
  if (filter->process && frame->process != filter->process)
    return false;
  return frame->kind != CAB_TRACE_CHUNK
      || ((!filter->thread || frame->thread + 1 == filter->thread) && frame->stamp >= filter->after
	  && frame->stamp < filter->before);
}

static int
pass (struct cab_trace_reader *reader, const struct cab_row_filter *filter,
      struct cab_trace_out *out, struct cab_diag *diag)
{
  int result;
  while ((result = cab_trace_next (reader, diag)) > 0 && !out->error)
    {
      struct cab_trace_frame frame = reader->frame;
      bool chunk = frame.kind == CAB_TRACE_CHUNK;
      if (!wanted (filter, &frame))
	continue;
      /* Processes must be numbered without gaps. */
      frame.process = filter->process ? 1 : frame.process;
      frame.method = CAB_TRACE_PLAIN;
      frame.bytes = chunk ? reader->n_words * sizeof (uint64_t) : frame.bytes;
      cab_trace_out_put (out, &frame, chunk ? (const void *) reader->words : reader->bytes);
    }
  return result;
}

int
cab_trace_filter_packed (const char *path, const struct cab_row_filter *filter,
			 const struct cab_trace_request *request)
{
  struct cab_trace_reader reader;
  struct cab_trace_out out;
  struct cab_diag diag;
  int fd, status = cab_trace_file (path, &fd);
  if (status)
    return status;
  if (cab_trace_open (&reader, fd, path, &diag) < 0
      || cab_trace_out_open (&out, request, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return CAB_EXIT_FAILED;
    }
  int result = pass (&reader, filter, &out, &diag), error = cab_trace_out_close (&out);
  if (result < 0)
    cab_say ("%s", diag.text);
  uint32_t unended = result < 0 ? 0 : cab_trace_unended (&reader);
  if (unended)
    cab_say ("%s: %u of %u processes have no end in it: they were killed, or the trace was cut "
	     "off: what is there is whole",
	     path, unended, reader.n_processes);
  if (error)
    cab_say ("%s: cannot write: %s: check the disk", request->target, strerror (error));
  cab_trace_close (&reader);
  if (fd != STDIN_FILENO)
    close (fd);
  return result < 0 || unended || error ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
}
