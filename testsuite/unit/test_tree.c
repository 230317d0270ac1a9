/* test_tree.c - the calling-context tree of stacks that are deep or have gaps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyses/base/heap.h"
#include "analyses/live/an_tree.h"
#include "testsuite/unit/analysis_events.h"

/* The chain has 1,200,000 frames, which is more than a depth field can hold, and returns by
   longjmp. */
static void
test_deep (void)
{
  enum { DEPTH = 1200000 };
  struct events e = make_events (DEPTH + 3);
  for (uint32_t i = 0; i < DEPTH; i++)
    {
      e.depth[i] = i;
      e.form[i] = CAB_EV_CALL;
    }
  static const uint32_t back[] = { DEPTH - 1, DEPTH - 1000000, 100000 };
  for (uint32_t i = 0; i < 3; i++)
    {
      e.depth[DEPTH + i] = back[i];
      e.form[DEPTH + i] = CAB_EV_CALL;
    }
  struct cab_arena arena;
  open_arena (&arena, &cab_tree);
  feed (&cab_tree, &arena, &e, 0, e.n);
  CU_ASSERT (holds (&cab_tree, &arena, &e, e.n));
  cab_heap_fini (&arena);
  free_events (&e);
}

/* Frames whose events were dropped count for their nearest known caller. */
static void
test_gap (void)
{
  const uint64_t events[] = { cab_ev_call (CAB_EV_CALL, 0, 1, 0),
			      cab_ev_call (CAB_EV_CALL, 3, 2, 1),
			      cab_ev_call (CAB_EV_CALL, 4, 3, 2),
			      cab_ev_call (CAB_EV_CALL, 2, 4, 3) };
  struct cab_batch batch = { .kind = CAB_EV_CALL, .n = 4, .events = events };
  struct cab_arena arena;
  open_arena (&arena, &cab_tree);
  cab_tree.feed (&arena, &batch, NULL);
  CU_ASSERT_EQUAL_FATAL (cab_tree_n (&arena), 5);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 2)->parent, 1);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 3)->parent, 2);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 4)->parent, 1);
  cab_heap_fini (&arena);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "deep stack", test_deep },
    { "dropped frames", test_gap },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "tree", tests);
}
