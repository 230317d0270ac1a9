/* hide.c - see hide.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/hide.h"

#include <errno.h>

#include "rt/base/rt.h"

/* A context of zeros makes every probe take its gate, and what is inside goes nowhere.  The stack
   stays: it shows which thread is on it. */
void
cab_hide (struct cab_hidden *hidden)
{
  struct cab_ctx *ctx = cab_ctx_self ();
  hidden->error = *__errno_location ();
  hidden->ctx = *ctx;
  *ctx = (struct cab_ctx) { .inside = CAB_INSIDE_HIDDEN,
			    .stack = ctx->stack,
			    .confined = ctx->confined };
}

void
cab_hide_end (const struct cab_hidden *hidden)
{
  *cab_ctx_self () = hidden->ctx;
  *__errno_location () = hidden->error;
}
