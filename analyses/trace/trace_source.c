/* trace_source.c - see trace_source.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_source.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_tree.h"
#include "analyses/trace/trace_name_lines.h"
#include "analyses/trace/trace_rows_names.h"

#define MOST_ROWS (4 * CAB_BATCH_MAX)

struct source
{
  struct cab_trace_reader trace;
  struct cab_decode *decode;
  struct cab_name_lines *lines;
  size_t at;                      /* number of words of the chunk that were decoded */
  bool pending;                   /* rows wait until the names that precede them are taken */
  bool follows;                   /* calls are followed, in `contexts' */
  struct cab_trace_contexts **contexts;   /* by process */
  uint32_t n_contexts;
  struct cab_trace_row rows[MOST_ROWS];
  size_t n;
};

static struct cab_trace_row *
add (struct source *s, uint32_t fn, unsigned kind)
{
  struct cab_trace_row *row = &s->rows[s->n++];
  *row = (struct cab_trace_row) { .time = s->trace.frame.stamp,
				  .times = 1,
				  .process = s->trace.process->number,
				  .thread = s->trace.frame.thread + 1,
				  .fn = fn,
				  .kind = kind };
  cab_name_lines_thread (s->lines, s->trace.process, row->thread);
  if (fn)
    cab_name_lines_function (s->lines, s->trace.process, fn);
  return row;
}

static void
add_calls (struct source *s, const struct cab_batch *batch)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t word = batch->events[i];
      struct cab_trace_row *row = add (s, cab_ev_callee (word), cab_ev_kind (word));
      row->site = cab_ev_site (word);
      row->depth = cab_ev_depth (word);
      if (row->site)
	cab_name_lines_call (s->lines, s->trace.process, row->site);
    }
}

static void
add_paths (struct source *s, const struct cab_batch *batch)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t word = batch->events[i];
      struct cab_trace_row *row = add (s, cab_ev_fn (word),
				       cab_ev_kind (word) == CAB_EV_PATH_LAST ? CAB_EV_PATH_LAST
									      : CAB_EV_PATH);
      row->other = cab_ev_path (word);
      row->times = cab_ev_times (word);
    }
}

static void
add_loops (struct source *s, const struct cab_batch *batch)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      struct cab_trace_row *row = add (s, batch->fn[i], CAB_EV_LOOP);
      row->site = batch->loop[i];
      row->form = batch->form[i];
      row->other = batch->count[i];
    }
}

static void
add_samples (struct source *s, const struct cab_batch *batch)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      struct cab_trace_row *row = add (s, 0, CAB_EV_SAMPLE);
      row->address = batch->address[i];
      row->other = batch->count[i];
    }
}

static void
add_accesses (struct source *s, const struct cab_batch *batch)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint32_t site = batch->site[i],
	       fn = site ? cab_name_lines_access (s->lines, s->trace.process, &site) : 0;
      struct cab_trace_row *row = add (
	s, fn, batch->form[i] & CAB_ROW_BARE ? CAB_EV_VALUE : CAB_EV_ACCESS);
      row->site = site;
      row->form = batch->form[i];
      row->address = batch->address[i];
      row->bytes = batch->bytes[i];
      row->other = batch->other ? batch->other[i] : 0;
      row->value_type = batch->value_type ? batch->value_type[i] : CAB_VALUE_NONE;
      row->value = row->value_type ? batch->value[i] : 0;
    }
}

/* Return the contexts of the frame's process, or null if they are not wanted. */
static struct cab_trace_contexts *
contexts (const struct source *s)
{
  return s->follows ? s->contexts[s->trace.process->number - 1] : NULL;
}

/* Begin a chunk: select its process and thread. */
static void
begin_contexts (struct source *s)
{
  while (s->n_contexts < s->trace.process->number)
    {
      s->contexts = XRESIZEVEC (struct cab_trace_contexts *, s->contexts, s->n_contexts + 1);
      s->contexts[s->n_contexts++] = NULL;
    }
  struct cab_trace_contexts **c = &s->contexts[s->trace.process->number - 1];
  if (!*c)
    {
      *c = XNEW (struct cab_trace_contexts);
      cab_trace_contexts_init (*c);
    }
  cab_trace_contexts_thread (*c, s->trace.frame.thread);
}

/* Return how many of the next words are of one kind (and of loops) and of one context. */
static size_t
run_of (struct source *s)
{
  if (cab_decode_pending (s->decode))
    return 0;
  if (contexts (s))
    s->at += cab_trace_contexts_resume (contexts (s), s->trace.words + s->at,
					s->trace.n_words - s->at);
  const uint64_t *words = s->trace.words + s->at;
  size_t n = cab_decode_run (words, s->trace.n_words - s->at);
  return contexts (s) ? cab_trace_contexts_stretch (words, n) : n;
}

