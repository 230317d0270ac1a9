/* tiled.c - see tiled.h.  SPDX-License-Identifier: GPL-3.0-or-later */
#include "testsuite/unit/tiled.h"
#include <stdlib.h>
#include <CUnit/CUnit.h>
#include <libiberty/libiberty.h>

static size_t
n_of (const struct tiles *t)
{
  return tiles_ahead (t) + t->ahead + t->behind;
}

size_t
tiles_ahead (const struct tiles *t)
{
  return t->before + (t->fed + t->again) * t->round;
}

struct events
make_tiles (const struct tiles *t)
{
  struct events e = make_events (n_of (t));
  for (size_t i = t->before + t->round; i < tiles_ahead (t) + t->ahead; i++)
    {
      size_t from = i - t->round;
      e.site[i] = e.site[from];
      e.access_form[i] = e.access_form[from];
      e.address[i] = e.address[from];
      e.other[i] = e.other[from];
      e.bytes[i] = e.bytes[from];
    }
  return e;
}

/* A word of `ahead' is the number of an event; so is its row. */
struct cab_cache_round
feed_tiles (struct cab_arena *arena, const struct events *e, const struct tiles *t)
{
  struct cab_cache_round round;
  size_t last = t->before + (t->fed - 1) * t->round;
  feed (&cab_cache, arena, e, 0, last);
  CU_ASSERT_EQUAL (cab_cache_rounds_fed (arena), t->fed);
  uint64_t *ahead = cab_cache_ahead_room (arena, t->round);
  CU_ASSERT_FATAL (ahead != NULL);
  for (size_t i = 0; i < t->round; i++)
    ahead[i] = tiles_ahead (t) + i;
  cab_cache_round_begin (&round, arena, XCNEWVEC (uint64_t, cab_cache_round_words (arena)));
  feed (&cab_cache, arena, e, last, last + t->round);
  CU_ASSERT_FATAL (cab_cache_round_end (&round, arena));
  return round;
}

void
repeat_tiles (struct cab_arena *arena, const struct cab_cache_round *round, const struct tiles *t)
{
  cab_cache_round_repeat (round, arena, t->again / 2, 0, 0);
  cab_cache_round_repeat (round, arena, t->again - t->again / 2, t->ahead, t->ahead);
}

void
feed_ahead (struct cab_arena *arena, const struct events *e)
{
  const uint64_t *ahead;
  uint64_t had, n = cab_cache_ahead (arena, &ahead, &had);
  if (!n)
    return;
  size_t from = ahead[0];
  feed (&cab_cache, arena, e, from + had, from + n);
  cab_cache_ahead_end (arena);
}
