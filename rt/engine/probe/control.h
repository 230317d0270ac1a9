/* control.h - what the program and `cabprof ctl' request from the runtime: cabprof/cabprof.h,
 * cabprof/control.h.
 *
 * Threads:    cab_control in any thread; the others as noted.
 * Errors:     a request that cannot be granted changes nothing; the caller gets -errno.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CONTROL_H
#define CAB_RT_CONTROL_H

#include "cabprof/control.h"
#include "cabprof/profile.h"
#include "rt/base/rt.h"

/* Return the control page, or null before the start.  Its address never changes. */
static inline struct cab_part_control *
cab_control_page (void)
{
  return (struct cab_part_control *) cab_rt.control.base;
}

static inline uint64_t
cab_control_pause (void)
{
  return __atomic_load_n (&cab_control_page ()->pause, __ATOMIC_ACQUIRE);
}

/* Return true if the producer of ring H has not yet done what was requested: to rest, or to
   publish.  Relaxed loads. */
static inline bool
cab_control_wants (const struct cab_ring_header *h)
{
  const struct cab_part_control *c = cab_control_page ();
  return (__atomic_load_n (&c->pause, __ATOMIC_RELAXED) ^ h->obeys) & CAB_CONTROL_PAUSED
      || __atomic_load_n (&c->flush, __ATOMIC_RELAXED) != h->flushed;
}

/* Begin the pause that the options ask for; the page exists. */
void cab_control_start (void);
/* Start the thread that resumes the process later, if the options ask for that.  The process is on,
   no lock is held. */
void cab_control_started (void);
/* Reset the page in a forked child that has its new part.  Under the lock; cab_control_started must
   follow. */
void cab_control_fork (void);
/* Return the number of threads of the runtime's own that wait for the end of a pause. */
uint32_t cab_control_threads (void);

/* Set `analysing' of H once nobody copies the states, which may not be fed during a copy.  Under a
   ring's consumer lock.  Sequentially consistent, with the copier's store of `hold'. */
void cab_control_wait_for_copy (struct cab_ring_header *h);

/* Do WISH, with NAME if it has one, for struct cab_module.control.  Return 0 or -errno. */
int cab_control (unsigned wish, const char *name);

#endif
