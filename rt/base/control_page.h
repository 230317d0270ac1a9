/* control_page.h - the page by which the program and `cabprof ctl' request something from the
 * runtime: cabprof/control.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CONTROL_PAGE_H
#define CAB_RT_CONTROL_PAGE_H

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

/* Set `analysing' of H once nobody copies the states, which may not be fed during a copy.  Under a
   ring's consumer lock.  Sequentially consistent, with the copier's store of `hold'. */
void cab_control_wait_for_copy (struct cab_ring_header *h);

#endif
