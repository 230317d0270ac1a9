/* area.h - a run of bytes that grows in place: addresses reserved once, extents of the part mapped over them as it grows.
 *
 * Model:      so no pointer into an area ever goes stale, and other threads use it while it grows.
 * Threads:    open and grow under the runtime's lock; the bytes below what grow promised belong to whoever the area belongs to.
 * Errors:     -errno; the area stays as it was.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_AREA_H
#define CAB_RT_AREA_H

#include <stddef.h>
#include <stdint.h>
#include "rt/part.h"

struct cab_area
{
  unsigned char *base;
  size_t reserve;         /* bytes of address space */
  size_t bytes;           /* bytes that the file backs */
  uint32_t kind, owner;
};

/* Reserve RESERVE bytes of addresses and back the first BYTES; both are rounded up to pages. */
int cab_area_open (struct cab_area *area, struct cab_part *part, unsigned kind, unsigned owner, size_t reserve, size_t bytes);

/* Back at least BYTES: twice what there is where the disk has it, so that areas stay short lists of extents. */
int cab_area_grow (struct cab_area *area, struct cab_part *part, size_t bytes);

/* In a forked child: the same addresses over extents of the child's own PART, their contents KEPT or zero. */
int cab_area_move (struct cab_area *area, struct cab_part *part, int keep);

#endif
