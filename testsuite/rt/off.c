/* off.c - the events of an unprofiled process go to a sink: probes of both kinds stay in it, and a
 * handler does not give it to an enqueue that it interrupts.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rt/engine/probe/off.c"

#include "judge.h"

/* These stand for what rt/engine/probe/off.c uses of the runtime. */
struct cab_rt cab_rt;
uint64_t cab_gate_sink[CAB_MAX_COUNTERS + 2];

void
cab_gate_fill (struct cab_module *m)
{
  (void) m;
}

static __thread struct cab_ctx ctx;

/* Do what a probe does: N raw words after a header. */
static void
enqueue (unsigned n)
{
  struct cab_cursor *c = ctx.cursor;
  if (!c || c->next >= c->limit)
    cab_off_words ();
  else
    {
      uint64_t *p = (uint64_t *) c->next;
      for (unsigned i = 0; i <= n; i++)
	p[i] = CAB_EV_MAGIC - 1;
      c->next = (uintptr_t) (p + n + 1);
    }
}

/* Do what a probe of a CAB ring does: it stops at a word that is greater than `most'. */
static unsigned
enqueue_cab (void)
{
  unsigned n = 0;
  const uint64_t *most = (const uint64_t *) ((const char *) ctx.cursor + CAB_CURSOR_MOST);
  for (uint64_t *p; (p = (uint64_t *) ctx.cursor->next) && *p <= *most; n++)
    {
      *p = 1;
      ctx.cursor->next = (uintptr_t) (p + 1);
    }
  return n;
}

int
main (void)
{
  struct cab_cursor ring = { 4096 | CAB_CURSOR_BUSY, 8192 };
  cab_rt.ctx_offset = (char *) &ctx - (char *) __builtin_thread_pointer ();
  ctx.cursor = &ring;
  ctx.busy = 1;
  cab_off_words ();
  CHECK (ring.next == (4096 | CAB_CURSOR_BUSY) && ring.limit == 8192,
	 "a handler changes where an enqueue goes that has begun");
  struct cab_cursor *c = ctx.cursor;
  const uint64_t *first = sinks[0].words;
  CHECK (c == &sinks[0].cursor && c->next == (uintptr_t) first
	   && c->limit == (uintptr_t) (first + SLOTS) && !ctx.busy,
	 "no sink");
  for (unsigned i = 0; i < 100000; i++)
    {
      enqueue (i % (CAB_ACCESS_WORDS + 1));
      CHECK (c->next >= (uintptr_t) first
	       && c->next <= (uintptr_t) (first + SLOTS + CAB_ACCESS_WORDS + 1),
	     "event %u lies outside", i);
    }
  c->next = (uintptr_t) first;
  CHECK (enqueue_cab () == SPARE - 1, "events of a CAB ring do not stop at the end");
  c->next |= CAB_CURSOR_BUSY;
  cab_off_words ();
  CHECK (ctx.cursor == c && c->next == (uintptr_t) first && c->limit == (uintptr_t) (first + SLOTS),
	 "a thread whose handler left an enqueue does not go on");
  return 0;
}
