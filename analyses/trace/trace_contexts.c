/* trace_contexts.c - see trace_contexts.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_contexts.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/an_tree.h"
#include "cabprof/event.h"
#include "analyses/wire/decode.h"

void
cab_trace_contexts_init (struct cab_trace_contexts *c)
{
  *c = (struct cab_trace_contexts) { .thread = 0 };
  cab_heap_open (&c->tree, &cab_tree);
}

void
cab_trace_contexts_fini (struct cab_trace_contexts *c)
{
  cab_heap_fini (&c->tree);
  free (c->marks);
}

void
cab_trace_contexts_thread (struct cab_trace_contexts *c, uint32_t thread)
{
  uint32_t most = thread > c->thread ? thread : c->thread;
  if (most >= c->n_threads)
    {
      uint32_t n = 2 * most + 8;
      c->marks = XRESIZEVEC (uint64_t, c->marks, n);
      memset (c->marks + c->n_threads, 0, (n - c->n_threads) * sizeof *c->marks);
      c->n_threads = n;
    }
  if (thread == c->thread)
    return;
  c->marks[c->thread] = cab_tree_mark (&c->tree);
  c->thread = thread;
  cab_tree_begin (&c->tree, thread);
  cab_tree_rewind (&c->tree, thread, c->marks[thread]);
}

size_t
cab_trace_contexts_resume (struct cab_trace_contexts *c, const uint64_t *words, size_t n)
{
  size_t i = 0;
  for (; i < n && cab_ev_kind (words[i]) == CAB_EV_RESUME; i++)
    cab_tree_resume (&c->tree, cab_ev_depth (words[i]));
  c->resumed |= i > 0;
  return i;
}

size_t
cab_trace_contexts_stretch (const uint64_t *words, size_t n)
{
  size_t i = 0;
  while (i < n && cab_ev_kind (words[i]) != CAB_EV_RESUME)
    i += 1 + cab_decode_raw (words[i]);
  return i < n ? i : n;
}

void
cab_trace_contexts_calls (struct cab_trace_contexts *c, const struct cab_batch *calls)
{
  if (calls->n)
    cab_tree.feed (&c->tree, calls, NULL);
}
