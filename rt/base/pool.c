/* pool.c - see pool.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/pool.h"

#include <sys/mman.h>

#include "rt/base/area.h"
#include "rt/common/sys.h"

#define BLOCK_LEAST (UINT64_C (64) << 10)
#define BLOCK_LARGE (UINT64_C (2) << 20)   /* size of large pages, which take one fault where small
					      ones take hundreds */

/* Map a block for BYTES, and for as much as the pool has had so far, in large pages if that is
   much.  Return its size, or 0. */
static size_t
make_block (size_t bytes, unsigned char **block)
{
  static size_t had;
  size_t wanted = had < BLOCK_LARGE ? had : BLOCK_LARGE;
  wanted = cab_round_up (bytes > wanted ? bytes : wanted, BLOCK_LEAST);
  size_t large = wanted < BLOCK_LARGE ? 0 : cab_round_up (wanted, BLOCK_LARGE);
  size_t found = large ? large : wanted;
  *block = cab_sys_map (large ? large + BLOCK_LARGE : wanted);
  if (*block && large)
    {
      *block += -(uintptr_t) *block % BLOCK_LARGE;
      (void) madvise (*block, large, MADV_HUGEPAGE);
    }
  else if (!*block && !(*block = cab_sys_map (found = cab_round_up (bytes, BLOCK_LEAST))))
    return 0;
  had += found;
  return found;
}

static unsigned char *pool;
static size_t left;   /* bytes left in the pool's block */

void
cab_pool_prepare (size_t bytes)
{
  unsigned char *next;
  size_t there = bytes > left ? make_block (bytes, &next) : 0;
  if (there)
    {
      pool = next;
      left = there;
    }
}

void *
cab_pool_alloc (size_t bytes)
{
  bytes = cab_round_up (bytes, 64);
  if (bytes > left)
    left = make_block (bytes, &pool);
  if (bytes > left)
    return NULL;
  void *p = pool;
  left -= bytes;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);   /* a copy of the process made here has too little
						 left, not too much */
  pool += bytes;
  return p;
}
