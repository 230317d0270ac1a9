/* test_segments.c - tables by sparse numbers: where elements are, that they stay there, and states
 * that come from a file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdlib.h>
#include "analyses/live/segments.h"
#include "cabprof/event.h"

#define ROOM (1u << 20)

struct state
{
  struct cab_segments a, b;
  uint64_t others[32];
};
#define WITHIN 320u   /* the state's own bytes, where a table's head could be */
_Static_assert (WITHIN % CAB_SPACE_ALIGN == 0 && WITHIN >= offsetof (struct state, others)
		 && WITHIN + 64 <= sizeof (struct state),
	       "as it says");

static struct cab_arena arena;
#define STATE ((struct state *) arena.base)

/* An arena of BYTES bytes; MOST are all that it may have. */
static size_t most;
static int
move (struct cab_arena *a, size_t bytes)
{
  bytes = (bytes + CAB_SPACE_ALIGN - 1) / CAB_SPACE_ALIGN * CAB_SPACE_ALIGN;
  if (bytes > most)
    return -1;
  unsigned char *to = memset (aligned_alloc (CAB_SPACE_ALIGN, bytes), 0, bytes);
  memcpy (to, a->base, a->used);
  free (a->base);
  a->base = to;
  a->cap = bytes;
  return 0;
}

static void
begin (size_t bytes)
{
  most = bytes;
  free (arena.base);
  arena = (struct cab_arena) { .base = malloc (1), .grow = move };
  CU_ASSERT_FATAL (move (&arena, sizeof (struct state)) == 0);
  arena.used = sizeof (struct state);
  memset (arena.base, 0, arena.used);
}

static uint64_t *
make (uint32_t number)
{
  return cab_segments_make (&arena, offsetof (struct state, a), number, sizeof (uint64_t));
}

static uint64_t *
at (uint32_t number)
{
  return cab_segments_at (&arena, &STATE->a, number, sizeof (uint64_t));
}

static int
is_ok (void)
{
  struct cab_state_segments tables[] = { { &STATE->a, sizeof (uint64_t) }, { &STATE->b, 24 } };
  return cab_state_segments_ok (&arena, tables, 2, sizeof (struct state));
}

/* Each number has one place, next to its neighbours' in its segment. */
static void
test_places (void)
{
  unsigned k = 0;
  uint32_t first = 0;
  for (; k < CAB_SEGMENTS; first += cab_segment_capacity (k++))
    {
      CU_ASSERT_EQUAL (cab_segment_first (k), first);
      CU_ASSERT_EQUAL (cab_segment_of (first), k);
      CU_ASSERT_EQUAL (cab_segment_of (first + cab_segment_capacity (k) - 1), k);
    }
  CU_ASSERT (first > CAB_ACCESS_MAX && cab_segment_of (UINT32_MAX) >= CAB_SEGMENTS);
}

/* Elements are 0 at first, and keep what they are given and their places in the arena, which moves
   when it grows; numbers without an element take no space. */
static void
test_elements (void)
{
  static const uint32_t numbers[] = { 5000, 0, 1023, 1024, 2047, 2048, 4095, 4096, 8191, 40000 };
  size_t place[10];
  begin (ROOM);
  for (uint32_t i = 0; i < 10; i++)
    {
      bool there = at (numbers[i]);
      uint64_t *element = make (numbers[i]);
      CU_ASSERT_FATAL (element && (there || !*element));
      *element = numbers[i] + 1;
      place[i] = (unsigned char *) element - arena.base;
    }
  for (uint32_t i = 0; i < 10; i++)
    {
      uint64_t *element = (uint64_t *) (arena.base + place[i]);
      CU_ASSERT (at (numbers[i]) == element && make (numbers[i]) == element
		 && *element == numbers[i] + 1);
    }
  CU_ASSERT (!at (16384) && !at (65536)
	     && (unsigned char *) at (4097) == arena.base + place[7] + 8);
  CU_ASSERT (arena.used < sizeof (struct state) + (32768 + 4096 + 2048 + 3 * 1024) * 8 + 8 * 128);
  CU_ASSERT_EQUAL (cab_segments_end (&STATE->a), 65536);
  CU_ASSERT_EQUAL (cab_segments_end (&STATE->b), 0);
  CU_ASSERT (is_ok ());
}

static void
test_no_room (void)
{
  begin (sizeof (struct state) + 1024 * 8 + 1024 - sizeof (struct state) % 64);
  CU_ASSERT (make (7) != NULL);
  CU_ASSERT (!make (1024) && !STATE->a.segment[1]);
  /* what a number that is too large must not lead to */
  STATE->b.segment[cab_segment_of (UINT32_MAX) - CAB_SEGMENTS] = STATE->a.segment[0];
  CU_ASSERT (!make (UINT32_MAX) && !at (UINT32_MAX));
  STATE->b = (struct cab_segments) { 0 };
  CU_ASSERT (is_ok ());
}

/* Check what a file may contain. */
static void
test_hostile (void)
{
  begin (ROOM);
  CU_ASSERT (make (0) && make (1024) && is_ok ());
  uint64_t *segment = STATE->a.segment, good = segment[1];
  uint64_t wrong[] = { 8, WITHIN, good + 8, good - 64, good + 64, arena.used, UINT64_MAX - 63 };
  cab_space_head (&arena, WITHIN)->capacity = 1024;
  cab_space_head (&arena, good - 64)->capacity = 1024;   /* as if one began within segment 0 */
  for (int i = 0; i < 7; i++)
    {
      segment[1] = wrong[i];
      CU_ASSERT (!is_ok ());
    }
  segment[1] = good;
  STATE->b.segment[1] = good;
  CU_ASSERT (!is_ok ());
  STATE->b.segment[1] = 0;
  for (uint64_t capacity = 1023; capacity < 1026; capacity++)
    {
      cab_space_head (&arena, good)->capacity = capacity;
      CU_ASSERT (is_ok () == (capacity == 1024));
    }
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("segments", NULL, NULL);
  CU_ADD_TEST (suite, test_places);
  CU_ADD_TEST (suite, test_elements);
  CU_ADD_TEST (suite, test_no_room);
  CU_ADD_TEST (suite, test_hostile);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  free (arena.base);
  return failed != 0;
}
