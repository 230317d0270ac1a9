/* timeline_walk.c - see timeline_walk.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/timeline_walk.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/live/timeline/an_timeline.h"
#include "analyses/report/timeline/clock_scale.h"

/* An open activation.  KEY orders them: twice the depth, and one more for a callback of foreign
   code that was jumped to, which is above the activation of its depth. */
struct frame
{
  struct cab_timed span;
  uint64_t key;
  uint32_t fn;
};

struct walk
{
  const struct cab_model *model;
  const struct cab_span_visitor *visitor;
  struct cab_timeline_sums sums;
  struct cab_clock_scale scale;
  struct frame *frames;
  size_t n, room;
  uint32_t process, thread;
  uint64_t began_ns;      /* first event of the thread */
  uint64_t number;
};

static struct frame *
top (struct walk *w)
{
  return w->n ? &w->frames[w->n - 1] : NULL;
}

/* Return the depth that an event with DEPTH, modulo 2^20, has. */
static uint64_t
full_depth (struct walk *w, uint32_t depth)
{
  uint64_t most = w->n ? top (w)->key / 2 + 1 : depth;
  uint64_t above = (most - depth) & CAB_EV_ID_MASK;
  return above <= most ? most - above : depth;
}

static void
push (struct walk *w, uint64_t key, uint64_t word, uint64_t ns)
{
  uint32_t fn = cab_ev_callee (word);
  if (w->n == w->room)
    {
      w->room = w->room ? 2 * w->room : 64;
      w->frames = XRESIZEVEC (struct frame, w->frames, w->room);
    }
  struct frame *frame = &w->frames[w->n++];
  *frame = (struct frame) { .key = key, .fn = fn };
  frame->span = (struct cab_timed) {
    .function = fn && fn <= w->model->n_functions ? w->model->functions[fn - 1] : NULL,
    .site = cab_ev_site (word),
    .process = w->process,
    .thread = w->thread,
    .depth = w->n - 1,
    .begin_ns = ns,
    .number = w->number++
  };
  if (w->visitor->begin)
    w->visitor->begin (w->visitor->host, &frame->span,
		       w->n > 1 ? &w->frames[w->n - 2].span : NULL);
}

/* End the activation on top at NS.  Its self_ns has been what its callees took. */
static void
pop (struct walk *w, uint64_t ns, enum cab_span_how how)
{
  struct cab_timed *span = &top (w)->span,
		  *parent = w->n > 1 ? &w->frames[w->n - 2].span : NULL;
  span->end_ns = ns;
  span->how = how;
  uint64_t whole = ns - span->begin_ns;
  span->self_ns = whole - span->self_ns;
  if (parent)
    parent->self_ns += whole;
  w->visitor->end (w->visitor->host, span, parent);
  w->n--;
}

/* End all activations from KEY on, since an event shows that they are gone. */
static void
leave (struct walk *w, uint64_t key, uint64_t ns)
{
  while (w->n && top (w)->key >= key)
    pop (w, ns, CAB_SPAN_LEFT);
}

/* End the activation of FN that sends its end with DEPTH: one of that depth or, if it was called
   back, of the one below. */
static void
end (struct walk *w, uint64_t depth, uint64_t word, uint64_t ns)
{
  uint32_t fn = cab_ev_callee (word);
  leave (w, 2 * depth + 1, ns);
  if (!fn)
    {
      leave (w, 2 * depth, ns);
      return;
    }
  if (w->n && top (w)->key == 2 * depth && top (w)->fn != fn)
    pop (w, ns, CAB_SPAN_LEFT);
  if (w->n && top (w)->fn == fn && top (w)->key + 1 >= 2 * depth)
    pop (w, ns, CAB_SPAN_RETURNED);
  else if (!w->n)
    {
      push (w, 2 * depth, word & ~(CAB_EV_ID_MASK << CAB_EV_SITE_SHIFT), w->began_ns);
      pop (w, ns, CAB_SPAN_BEFORE);
    }
}

static void
take (struct walk *w, const struct cab_timeline_event *event)
{
  uint64_t ns = cab_clock_ns (&w->scale, event->clock),
	   depth = full_depth (w, cab_ev_depth (event->word));
  unsigned kind = cab_ev_kind (event->word);
  w->began_ns = w->began_ns ? w->began_ns : ns;
  ns = ns > w->began_ns ? ns : w->began_ns;
  w->sums.n_events++;
  if (kind == CAB_EV_RESUME)
    end (w, depth, event->word, ns);
  else
    {
      uint64_t key = 2 * depth + (kind == CAB_EV_UNDER);
      leave (w, key, ns);
      push (w, key, event->word, ns);
    }
  if (!w->sums.first_ns || w->began_ns < w->sums.first_ns)
    w->sums.first_ns = w->began_ns;
  w->sums.last_ns = ns > w->sums.last_ns ? ns : w->sums.last_ns;
}

