/* ctx.c - see ctx.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/ctx.h"

#include "cabprof/abi.h"

static __thread struct cab_ctx own __attribute__ ((tls_model ("initial-exec")));

int64_t
cab_ctx_fallback (void)
{
  return (char *) &own - (char *) __builtin_thread_pointer ();
}
