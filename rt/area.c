/* area.c - see area.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/area.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static bool
is_fixed (const struct cab_area *area)
{
  return area->kind == CAB_EXT_COUNTS || area->kind == CAB_EXT_RING;
}

/* What all areas have, and may have; 0: that is not known yet. */
static struct
{
  uint64_t maps, most_maps, bytes, most_bytes;
} budget;

#define SURE_MAPS 16384u    /* so many there are in any case: no file is read before they are used up */
#define FEW_MAPS 3u         /* of one area, at first */

/* Five eighths of /proc/sys/vm/max_map_count. */
static uint64_t
most_maps (void)
{
  char text[32];
  uint64_t n = 0;
  if (cab_sys_read_file ("/proc/sys/vm/max_map_count", text, sizeof text) > 0)
    for (const char *p = text; *p >= '0' && *p <= '9'; p++)
      n = n * 10 + (*p - '0');
  n = n / 8 * 5;
  return n > SURE_MAPS ? n : SURE_MAPS;
}

static uint64_t
most_bytes (void)
{
  struct rlimit limit;
  bool limited = getrlimit (RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? limit.rlim_cur / 8 : UINT64_MAX;
}

/* May AREA have a reservation of BYTES?  What states will need is not for threads. */
static bool
may_take (const struct cab_area *area, uint64_t bytes)
{
  budget.most_bytes = budget.most_bytes ? budget.most_bytes : most_bytes ();
  if (budget.maps + FEW_MAPS > SURE_MAPS / 3 * 2 && !budget.most_maps)
    budget.most_maps = most_maps ();
  uint64_t maps = budget.most_maps ? budget.most_maps : SURE_MAPS;
  return budget.maps + FEW_MAPS <= (is_fixed (area) ? maps / 3 * 2 : maps) && budget.bytes + bytes <= budget.most_bytes;
}

/* Mappings of an area of KIND with a reservation of BYTES, of which so many are BACKED: counters have a sink at the end. */
static unsigned
maps_of (unsigned kind, size_t bytes, size_t backed)
{
  return kind == CAB_EXT_COUNTS ? 3 : kind == CAB_EXT_RING ? 1 : 1 + (backed < bytes);
}

static int
back (struct cab_area *area, struct cab_part *part, size_t bytes, size_t backed)
{
  uint64_t more = bytes - area->bytes;
  int error = cab_part_append (part, area->kind, area->owner, area->bytes, more, backed < more ? backed : more, area->base + area->bytes);
  if (error == 0)
    {
      budget.maps += area->bytes != 0;
      area->bytes = bytes;
    }
  return error;
}

/* Addresses for *BYTES, or for half as many and so on, but for LEAST at least; null: there are none. */
static unsigned char *
reserve (const struct cab_area *area, size_t *bytes, size_t least)
{
  for (;;)
    {
      unsigned char *base = may_take (area, *bytes) ? cab_sys_reserve (*bytes) : NULL;
      budget.maps += base ? maps_of (area->kind, *bytes, least) : 0;
      budget.bytes += base ? *bytes : 0;
      if (base || *bytes <= least)
	return base;
      size_t half = cab_round_up (*bytes / 2, CAB_PAGE_BYTES);
      *bytes = half > least ? half : least;
    }
}

int
cab_area_open (struct cab_area *area, struct cab_part *part, unsigned kind, unsigned owner, size_t wanted, size_t bytes)
{
  return cab_area_open_sparse (area, part, kind, owner, wanted, bytes, bytes);
}

int
cab_area_open_sparse (struct cab_area *area, struct cab_part *part, unsigned kind, unsigned owner, size_t wanted, size_t bytes, size_t backed)
{
  area->kind = kind;
  area->owner = owner;
  area->bytes = 0;
  bytes = cab_round_up (bytes, CAB_PAGE_BYTES);
  area->reserve = cab_round_up (wanted > bytes ? wanted : bytes, CAB_PAGE_BYTES);
  area->base = reserve (area, &area->reserve, is_fixed (area) ? area->reserve : bytes);
  if (!area->base)
    return -ENOMEM;
  int error = back (area, part, bytes, cab_round_up (backed, CAB_PAGE_BYTES));
  if (error < 0)
    cab_area_close (area);
  return error;
}

void
cab_area_close (struct cab_area *area)
{
  munmap (area->base, area->reserve);
  budget.maps -= maps_of (area->kind, area->reserve, area->bytes);
  budget.bytes -= area->reserve;
}

/* Go to where there are addresses for LEAST bytes. */
static int
move (struct cab_area *area, struct cab_part *part, size_t least)
{
  size_t bytes = 2 * least;
  unsigned char *base = is_fixed (area) ? NULL : reserve (area, &bytes, least);
  if (!base)
    return -ENOMEM;
  int error = cab_part_map (part, area->kind, area->owner, base);
  if (error < 0)
    {
      cab_area_close (&(struct cab_area) { .base = base, .reserve = bytes });
      return error;
    }
  __atomic_store_n (&area->base, base, __ATOMIC_RELEASE);
  area->reserve = bytes;
  return 0;
}

int
cab_area_grow (struct cab_area *area, struct cab_part *part, size_t bytes)
{
  if (bytes <= area->bytes)
    return 0;
  size_t least = cab_round_up (bytes, CAB_PAGE_BYTES);
  size_t twice = area->bytes * 2 > least ? area->bytes * 2 : least;
  if (least > area->reserve && move (area, part, least) < 0)
    return -ENOMEM;
  if (twice > area->reserve)
    twice = area->reserve;
  int error = back (area, part, twice, SIZE_MAX);
  if (error < 0 && twice > least)
    error = back (area, part, least, SIZE_MAX);
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
  int error = back (area, part, bytes, SIZE_MAX);
  if (old)
    {
      if (error == 0)
	memcpy (area->base, old, bytes);
      munmap (old, bytes);
    }
  return error;
}
