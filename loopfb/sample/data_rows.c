/* data_rows.c - see data_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/data_rows.h"
#include <linux/perf_event.h>
#include <stdlib.h>
#include <libiberty/libiberty.h>

#define ROOM_AT_FIRST 1024

const char *const cab_data_region_names[CAB_DATA_REGIONS] = { "static", "heap",	  "stack",  "file",
							      "mapped", "kernel", "unknown" };

#define COMPARE(field)             \
  if (x->field != y->field)        \
    return x->field < y->field ? -1 : 1

static int
by_place (const void *a, const void *b)
{
  const struct cab_data_row *x = a, *y = b;
  COMPARE (region);
  COMPARE (module);
  COMPARE (address);
  COMPARE (code_module);
  COMPARE (code);
  COMPARE (level);
  COMPARE (modified);
  COMPARE (site_module);
  COMPARE (site);
  COMPARE (block_bytes);
  COMPARE (block_offset);
  COMPARE (age_ns);
  return 0;
}

void
cab_data_settle (struct cab_data_rows *rows)
{
  uint32_t kept = 0;
  if (rows->n)
    qsort (rows->row, rows->n, sizeof *rows->row, by_place);
  for (uint32_t i = 0; i < rows->n; i++)
    {
      struct cab_data_row *last = kept ? &rows->row[kept - 1] : NULL;
      if (last && by_place (last, &rows->row[i]) == 0)
	{
	  last->n += rows->row[i].n;
	  last->weight += rows->row[i].weight;
	  last->latency += rows->row[i].latency;
	}
      else
	rows->row[kept++] = rows->row[i];
    }
  rows->n = kept;
}

void
cab_data_add (struct cab_data_rows *rows, const struct cab_data_row *row)
{
  if (rows->n == rows->room)
    {
      cab_data_settle (rows);
      if (2 * rows->n >= rows->room)
	rows->row = XRESIZEVEC (struct cab_data_row, rows->row,
				rows->room = 2 * rows->room + ROOM_AT_FIRST);
    }
  rows->row[rows->n++] = *row;
}

void
cab_data_fini (struct cab_data_rows *rows)
{
  free (rows->row);
  *rows = (struct cab_data_rows) { 0 };
}

enum cab_data_level
cab_data_level_of (uint64_t source, bool *modified)
{
  union perf_mem_data_src s = { .val = source };
  uint64_t level = s.mem_lvl;
  *modified = s.mem_snoop & PERF_MEM_SNOOP_HITM;
  if (level & (PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2 | PERF_MEM_LVL_REM_CCE1
	       | PERF_MEM_LVL_REM_CCE2))
    return CAB_DATA_LEVEL_REMOTE;
  if (level & PERF_MEM_LVL_LOC_RAM)
    return CAB_DATA_LEVEL_MEMORY;
  /* A miss names the level that missed. */
  if (level & PERF_MEM_LVL_L3)
    return level & PERF_MEM_LVL_MISS ? CAB_DATA_LEVEL_MEMORY : CAB_DATA_LEVEL_L3;
  if (level & PERF_MEM_LVL_L2)
    return level & PERF_MEM_LVL_MISS ? CAB_DATA_LEVEL_L3 : CAB_DATA_LEVEL_L2;
  if (level & PERF_MEM_LVL_LFB)
    return CAB_DATA_LEVEL_FILL;
  if (level & PERF_MEM_LVL_L1)
    return level & PERF_MEM_LVL_MISS ? CAB_DATA_LEVEL_FILL : CAB_DATA_LEVEL_L1;
  return CAB_DATA_LEVEL_UNKNOWN;
}
