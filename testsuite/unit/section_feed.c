/* section_feed.c - see section_feed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "testsuite/unit/section_feed.h"
#include "analyses/live/cache/cache_commit.h"
#include "analyses/live/cache/cache_cut.h"
#include "analyses/live/cache/cache_feed.h"
#include "analyses/live/cache/cache_section.h"
#include "testsuite/unit/seeded.h"

#define SECTIONS 3u

/* Large, so it is static. */
static struct sections
{
  struct cab_section_cutter cutter;
  struct cab_section_caches caches;
  struct cab_section_worker worker;
  struct cab_section section[SECTIONS];
  uint32_t n;
  struct cab_arena *arena;
} s;

/* Forget the regions: the next ones differ, perhaps with the same numbers. */
static void
forget_regions (void)
{
  memset (s.worker.how, 0, sizeof s.worker.how);
}

/* Take all sections that were cut. */
static void
take_sections (void)
{
  for (uint32_t i = 0; i < s.n; i++)
    {
      cab_section_look_up (&s.worker, &s.caches, &s.section[i]);
      cab_section_learn (&s.cutter, &s.section[i]);
    }
  for (uint32_t i = 0; i < s.n; i++)
    if (draw (8))
      cab_cache_take_section (s.arena, &s.worker, &s.caches, &s.section[i]);
    else
      cab_cache_feed_section (s.arena, &s.section[i]);
  s.n = 0;
}

static void
enter (struct cab_section_cutter *cutter)
{
  if (s.n == SECTIONS)
    take_sections ();
  cutter->section = &s.section[s.n++];
  cab_section_clear (cutter->section);
}

/* Cut the first events of BATCH that may be in sections, if any; return how many are left in it. */
static uint32_t
put_in_place (struct cab_batch *batch)
{
  uint32_t room, n = 0;
  uint64_t most, accesses = 0;
  struct cab_region_event *place = cab_section_place (&s.cutter, &room, &most);
  for (; n < batch->n && n < room && accesses < most; n++)
    {
      const struct cab_region_event *event = &batch->region[n];
      uint64_t more = ((cab_region_count (event->region, event->words) >> 8) + 1)
		    * event->region->shape.n;
      if (more > CAB_SECTION_PIECE)
	break;
      place[n] = *event;
      accesses += more;
    }
  if (!n)
    return batch->n;
  batch->region = place;
  batch->accesses = accesses;
  return n;
}

bool
begin_one_section (struct cab_arena *arena, const struct cab_batch *batch)
{
  if (!cab_cache_sections_begin (&s.caches, arena))
    return false;
  forget_regions ();
  cab_section_limit (draw (CAB_SECTION_HAS_AVX512 + 1));   /* whatever this machine has */
  s.arena = arena;
  s.cutter.full = enter;
  s.cutter.made_end = NULL;
  s.n = 0;
  enter (&s.cutter);
  cab_section_cut (&s.cutter, batch);
  s.n = 0;
  cab_section_look_up (&s.worker, &s.caches, &s.section[0]);
  return cab_cache_begin_commit (arena, &s.worker, &s.section[0]);
}

bool
feed_by_sections (struct cab_arena *arena, const struct cab_batch *batch, bool often)
{
  if (!cab_cache_sections_begin (&s.caches, arena))
    return false;
  forget_regions ();
  s.arena = arena;
  s.cutter.full = enter;
  enter (&s.cutter);
  for (uint32_t at = 0, n; at < batch->n; at += n)
    {
      struct cab_batch some = *batch;
      n = some.n = often ? 1 + draw (batch->n - at) : batch->n - at;
      if (batch->region)
	{
	  some.region += at;
	}
      else
	{
	  some.site += at;
	  some.form += at;
	  some.address += at;
	  some.bytes += at;
	}
      if (some.region && draw (2))
	n = some.n = put_in_place (&some);
      /* all words are there, or none */
      s.cutter.made_end = draw (2) ? NULL : (const uint64_t *) UINTPTR_MAX;
      cab_section_cut (&s.cutter, &some);
      if (often)
	enter (&s.cutter);
      if (often && draw (3) == 0)
	{
	  take_sections ();
	  enter (&s.cutter);
	}
    }
  take_sections ();
  return true;
}
