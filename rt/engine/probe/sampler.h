/* sampler.h - samples as events: see include/cabprof/sampler.h.
 *
 * Threads:    the runtime's start, under its lock.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SAMPLER_H
#define CAB_RT_SAMPLER_H

#include <stdbool.h>

/* Is there a sampler in this process? */
bool cab_sampler_is_there (void);

/* From now on it tells what it finds. */
void cab_sampler_start (void);

#endif
