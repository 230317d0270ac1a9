/* context.c - give events the tree's node of their activation, see context.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/context.h"
#include <stdbool.h>
#include "analyses/live/an_tree.h"

/* Return how many of the N words at WORDS, up to one that changes which node is on top, are of
   kinds that C takes (if WANTED) or of others (if not).  Raw words belong to their header. */
static size_t
stretch (const struct cab_context *c, const uint64_t *words, size_t n, bool wanted)
{
  size_t i = 0;
  while (i < n && cab_decode_kind (words[i]) != CAB_EV_CALL
	 && cab_ev_kind (words[i]) != CAB_EV_RESUME
	 && (c->kinds >> cab_decode_kind (words[i]) & 1) == wanted)
    i += 1 + cab_decode_raw (words[i]);
  return i < n ? i : n;
}

/* Return how many of the N words at WORDS are calls, up to one that is not. */
static size_t
calls_in_a_row (const uint64_t *words, size_t n)
{
  size_t i = 0;
  while (i < n && cab_decode_kind (words[i]) == CAB_EV_CALL)
    i++;
  return i;
}

#define BOTH (1u << CAB_EV_PATH | 1u << CAB_EV_ACCESS)

/* Return how many frames the tree's stack has. */
static uint32_t
depth_of (const struct cab_context *c)
{
  const struct cab_arena *tree = c->tree (c->host);
  return tree ? cab_tree_mark (tree) >> 32 : 0;
}

/* Record that no more than N frames have not been left. */
static void
keep (struct cab_context *c, uint64_t n)
{
  c->kept = n < c->kept ? n : c->kept;
}

/* Record which frames BATCH, of calls, leaves, as the tree takes it. */
static void
keep_below (struct cab_context *c, const struct cab_batch *batch)
{
  uint64_t top = depth_of (c);
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t below = cab_tree_below (top, cab_ev_depth (batch->events[i]));
      keep (c, below);
      top = below + 1;
    }
}

/* Say in BATCH, of paths or accesses, where the stack stands. */
static void
put_stack (struct cab_context *c, struct cab_batch *batch)
{
  batch->depth = depth_of (c);
  keep (c, batch->depth);
  batch->kept = c->kept;
  c->kept = UINT32_MAX;
}

/* Give BATCH to the host with NODE as the node of all its events. */
static void
give (struct cab_context *c, struct cab_batch *batch, uint32_t node)
{
  if (!batch->n)
    return;
  if (c->is_ordered && BOTH >> batch->kind & 1)
    put_stack (c, batch);
  if (c->last != node)
    c->n_nodes = 0;
  for (c->last = node; c->n_nodes < batch->n; c->n_nodes++)
    c->node[c->n_nodes] = node;
  batch->node = c->node;
  c->rest (c->host, batch);
}

/* Decode N words and give what they hold to the host, with NODE as the node of all events but
   calls.  Return how many words were decoded. */
static size_t
take (struct cab_context *c, struct cab_decode *d, const uint64_t *words, size_t n, uint32_t thread,
      uint32_t node)
{
  size_t taken = cab_decode (d, words, n, thread);
  if (d->call.n)
    {
      keep_below (c, &d->call);
      c->calls (c->host, &d->call);
      keep (c, depth_of (c));
    }
  give (c, &d->path, node);
  give (c, &d->loop, node);
  give (c, &d->sample, node);
  give (c, &d->access, node);
  while (cab_decode_pending (d))
    {
      cab_decode (d, words, 0, thread);
      give (c, &d->access, node);
    }
  return taken;
}

/* Tell the host which frames have been left since the last batch that said so: the reader of a dead
   process may begin with the words after these. */
static void
tell_left (struct cab_context *c, uint32_t thread)
{
  struct cab_batch nothing = { .kind = CAB_EV_PATH, .thread = thread };
  if (!c->is_ordered || c->kept == UINT32_MAX)
    return;
  put_stack (c, &nothing);
  c->rest (c->host, &nothing);
}

void
cab_context_words (struct cab_context *c, struct cab_decode *d, const uint64_t *words, size_t n,
		   uint32_t thread)
{
  struct cab_arena *tree = c->tree (c->host);
  if (tree)
    cab_tree_begin (tree, thread);
  c->kept = UINT32_MAX;
  for (size_t i = 0; i < n;)
    {
      size_t calls = calls_in_a_row (words + i, n - i);
      tree = c->tree (c->host);
      if (calls)
	i += take (c, d, words + i, calls, thread, 0);
      else if (cab_ev_kind (words[i]) == CAB_EV_RESUME)
	{
	  if (tree)
	    cab_tree_resume (tree, cab_ev_depth (words[i]));
	  keep (c, depth_of (c));
	  i++;
	}
      else
	{
	  i += stretch (c, words + i, n - i, false);
	  size_t most = c->is_ordered && i < n ? cab_decode_run (words + i, n - i) : n - i;
	  size_t taken = stretch (c, words + i, most, true);
	  if (taken)
	    i += take (c, d, words + i, taken, thread, tree ? cab_tree_top (tree) : 0);
	}
    }
  tell_left (c, thread);
}

void
cab_context_number_as (struct cab_arena *tree, const struct cab_arena *from)
{
  cab_tree_number_as (tree, from);
}

uint64_t
cab_context_mark (const struct cab_context *c)
{
  const struct cab_arena *tree = c->tree (c->host);
  return tree ? cab_tree_mark (tree) : 0;
}
