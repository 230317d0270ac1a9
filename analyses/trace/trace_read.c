/* trace_read.c - see trace_read.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_read.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/trace/trace_process.h"
#include "analyses/trace/trace_unpack.h"

#define CUT "the trace is cut off"
#define CUT_REMEDY "what came before is whole; see whether its writer has ended early"
#define DAMAGED "a frame is damaged"
#define DAMAGED_REMEDY "what came before is whole; record the trace again"
#define PROCESSES_MAX 65536u

static int
check_start (struct cab_trace_reader *r, struct cab_diag *diag)
{
  struct cab_trace_start start = { .version = 0 };
  size_t had;
  if (cab_trace_input_read (&r->in, &start, sizeof start, &had, diag) < 0)
    return -1;
  if (had < sizeof start && r->in.inside)
    return cab_trace_refuse (&r->in, diag, CUT, CUT_REMEDY);
  if (had < sizeof start.magic || memcmp (start.magic, CAB_TRACE_MAGIC, sizeof start.magic))
    return cab_trace_refuse (
      &r->in, diag, "is no trace",
      "give what `cabprof record --trace=FILE' wrote, packed or as rows; text is not read again");
  if (had < sizeof start)
    return cab_trace_refuse (&r->in, diag, CUT, CUT_REMEDY);
  if (start.byte_order != CAB_PART_BYTE_ORDER)
    return cab_trace_refuse (&r->in, diag,
			     "was written on a machine of another byte order, or is damaged",
			     "read it on a machine like that");
  if (start.version != CAB_TRACE_VERSION)
    return cab_trace_refuse (&r->in, diag,
			     "a trace of another version than 2, which this cabprof reads",
			     "use the cabprof that wrote it");
  return 0;
}

int
cab_trace_open_input (struct cab_trace_reader *r, struct cab_trace_input in, struct cab_diag *diag)
{
  *r = (struct cab_trace_reader) { .in = in };
  if (check_start (r, diag) == 0)
    return 0;
  cab_trace_close (r);
  return -1;
}

int
cab_trace_open (struct cab_trace_reader *r, int fd, const char *path, struct cab_diag *diag)
{
  unsigned char head[8];
  size_t n;
  struct cab_trace_input in;
  cab_trace_input_open (&in, fd, path);
  if (cab_trace_input_look (&in, head, &n, diag) == 0)
    return cab_trace_open_input (r, in, diag);
  cab_trace_input_close (&in);
  return -1;
}

static struct cab_trace_process *
process_of (struct cab_trace_reader *r, uint32_t number)
{
  if (!number || number > r->n_processes + 1 || number > PROCESSES_MAX)
    return NULL;
  if (number > r->n_processes)
    {
      r->processes = XRESIZEVEC (struct cab_trace_process *, r->processes, number);
      r->processes[r->n_processes++] = cab_trace_process_new (r->in.path, number);
    }
  return r->processes[number - 1];
}

/* Read N bytes to R->bytes, which grows piecewise, so that a false length does not use up the
   memory. */
static int
read_bytes (struct cab_trace_reader *r, uint64_t n, struct cab_diag *diag)
{
  for (size_t had = 0, got; had < n; had += got)
    {
      size_t part = n - had < (4u << 20) ? n - had : 4u << 20;
      if (had + part > r->room)
	r->bytes = xrealloc (r->bytes, r->room = 2 * (had + part));
      if (cab_trace_input_read (&r->in, r->bytes + had, part, &got, diag) < 0)
	return -1;
      if (got < part)
	return cab_trace_refuse (&r->in, diag, CUT, CUT_REMEDY);
    }
  return 0;
}

static int
take_chunk (struct cab_trace_reader *r, struct cab_diag *diag)
{
  const struct cab_trace_frame *f = &r->frame;
  int64_t n = f->method == CAB_TRACE_PLAIN ? (int64_t) (f->bytes / 8)
					   : cab_words_packed (r->bytes, f->bytes);
  if (f->thread >= r->process->part.header->n_threads || n < 0
      || (f->method == CAB_TRACE_PLAIN && f->bytes % 8))
    return cab_trace_refuse (&r->in, diag, DAMAGED, DAMAGED_REMEDY);
  if ((uint64_t) n > r->words_room)
    r->words = XRESIZEVEC (uint64_t, r->words, r->words_room = n);
  r->n_words = n;
  if (n == 0 && f->method == CAB_TRACE_PLAIN)
    return 1;
  if (f->method == CAB_TRACE_PLAIN)
    memcpy (r->words, r->bytes, f->bytes);
  else
    {
      if (!r->process->predictor)
	r->process->predictor = XCNEW (struct cab_words);
      if (cab_words_unpack (r->process->predictor, r->bytes, f->bytes, r->words, n) < 0)
	return cab_trace_refuse (&r->in, diag, DAMAGED, DAMAGED_REMEDY);
    }
  return 1;
}

static int
take (struct cab_trace_reader *r, struct cab_diag *diag)
{
  const struct cab_trace_frame *f = &r->frame;
  int good = -1;
  r->n_words = 0;
  if (f->method == CAB_TRACE_PLAIN
      || (f->method == CAB_TRACE_PREDICTED && f->kind == CAB_TRACE_CHUNK))
    switch (f->kind)
      {
      case CAB_TRACE_HEADER:
	good = cab_trace_process_header (r->process, r->bytes, f->bytes);
	r->process->ended = good == 0
			 && (f->owner || r->process->part.header->state == CAB_PART_ENDED);
	break;
      case CAB_TRACE_TABLE: good = cab_trace_process_table (r->process, f, r->bytes); break;
      case CAB_TRACE_RECORDS:
	good = cab_trace_process_records (r->process, f->owner, r->bytes, f->bytes);
	break;
      case CAB_TRACE_CHUNK: return take_chunk (r, diag);
      }
  return good < 0 ? cab_trace_refuse (&r->in, diag, DAMAGED, DAMAGED_REMEDY) : 1;
}

int
cab_trace_next (struct cab_trace_reader *r, struct cab_diag *diag)
{
  size_t had;
  if (cab_trace_input_read (&r->in, &r->frame, sizeof r->frame, &had, diag) < 0)
    return -1;
  if (!had && !r->in.inside)
    return 0;
  if (had < sizeof r->frame)
    return cab_trace_refuse (&r->in, diag, CUT, CUT_REMEDY);
  if (r->frame.mark != CAB_TRACE_MARK || r->frame.bytes > CAB_TRACE_FRAME_MAX
      || !(r->process = process_of (r, r->frame.process)))
    return cab_trace_refuse (&r->in, diag, DAMAGED, DAMAGED_REMEDY);
  return read_bytes (r, r->frame.bytes, diag) < 0 ? -1 : take (r, diag);
}

uint32_t
cab_trace_unended (const struct cab_trace_reader *r)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->n_processes; i++)
    n += !r->processes[i]->ended;
  return n;
}

void
cab_trace_close (struct cab_trace_reader *r)
{
  for (uint32_t i = 0; i < r->n_processes; i++)
    cab_trace_process_free (r->processes[i]);
  free (r->processes);
  free (r->bytes);
  free (r->words);
  cab_trace_input_close (&r->in);
  memset (r, 0, sizeof *r);
}
