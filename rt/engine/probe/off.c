/* off.c - see off.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/probe/off.h"

#include <stdbool.h>
#include <stddef.h>

#include "cabprof/event.h"
#include "rt/engine/probe/gate.h"
#include "rt/engine/probe/register.h"
#include "rt/base/rt.h"

#define SINKS 64      /* this many threads have one each; more share them: what they write there is
			 meaningless */
#define SLOTS 2048    /* of one sink: a part of the first-level cache */

#define SPARE (SLOTS + CAB_ACCESS_WORDS + 2)

static struct sink
{
  struct cab_cursor cursor;
  uint64_t unused[6];
  uint64_t most;       /* of the cursor */
  uint64_t words[SPARE];
} sinks[SINKS];
_Static_assert (offsetof (struct sink, most) == CAB_CURSOR_MOST, "probes of CAB rings read it");
static uint32_t n_threads;
static bool never_on;   /* true if no row has a place among counters of a thread */

void
cab_off_fill (struct cab_module *m)
{
  cab_gate_fill (m);
}

/* Make M's gates harmless.  Objects for shared libraries find no context, and leave their events
   out. */
void
cab_off_module (struct cab_module *m)
{
  never_on = true;
  cab_ctx_self ()->count_base = 0;
  cab_off_fill (m);
}

uint64_t
cab_off_count (struct cab_row *row)
{
  if (never_on && cab_row_is_sound (row))
    {
      __atomic_store_n (&row->count_slot, UINT64_C (1) << 63, __ATOMIC_RELAXED);
      cab_ctx_self ()->count_base = (int64_t) ((uintptr_t) cab_gate_sink + (UINT64_C (1) << 63));
    }
  return (uintptr_t) cab_gate_sink;
}

/* Give ROW slots of function 0, which does not exist. */
void
cab_off_id (struct cab_row *row)
{
  if (!never_on || !cab_row_is_sound (row))
    return;
  __atomic_store_n (&row->call_slot, CAB_EV_CALL, __ATOMIC_RELAXED);
  __atomic_store_n (&row->path_slot, CAB_EV_PATH, __ATOMIC_RELAXED);
}

/* Return the thread's sink, assigning one if it has none. */
static struct sink *
sink_of (struct cab_ctx *ctx)
{
  uintptr_t at = (uintptr_t) ctx->cursor - (uintptr_t) sinks;
  if (at < sizeof sinks)
    return &sinks[at / sizeof *sinks];
  struct sink *sink = &sinks[__atomic_fetch_add (&n_threads, 1, __ATOMIC_RELAXED) % SINKS];
  /* Events of CAB rings, which know no end, go on up to this mark. */
  sink->words[SPARE - 1] = CAB_EV_MAGIC;
  sink->most = CAB_EV_MAGIC - 1;
  return sink;
}

/* Restart the thread at the beginning of its sink.  An enqueue that a handler has interrupted ends
   where it began, in the former ring or further on in the sink. */
void
cab_off_words (void)
{
  struct cab_ctx *ctx = cab_ctx_self ();
  struct sink *sink = sink_of (ctx);
  sink->cursor.limit = (uintptr_t) (sink->words + SLOTS);
  sink->cursor.next = (uintptr_t) sink->words;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  ctx->cursor = &sink->cursor;
  ctx->busy = 0;
}
