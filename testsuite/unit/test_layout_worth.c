/* test_layout_worth.c - the right proposals stand, and save what numbers worked out by hand say. */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/layout/layout_worth.h"
#include "analyses/base/table.h"

static struct cab_structure structure;
static struct cab_layout_unit units[3];
static double together[9];
static struct cab_layout_use uses[6];
static struct cab_names names;

/* Return 128 bytes of three members, the first and last of which are used N times in one loop, with
   INSTANCES. */
static struct cab_layout
ends_used (uint64_t n, uint64_t instances)
{
  static const uint32_t offsets[] = { 0, 8, 120 }, bytes[] = { 8, 112, 8 };
  structure = (struct cab_structure) { .name = "s", .file = "", .align = 8, .bytes = 128 };
  memset (together, 0, sizeof together);
  together[2] = together[6] = n;
  for (uint32_t u = 0; u < 3; u++)
    units[u] = (struct cab_layout_unit) { .offset = offsets[u],
					  .bytes = bytes[u],
					  .align = 8,
					  .first = u,
					  .n = 1,
					  .accesses = u == 1 ? 0 : n };
  uses[0] = (struct cab_layout_use) { 0, 0, n };
  uses[1] = (struct cab_layout_use) { 0, 2, n };
  struct cab_layout layout = { .structure = &structure,
			       .n_units = 3,
			       .units = units,
			       .together = together,
			       .accesses = 2 * n,
			       .at_once = instances,
			       .uses = uses,
			       .n_uses = 2 };
  cab_layout_make_plan (&layout, &names);
  return layout;
}

static struct cab_layout
judged (struct cab_layout layout)
{
  struct cab_layouts layouts = { .n = 1, .items = &layout };
  cab_layouts_judge (&layouts);
  return layout;
}

/* Two lines per use become 24 bytes, so 3/8 of a line. */
static void
test_split (void)
{
  struct cab_layout l = judged (ends_used (800, 100));
  CU_ASSERT_EQUAL (l.plan.kind, CAB_LAYOUT_SPLIT);
  CU_ASSERT_EQUAL (l.saves.before, 1600);
  CU_ASSERT_EQUAL (l.saves.after, 300);
  CU_ASSERT_EQUAL (l.saves.bytes, 10400);   /* 1,300 lines of 64 bytes in 800 uses, for 100
					       instances */
  char *words = cab_layout_saves_words (&l, &l.saves);
  CU_ASSERT_STRING_EQUAL (words, "10,400 bytes of cache lines in a pass through 100 instances; in "
				 "all at most 1,300 of 1,600 lines");
  free (words);
}

/* Another order has both members in one line of the two. */
static void
test_order (void)
{
  struct cab_layout l = ends_used (800, 100);
  cab_layout_forbid_split (&l);
  l = judged (l);
  CU_ASSERT_EQUAL (l.plan.kind, CAB_LAYOUT_ORDER);
  CU_ASSERT_EQUAL (l.saves.before, 1600);
  CU_ASSERT_EQUAL (l.saves.after, 800);
  CU_ASSERT_EQUAL (l.saves.bytes, 6400);
  CU_ASSERT_EQUAL (l.saves.memory, 0);
}

/* A use of the part that was split off costs the pointer to it as well. */
static void
test_cold_uses (void)
{
  struct cab_layout l = ends_used (800, 100);
  uses[2] = (struct cab_layout_use) { 1, 1, 80 };
  l.n_uses = 3;
  l = judged (l);
  CU_ASSERT_EQUAL (l.saves.before, 1600 + 80);
  /* 112 bytes are two lines, and each use is of one */
  CU_ASSERT_EQUAL (l.saves.after, 300 + 80 * 24 / 64. + 80);
}

static const char *
why (uint64_t n, uint64_t instances, uint32_t seen)
{
  struct cab_layout l = ends_used (n, instances);
  l.seen = seen;
  l = judged (l);
  return l.plan.kind == CAB_LAYOUT_KEEP ? l.plan.why : "proposed";
}

static void
test_reasons (void)
{
  CU_ASSERT_STRING_EQUAL (why (14, 100, 0), "few accesses");
  CU_ASSERT_STRING_EQUAL (why (15, 100, 0), "proposed");
  CU_ASSERT_STRING_EQUAL (why (800, CAB_UNKNOWN, 0), "instances not known");
  CU_ASSERT_STRING_EQUAL (why (800, 1, 0), "one known instance");
  CU_ASSERT_STRING_EQUAL (why (800, 1, 1), "one instance");
  CU_ASSERT_STRING_EQUAL (why (800, 7, 0), "few known instances");
  CU_ASSERT_STRING_EQUAL (why (800, 7, 7), "few instances");
  /* 936 bytes by a split, 576 by an order */
  CU_ASSERT_STRING_EQUAL (why (800, 9, 0), "saves little");
  CU_ASSERT_STRING_EQUAL (why (800, 10, 0), "proposed");
}

/* One array instead of two saves as much as the split, without the pointer. */
static void
test_arrays (void)
{
  struct cab_layout l = judged (ends_used (800, 100));
  CU_ASSERT_EQUAL (l.arrays.n, 2);
  CU_ASSERT_EQUAL (l.arrays_save.after, 200);
  l = judged (ends_used (800, 1));
  CU_ASSERT_EQUAL (l.arrays.n, 0);
  CU_ASSERT_STRING_EQUAL (l.arrays.why, "one known instance");
}

int
main (void)
{
  cab_names_init (&names);
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("layout_worth", NULL, NULL);
  CU_add_test (suite, "a split", test_split);
  CU_add_test (suite, "another order", test_order);
  CU_add_test (suite, "uses of the cold part", test_cold_uses);
  CU_add_test (suite, "reasons", test_reasons);
  CU_add_test (suite, "arrays", test_arrays);
  CU_basic_run_tests ();
  int failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  cab_names_fini (&names);
  return failed != 0;
}
