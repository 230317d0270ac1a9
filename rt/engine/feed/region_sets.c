/* region_sets.c - see region_sets.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/region_sets.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "rt/base/control_page.h"

static struct cab_area rows, arenas;

static const struct cab_part_set *
row_of (uint32_t set)
{
  return (const struct cab_part_set *) rows.base + set - 1;
}

static const char *
name_of (uint32_t set)
{
  return (const char *) cab_rt.strings.base + row_of (set)->name;
}

static uint32_t
depth_of (uint32_t set)
{
  uint32_t depth = 0;
  for (; set; set = row_of (set)->parent)
    depth++;
  return depth;
}

static int
make (uint32_t parent, const char *name)
{
  uint32_t i = cab_control_page ()->n_sets;
  int error = i >= cab_rt.options.most[CAB_BOUND_SETS]
	      ? -ENOSPC
	      : cab_area_reach (&rows, &cab_rt.part, CAB_EXT_SETS,
				CAB_SETS_MOST * sizeof (struct cab_part_set),
				(i + UINT64_C (1)) * sizeof (struct cab_part_set));
  if (error < 0)
    {
      cab_rt_no_room (error == -ENOSPC ? -EOVERFLOW : error);
      return error;
    }
  uint32_t string = cab_strings_add (name, strlen (name));
  if (!string)
    return -ENOSPC;
  ((struct cab_part_set *) rows.base)[i] = (struct cab_part_set) { string, parent };
  __atomic_store_n (&cab_control_page ()->n_sets, i + 1, __ATOMIC_RELEASE);
  return i + 1;
}

/* Return the set of PARENT's regions and NAME, which is greater than all of those, or -errno. */
static int
child (int parent, const char *name)
{
  for (uint32_t set = 1; parent >= 0 && set <= cab_control_page ()->n_sets; set++)
    if (row_of (set)->parent == (uint32_t) parent && !strcmp (name_of (set), name))
      return set;
  return parent < 0 ? parent : make (parent, name);
}

static int
with (uint32_t set, const char *name)
{
  int order = set ? strcmp (name_of (set), name) : -1;
  if (order <= 0)
    return order ? child (set, name) : (int) set;
  int parent = with (row_of (set)->parent, name);
  return child (parent, name_of (set));
}

int
cab_region_set_with (uint32_t set, const char *name)
{
  return depth_of (set) < CAB_SETS_DEPTH ? with (set, name) : -ENOSPC;
}

int
cab_region_set_without (uint32_t set, const char *name)
{
  if (!set || !strcmp (name_of (set), name))
    return set ? row_of (set)->parent : 0;
  int parent = cab_region_set_without (row_of (set)->parent, name);
  return child (parent, name_of (set));
}

int
cab_region_set_of_arena (uint32_t index, uint32_t set)
{
  int error = cab_area_reach (&arenas, &cab_rt.part, CAB_EXT_ARENA_SETS,
			      CAB_PART_ARENAS * sizeof set, (index + UINT64_C (1)) * sizeof set);
  if (error == 0)
    ((uint32_t *) arenas.base)[index] = set;
  return error;
}

void
cab_region_set_fork (void)
{
  if (rows.base)
    cab_area_close (&rows);
  if (arenas.base)
    cab_area_close (&arenas);
  memset (&rows, 0, sizeof rows);
  memset (&arenas, 0, sizeof arenas);
  cab_control_page ()->n_sets = 0;
}
