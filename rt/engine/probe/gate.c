/* gate.c - see gate.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/probe/gate.h"

#include <cpuid.h>
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cabprof/event.h"
#include "rt/base/clock.h"
#include "rt/base/fork_look.h"
#include "rt/base/hide.h"
#include "rt/engine/ring/inside.h"
#include "rt/filters/filters.h"
#include "rt/base/gate_stack.h"
#include "rt/engine/probe/off.h"
#include "rt/engine/probe/register.h"
#include "rt/engine/ring/rest.h"
#include "rt/engine/ring/ring.h"
#include "rt/base/rt.h"
#include "rt/engine/ring/thread.h"

#define HIDDEN __attribute__ ((visibility ("hidden")))

/* Components of the processor's extended state that C code may touch: x87, SSE, AVX, AVX-512. */
#define SAVED_STATE 0xe7u
enum { SAVE_FXSAVE, SAVE_XSAVE, SAVE_XSAVEC };

/* Read by trampoline.S. */
HIDDEN uint32_t cab_gate_stack_maps = 1, cab_gate_save_kind, cab_gate_save_mask,
		cab_gate_save_bytes = 512 + 64;

HIDDEN void cab_tramp_count (void), cab_tramp_id (void), cab_tramp_event (void),
  cab_tramp_cab (void), cab_tramp_words (void);
HIDDEN void cab_inner_count (void), cab_inner_id (void), cab_inner_event (void),
  cab_inner_cab (void), cab_inner_words (void);

_Static_assert (offsetof (struct cab_ctx, inside) == CAB_CTX_INSIDE
		 && offsetof (struct cab_ctx, stack) == CAB_CTX_STACK
		 && offsetof (struct cab_rt, ctx_offset) == CAB_RT_CTX_OFFSET
		 && offsetof (struct cab_stack_head, tid) == 0
		 && offsetof (struct cab_stack_head, taken) == CAB_STACK_TAKEN
		 && offsetof (struct cab_stack_head, request) == CAB_STACK_REQUEST
		 && sizeof (struct cab_stack_head) == CAB_STACK_HEAD_BYTES,
	       "trampoline.S knows these");

uint64_t cab_gate_sink[CAB_MAX_COUNTERS + 2];

static uint32_t
read_xcr0 (void)
{
  uint32_t low, high;
  __asm__ volatile ("xgetbv" : "=a" (low), "=d" (high) : "c" (0));
  return low;
}

