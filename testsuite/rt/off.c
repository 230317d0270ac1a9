/* off.c - where the events of an unprofiled process go: a sink that probes of both kinds stay in, and that a handler does not give to an enqueue in its midst.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rt/off.c"

#include "judge.h"

/* What rt/off.c uses of the runtime. */
struct cab_rt cab_rt;
uint64_t cab_gate_sink[CAB_MAX_COUNTERS + 2];

void
cab_gate_fill (struct cab_module *m)
{
  (void) m;
}

static __thread struct cab_ctx ctx;

/* A probe's: N raw words behind a header. */
static void
enqueue (unsigned n)
{
  if (ctx.ring_busy || ctx.ring_p >= ctx.ring_lim)
    cab_off_words ();
  else
    {
      uint64_t *p = ctx.ring_p;
      p[n + 1] = 0;
      for (unsigned i = 0; i <= n; i++)
	p[i] = CAB_EV_MAGIC - 1;
      ctx.ring_p = p + n + 1;
    }
}

/* A probe's of a CAB ring: it stops at what is not 0. */
static unsigned
enqueue_cab (void)
{
  unsigned n = 0;
  for (; ctx.ring_p && !*ctx.ring_p; n++)
    *ctx.ring_p++ = 1;
  return n;
}

int
main (void)
{
  cab_rt.ctx_offset = (char *) &ctx - (char *) __builtin_thread_pointer ();
  ctx.ring_busy = 1;
  cab_off_words ();
  CHECK (!ctx.ring_p && !ctx.ring_lim && ctx.ring_busy, "a handler changes where an enqueue goes that may have begun");
  ctx.ring_busy = 0;
  cab_off_words ();
  const uint64_t *first = ctx.ring_p;
  CHECK (ctx.ring_p && ctx.ring_lim == first + SLOTS, "no sink");
  for (unsigned i = 0; i < 100000; i++)
    {
      enqueue (i % (CAB_ACCESS_WORDS + 1));
      CHECK (ctx.ring_p >= first && ctx.ring_p <= first + SLOTS + CAB_ACCESS_WORDS + 1, "event %u lies outside", i);
    }
  for (unsigned i = 0; i < SPARE - 1; i++)
    words[0][i] = 0;
  ctx.ring_p = words[0];
  CHECK (enqueue_cab () == SPARE - 1, "events of a CAB ring do not stop at the end");
  ctx.ring_busy = 1;
  cab_off_words ();
  CHECK (!ctx.ring_busy && ctx.ring_p == first && ctx.ring_lim == first + SLOTS, "a thread whose handler left an enqueue does not go on");
  return 0;
}
