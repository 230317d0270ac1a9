/* host_caches.h - the caches of this machine, as the kernel reports them.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      first-level caches for instructions and data, the second level, and the last level of
 *             all.  What the kernel does not report, or reports wrongly (virtual machines are known
 *             for an associativity of 0), is replaced: by default L1 has 32 KB in 8 ways, L2 512 KB
 *             in 8 ways, LL 8 MB in 16 ways, and lines have 64 bytes.  `origin' says what was
 *             replaced.
 * Errors:     none: where nothing can be read, there are the defaults.
 */
#ifndef CAB_HOST_CACHES_H
#define CAB_HOST_CACHES_H

#include <stdbool.h>
#include "cabprof/cachesim.h"

#define CAB_HOST_CACHES_DIR "/sys/devices/system/cpu/cpu0/cache"

struct cab_host_cache
{
  struct cab_cache_geometry geometry;
  const char *origin;
};

struct cab_host_caches
{
  struct cab_host_cache i1, d1, l2, ll;
  bool has_l2;             /* there is a second level, and another after it */
};

/* Read the caches from the directory DIR, which is CAB_HOST_CACHES_DIR but for tests. */
void cab_host_caches (const char *dir, struct cab_host_caches *caches);

#endif
