/* test_layout.c - proposed layouts of random structures are valid, and the model of malloc in which
 * they are tried is sound.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/layout/layout.h"
#include "analyses/layout/layout_heap.h"

#define UNITS 24
#define ROUNDS 3000
#define BLOCKS 400

static struct cab_structure structure;
static struct cab_layout_unit units[UNITS];
static double together[UNITS * UNITS];
static uint64_t seed = 1;

static uint32_t
draw (uint32_t n)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407;
  return (seed >> 33) % n;
}

/* Return a structure as a compiler would lay it out, with random counts. */
static struct cab_layout
random_layout (void)
{
  uint32_t n = 1 + draw (UNITS), end = 0, n_fixed = draw (4) ? 0 : draw (3);
  bool even = draw (2);
  structure = (struct cab_structure) { .name = "s", .file = "", .align = 1 };
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t align = 1u << draw (5),
	       bytes = i + 1 == n && n > 1 && !draw (8) ? 0 : align * (1 + draw (6));
      end = (end + align - 1) & -align;
      units[i] = (struct cab_layout_unit) {
	.offset = end, .bytes = bytes, .align = align, .first = i, .n = 1, .fixed = i < n_fixed
      };
      units[i].accesses = even ? 100 * ((bytes + 7) / 8 + !bytes) : draw (3) ? draw (1000) : 0;
      structure.align = structure.align > align ? structure.align : align;
      end += bytes;
    }
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < a; b++)
      together[a * n + b] = together[b * n + a] = draw (100);
  structure.bytes = (end + structure.align - 1) & -structure.align;
  structure.bytes += structure.bytes ? 0 : structure.align;
  return (struct cab_layout) {
    .structure = &structure, .n_units = n, .units = units, .together = together, .accesses = 1
  };
}

static bool
apart (const struct cab_layout *l, uint32_t a, uint32_t b)
{
  const uint32_t *offset = l->plan.offset;
  return offset[a] + units[a].bytes <= offset[b] || offset[b] + units[b].bytes <= offset[a];
}

/* Each unit has one place in its part, aligned, where nothing else is. */
static void
check_plan (const struct cab_layout *l)
{
  const struct cab_layout_plan *plan = &l->plan;
  uint32_t n = l->n_units, times[UNITS] = { 0 };
  bool split = plan->kind == CAB_LAYOUT_SPLIT;
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t u = plan->order[i], size = i < plan->n_hot ? plan->bytes : plan->cold_bytes;
      CU_ASSERT_EQUAL (times[u]++, 0);
      CU_ASSERT_EQUAL (plan->offset[u] % units[u].align, 0);
      CU_ASSERT (plan->offset[u] + units[u].bytes <= size);
      CU_ASSERT (!units[u].fixed || plan->offset[u] == units[u].offset);
      CU_ASSERT (units[u].bytes || i + 1 == plan->n_hot);
      CU_ASSERT_EQUAL (i >= plan->n_hot, split && units[u].cold);
      bool has_pointer = split && i < plan->n_hot;
      CU_ASSERT (!has_pointer || plan->offset[u] + units[u].bytes <= plan->pointer
		 || plan->offset[u] >= plan->pointer + 8);
      for (uint32_t k = 0; k < i; k++)
	CU_ASSERT ((i < plan->n_hot) != (k < plan->n_hot) || apart (l, u, plan->order[k]));
    }
  CU_ASSERT_EQUAL (plan->bytes % plan->align, 0);
  CU_ASSERT (plan->kind == CAB_LAYOUT_ORDER || plan->bytes < structure.bytes);
}

static void
test_plans (void)
{
  struct cab_names names;
  unsigned n[3] = { 0 };
  cab_names_init (&names);
  for (int i = 0; i < ROUNDS; i++)
    {
      struct cab_layout layout = random_layout ();
      cab_layout_make_plan (&layout, &names);
      n[layout.plan.kind]++;
      if (layout.plan.kind == CAB_LAYOUT_KEEP)
	CU_ASSERT_PTR_NOT_NULL (layout.plan.why)
      else
	check_plan (&layout);
    }
  CU_ASSERT (n[CAB_LAYOUT_KEEP] > ROUNDS / 50 && n[CAB_LAYOUT_ORDER] > ROUNDS / 50
	     && n[CAB_LAYOUT_SPLIT] > ROUNDS / 50);
  cab_names_fini (&names);
}

