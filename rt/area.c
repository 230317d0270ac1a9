/* area.c - see area.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/area.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static int
back (struct cab_area *area, struct cab_part *part, size_t bytes)
{
  int error = cab_part_append (part, area->kind, area->owner, area->bytes, bytes - area->bytes, area->base + area->bytes);
  if (error == 0)
    area->bytes = bytes;
  return error;
}

int
cab_area_open (struct cab_area *area, struct cab_part *part, unsigned kind, unsigned owner, size_t reserve, size_t bytes)
{
  area->kind = kind;
  area->owner = owner;
  area->reserve = cab_round_up (reserve, CAB_PAGE_BYTES);
  area->bytes = 0;
  area->base = cab_sys_reserve (area->reserve);
  if (!area->base)
    return -ENOMEM;
  int error = back (area, part, cab_round_up (bytes, CAB_PAGE_BYTES));
  if (error < 0)
    munmap (area->base, area->reserve);
  return error;
}

int
cab_area_grow (struct cab_area *area, struct cab_part *part, size_t bytes)
{
  if (bytes <= area->bytes)
    return 0;
  size_t least = cab_round_up (bytes, CAB_PAGE_BYTES);
  if (least > area->reserve)
    return -ENOMEM;
  size_t twice = area->bytes * 2 > least ? area->bytes * 2 : least;
  if (twice > area->reserve)
    twice = area->reserve;
  int error = back (area, part, twice);
  if (error == -ENOSPC && twice > least)
    error = back (area, part, least);
  return error;
}

int
cab_area_move (struct cab_area *area, struct cab_part *part, int keep)
{
  size_t bytes = area->bytes;
  void *old = NULL;
  if (keep)
    {
      /* The old mapping moves aside, so that its contents can be read once the new one has its addresses. */
      old = mremap (area->base, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, cab_sys_reserve (bytes));
      if (old == MAP_FAILED)
	return -errno;
    }
  area->bytes = 0;
  int error = back (area, part, bytes);
  if (old)
    {
      if (error == 0)
	memcpy (area->base, old, bytes);
      munmap (old, bytes);
    }
  return error;
}
