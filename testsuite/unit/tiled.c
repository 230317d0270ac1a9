/* tiled.c - see tiled.h.  SPDX-License-Identifier: GPL-3.0-or-later */
#include "testsuite/unit/tiled.h"
#include "analyses/live/cache/an_cache.h"
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
static void
put_ahead (struct cab_arena *arena, const struct tiles *t)
{
  uint64_t *ahead = cab_cache_ahead_room (arena, t->round);
  CU_ASSERT_FATAL (ahead != NULL);
  for (size_t i = 0; i < t->round; i++)
    ahead[i] = tiles_ahead (t) + i;
}

struct cab_section_round
feed_tiles (struct cab_arena *arena, const struct events *e, struct tiles *t)
{
  struct cab_section_round round = { 0 };
  unsigned fed = 0;
  bool enough;
  feed (&cab_cache, arena, e, 0, t->before);
  put_ahead (arena, t);
  do
    {
      free (round.words);
      cab_cache_round_begin (&round, arena, XCNEWVEC (uint64_t, cab_cache_round_words (arena)));
      feed (&cab_cache, arena, e, t->before + fed * t->round, t->before + (fed + 1) * t->round);
      fed++;
      enough = cab_cache_round_end (&round, arena) && cab_section_round_is_last (&round, fed);
    }
  while (!enough && fed < t->fed);
  CU_ASSERT_EQUAL (cab_cache_rounds_fed (arena), t->fed);
  CU_ASSERT_FATAL (enough);
  t->again += t->fed - fed;
  t->fed = fed;
  return round;
}

void
repeat_tiles (struct cab_arena *arena, const struct cab_section_round *round, const struct tiles *t)
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
