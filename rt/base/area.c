/* area.c - see area.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/area.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "rt/base/gate_stack.h"

static bool
is_fixed (const struct cab_area *area)
{
  return area->kind == CAB_EXT_COUNTS || area->kind == CAB_EXT_RING;
}

/* What all areas take, and may take; a bound of 0 is not known yet. */
static struct
{
  uint64_t maps, most_maps, bytes, most_bytes;
} budget;

#define SURE_MAPS 16384u    /* available in any case: the bound is not read from a file before they
			       are used up */
#define FEW_MAPS 4u         /* of one area, at first */

/* The run of rings and states that lie side by side: the next one begins at `next', which is at
   `offset' of the file. */
static struct
{
  unsigned char *next, *end;
  uint64_t offset;
} run;

#define SHARING_FROM 16u             /* compared with an area's owner: few threads get areas of
					their own */
#define RUN_BYTES (UINT64_C (32) << 20)
#define RUN_ALIGN (UINT64_C (256) << 10)

/* Return five eighths of /proc/sys/vm/max_map_count. */
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

/* Return the bytes of addresses that the process has, or 0 if that is unknown. */
static uint64_t
size_of_process (void)
{
  char text[128];
  uint64_t pages = 0;
  if (cab_sys_read_file ("/proc/self/statm", text, sizeof text) > 0)
    for (const char *p = text; *p >= '0' && *p <= '9'; p++)
      pages = pages * 10 + (*p - '0');
  return pages * CAB_PAGE_BYTES;
}

void
cab_area_limit (uint64_t limit)
{
  uint64_t size = size_of_process ();
  budget.most_bytes = limit == RLIM_INFINITY ? UINT64_MAX
		    : budget.bytes + (limit > size ? (limit - size) / 8 : 0);
}

/* Return true if AREA may have a reservation of BYTES.  Areas of threads leave a rest for the
   states. */
static bool
may_take (const struct cab_area *area, uint64_t bytes)
{
  budget.most_bytes = budget.most_bytes ? budget.most_bytes : most_bytes ();
  if (budget.maps + FEW_MAPS > SURE_MAPS / 3 * 2 && !budget.most_maps)
    budget.most_maps = most_maps ();
  uint64_t maps = budget.most_maps ? budget.most_maps : SURE_MAPS;
  return budget.maps + FEW_MAPS <= (is_fixed (area) ? maps / 8 * 7 : maps)
      && budget.bytes + bytes <= budget.most_bytes;
}

/* Return how many mappings an area of KIND takes with a reservation of BYTES, of which BACKED are
   backed.  A thread with counters has a stack for its gates, too. */
static unsigned
maps_of (unsigned kind, size_t bytes, size_t backed)
{
  return kind == CAB_EXT_COUNTS ? 2 + cab_gate_stack_maps
       : kind == CAB_EXT_RING	? 1
				: 1 + (backed < bytes);
}

static int
back (struct cab_area *area, struct cab_part_file *part, size_t bytes, size_t backed)
{
  uint64_t more = bytes - area->bytes;
  int error = cab_part_append (part, area->kind, area->owner, area->bytes, more,
			       backed < more ? backed : more, area->base + area->bytes);
  if (error == 0)
    {
      budget.maps += area->bytes != 0;
      area->bytes = bytes;
      area->backed = bytes - more + (backed < more ? backed : more);
    }
  return error;
}

/* Reserve addresses for *BYTES, or for half as many and so on, but for LEAST at least, and set
   *BYTES.  Return null if there are none. */
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

/* Begin another run with room for BYTES.  Return 0 or -errno. */
static int
begin_run (struct cab_part_file *part, size_t bytes)
{
  struct cab_area all = { .kind = CAB_EXT_RING };
  size_t wanted = cab_round_up (bytes > RUN_BYTES / 4 ? 4 * bytes : RUN_BYTES, RUN_ALIGN);
  run.next = run.end = NULL;
  unsigned char *base = reserve (&all, &wanted, wanted);
  uint64_t offset;
  int error = base ? cab_part_lengthen (part, wanted, base, &offset) : -ENOMEM;
  if (error == 0)
    {
      run.next = base;
      run.end = base + wanted;
      run.offset = offset;
    }
  else if (base)
    cab_area_close (&(struct cab_area) {
      .kind = CAB_EXT_RING, .base = base, .reserve = wanted, .bytes = wanted });
  return error;
}

/* Open AREA in the run, with BYTES bytes, whole pages.  Return 0, or -errno, also where no run can
   be made. */
static int
open_in_run (struct cab_area *area, struct cab_part_file *part, size_t bytes, size_t backed)
{
  int error = (size_t) (run.end - run.next) < bytes ? begin_run (part, bytes) : 0;
  if (error == 0)
    error = cab_part_append_mapped (part, area->kind, area->owner, bytes, backed, run.next,
				    run.offset);
  if (error < 0)
    return error;
  area->base = run.next;
  area->bytes = area->reserve = bytes;
  area->backed = backed;
  area->shares = true;
  run.next += bytes;
  run.offset += bytes;
  return 0;
}