void
cab_gate_start (void)
{
  uint32_t a, b, c, d;
  if (!__get_cpuid (1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
    return;
  cab_gate_save_mask = read_xcr0 () & SAVED_STATE;
  for (uint32_t i = 2; i < 8; i++)
    if (cab_gate_save_mask >> i & 1 && __get_cpuid_count (0xd, i, &a, &b, &c, &d)
	&& b + a > cab_gate_save_bytes)
      cab_gate_save_bytes = b + a;
  __get_cpuid_count (0xd, 1, &a, &b, &c, &d);
  cab_gate_save_kind = a & bit_XSAVEC ? SAVE_XSAVEC : SAVE_XSAVE;
}

/* Use the module's own code as its gates where it saves registers and blocks signals. */
void
cab_gate_fill (struct cab_module *m)
{
  static void (*const whole[]) (void) = { cab_tramp_count, cab_tramp_id, cab_tramp_event,
					  cab_tramp_cab, cab_tramp_words };
  static void (*const inner[]) (void) = { cab_inner_count, cab_inner_id, cab_inner_event,
					  cab_inner_cab, cab_inner_words };
  bool has_front = m->bytes >= sizeof *m && m->front[0] && !cab_filters;
  for (int i = 0; i < CAB_N_GATES; i++)
    {
      if (has_front)
	m->inner[i] = inner[i];
      void (*gate) (void) = has_front ? m->front[i] : whole[i];
      if (cab_direct_on () && !cab_filters)
	gate = i == CAB_GATE_EVENT ? cab_direct_event
	     : i == CAB_GATE_WORDS ? cab_direct_words
				   : gate;
      __atomic_store_n (&m->gate[i], gate, __ATOMIC_RELEASE);
    }
}

void
cab_gate_leave_stack (struct cab_ctx *ctx)
{
  struct cab_stack_head *head = (struct cab_stack_head *) ctx->stack;
  bool mine = ctx->stack > CAB_NO_STACK && !head->taken;
  ctx->stack = 0;
  if (!mine)
    return;
  head->request[0] = CAB_VALGRIND_STACK_DEREGISTER;
  cab_gate_valgrind (head->request);
  munmap ((char *) head + CAB_STACK_HEAD_BYTES - CAB_STACK_BYTES - CAB_STACK_GUARD_BYTES,
	  CAB_STACK_BYTES + CAB_STACK_GUARD_BYTES);
}

void
cab_gate_fork (void)
{
  uint64_t stack = cab_ctx_self ()->stack;
  if (stack > CAB_NO_STACK)
    ((struct cab_stack_head *) stack)->tid = gettid ();
}

/* Attach this thread if it is not attached, and register ROW.  Where that is impossible, one entry
   of a function is not counted. */
static void
attach_and_register (struct cab_ctx *ctx, struct cab_row *row)
{
  if (cab_is_blind (ctx))
    {
      cab_ledger_add (&cab_ledger ()->dropped[CAB_DROP_SANDBOX],
		      row->flags & CAB_ROW_PATHS_COUNT ? 1 : 0);
      return;
    }
  cab_lock (&cab_rt.lock);
  cab_thread_attach (ctx);
  cab_register_row (row);
  cab_unlock (&cab_rt.lock);
}

HIDDEN uint64_t
cab_gate_count_c (struct cab_row *row)
{
  struct cab_inside in;
  cab_fork_look ();
  if (cab_inside_enter (&in))
    {
      attach_and_register (in.ctx, row);
      cab_inside_leave (&in);
    }
  else if (!cab_rt_on ())
    return cab_off_count (row);
  int64_t p = in.ctx->count_base + (int64_t) row->count_slot;
  return p > 0 ? (uint64_t) p : (uintptr_t) cab_gate_sink;
}

HIDDEN uint64_t
cab_gate_id_c (struct cab_row *row)
{
  struct cab_inside in;
  cab_fork_look ();
  if (cab_inside_enter (&in))
    {
      attach_and_register (in.ctx, row);
      cab_inside_leave (&in);
    }
  else if (!cab_rt_on ())
    cab_off_id (row);
  return (uintptr_t) row;
}

/* Drop an event of a thread without a ring, or of one that is inside. */
static void
drop (const struct cab_ctx *ctx)
{
  const struct cab_rt_thread *t = ctx->thread;
  enum cab_drop cause = cab_is_blind ((struct cab_ctx *) ctx) ? CAB_DROP_SANDBOX
		      : t && t->counts ? CAB_DROP_NO_MEMORY
		      : CAB_DROP_NO_THREAD;
  if (cab_rt_on () && CAB_INSIDE (ctx) != CAB_INSIDE_HIDDEN)
    cab_ledger_add (&cab_ledger ()->dropped[cause], 1);
}

static bool
has_no_ring (const struct cab_ctx *ctx)
{
  const struct cab_rt_thread *t = ctx->thread;
  return t && t->no_ring;
}

/* Store the event at WORDS to TIMED with the time of now, if it has a time that is to be replaced.
   Return TIMED then, else WORDS. */
static const uint64_t *
replace_time (const uint64_t *words, uint64_t timed[2])
{
  if (!cab_clock_by_call || cab_ev_kind (*words) != CAB_EV_TIME)
    return words;
  timed[0] = cab_monotonic_ns () << CAB_EV_TIME_SHIFT | CAB_EV_TIME;
  timed[1] = words[1];
  return timed;
}

/* Send the event at WORDS. */
static void
send (const uint64_t *words)
{
  struct cab_inside in;
  struct cab_ctx *ctx = cab_ctx_self ();
  cab_fork_look ();
  if (!cab_rt_on ())
    cab_off_words ();
  else if (cab_rest_takes (ctx))
    return;
  else if (cab_ring_is_busy (ctx))
    cab_ring_stash (ctx, words);
  else if (has_no_ring (ctx) || !cab_inside_enter (&in))
    drop (ctx);
  else
    {
      cab_ring_full (ctx, words);
      cab_inside_leave (&in);
    }
}

HIDDEN uint64_t
cab_gate_words_c (const uint64_t *words)
{
  uint64_t timed[2];
  send (replace_time (words, timed));
  return (uintptr_t) words;
}

HIDDEN uint64_t
cab_gate_event_c (uint64_t event)
{
  send (&event);
  return event;
}

HIDDEN uint64_t
cab_gate_cab_c (uint64_t event)
{
  struct cab_inside in;
  struct cab_ctx *ctx = cab_ctx_self ();
  cab_fork_look ();
  if (!cab_rt_on ())
    {
      cab_off_words ();
      return event;
    }
  if (cab_rest_takes (ctx))
    return event;
  if (cab_ring_is_busy (ctx))
    cab_ring_stash (ctx, &event);
  else if (has_no_ring (ctx) || !cab_inside_enter (&in))
    drop (ctx);
  else
    {
      cab_ring_cab (ctx, &event);
      cab_inside_leave (&in);
    }
  return event;
}
