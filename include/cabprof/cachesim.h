/* cachesim.h - simulates caches, access by access.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      an instruction cache I1 and a data cache D1, followed by shared caches that hold
 *             both.  Set-associative, least recently used is evicted first, write-allocate; a
 *             modification counts as a read (the write that follows it always hits).  No prefetch,
 *             no TLB, no write-back, addresses as given (that is, virtual).  An access misses in a
 *             level at most once.
 *             CACHEGRIND:    one shared cache.  An access that misses any line in I1 or D1 goes to
 *                            the shared one with all its bytes.  The nine counters are those of
 *                            Valgrind's cachegrind for the same accesses, if data accesses are cut
 *                            to cab_cachesim_min_line bytes as cachegrind cuts them.
 *             NON_INCLUSIVE: 0 to CAB_CACHESIM_SHARED_MAX shared caches.  Each line of an access
 *                            goes its own way: a line that misses is looked up in the next cache,
 *                            and enters all in which it missed.  A line that one evicts stays in
 *                            the others.
 *             INCLUSIVE:     as NON_INCLUSIVE, but a line that is evicted is also taken out of all
 *                            caches before it, earlier than the new line enters those.
 *             In the latter two no cache may have shorter lines than one before it.
 * Shapes:     the state is one block of bytes without pointers; cab_cachesim_init makes one of
 *             empty caches from zeros.  Its length does not depend on how many accesses are fed.
 * Units:      size and line in bytes, both of the geometry and of accesses.
 * Threads:    feed: one thread at a time for a state.  feed_part: any threads at once for the same
 *             state, accesses and marks, each with a part of its own; all parts of one phase must
 *             have returned before any of the next begins.
 * Laws:       feed (a then b) = feed (a ++ b).  feed_part over all phases and parts = feed, in
 *             counts, marks and caches.
 * Ownership:  all memory is the caller's.
 * Errors:     an impossible geometry is refused by cab_cachesim_bytes; nothing else fails.
 */
#ifndef CABPROF_CACHESIM_H
#define CABPROF_CACHESIM_H

#include <stddef.h>
#include <stdint.h>
#include "cabprof/analysis.h"

#define CAB_CACHESIM_SHARED_MAX 3
#define CAB_CACHESIM_LEVELS_MAX (1 + CAB_CACHESIM_SHARED_MAX)
#define CAB_CACHESIM_PARTS_MAX 64

enum cab_cachesim_model
{
  CAB_CACHESIM_CACHEGRIND,
  CAB_CACHESIM_NON_INCLUSIVE,
  CAB_CACHESIM_INCLUSIVE
};

/* SIZE is a multiple of ASSOC * LINE; the quotient, the number of sets, need not be a power of
   two.  LINE is a power of two from 8 to 65536. */
struct cab_cache_geometry
{
  uint64_t size;           /* up to CAB_CACHE_SIZE_MAX */
  uint32_t assoc, line;
};
#define CAB_CACHE_SIZE_MAX (UINT64_C (1) << 30)

struct cab_cachesim_config
{
  enum cab_cachesim_model model;
  struct cab_cache_geometry i1, d1, shared[CAB_CACHESIM_SHARED_MAX];
  unsigned n_shared;
};

enum cab_access_kind
{
  CAB_ACCESS_FETCH,
  CAB_ACCESS_READ,
  CAB_ACCESS_WRITE,
  CAB_ACCESS_MODIFY
};

/* address + size does not exceed 2^64; size is not 0. */
struct cab_access
{
  uint64_t address;
  uint32_t size;
  uint32_t kind;           /* enum cab_access_kind */
};

/* Row 0: instruction fetches, 1: reads, 2: writes.  Level 0 is I1 or D1, level 1 the first shared
   cache. */
enum { CAB_CACHESIM_FETCHES, CAB_CACHESIM_READS, CAB_CACHESIM_WRITES, CAB_CACHESIM_ROWS };
struct cab_cachesim_counts
{
  uint64_t accesses[CAB_CACHESIM_ROWS];
  uint64_t misses[CAB_CACHESIM_ROWS][CAB_CACHESIM_LEVELS_MAX];
};

struct cab_cachesim;

/* Return why GEOMETRY is impossible, in words ("its lines are ..."), or null. */
const char *cab_cache_wrong (const struct cab_cache_geometry *geometry);

/* Return the length of the state for CONFIG, or 0 if it is impossible, and DIAG says why. */
size_t cab_cachesim_bytes (const struct cab_cachesim_config *config, struct cab_diag *diag);
/* Make MEMORY, cab_cachesim_bytes zero bytes aligned to 64, the state of empty caches. */
struct cab_cachesim *cab_cachesim_init (void *memory, const struct cab_cachesim_config *config);
/* Return the shortest line of CONFIG's caches, in bytes. */
uint32_t cab_cachesim_min_line (const struct cab_cachesim_config *config);

/* Feed N accesses in order.  MARKS, unless null, gets a byte for each: bit k says that it missed in
   level k. */
void cab_cachesim_feed (struct cab_cachesim *sim, const struct cab_access *accesses, size_t n,
			uint8_t *marks);

/* Return the largest N_PARTS of cab_cachesim_feed_part. */
unsigned cab_cachesim_max_parts (const struct cab_cachesim *sim);
/* Return the number of phases of cab_cachesim_feed_part. */
unsigned cab_cachesim_phases (const struct cab_cachesim *sim);
/* Feed N accesses in N_PARTS parts, a power of two up to cab_cachesim_max_parts: call this for each
   phase from 0 to cab_cachesim_phases - 1, with each part from 0.  MARKS has N bytes, zero before
   phase 0. */
void cab_cachesim_feed_part (struct cab_cachesim *sim, unsigned phase, unsigned part,
			     unsigned n_parts, const struct cab_access *accesses, size_t n,
			     uint8_t *marks);

/* Copy the counts of SIM to COUNTS. */
void cab_cachesim_counts (const struct cab_cachesim *sim, struct cab_cachesim_counts *counts);

#endif
