/* hide.h - calls of the C library that may run instrumented code of the program's.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Threads:    the thread itself, with signals blocked and no lock held.
 */
#ifndef CAB_RT_HIDE_H
#define CAB_RT_HIDE_H

#include "cabprof/abi.h"

/* `inside' of a thread's context while it is hidden. */
#define CAB_INSIDE_HIDDEN 2u

/* The thread's context while it is hidden. */
struct cab_hidden
{
  struct cab_ctx ctx;
  int error;
};
/* Hide the thread's probes around calls of the C library, which may run instrumented code of the
   program's (its malloc): such code counts nowhere, and sends no event.  Signals are blocked; no
   lock may be held.  The C library's errno is kept. */
void cab_hide (struct cab_hidden *hidden);
/* End what cab_hide has begun. */
void cab_hide_end (const struct cab_hidden *hidden);

#endif
