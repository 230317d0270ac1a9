/* part_control.c - see part_control.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/part_control.h"
#include "analyses/wire/keyed.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "rt/common/pauses.h"

#define LOOKS 10   /* how often the table is read while the process pauses and resumes */

bool
cab_part_control (const struct cab_part *part, struct cab_part_control *control)
{
  struct cab_diag diag;
  uint64_t bytes;
  void *copy = cab_part_area (part, CAB_EXT_CONTROL, 0, &bytes, &diag);
  bool good = copy && bytes >= sizeof *control;
  if (good)
    memcpy (control, copy, sizeof *control);
  free (copy);
  return good && control->version == CAB_CONTROL_VERSION;
}

/* Subtract the table of PAUSE from the N words at COUNTERS. */
static int
subtract (const struct cab_part *part, uint64_t pause, unsigned owner, uint64_t *counters,
	  uint64_t n)
{
  struct cab_paused_header header;
  int fd = cab_pauses_open (part->path, pause, &header);
  if (fd < 0)
    return fd;
  uint64_t *table = XNEWVEC (uint64_t, n + 1);
  int error = cab_pauses_read (fd, &header, owner, 0, table, n);
  close (fd);
  for (uint64_t i = 0; i < n && error == 0; i++)
    counters[i] = (pause & CAB_CONTROL_PAUSED ? 0 : counters[i]) - table[i];
  free (table);
  return error;
}

uint64_t *
cab_part_counts (const struct cab_part *part, unsigned owner, uint64_t *bytes,
		 struct cab_diag *diag)
{
  struct cab_part_control before, after;
  for (int look = 0; look < LOOKS; look++)
    {
      bool controlled = cab_part_control (part, &before);
      uint64_t *counters = cab_part_area (part, CAB_EXT_COUNTS, owner, bytes, diag);
      if (!counters || !controlled || !before.pause)
	return counters;
      int error = before.pause == CAB_CONTROL_PAUSED
		  ? 0
		  : subtract (part, before.pause, owner, counters, *bytes / 8);
      if (before.pause == CAB_CONTROL_PAUSED)
	memset (counters, 0, *bytes);
      if (error == 0 && cab_part_control (part, &after) && after.pause == before.pause)
	return counters;
      free (counters);
    }
  *bytes = 1;
  cab_refuse (part->path, diag,
	      "what was counted while it was paused (table %" PRIu64
	      ") is missing or damaged: its counts in place are left out",
	      before.pause >> 1);
  return NULL;
}

struct cab_part_region *
cab_part_regions (const struct cab_part *part, uint32_t *n, struct cab_diag *diag)
{
  struct cab_part_control control;
  uint64_t bytes;
  *n = 0;
  if (!cab_part_control (part, &control) || !control.n_regions)
    return NULL;
  struct cab_part_region *rows = cab_part_area (part, CAB_EXT_REGIONS, 0, &bytes, diag);
  *n = control.n_regions;
  if (rows && control.n_regions <= CAB_REGIONS_MOST && control.n_regions <= bytes / sizeof *rows)
    return rows;
  cab_refuse (part->path, diag, "says that it has %u rows of regions: the file is damaged",
	      control.n_regions);
  free (rows);
  return NULL;
}

uint64_t *
cab_part_region_counts (const struct cab_part *part, uint32_t number,
			const struct cab_part_region *row, uint64_t *bytes, struct cab_diag *diag)
{
  uint64_t n, counts_bytes = 0, *sums = cab_part_area (part, CAB_EXT_REGION, number, &n, diag);
  uint64_t bank = row->state & 1, *counters = NULL;
  if (!sums && n)
    {
      *bytes = 1;
      return NULL;
    }
  bool is_open = row->state >> 1;
  if (is_open && !(counters = cab_part_counts (part, row->counts, &counts_bytes, diag))
      && counts_bytes)
    {
      free (sums);
      *bytes = 1;
      return NULL;
    }
  *bytes = n / 2 > counts_bytes ? n / 2 : counts_bytes;
  uint64_t *result = XCNEWVEC (uint64_t, *bytes / 8 + 1);
  for (uint64_t i = 0; i < n / 16; i++)
    result[i] = sums[2 * i + bank];
  for (uint64_t i = 0; i < counts_bytes / 8; i++)
    result[i] += counters[i];
  free (sums);
  free (counters);
  return result;
}

/* Return the rows, EACH bytes long, of the area of KIND (free), and their number in *N, MOST at
   most. */
static void *
rows_of (const struct cab_part *part, unsigned kind, size_t each, uint32_t most, uint32_t *n)
{
  struct cab_diag diag;
  uint64_t bytes = 0;
  void *rows = cab_part_area (part, kind, 0, &bytes, &diag);
  *n = !rows ? 0 : bytes / each < most ? bytes / each : most;
  return rows;
}

uint32_t *
cab_part_arena_sets (const struct cab_part *part, uint32_t *n)
{
  return rows_of (part, CAB_EXT_ARENA_SETS, sizeof (uint32_t), CAB_PART_ARENAS, n);
}

struct cab_part_arena_part *
cab_part_arena_parts (const struct cab_part *part, uint32_t *n)
{
  return rows_of (part, CAB_EXT_ARENA_PARTS, sizeof (struct cab_part_arena_part), CAB_PART_ARENAS,
		  n);
}

struct cab_part_delegate *
cab_part_delegates (const struct cab_part *part, uint32_t *n)
{
  return rows_of (part, CAB_EXT_DELEGATES, sizeof (struct cab_part_delegate), CAB_KEYED_PARTS, n);
}

struct cab_part_set *
cab_part_sets (const struct cab_part *part, uint32_t *n)
{
  struct cab_diag diag;
  struct cab_part_control control;
  uint64_t bytes = 0;
  *n = 0;
  if (!cab_part_control (part, &control) || !control.n_sets || control.n_sets > CAB_SETS_MOST)
    return NULL;
  struct cab_part_set *sets = cab_part_area (part, CAB_EXT_SETS, 0, &bytes, &diag);
  bool good = sets && control.n_sets <= bytes / sizeof *sets;
  for (uint32_t i = 0; good && i < control.n_sets; i++)
    good = sets[i].parent <= i;
  if (good)
    *n = control.n_sets;
  else
    free (sets);
  return good ? sets : NULL;
}
