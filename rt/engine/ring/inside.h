/* inside.h - marks a thread that is in the runtime.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      instrumented code that the C library calls back (a program's own malloc) does not
 *             enter the runtime twice.
 * Threads:    the thread itself, on the runtime's stack (gate_stack.h), with signals blocked.
 */
#ifndef CAB_RT_INSIDE_H
#define CAB_RT_INSIDE_H

#include "rt/base/rt.h"
#include "rt/engine/ring/thread.h"

/* The mark of the thread of CTX; CAB_INSIDE_HIDDEN (hide.h) is one of its values. */
#define CAB_INSIDE(ctx) (*(volatile uint64_t *) &(ctx)->inside)

struct cab_inside
{
  struct cab_ctx *ctx;
};

/* Mark this thread as inside.  Return false if it was inside already, or the process runs
   unprofiled. */
static inline bool
cab_inside_enter (struct cab_inside *in)
{
  in->ctx = cab_ctx_self ();
  if (!cab_rt_on () || CAB_INSIDE (in->ctx))
    return false;
  CAB_INSIDE (in->ctx) = 1;
  return true;
}

/* End what cab_inside_enter has begun, and have the thread's end reported. */
static inline void
cab_inside_leave (struct cab_inside *in)
{
  cab_thread_watch (in->ctx->thread);
  CAB_INSIDE (in->ctx) = 0;
}

#endif
