/* page_timeline.c - see page_timeline.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_timeline.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/page/page_strips.h"
#include "analyses/page/page_tables.h"
#include "analyses/report/timeline/timeline_filter.h"
#include "analyses/report/timeline/timeline_latency.h"

struct picture
{
  struct cab_model *model;
  struct cab_latency all;        /* first walk: all activations */
  uint64_t longer_ns;            /* second walk: those that are in the page */
  struct cab_timed *spans;
  size_t n, room;
  int64_t *number;               /* by index of the function: its number in the page; -1: none */
};

static void
count (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct picture *p = host;
  struct cab_timed bounded = *span;
  (void) parent;
  bounded.how = CAB_SPAN_RETURNED;   /* those without an end count, too */
  cab_latency_add (&p->all, &bounded, false);
}

/* Return the duration that no more than LIMIT activations reach. */
static uint64_t
least_of (const struct cab_latency *all, size_t limit)
{
  uint64_t n = 0;
  if (!limit || all->counted <= limit)
    return 0;
  unsigned i = CAB_LATENCY_BUCKETS;
  while (i > 1 && n + all->buckets[i - 1] <= limit)
    n += all->buckets[--i];
  return cab_latency_from (i);
}

static void
take (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct picture *p = host;
  (void) parent;
  if (span->end_ns - span->begin_ns < p->longer_ns)
    return;
  if (p->n == p->room)
    {
      p->room = p->room ? 2 * p->room : 1024;
      p->spans = XRESIZEVEC (struct cab_timed, p->spans, p->room);
    }
  p->spans[p->n++] = *span;
}

static int
by_number (const void *a, const void *b)
{
  const struct cab_timed *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

/* Append F to FUNCTIONS, unless it is null or in there. */
static void
add_function (struct picture *p, const struct cab_function *f, json_t *functions)
{
  if (!f || p->number[f->index] >= 0)
    return;
  p->number[f->index] = json_array_size (functions);
  json_array_append_new (functions, json_pack ("[o, o, I]", cab_page_text (f->display),
					       cab_page_text (f->file), (json_int_t) f->line));
}

static json_t *
functions_of (struct picture *p, const struct cab_strips *strips)
{
  json_t *functions = json_array ();
  for (size_t i = 0; i < p->n; i++)
    add_function (p, p->spans[i].function, functions);
  for (uint32_t i = 0; i < strips->n; i++)
    for (uint32_t part = 0; part < strips->n_parts; part++)
      add_function (p, strips->strips[i].function[part], functions);
  return functions;
}

/* Put the strip of the thread of SPAN into THREAD. */
static void
put_strip (const struct picture *p, const struct cab_strips *strips, const struct cab_timed *span,
	   json_t *thread)
{
  json_t *functions = json_array (), *percents = json_array ();
  uint32_t i = 0;
  while (i < strips->n && (strips->strips[i].process != span->process
			   || strips->strips[i].thread != span->thread))
    i++;
  for (uint32_t part = 0; i < strips->n && part < strips->n_parts; part++)
    {
      const struct cab_function *f = strips->strips[i].function[part];
      json_array_append_new (functions, json_integer (f ? p->number[f->index] : -1));
      json_array_append_new (percents, json_integer (strips->strips[i].percent[part]));
    }
  json_object_set_new (thread, "most", functions);
  json_object_set_new (thread, "percent", percents);
}

static bool
is_same_thread (const struct cab_timed *a, const struct cab_timed *b)
{
  return a->process == b->process && a->thread == b->thread;
}

/* Return the threads, and set the column THREAD of the activations to their numbers. */
static json_t *
threads_of (const struct picture *p, const struct cab_strips *strips, json_t *column)
{
  json_t *threads = json_array ();
  uint32_t depth = 0;
  for (size_t i = 0; i < p->n; i++)
    {
      const struct cab_timed *span = &p->spans[i];
      depth = span->depth > depth ? span->depth : depth;
      json_array_append_new (column, json_integer (json_array_size (threads)));
      if (i + 1 < p->n && is_same_thread (span, &p->spans[i + 1]))
	continue;
      json_t *thread = json_pack (
	"{s:I, s:I, s:o, s:I}", "process", (json_int_t) p->model->processes[span->process].pid,
	"tid", (json_int_t) cab_timeline_tid (p->model, span), "name",
	cab_page_text (cab_timeline_thread_name (p->model, span)), "depth", (json_int_t) depth);
      put_strip (p, strips, span, thread);
      json_array_append_new (threads, thread);
      depth = 0;
    }
  return threads;
}

/* Put the columns of numbers into DOCUMENT. */
static void
put_columns (const struct picture *p, uint64_t first_ns, json_t *document)
{
  static const char *const names[] = { "depth", "function", "begin", "duration", "self", "end" };
  json_t *columns[ARRAY_SIZE (names)];
  for (size_t c = 0; c < ARRAY_SIZE (names); c++)
    json_object_set_new (document, names[c], columns[c] = json_array ());
  for (size_t i = 0; i < p->n; i++)
    {
      const struct cab_timed *s = &p->spans[i];
      const json_int_t numbers[] = { s->depth, s->function ? p->number[s->function->index] : -1,
				     s->begin_ns - first_ns, s->end_ns - s->begin_ns, s->self_ns,
				     s->how };
      for (size_t c = 0; c < ARRAY_SIZE (names); c++)
	json_array_append_new (columns[c], json_integer (numbers[c]));
    }
}

static json_t *
document_of (struct picture *p, const struct cab_timeline_sums *sums,
	     const struct cab_strips *strips)
{
  const char *remark = cab_timeline_remark (sums);
  json_t *thread = json_array ();
  json_t *document
    = json_pack ("{s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "n", (json_int_t) p->n, "left_out",
		 (json_int_t) (p->all.n - p->n), "shorter_ns", (json_int_t) p->longer_ns,
		 "first_ns", (json_int_t) sums->first_ns, "whole_ns",
		 (json_int_t) (sums->last_ns - sums->first_ns), "part_ns",
		 (json_int_t) strips->part_ns, "remark",
		 remark ? cab_page_text (remark) : json_null (), "functions",
		 functions_of (p, strips));
  json_object_set_new (document, "threads", threads_of (p, strips, thread));
  json_object_set_new (document, "thread", thread);
  put_columns (p, sums->first_ns, document);
  return document;
}

json_t *
cab_page_timeline (struct cab_model *model, size_t limit)
{
  struct picture p = { .model = model };
  const struct cab_span_visitor first = { .host = &p, .end = count },
				second = { .host = &p, .end = take };
  if (cab_timeline_lacks (model))
    return json_null ();
  struct cab_timeline_sums sums = cab_timeline_walk (model, &first);
  p.longer_ns = p.all.buckets ? least_of (&p.all, limit) : 0;
  cab_timeline_walk (model, &second);
  if (p.n)
    qsort (p.spans, p.n, sizeof *p.spans, by_number);
  p.number = XNEWVEC (int64_t, model->n_functions + 1);
  for (uint32_t i = 0; i < model->n_functions; i++)
    p.number[i] = -1;
  struct cab_strips strips;
  cab_strips_init (&strips, model, &sums);
  json_t *document = document_of (&p, &sums, &strips);
  cab_strips_fini (&strips);
  cab_latency_fini (&p.all);
  free (p.number);
  free (p.spans);
  return document;
}
