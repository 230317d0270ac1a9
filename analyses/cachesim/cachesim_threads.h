/* cachesim_threads.h - feeds simulated caches from several threads, each with its part of the sets.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      the caller hands over one batch after another, and prepares the next while threads
 *             simulate the last one. Counts are those of cab_cachesim_feed.
 * Threads:    new, feed, drain and free: one thread.
 * Ownership:  a batch belongs to the threads until the next call of feed or drain returns.
 */
#ifndef CAB_CACHESIM_THREADS_H
#define CAB_CACHESIM_THREADS_H

#include "cabprof/cachesim.h"

struct cab_cachesim_threads;

/* Start N threads, a power of two up to cab_cachesim_max_parts, for batches of up to ROOM accesses.
   Return null if there are not enough resources. */
struct cab_cachesim_threads *cab_cachesim_threads_new (struct cab_cachesim *sim, unsigned n,
						       size_t room);
/* Wait for the batch before this, then start with this. */
void cab_cachesim_threads_feed (struct cab_cachesim_threads *threads,
				const struct cab_access *accesses, size_t n);
/* Wait until all is simulated, end the threads, and free THREADS.  The caller keeps SIM. */
void cab_cachesim_threads_free (struct cab_cachesim_threads *threads);

#endif