/* Return a structure of 24 bytes, of which 8 are used by themselves. */
static struct cab_layout
two_arrays (struct cab_names *names)
{
  structure = (struct cab_structure) { .name = "s", .file = "", .align = 8, .bytes = 24 };
  memset (together, 0, sizeof together);
  for (uint32_t i = 0; i < 2; i++)
    units[i] = (struct cab_layout_unit) {
      .offset = 8 * i, .bytes = 8 + 8 * i, .align = 8, .first = i, .n = 1, .accesses = 10
    };
  struct cab_layout layout = {
    .structure = &structure, .n_units = 2, .units = units, .together = together, .accesses = 1
  };
  cab_layout_make_plan (&layout, names);
  CU_ASSERT_EQUAL (layout.arrays.n, 2);
  return layout;
}

/* Return where twin I of BLOCK is beside arrays, and how large it is. */
static uint64_t
beside (const struct cab_heap_block *block, int i, uint64_t *bytes)
{
  *bytes = !block->arrays ? block->bytes * !i
			  : block->bytes / 24 * block->layout->arrays.items[i].bytes;
  return block->arrays ? block->arrays[i] : block->beside;
}

static bool
beside_apart (const struct cab_heap_block *a, const struct cab_heap_block *b)
{
  bool apart = true;
  for (int i = 0; i < 4; i++)
    {
      uint64_t n, m, x = beside (a, i % 2, &n), y = beside (b, i / 2, &m);
      apart &= x + n <= y || y + m <= x;
    }
  return apart;
}

/* Live blocks are found by each of their bytes, and their twins do not overlap. */
static void
test_heap (void)
{
  struct cab_heap_model *heaps = cab_heap_model_new (true);
  struct cab_names names;
  cab_names_init (&names);
  struct cab_layout layout = two_arrays (&names);
  uint64_t start[BLOCKS] = { 0 }, bytes[BLOCKS];
  for (int i = 0; i < 20 * BLOCKS; i++)
    {
      uint32_t k = draw (BLOCKS);
      if (start[k])
	cab_heap_model_release (heaps, start[k]);
      start[k] = start[k] ? 0 : UINT64_C (0x1000000) * (k + 1);
      bytes[k] = draw (20) ? 1 + draw (200) : 200000 + draw (100000);
      if (start[k])
	cab_heap_model_allocate (heaps, start[k], bytes[k], draw (2) ? &layout : NULL);
    }
  for (int i = 0; i < BLOCKS; i++)
    {
      struct cab_heap_block *a = start[i] ? cab_heap_model_find (heaps, start[i] + bytes[i] - 1)
					  : NULL;
      CU_ASSERT_EQUAL (a != NULL, start[i] != 0);
      CU_ASSERT_PTR_NULL (cab_heap_model_find (heaps, UINT64_C (0x1000000) * (i + 1) + 400000));
      for (int k = 0; a && k < i; k++)
	{
	  struct cab_heap_block *b = start[k] ? cab_heap_model_find (heaps, start[k]) : NULL;
	  CU_ASSERT (!b || a->same + a->bytes <= b->same || b->same + b->bytes <= a->same);
	  CU_ASSERT (!b || beside_apart (a, b));
	}
      CU_ASSERT (!a || (a->arrays != NULL) == (a->layout && a->bytes >= 48));
      CU_ASSERT (!a || a->same % 16 == 0);
    }
  cab_heap_model_free (heaps);
  cab_names_fini (&names);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("layout", NULL, NULL);
  CU_add_test (suite, "proposals of random structures", test_plans);
  CU_add_test (suite, "the model of malloc", test_heap);
  CU_basic_run_tests ();
  int failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
