/* feed_arenas.c - see feed_arenas.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed_arenas.h"

#include <errno.h>
#include <string.h>

#include "rt/engine/feed/feed_keyed.h"
#include "rt/engine/feed/region_sets.h"

#define ARENA_RESERVE (UINT64_C (64) << 20)
/* Arenas beyond this number have no reservation, and so one mapping each: they move when they
   grow. */
#define MANY_ARENAS 256u

static int
grow_arena (struct cab_arena *arena, size_t new_cap)
{
  struct cab_feed_state *s = arena->host;
  cab_lock (&cab_rt.lock);
  int error = cab_area_grow (&s->area, &cab_rt.part, new_cap);
  if (error < 0)
    cab_rt_no_room (error);
  cab_unlock (&cab_rt.lock);
  arena->base = s->area.base;
  arena->cap = s->area.bytes;
  return error;
}

static void
publish_arena (struct cab_arena *arena)
{
  __atomic_store_n (&cab_feed_row (arena->host)->used_bytes, arena->used, __ATOMIC_RELEASE);
}

/* Open the area of one more arena.  Return 0 or -errno.  Under the lock. */
static int
make_arena (struct cab_feed_state *s)
{
  struct cab_part_header *h = cab_rt.part.header;
  uint32_t i = h->n_arenas, name = cab_strings_add (s->analysis->name, strlen (s->analysis->name));
  int error = name ? cab_part_back_arena (&cab_rt.part, i) : -EOVERFLOW;
  if (error == 0)
    error = cab_area_open (&s->area, &cab_rt.part, CAB_EXT_ARENA, i,
			   i < MANY_ARENAS ? cab_rt_reserve_bytes (ARENA_RESERVE, 256) : 0,
			   s->analysis->arena_bytes);
  if (error == 0)
    error = cab_region_set_of_arena (i, s->set);
  if (error < 0)
    return error;
  s->index = i;
  *cab_feed_row (s) = (struct cab_part_arena) { .analysis = name };
  return s->n_parts ? cab_feed_keyed_record (s) : 0;
}

static int
open_arena (struct cab_feed_state *s, uint32_t ring, uint32_t thread)
{
  struct cab_diag diag;
  cab_lock (&cab_rt.lock);
  int error = make_arena (s);
  if (error == 0)
    {
      cab_feed_row (s)->ring = s->n_parts == CAB_PART_SERIAL ? CAB_NO_NUMBER : ring;
      cab_feed_row (s)->thread = thread;
      cab_feed_row (s)->present = thread + 1;
      __atomic_store_n (&cab_rt.part.header->n_arenas, s->index + 1, __ATOMIC_RELEASE);
    }
  if (error < 0)
    cab_rt_no_room (error);
  cab_unlock (&cab_rt.lock);
  if (error < 0)
    return error;
  s->arena = (struct cab_arena) { s->area.base, 0, s->area.bytes, grow_arena, publish_arena, s };
  error = s->analysis->open (&s->arena, s->arguments, &diag);
  publish_arena (&s->arena);
  return error;
}

/* Let S continue with another thread of the ring.  The row records that last: a reader of a process
   that was killed before that repeats this. */
static void
begin_thread (struct cab_feed_state *s, uint32_t thread)
{
  if (s->analysis->begin_thread)
    s->analysis->begin_thread (&s->arena, thread);
  cab_feed_row (s)->thread = CAB_NO_NUMBER;
  __atomic_store_n (&cab_feed_row (s)->present, thread + 1, __ATOMIC_RELEASE);
}

void
cab_feed_publish (struct cab_feed_state *s)
{
  publish_arena (&s->arena);
}

int
cab_feed_ready (struct cab_feed_state *s, uint32_t ring, uint32_t thread)
{
  if (s->failed)
    return 0;
  if (!s->arena.base && open_arena (s, ring, thread) < 0)
    {
      s->failed = 1;
      return 0;
    }
  if (cab_feed_row (s)->present != thread + 1)
    begin_thread (s, thread);
  return 1;
}
