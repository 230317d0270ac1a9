/* page_strips.c - see page_strips.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_strips.h"
#include <libiberty/libiberty.h>
#include <stdlib.h>

/* The walk: what a part of the thread's time has been spent in so far. */
struct painter
{
  struct cab_strips *strips;
  struct cab_strip *strip;               /* of the thread, or null before the first one */
  uint32_t part;
  uint64_t at_ns;                        /* up to here it is known */
  uint64_t *ns;                          /* by index of the function, in this part */
  const struct cab_function **touched;   /* those that have some */
  uint32_t n_touched;
};

/* Note who had most of the part, and forget it. */
static void
end_part (struct painter *p)
{
  uint64_t most = 0;
  for (uint32_t i = 0; i < p->n_touched; i++)
    {
      uint64_t *ns = &p->ns[p->touched[i]->index];
      if (*ns > most)
	{
	  most = *ns;
	  p->strip->function[p->part] = p->touched[i];
	  p->strip->percent[p->part] = 100 * most / p->strips->part_ns;
	}
      *ns = 0;
    }
  p->n_touched = 0;
}

/* FUNCTION has run up to NS since the last change; null: it is not known who has. */
static void
paint (struct painter *p, const struct cab_function *function, uint64_t ns)
{
  const struct cab_strips *s = p->strips;
  while (p->at_ns < ns)
    {
      uint64_t next = s->first_ns + (p->part + 1) * s->part_ns, to = next < ns ? next : ns;
      if (function && !p->ns[function->index])
	p->touched[p->n_touched++] = function;
      if (function)
	p->ns[function->index] += to - p->at_ns;
      p->at_ns = to;
      if (to == next)
	{
	  end_part (p);
	  p->part++;
	}
    }
}

/* Begin with the thread of SPAN, at NS, unless it is the one that was walked through. */
static void
choose_thread (struct painter *p, const struct cab_timed *span, uint64_t ns)
{
  struct cab_strips *s = p->strips;
  if (p->strip && p->strip->process == span->process && p->strip->thread == span->thread)
    return;
  if (p->strip)
    end_part (p);
  p->strip = &s->strips[s->n++];
  *p->strip = (struct cab_strip) { .process = span->process,
				   .thread = span->thread,
				   .function = XCNEWVEC (const struct cab_function *, s->n_parts),
				   .percent = XCNEWVEC (unsigned char, s->n_parts) };
  p->at_ns = ns;
  p->part = (ns - s->first_ns) / s->part_ns;
}

static void
begins (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct painter *p = host;
  choose_thread (p, span, span->begin_ns);
  paint (p, parent ? parent->function : NULL, span->begin_ns);
}

static void
ends (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  (void) parent;
  paint (host, span->function, span->end_ns);
}

void
cab_strips_init (struct cab_strips *strips, const struct cab_model *model,
		 const struct cab_timeline_sums *sums)
{
  uint32_t n = CAB_STRIPS_PARTS / (sums->n_threads ? sums->n_threads : 1);
  n = n > CAB_STRIPS_MOST ? CAB_STRIPS_MOST : n < CAB_STRIPS_LEAST ? CAB_STRIPS_LEAST : n;
  /* The last part does not end before the last event, so that all of them are within the strip. */
  *strips = (struct cab_strips) { .n_parts = n,
				  .first_ns = sums->first_ns,
				  .part_ns = (sums->last_ns - sums->first_ns) / n + 1,
				  .strips = XCNEWVEC (struct cab_strip, sums->n_threads + 1) };
  struct painter p = { .strips = strips,
		       .ns = XCNEWVEC (uint64_t, model->n_functions + 1),
		       .touched = XCNEWVEC (const struct cab_function *, model->n_functions + 1) };
  const struct cab_span_visitor visitor = { .host = &p, .begin = begins, .end = ends };
  cab_timeline_walk (model, &visitor);
  if (p.strip && p.part < n)
    end_part (&p);
  free (p.ns);
  free (p.touched);
}

void
cab_strips_fini (struct cab_strips *strips)
{
  for (uint32_t i = 0; i < strips->n; i++)
    {
      free (strips->strips[i].function);
      free (strips->strips[i].percent);
    }
  free (strips->strips);
}
