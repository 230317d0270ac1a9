/* pool.h - small memory of the runtime's own.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Threads:    under the runtime's lock.
 * Ownership:  what is taken is never given back.
 */
#ifndef CAB_RT_POOL_H
#define CAB_RT_POOL_H

#include <stddef.h>

/* Return BYTES of the pool, zero, aligned to 64; null if there is none. */
void *cab_pool_alloc (size_t bytes);
/* Reserve addresses for BYTES of that memory, if possible. */
void cab_pool_prepare (size_t bytes);

#endif
