/* area.h - a run of bytes that grows: addresses are reserved, and extents of the part are mapped
 * over them as it grows.
 *
 * Model:      an area that outgrows its reservation gets one of twice the size, where all its
 *             extents are mapped again; the old mapping stays, of the same pages.  So no pointer
 *             into an area ever becomes invalid, and other threads use it while it grows.  Counter
 *             areas and rings never move.  The kernel limits the mappings of a process
 *             (vm.max_map_count, 65,530), and each thread of the program's has two for its stack.
 *             So, once there are some of them, rings and states without a reservation lie side by
 *             side, in a run of the file that is one mapping; and a counter area has two mappings,
 *             one that may be used and one that it may grow into.  Areas take at most an eighth of
 *             the addresses that RLIMIT_AS allows at the start, or of those that are left when the
 *             program sets it (cab_area_limit), and five eighths of the mappings: the rest is the
 *             program's.
 * Threads:    open and grow under the runtime's lock; the bytes below what grow promised belong to
 *             the area's owner.
 * Errors:     -errno; the area stays as it was. -ENOMEM: no more addresses or mappings are
 *             available to areas.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_AREA_H
#define CAB_RT_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rt/base/part.h"

struct cab_area
{
  unsigned char *base;
  size_t reserve;         /* bytes of address space */
  size_t bytes;           /* bytes that the file backs */
  size_t backed;          /* bytes that may be used: those have blocks on the medium */
  uint32_t kind, owner;
  bool shares;            /* its mapping is shared with other areas */
};

/* Reserve RESERVE bytes of addresses, fewer where they are not available, and back the first BYTES;
   both are rounded up to pages.  A counter area and a ring get all that they ask for, or fail.
   Return 0 or -errno. */
int cab_area_open (struct cab_area *area, struct cab_part_file *part, unsigned kind, unsigned owner,
		   size_t reserve, size_t bytes);

/* Open AREA as cab_area_open does, but with blocks on the medium for the first BACKED bytes only.
   More bytes get blocks by cab_area_grow, or by cab_part_back, which leaves `backed' unchanged. */
int cab_area_open_sparse (struct cab_area *area, struct cab_part_file *part, unsigned kind,
			  unsigned owner, size_t reserve, size_t bytes, size_t backed);

/* Back at least BYTES: twice the present size where the disk has room, so that areas stay short
   lists of extents.  Return 0 or -errno. */
int cab_area_grow (struct cab_area *area, struct cab_part_file *part, size_t bytes);

/* Back at least BYTES of AREA, of KIND and owner 0, which the first call opens with room for MOST.
   Return 0 or -errno. */
int cab_area_reach (struct cab_area *area, struct cab_part_file *part, unsigned kind, size_t most,
		    size_t bytes);

/* Map private memory over the last BYTES of the reservation, which the area does not grow into.
   Return 0 or -errno. */
int cab_area_map_end (struct cab_area *area, size_t bytes);

/* Give back the addresses that AREA reserves beyond BYTES and beyond what it has.  An area other
   than one of counters still grows, by moving.  Under the runtime's lock. */
void cab_area_trim (struct cab_area *area, size_t bytes);

/* Take at most an eighth of the addresses that are left to the process from now on: LIMIT, or
   RLIM_INFINITY, is about to become its RLIMIT_AS.  Under the runtime's lock. */
void cab_area_limit (uint64_t limit);

/* Begin a new run in a forked child, before it opens areas: none shares a mapping of the
   parent's. */
void cab_area_fork (void);

/* Give the addresses of AREA back; the file keeps its bytes. */
void cab_area_close (struct cab_area *area);

/* In a forked child, map the same addresses over extents of the child's own PART.  KEEP: with their
   contents; else zero.  Return 0 or -errno. */
int cab_area_move (struct cab_area *area, struct cab_part_file *part, int keep);

#endif