int
cab_area_open (struct cab_area *area, struct cab_part_file *part, unsigned kind, unsigned owner,
	       size_t wanted, size_t bytes)
{
  return cab_area_open_sparse (area, part, kind, owner, wanted, bytes, bytes);
}

int
cab_area_open_sparse (struct cab_area *area, struct cab_part_file *part, unsigned kind,
		      unsigned owner,
		      size_t wanted, size_t bytes, size_t backed)
{
  area->kind = kind;
  area->owner = owner;
  area->bytes = 0;
  bytes = cab_round_up (bytes, CAB_PAGE_BYTES);
  backed = cab_round_up (backed, CAB_PAGE_BYTES);
  area->reserve = cab_round_up (wanted > bytes ? wanted : bytes, CAB_PAGE_BYTES);
  area->shares = false;
  if (kind != CAB_EXT_COUNTS && owner >= SHARING_FROM && area->reserve == bytes && !part->n_free
      && open_in_run (area, part, bytes, backed) == 0)
    return 0;
  area->base = reserve (area, &area->reserve, is_fixed (area) ? area->reserve : bytes);
  if (!area->base)
    return -ENOMEM;
  int error = back (area, part, bytes, backed);
  if (error < 0)
    cab_area_close (area);
  return error;
}

void
cab_area_close (struct cab_area *area)
{
  munmap (area->base, area->reserve);
  if (area->shares)
    return;
  budget.maps -= maps_of (area->kind, area->reserve, area->bytes);
  budget.bytes -= area->reserve;
}

void
cab_area_trim (struct cab_area *area, size_t bytes)
{
  size_t keep = cab_round_up (bytes > area->bytes ? bytes : area->bytes, CAB_PAGE_BYTES);
  if (!area->base || area->shares || keep >= area->reserve)
    return;
  munmap (area->base + keep, area->reserve - keep);
  budget.maps -= maps_of (area->kind, area->reserve, area->bytes)
	       - maps_of (area->kind, keep, area->bytes);
  budget.bytes -= area->reserve - keep;
  area->reserve = keep;
}

/* Move AREA to addresses for LEAST bytes at least.  Return 0 or -errno. */
static int
move (struct cab_area *area, struct cab_part_file *part, size_t least)
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
  area->shares = false;
  return 0;
}

/* Back the first BYTES of what AREA has already: twice the backed bytes where the disk has room.
   Return 0 or -errno. */
static int
use (struct cab_area *area, struct cab_part_file *part, size_t bytes)
{
  size_t least = cab_round_up (bytes, CAB_PAGE_BYTES), twice = 2 * area->backed;
  size_t to[] = { twice > area->bytes ? area->bytes : twice > least ? twice : least, least };
  int error = -ENOSPC;
  for (int i = 0; i < 2 && error < 0; i++)
    if ((error = cab_part_back (part, area->kind, area->owner, area->backed, to[i] - area->backed))
	== 0)
      area->backed = to[i];
  return error;
}

int
cab_area_grow (struct cab_area *area, struct cab_part_file *part, size_t bytes)
{
  if (bytes <= area->backed)
    return 0;
  if (area->backed < area->bytes)
    {
      int error = use (area, part, bytes < area->bytes ? bytes : area->bytes);
      if (error < 0 || bytes <= area->bytes)
	return error;
    }
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
cab_area_move (struct cab_area *area, struct cab_part_file *part, int keep)
{
  size_t bytes = area->bytes, backed = area->backed;
  void *old = NULL;
  if (keep)
    {
      /* Move the old mapping aside, so that its contents can be read once the new one has its
	 addresses. */
      old = mremap (area->base, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		    cab_sys_reserve (bytes));
      if (old == MAP_FAILED)
	return -errno;
    }
  area->bytes = area->backed = 0;
  int error = back (area, part, bytes, backed);
  if (old)
    {
      if (error == 0)
	memcpy (area->base, old, bytes);
      munmap (old, bytes);
    }
  return error;
}

int
cab_area_reach (struct cab_area *area, struct cab_part_file *part, unsigned kind, size_t most,
		size_t bytes)
{
  int error = area->base ? 0 : cab_area_open (area, part, kind, 0, most, CAB_PAGE_BYTES);
  return error < 0 || area->bytes >= bytes ? error : cab_area_grow (area, part, bytes);
}

int
cab_area_map_end (struct cab_area *area, size_t bytes)
{
  if (!may_take (area, 0))
    return -ENOMEM;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  if (mmap (area->base + area->reserve - bytes, bytes, PROT_READ | PROT_WRITE, flags, -1, 0)
      == MAP_FAILED)
    return -errno;
  budget.maps++;
  return 0;
}

void
cab_area_fork (void)
{
  if (run.next < run.end)
    munmap (run.next, run.end - run.next);
  run.next = run.end = NULL;
}