static int
in_order (const void *a, const void *b)
{
  const struct cab_timeline_block *x = *(const struct cab_timeline_block *const *) a,
				  *y = *(const struct cab_timeline_block *const *) b;
  return x->process != y->process ? (x->process > y->process) - (x->process < y->process)
       : x->thread != y->thread ? (x->thread > y->thread) - (x->thread < y->thread)
       : x->begin.clock != y->begin.clock
	 ? (x->begin.clock > y->begin.clock) - (x->begin.clock < y->begin.clock)
	 : (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* Walk through the blocks of one thread: N of them from BLOCKS on. */
static void
walk_thread (struct walk *w, const struct cab_timeline_block **blocks, uint64_t n)
{
  struct cab_timeline_cursor cursor;
  struct cab_timeline_event event;
  uint64_t last = 0;
  w->process = blocks[0]->process;
  w->thread = blocks[0]->thread;
  w->scale = cab_clock_scale_of (w->model, w->process);
  w->sums.varies |= w->scale.varies;
  w->sums.is_call |= w->scale.is_call;
  w->sums.is_rough |= w->scale.is_rough;
  w->sums.n_threads++;
  w->began_ns = 0;
  for (uint64_t i = 0; i < n; i++)
    {
      w->sums.bytes += cab_timeline_block_bytes (blocks[i]);
      if (i && blocks[i]->gap)
	{
	  while (w->n)
	    pop (w, cab_clock_ns (&w->scale, last), CAB_SPAN_OPEN);
	  w->began_ns = cab_clock_ns (&w->scale, blocks[i]->begin.clock);
	}
      cab_timeline_begin (&cursor, blocks[i]);
      while (cab_timeline_next (&cursor, &event))
	{
	  event.clock = event.clock > last ? event.clock : last;
	  last = event.clock;
	  take (w, &event);
	}
    }
  while (w->n)
    pop (w, cab_clock_ns (&w->scale, last), CAB_SPAN_OPEN);
}

struct cab_timeline_sums
cab_timeline_walk (const struct cab_model *model, const struct cab_span_visitor *visitor)
{
  struct walk w = { .model = model, .visitor = visitor };
  const struct cab_arena *state = cab_model_state (model, &cab_timeline);
  uint64_t n_blocks = state ? cab_timeline_n_blocks (state) : 0, n = 0, next;
  w.sums.unkept = state ? cab_timeline_unkept (state) : 0;
  const struct cab_timeline_block **blocks
    = XNEWVEC (const struct cab_timeline_block *, n_blocks + 1);
  for (uint64_t i = 0; i < n_blocks; i++)
    {
      const struct cab_timeline_block *block = cab_timeline_block (state, i);
      if (block && block->process < model->n_processes)
	blocks[n++] = block;
    }
  qsort (blocks, n, sizeof *blocks, in_order);
  for (uint64_t i = 0; i < n; i = next)
    {
      for (next = i + 1; next < n && blocks[next]->process == blocks[i]->process
			 && blocks[next]->thread == blocks[i]->thread; next++)
	continue;
      walk_thread (&w, blocks + i, next - i);
    }
  free (blocks);
  free (w.frames);
  return w.sums;
}

const char *
cab_span_end_name (enum cab_span_how how)
{
  static const char *const names[] = { [CAB_SPAN_RETURNED] = "returned",
				       [CAB_SPAN_LEFT] = "left",
				       [CAB_SPAN_OPEN] = "open",
				       [CAB_SPAN_BEFORE] = "began before" };
  return names[how];
}

const char *
cab_timeline_lacks (const struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_timeline);
  if (state && cab_timeline.applied (state))
    return NULL;
  for (uint32_t i = 0; i < model->n_functions; i++)
    if (model->functions[i]->flags & CAB_ROW_TIME)
      return "there are no times, since the analysis `timeline' did not run: run the program with "
	     "CABPROF_OPTIONS=analyses=timeline";
  return "there are no times: compile with -fplugin-arg-cabprof-events=calls+time, and run with "
	 "CABPROF_OPTIONS=analyses=timeline";
}

const char *
cab_timeline_remark (const struct cab_timeline_sums *sums)
{
  if (sums->varies)
    return "this processor does not say that its time stamp counter is steady: times are only near "
	   "the true ones";
  if (sums->is_call)
    return "times are those of clock_gettime, since the time stamp counter is not steady, or "
	   "because of clock=monotonic: each event took a call more";
  return sums->is_rough ? "the process was killed too early to measure the rate of its time stamp "
			  "counter: times are only near the true ones"
	 : sums->unkept ? "there was no room to keep all slow calls: give keep= more"
			: NULL;
}
