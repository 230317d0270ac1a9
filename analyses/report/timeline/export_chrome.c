/* export_chrome.c - a timeline as JSON in Chrome's trace event format.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/export.h"
#include <inttypes.h>
#include <jansson.h>
#include "analyses/report/timeline/timeline_marks.h"

struct chrome
{
  struct cab_model *model;
  const struct cab_timeline_marks *marks;
  FILE *to;
  uint32_t process, thread;    /* those of the event before */
  bool any;
};

/* Write TEXT as a JSON string.  Bytes that are no part of UTF-8 are read as Latin-1. */
static void
put_text (const char *text, FILE *to)
{
  json_t *string = cab_table_json_cell (&(union cab_cell) { .text = text }, CAB_TEXT);
  json_dumpf (string, to, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
  json_decref (string);
}

static void
begin_event (struct chrome *c)
{
  fputs (c->any ? ",\n" : "", c->to);
  c->any = true;
}

/* Write the name of the process of SPAN, or of its thread. */
static void
put_name (struct chrome *c, const struct cab_timed *span, const char *what, const char *name)
{
  begin_event (c);
  fprintf (c->to, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%ju,\"tid\":%ju,\"args\":{\"name\":", what,
	   (uintmax_t) c->model->processes[span->process].pid,
	   (uintmax_t) cab_timeline_tid (c->model, span));
  put_text (name, c->to);
  fputs ("}}", c->to);
}

static void
put_names (struct chrome *c, const struct cab_timed *span)
{
  const struct cab_process *process = &c->model->processes[span->process];
  if (span->process != c->process)
    put_name (c, span, "process_name", process->exe);
  if (span->process != c->process || span->thread != c->thread)
    put_name (c, span, "thread_name", cab_timeline_thread_name (c->model, span));
  c->process = span->process;
  c->thread = span->thread;
}

/* Write a number of nanoseconds as microseconds, exactly. */
static void
put_us (const char *key, uint64_t ns, FILE *to)
{
  fprintf (to, "\"%s\":%ju.%03u,", key, (uintmax_t) ns / 1000, (unsigned) (ns % 1000));
}

static void
end (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct chrome *c = host;
  (void) parent;
  if (!cab_timeline_is_marked (c->marks, span))
    return;
  put_names (c, span);
  begin_event (c);
  fputs ("{\"ph\":\"X\",\"name\":", c->to);
  put_text (span->function ? span->function->display : "?", c->to);
  fputs (",\"cat\":\"call\",", c->to);
  put_us ("ts", span->begin_ns, c->to);
  put_us ("dur", span->end_ns - span->begin_ns, c->to);
  fprintf (c->to, "\"pid\":%ju,\"tid\":%ju,\"args\":{\"end\":\"%s\",\"file\":",
	   (uintmax_t) c->model->processes[span->process].pid,
	   (uintmax_t) cab_timeline_tid (c->model, span), cab_span_end_name (span->how));
  put_text (span->function ? span->function->file : "", c->to);
  fprintf (c->to, ",\"line\":%u}}", span->function ? span->function->line : 0);
}

int
cab_export_chrome (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		   struct cab_diag *diag)
{
  struct cab_timeline_marks marks;
  (void) diag;
  cab_timeline_mark (&marks, model, options->longer_ns);
  struct chrome c = {
    .model = model, .marks = &marks, .to = to, .process = UINT32_MAX, .thread = UINT32_MAX
  };
  const struct cab_span_visitor visitor = { .host = &c, .end = end };
  fputs ("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", to);
  cab_timeline_walk (model, &visitor);
  fputs ("\n]}\n", to);
  cab_timeline_marks_fini (&marks);
  return 0;
}