/* Decode the next rows of the chunk. */
static void
decode_some (struct source *s)
{
  struct cab_decode *d = s->decode;
  size_t n = run_of (s);
  s->at += cab_decode (d, s->trace.words + s->at, n, s->trace.frame.thread);
  s->n = 0;
  if (contexts (s))
    cab_trace_contexts_calls (contexts (s), &d->call);
  add_calls (s, &d->call);
  add_paths (s, &d->path);
  add_loops (s, &d->loop);
  add_samples (s, &d->sample);
  add_accesses (s, &d->access);
}

static bool
has_more (const struct source *s)
{
  return s->at < s->trace.n_words || cab_decode_pending (s->decode);
}

/* Read up to the next chunk with words.  Return 1, 0 at the end, or negative. */
static int
next_chunk (struct source *s, struct cab_diag *diag)
{
  int result;
  while ((result = cab_trace_next (&s->trace, diag)) > 0)
    if (s->trace.frame.kind == CAB_TRACE_CHUNK && s->trace.n_words)
      {
	s->at = 0;
	cab_decode_turn_to (s->decode, &s->trace.process->records);
	if (s->follows)
	  begin_contexts (s);
	return 1;
      }
  return result;
}

static int
give_rows (struct cab_rows_reader *r, struct source *s)
{
  r->rows = s->rows;
  r->n_rows = s->n;
  r->total += s->n;
  r->node = contexts (s) ? cab_tree_top (&contexts (s)->tree) : 0;
  s->n = 0;
  s->pending = false;
  return CAB_ROWS_ROWS;
}

static int
next (struct cab_rows_reader *r, struct cab_diag *diag)
{
  struct source *s = r->host;
  if (s->pending)
    return give_rows (r, s);
  do
    {
      int result = has_more (s) ? 1 : next_chunk (s, diag);
      if (result <= 0)
	return result < 0 ? -1 : CAB_ROWS_END;
      decode_some (s);
    }
  while (!s->n);
  r->names = cab_name_lines_take (s->lines, &r->n_names);
  if (!r->n_names)
    return give_rows (r, s);
  cab_rows_names_take (r->places, &r->memory, r->names, r->n_names);
  s->pending = true;
  return CAB_ROWS_NAMES;
}

static void
end (struct cab_rows_reader *r)
{
  struct source *s = r->host;
  for (uint32_t i = 0; i < s->n_contexts; i++)
    if (s->contexts[i])
      {
	cab_trace_contexts_fini (s->contexts[i]);
	free (s->contexts[i]);
      }
  free (s->contexts);
  cab_trace_close (&s->trace);
  cab_name_lines_free (s->lines);
  free (s->decode);
  free (s);
}

static int
open_packed (struct cab_rows_reader *r, struct cab_trace_input in, struct cab_diag *diag)
{
  struct source *s = XCNEW (struct source);
  if (cab_trace_open_input (&s->trace, in, diag) < 0)
    {
      free (s);
      return -1;
    }
  s->decode = XCNEW (struct cab_decode);
  s->decode->bare = true;
  s->lines = cab_name_lines_new ();
  cab_rows_prepare (r, (struct cab_trace_input) { .fd = -1 });
  r->host = s;
  r->next = next;
  r->end = end;
  return 0;
}

int
cab_source_open (struct cab_rows_reader *r, int fd, const char *path, struct cab_diag *diag)
{
  unsigned char head[CAB_ROWS_LOOK];
  struct cab_trace_input in;
  size_t n;
  cab_trace_input_open (&in, fd, path);
  int result = cab_trace_input_look (&in, head, &n, diag);
  if (result == 0 && cab_rows_is (head, n))
    result = cab_rows_open_input (r, in, diag);
  else if (result == 0)
    result = open_packed (r, in, diag);
  else
    cab_trace_input_close (&in);
  return result;
}

void
cab_source_tell_loops (struct cab_rows_reader *r)
{
  struct source *s = r->host;
  if (s)
    s->decode->loops = true;
}

const struct cab_trace_reader *
cab_source_packed (const struct cab_rows_reader *r)
{
  const struct source *s = r->host;
  return s ? &s->trace : NULL;
}

void
cab_source_follow (struct cab_rows_reader *r)
{
  struct source *s = r->host;
  if (s)
    s->follows = true;
}

const struct cab_trace_contexts *
cab_source_contexts (const struct cab_rows_reader *r, uint32_t process)
{
  const struct source *s = r->host;
  return s && process && process <= s->n_contexts ? s->contexts[process - 1] : NULL;
}

void
cab_source_lost (const struct cab_rows_reader *r, uint64_t *unknown)
{
  const struct source *s = r->host;
  *unknown = s ? s->decode->n_unknown + s->decode->n_unregistered : 0;
}
