/* named.c - see named.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/named.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/base/control_page.h"
#include "rt/common/pauses.h"
#include "rt/engine/feed/region_sets.h"
#include "rt/base/say.h"

#define RESERVE (64u << 20)
#define WORDS 512u   /* words at a time */

/* What the process keeps for a row besides. */
struct region
{
  struct cab_area area;
};

static struct cab_area rows;
static struct region *regions;

static struct cab_part_region *
row_at (uint32_t i)
{
  return (struct cab_part_region *) rows.base + i;
}

static uint32_t
n_rows (void)
{
  return cab_control_page ()->n_regions;
}

static bool
is_open (const struct cab_part_region *row)
{
  return row->state >> 1;
}

/* Return the row of NAME in the counter area COUNTS, or -1. */
static int
find (const char *name, uint32_t counts)
{
  for (uint32_t i = 0; i < n_rows (); i++)
    if (row_at (i)->counts == counts
	&& !strcmp ((const char *) cab_rt.strings.base + row_at (i)->name, name))
      return i;
  return -1;
}

static int
open_rows (void)
{
  if (!regions && !(regions = cab_sys_map (CAB_REGIONS_MOST * sizeof *regions)))
    return -ENOMEM;
  return rows.base
	 ? 0
	 : cab_area_open (&rows, &cab_rt.part, CAB_EXT_REGIONS, 0,
			  CAB_REGIONS_MOST * sizeof (struct cab_part_region), CAB_PAGE_BYTES);
}

static int
make (const char *name, uint32_t counts)
{
  uint32_t i = n_rows ();
  int error = i >= cab_rt.options.most[CAB_BOUND_REGIONS] ? -ENOSPC : open_rows ();
  if (error == -ENOSPC)
    cab_rt_no_room (-EOVERFLOW);
  if (error == 0)
    error = cab_area_grow (&rows, &cab_rt.part, (i + 1) * sizeof (struct cab_part_region));
  uint32_t string = error == 0 ? cab_strings_add (name, strlen (name)) : 0;
  if (error == 0 && !string)
    error = -ENOSPC;
  if (error == 0)
    error = cab_area_open (&regions[i].area, &cab_rt.part, CAB_EXT_REGION, i,
			   cab_rt_reserve_bytes (RESERVE, 64), 16 * CAB_COUNTER_PATHS);
  if (error < 0)
    return error;
  *row_at (i) = (struct cab_part_region) { .name = string, .counts = counts };
  __atomic_store_n (&cab_control_page ()->n_regions, i + 1, __ATOMIC_RELEASE);
  return i;
}

/* Store N counters of T from WORD on to TO, without what was counted in pauses, which TABLE has
   unless it is negative.  Return 0 or -errno. */
static int
visible (const struct cab_rt_thread *t, int table, const struct cab_paused_header *header,
	 uint64_t word, uint64_t *to, size_t n)
{
  const uint64_t *counters = (const uint64_t *) t->counts->area.base + word;
  bool paused = cab_control_pause () & CAB_CONTROL_PAUSED;
  int error = 0;
  if (table < 0)
    memset (to, 0, n * sizeof *to);
  else
    error = cab_pauses_read (table, header, t->counts->area.owner, word, to, n);
  for (size_t i = 0; i < n; i++)
    to[i] = (paused ? 0 : __atomic_load_n (&counters[i], __ATOMIC_RELAXED)) - to[i];
  return error;
}

/* Subtract T's counters from those of region I (BEGIN) or add them, in the other bank.  Return 0 or
   -errno. */
static int
take (const struct cab_rt_thread *t, uint32_t i, bool begin)
{
  static uint64_t now[WORDS];
  struct cab_paused_header header;
  uint64_t n_words = cab_rt.counts_used / 8, bank = row_at (i)->state & 1;
  int error = cab_area_grow (&regions[i].area, &cab_rt.part, n_words * 16);
  int table = error < 0 ? error : cab_pauses_open (cab_rt.part.path, cab_control_pause (), &header);
  uint64_t *sums = (uint64_t *) regions[i].area.base;
  if (table < 0 && table != -ENOENT)
    return table;
  for (uint64_t at = 0, n; error == 0 && at < n_words; at += n)
    {
      n = n_words - at < WORDS ? n_words - at : WORDS;
      error = visible (t, table, &header, at, now, n);
      for (uint64_t k = 0; k < n; k++)
	sums[2 * (at + k) + !bank] = sums[2 * (at + k) + bank] + (begin ? -now[k] : now[k]);
    }
  if (table >= 0)
    close (table);
  return error;
}

/* Set the depth of region I, and switch to the other bank if CHANGED. */
static void
set_state (uint32_t i, uint64_t depth, bool changed)
{
  struct cab_part_region *row = row_at (i);
  __atomic_store_n (&row->state, depth << 1 | ((row->state & 1) ^ changed), __ATOMIC_RELEASE);
}

int
cab_named_begin (struct cab_rt_thread *t, const char *name)
{
  int i = find (name, t->counts->area.owner);
  if (i < 0)
    i = make (name, t->counts->area.owner);
  if (i < 0)
    return i;
  bool within = is_open (row_at (i));
  int set = within ? (int) t->set : cab_region_set_with (t->set, name);
  int error = set < 0 ? set : within ? 0 : take (t, i, true);
  if (error < 0)
    return error;
  set_state (i, (row_at (i)->state >> 1) + 1, !within);
  row_at (i)->n_begun += !within;
  t->set = set;
  return 0;
}

static int
end (const struct cab_rt_thread *t, uint32_t i)
{
  uint64_t depth = (row_at (i)->state >> 1) - 1;
  int error = depth ? 0 : take (t, i, false);
  if (error == 0)
    set_state (i, depth, !depth);
  return error;
}

int
cab_named_end (struct cab_rt_thread *t, const char *name)
{
  int i = find (name, t->counts->area.owner);
  if (i < 0 || !is_open (row_at (i)))
    return -EINVAL;
  int set = row_at (i)->state >> 1 > 1 ? (int) t->set : cab_region_set_without (t->set, name);
  int error = set < 0 ? set : end (t, i);
  if (error == 0)
    t->set = set;
  return error;
}

void
cab_named_end_thread (const struct cab_rt_thread *t)
{
  for (uint32_t i = 0; t->counts && i < n_rows (); i++)
    if (row_at (i)->counts == t->counts->area.owner && is_open (row_at (i)))
      {
	if (cab_pauses_take (cab_control_page ()) < 0)
	  return;
	set_state (i, 1, false);
	if (end (t, i) < 0)
	  cab_say ((const char *) cab_rt.strings.base + row_at (i)->name,
		   "its thread ends, and the region cannot", 0,
		   "what other threads count counts for it");
	cab_pauses_let_go (cab_control_page ());
      }
}

void
cab_named_spare_addresses (void)
{
  for (uint32_t i = 0; i < n_rows (); i++)
    cab_area_trim (&regions[i].area, 0);
}

void
cab_named_fork (void)
{
  /* The control page may be a later copy of the parent's, with rows that this process never had. */
  for (uint32_t i = 0; regions && i < CAB_REGIONS_MOST && regions[i].area.base; i++)
    {
      cab_area_close (&regions[i].area);
      memset (&regions[i], 0, sizeof regions[i]);
    }
  if (rows.base)
    cab_area_close (&rows);
  memset (&rows, 0, sizeof rows);
  cab_control_page ()->n_regions = 0;
  cab_region_set_fork ();
}
