/* sampler.h - turns samples into events: see include/cabprof/sampler.h.
 *
 * Threads:    the runtime's start, under its lock.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SAMPLER_H
#define CAB_RT_SAMPLER_H

#include <stdbool.h>

/* Return true if this process has a sampler. */
bool cab_sampler_is_there (void);

/* Make the sampler report its samples from now on.  Stores `note' with release. */
void cab_sampler_start (void);

#endif
