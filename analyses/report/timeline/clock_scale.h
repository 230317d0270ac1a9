/* clock_scale.h - the time stamp counter of a process as nanoseconds of CLOCK_MONOTONIC.
 *
 * Model:      a straight line through the first pair of clocks that the process took, and the
 *             latest one.  Of a process that ended before these were far enough apart, the rate is
 *             that of the process of the profile that lasted longest, or of this machine, if its
 *             clocks lie on a line with the process' first pair; else the line is through what
 *             pairs there are.
 * Units:      ns.
 * Threads:    none.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_CLOCK_SCALE_H
#define CAB_CLOCK_SCALE_H

#include <stdbool.h>
#include <stdint.h>
#include "analyses/profile/model.h"

struct cab_clock_scale
{
  struct cab_clock_pair first;
  double ns_per_unit;
  bool varies;     /* the processor does not say that its counter is steady */
  bool is_call;    /* the times are nanoseconds already */
  bool is_rough;   /* the rate is of pairs that are close together */
};

/* Make the scale of PROCESS, its index in MODEL. */
struct cab_clock_scale cab_clock_scale_of (const struct cab_model *model, uint32_t process);

/* Return the time of CLOCK. */
static inline uint64_t
cab_clock_ns (const struct cab_clock_scale *scale, uint64_t clock)
{
  double ns = (double) (int64_t) (clock - scale->first.clock) * scale->ns_per_unit;
  return ns < 0 && -ns > scale->first.ns ? 0 : scale->first.ns + (int64_t) ns;
}

#endif
