/* control.h - what the program and `cabprof ctl' ask of the runtime: cabprof/cabprof.h,
 * cabprof/control.h.
 *
 * Threads:    cab_control in any thread; the others as they say.
 * Errors:     a wish that cannot be granted changes nothing; the caller gets -errno.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CONTROL_H
#define CAB_RT_CONTROL_H

#include "cabprof/control.h"
#include "cabprof/profile.h"
#include "rt/base/rt.h"

/* The control page, or null: before the start.  Its address never changes. */
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

/* Return true if the producer of ring H has not yet done what was asked for: it is to rest, or to
   publish. */
static inline bool
cab_control_wants (const struct cab_ring_header *h)
{
  const struct cab_part_control *c = cab_control_page ();
  return (__atomic_load_n (&c->pause, __ATOMIC_RELAXED) ^ h->obeys) & CAB_CONTROL_PAUSED
      || __atomic_load_n (&c->flush, __ATOMIC_RELAXED) != h->flushed;
}

/* The page is there: the pause that the options ask for begins. */
void cab_control_start (void);
/* The process is on, no lock is held: what resumes it later, if the options say so. */
void cab_control_started (void);
/* In a forked child that has its new part.  Under the lock; cab_control_started is to follow. */
void cab_control_fork (void);
/* Threads of the runtime's own that wait for the end of a pause. */
uint32_t cab_control_threads (void);

/* Nobody may feed a state while somebody copies them: wait until nobody does.  Under a ring's
   consumer lock, which has `analysing' set. */
void cab_control_wait_for_copy (struct cab_ring_header *h);

/* struct cab_module.control. */
int cab_control (unsigned wish, const char *name);

#endif
