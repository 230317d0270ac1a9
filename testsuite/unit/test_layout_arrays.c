/* test_layout_arrays.c - structures of arrays, from random structures: which members are together,
 * where each byte is, in which variables, and names.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/layout/layout_arrays_text.h"
#include "analyses/layout/layout_nested.h"
#include "analyses/layout/layout_pieces.h"
#include "analyses/layout/layout_statics.h"

#define UNITS 20
#define ROUNDS 1000
#define INSTANCES 6

static struct cab_structure structure;
static struct cab_member members[UNITS];
static struct cab_layout_unit units[UNITS];
static double together[UNITS * UNITS];
static char member_names[UNITS][8];
static uint64_t seed = 1;

static uint32_t
draw (uint32_t n)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407;
  return (seed >> 33) % n;
}

uint32_t
cab_layout_unit_at (const struct cab_layout *layout, uint64_t offset)
{
  uint32_t u = 0;
  while (u < layout->n_units && offset - layout->units[u].offset >= layout->units[u].bytes)
    u++;
  return u;
}

struct cab_layout *
cab_layouts_find (const struct cab_layouts *layouts, uint32_t key)
{
  return key && key <= layouts->n ? &layouts->items[key - 1] : NULL;
}

/* Return a structure as a compiler would lay it out; some members have names that others would get
   when combined. */
static struct cab_layout
random_layout (void)
{
  uint32_t n = 2 + draw (UNITS - 2), end = 0;
  structure = (struct cab_structure) {
    .name = "s", .file = "", .align = 1, .n_members = n, .members = members
  };
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t align = 1u << draw (5), bytes = align * (1 + draw (5));
      end = (end + align - 1) & -align;
      units[i] = (struct cab_layout_unit) {
	.offset = end, .bytes = bytes, .align = align, .first = i, .n = 1, .inner = !draw (12)
      };
      units[i].accesses = draw (4) ? draw (1000) : 0;
      int letter = 'a' + i % (UNITS / 2);
      snprintf (member_names[i], sizeof member_names[i], i < UNITS / 2 ? "%c" : "%c_%c", letter,
		letter + 1);
      members[i] = (struct cab_member) {
	.offset = end, .bytes = bytes, .name = member_names[i], .declaration = member_names[i]
      };
      structure.align = structure.align > align ? structure.align : align;
      end += bytes;
    }
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < a; b++)
      together[a * n + b] = together[b * n + a] = draw (1000);
  structure.bytes = (end + structure.align - 1) & -structure.align;
  return (struct cab_layout) {
    .structure = &structure, .n_units = n, .units = units, .together = together, .accesses = 1
  };
}

static bool
belong_together (const struct cab_layout *l, uint32_t a, uint32_t b)
{
  uint64_t x = units[a].accesses, y = units[b].accesses, most = x > y ? x : y;
  return !units[a].inner && !units[b].inner && (!most || 2 * together[a * l->n_units + b] >= most);
}

/* All members of one group belong together, and not all of two. */
static void
check_groups (const struct cab_layout *l)
{
  const uint32_t *array = l->arrays.array;
  bool apart[UNITS][UNITS] = { 0 };
  for (uint32_t a = 0; a < l->n_units; a++)
    for (uint32_t b = 0; b < a; b++)
      {
	CU_ASSERT (array[a] != array[b] || belong_together (l, a, b));
	apart[array[a]][array[b]] |= !belong_together (l, a, b);
	apart[array[b]][array[a]] |= !belong_together (l, a, b);
      }
  for (uint32_t x = 0; x < l->arrays.n; x++)
    for (uint32_t y = 0; y < x; y++)
      CU_ASSERT (apart[x][y]);
}

/* Each unit is in one array, aligned, inside of its elements, where nothing else is; padding is at
   their ends only. */
static void
check_places (const struct cab_layout *l)
{
  const struct cab_layout_arrays *arrays = &l->arrays;
  uint32_t times[UNITS] = { 0 };
  for (uint32_t i = 0; i < arrays->n; i++)
    {
      uint32_t sum = 0;
      for (uint32_t k = arrays->items[i].first; k < arrays->items[i].first + arrays->items[i].n;
	   k++)
	sum += units[arrays->order[k]].bytes;
      CU_ASSERT_EQUAL (arrays->items[i].bytes,
		       (sum + arrays->items[i].align - 1) & -arrays->items[i].align);
    }
  for (uint32_t i = 0; i < arrays->n; i++)
    for (uint32_t k = arrays->items[i].first; k < arrays->items[i].first + arrays->items[i].n; k++)
      {
	uint32_t u = arrays->order[k];
	CU_ASSERT_EQUAL (times[u]++, 0);
	CU_ASSERT_EQUAL (arrays->array[u], i);
	CU_ASSERT_EQUAL (arrays->offset[u] % units[u].align, 0);
	CU_ASSERT_EQUAL (arrays->items[i].bytes % units[u].align, 0);
	CU_ASSERT (arrays->offset[u] + units[u].bytes <= arrays->items[i].bytes);
	for (uint32_t m = arrays->items[i].first; m < k; m++)
	  CU_ASSERT (arrays->offset[arrays->order[m]] + units[arrays->order[m]].bytes
		     <= arrays->offset[u]);
      }
  for (uint32_t u = 0; u < l->n_units; u++)
    CU_ASSERT_EQUAL (times[u], 1);
}

struct piece
{
  uint32_t array;
  uint64_t from, to;
};

struct pieces
{
  struct piece items[8 * UNITS];
  uint32_t n;
};

static void
put_piece (void *data, uint32_t array, uint64_t from, uint64_t to)
{
  struct pieces *pieces = data;
  pieces->items[pieces->n++] = (struct piece) { array, from, to };
}

/* Byte by byte: what is accessed is in one piece, and no piece begins or ends with what is not,
   except for instances that are accessed as a whole. */
static void
check_pieces (const struct cab_layout *l, uint64_t from, uint64_t to)
{
  struct pieces put = { .n = 0 };
  const struct piece *pieces = put.items;
  cab_layout_pieces (l, &l->arrays, from, to, put_piece, &put);
  uint32_t n = put.n, size = l->structure->bytes;
  bool first[3 * UNITS] = { 0 }, last[3 * UNITS] = { 0 };
  for (uint64_t byte = from; byte < to; byte++)
    {
      uint32_t u = cab_layout_unit_at (l, byte % size), times = 0;
      if (u == l->n_units)
	continue;
      uint64_t at = byte / size * l->arrays.items[l->arrays.array[u]].bytes + l->arrays.offset[u]
		  + (byte % size - units[u].offset);
      for (uint32_t i = 0; i < n; i++)
	if (pieces[i].array == l->arrays.array[u] && at >= pieces[i].from && at < pieces[i].to)
	  {
	    times++;
	    first[i] |= at == pieces[i].from;
	    last[i] |= at + 1 == pieces[i].to;
	  }
      CU_ASSERT_EQUAL (times, 1);
    }
  for (uint32_t i = 0; i < n; i++)
    {
      uint64_t element = l->arrays.items[pieces[i].array].bytes,
	       low = pieces[i].from / element * size, high = pieces[i].to / element * size;
      bool whole = pieces[i].from % element == 0 && pieces[i].to % element == 0 && low >= from
		&& high <= to;
      CU_ASSERT (whole || (first[i] && last[i]));
    }
}

/* Names are identifiers, and all differ. */
static void
check_names (const struct cab_layout *l)
{
  char *names[UNITS];
  for (uint32_t i = 0; i < l->arrays.n; i++)
    {
      names[i] = cab_layout_array_name (l, i);
      CU_ASSERT_EQUAL (names[i][strspn (names[i], "abcdefghijklmnopqrstuvwxyz0123456789_")], 0);
      for (uint32_t k = 0; k < i; k++)
	CU_ASSERT_STRING_NOT_EQUAL (names[i], names[k]);
    }
  for (uint32_t i = 0; i < l->arrays.n; i++)
    free (names[i]);
}

static void
test_arrays (void)
{
  struct cab_names names;
  unsigned n = 0, several = 0;
  cab_names_init (&names);
  for (int i = 0; i < ROUNDS; i++)
    {
      struct cab_layout layout = random_layout ();
      cab_layout_make_arrays (&layout, &names);
      CU_ASSERT_EQUAL (layout.arrays.n == 0, layout.arrays.why != NULL);
      if (!layout.arrays.n)
	continue;
      n++;
      several += layout.arrays.n < layout.n_units;
      check_groups (&layout);
      check_places (&layout);
      check_names (&layout);
      for (int k = 0; k < 20; k++)
	{
	  uint64_t from = draw (INSTANCES * structure.bytes),
		   bytes = draw (2) ? draw (16) : draw (INSTANCES * structure.bytes);
	  check_pieces (&layout, from, from + bytes);
	}
    }
  CU_ASSERT (n > ROUNDS / 2 && several > ROUNDS / 2);
  cab_names_fini (&names);
}

/* Packed structures, what the compiler places, and an array without a size; each member would be an
   array of its own. */
static void
test_refused (void)
{
  struct cab_names names;
  cab_names_init (&names);
  for (int round = 0; round < 4; round++)
    {
      struct cab_layout layout = random_layout ();
      if (round == 1)
	structure.packed = true;
      if (round == 2)
	units[0].fixed = true;
      if (round == 3)
	units[layout.n_units - 1].bytes = 0;
      for (uint32_t u = 0; u < layout.n_units; u++)
	units[u].accesses = 100, units[u].inner = false;
      memset (together, 0, sizeof together);
      cab_layout_make_arrays (&layout, &names);
      CU_ASSERT_EQUAL (layout.arrays.n, round ? 0 : layout.n_units);
    }
  cab_names_fini (&names);
}

/* A variable of five structures at 1000 times their size, two and a half after it, then a single
   one. */
static bool
find_variable (void *data, uint64_t address, uint64_t *start, uint64_t *bytes)
{
  uint64_t size = structure.bytes, base = 1000 * size, at = address - base;
  ++*(unsigned *) data;
  *start = at < 5 * size		? base
	 : at < 5 * size + size * 5 / 2 ? base + 5 * size
	 : base + 5 * size + size * 5 / 2;
  *bytes = at < 5 * size ? 5 * size : at < 5 * size + size * 5 / 2 ? size * 5 / 2 : size;
  return at < 5 * size + size * 5 / 2 + size;
}

static void
test_statics (void)
{
  struct cab_names names;
  unsigned asked = 0;
  struct cab_layouts none = { 0 };
  struct cab_layout_variables variables = { &none, find_variable, &asked };
  cab_names_init (&names);
  struct cab_layout layout = random_layout ();
  for (uint32_t u = 0; u < layout.n_units; u++)
    units[u].accesses = 100;
  memset (together, 0, sizeof together);
  cab_layout_make_arrays (&layout, &names);
  uint64_t size = structure.bytes, base = 1000 * size, offset = units[1].offset;
  struct cab_layout_statics *statics = cab_layout_statics_new (&variables);
  CU_ASSERT_PTR_NULL (cab_layout_statics_find (statics, base + 2 * size + offset, NULL, 0, false));
  CU_ASSERT_PTR_NULL (
    cab_layout_statics_find (statics, base + 2 * size + offset, &layout, units[0].offset, false));
  CU_ASSERT_PTR_NULL (
    cab_layout_statics_find (statics, base + 5 * size + offset, &layout, offset, false));
  CU_ASSERT_PTR_NULL (cab_layout_statics_find (statics, base + 5 * size + size * 5 / 2 + offset,
					       &layout, offset, false));
  CU_ASSERT_PTR_NULL (cab_layout_statics_find (statics, 4 * base + offset, &layout, offset, false));
  const struct cab_layout_static *found = cab_layout_statics_find (
    statics, base + 2 * size + offset, &layout, offset, false);
  CU_ASSERT_PTR_NOT_NULL_FATAL (found);
  CU_ASSERT (found->start == base && found->bytes == 5 * size && found->layout == &layout);
  unsigned before = asked;
  CU_ASSERT_PTR_EQUAL (cab_layout_statics_find (statics, base + 5 * size - 1, NULL, 0, false),
		       found);
  CU_ASSERT_EQUAL (asked, before);
  for (uint32_t i = 1; i < layout.arrays.n; i++)
    CU_ASSERT (found->arrays[i] >= found->arrays[i - 1] + 5 * layout.arrays.items[i - 1].bytes
	       && found->arrays[i] % 32 == 0);
  cab_layout_statics_free (statics);
  cab_names_fini (&names);
}

/* Local variables: arrays in their own memory or, where padding makes them larger, elsewhere; until
   they end or others lie there. */
static void
test_locals (void)
{
  struct cab_names names;
  struct cab_layouts none = { 0 };
  unsigned asked = 0, kept = 0, wide = 0;
  struct cab_layout_variables variables = { &none, find_variable, &asked };
  cab_names_init (&names);
  for (int round = 0; round < ROUNDS; round++)
    {
      struct cab_layout layout = random_layout ();
      cab_layout_make_arrays (&layout, &names);
      if (!layout.arrays.n)
	continue;
      uint64_t size = structure.bytes, start = UINT64_C (1) << 46, n = 2 + draw (9), end = start;
      struct cab_layout_statics *statics = cab_layout_statics_new (&variables);
      cab_layout_statics_begin (statics, start, size, &layout);
      CU_ASSERT_PTR_NULL (cab_layout_statics_find (statics, start, NULL, 0, false));
      cab_layout_statics_begin (statics, start, n * size, &layout);
      const struct cab_layout_static *found = cab_layout_statics_find (
	statics, start + n * size - 1, NULL, 0, false);
      CU_ASSERT_PTR_NOT_NULL_FATAL (found);
      bool inside = found->arrays[0] == start;
      *(inside ? &kept : &wide) += 1;
      for (uint32_t i = 0; i < layout.arrays.n; i++)
	{
	  CU_ASSERT (found->arrays[i] % layout.arrays.items[i].align == 0
		     && (!i || found->arrays[i] >= end));
	  end = found->arrays[i] + n * layout.arrays.items[i].bytes;
	}
      CU_ASSERT_EQUAL (inside, end - found->arrays[0] <= n * size);
      CU_ASSERT (inside || end - found->arrays[0] <= 2 * n * size);
      cab_layout_statics_end (statics, start + 1);
      CU_ASSERT_PTR_NOT_NULL (cab_layout_statics_find (statics, start, NULL, 0, false));
      cab_layout_statics_begin (statics, start + n * size - 1, 100 * size, &layout);
      CU_ASSERT_PTR_NULL (cab_layout_statics_find (statics, start, NULL, 0, false));
      cab_layout_statics_end (statics, start + n * size - 1);
      CU_ASSERT_PTR_NULL (cab_layout_statics_find (statics, start + n * size, NULL, 0, false));
      cab_layout_statics_free (statics);
    }
  CU_ASSERT (kept > ROUNDS / 20 && wide > ROUNDS / 20);
  cab_names_fini (&names);
}

/* { 1 byte; 5 x { 8, 2 } of 16 bytes; 2 bytes }, of which there are four: byte by byte. */
static struct cab_member in_members[2] = {
  { .bytes = 8, .align = 8, .name = "key", .declaration = "double key" },
  { .offset = 8, .bytes = 2, .align = 2, .name = "code", .declaration = "short code" }
};
static struct cab_member out_members[3] = {
  { .bytes = 1, .align = 1, .name = "c", .declaration = "char c" },
  { .offset = 8,
    .bytes = 80,
    .align = 8,
    .structures = true,
    .name = "of",
    .declaration = "struct in of[5]" },
  { .offset = 88, .bytes = 2, .align = 2, .name = "d", .declaration = "short d" }
};
static const struct cab_structure in = {
  .name = "in", .file = "", .bytes = 16, .align = 8, .n_members = 2, .members = in_members
};
static const struct cab_structure out = {
  .name = "out", .file = "", .bytes = 96, .align = 8, .n_members = 3, .members = out_members
};

/* Return where byte AT of an `out' is in the whole: key[5] is at 8, code[5] at 48, up to 58; `of'
   ends at 64, so `d' is at 64. */
static uint64_t
place_in_whole (uint64_t at)
{
  uint64_t i = (at - 8) / 16, in_it = (at - 8) % 16;
  return at < 1 ? at
       : at >= 88 ? at - 24
       : in_it < 8 ? 8 + 8 * i + in_it
       : 48 + 2 * i + (in_it - 8);
}

static bool
is_padding (uint64_t at)
{
  return (at >= 1 && at < 8) || at >= 90 || (at >= 8 && at < 88 && (at - 8) % 16 >= 10);
}

static void
check_nested_pieces (const struct cab_layout *l, uint64_t from, uint64_t to)
{
  struct pieces put = { .n = 0 };
  cab_layout_pieces (l, &l->whole, from, to, put_piece, &put);
  for (uint64_t byte = from; byte < to; byte++)
    {
      uint64_t at = byte / out.bytes * l->whole.items[0].bytes + place_in_whole (byte % out.bytes);
      uint32_t times = 0;
      for (uint32_t i = 0; i < put.n; i++)
	times += at >= put.items[i].from && at < put.items[i].to;
      CU_ASSERT (is_padding (byte % out.bytes) || times);
    }
  if (from % 96 >= 8 && to <= from / 96 * 96 + 88 && (from - 8) % 16 + (to - from) <= 8)
    CU_ASSERT (put.n == 1 && put.items[0].to - put.items[0].from == to - from);
}

static void
test_nested (void)
{
  struct cab_names names;
  struct cab_layout_unit in_units[2] = {
    { .bytes = 8, .align = 8, .n = 1 }, { .offset = 8, .bytes = 2, .align = 2, .first = 1, .n = 1 }
  };
  struct cab_layout_unit out_units[3] = {
    { .bytes = 1, .align = 1, .n = 1 },
    { .offset = 8, .bytes = 80, .align = 8, .first = 1, .n = 1, .inner = true, .element = 1 },
    { .offset = 88, .bytes = 2, .align = 2, .first = 2, .n = 1 }
  };
  double apart[9] = { 0 };
  struct cab_layout items[2] = {
    { .structure = &in, .n_units = 2, .units = in_units, .together = apart, .accesses = 2 },
    { .structure = &out, .n_units = 3, .units = out_units, .together = apart, .accesses = 2 }
  };
  struct cab_layouts layouts = { .n = 2, .items = items };
  in_units[0].accesses = in_units[1].accesses = 1;
  cab_names_init (&layouts.names);
  cab_names_init (&names);
  cab_layout_make_arrays (&items[0], &names);
  cab_layouts_nest (&layouts);
  CU_ASSERT_EQUAL (items[0].arrays.n, 2);
  CU_ASSERT (items[1].whole.n == 1 && items[1].whole.items[0].bytes == 72
	     && items[1].whole.offset[1] == 8 && items[1].whole.offset[2] == 64);
  CU_ASSERT (items[0].holders && items[0].holders->layout == &items[1] && !items[0].holders->next
	     && !items[0].whole.n);
  for (uint64_t from = 0; from < 2 * out.bytes; from++)
    for (uint64_t to = from + 1; to <= 4 * out.bytes; to++)
      check_nested_pieces (&items[1], from, to);
  CU_ASSERT_PTR_EQUAL (cab_layouts_fitting (&layouts, 16, 0, &items[0], 0, false), NULL);
  CU_ASSERT_PTR_EQUAL (cab_layouts_fitting (&layouts, 64, 24, &items[0], 8, false), &items[0]);
  CU_ASSERT_PTR_EQUAL (cab_layouts_fitting (&layouts, 96 * 5, 96 + 8 + 24, &items[0], 8, false),
		       &items[1]);
  CU_ASSERT_PTR_EQUAL (cab_layouts_fitting (&layouts, 96 * 5 + 8, 96 + 8 + 24, &items[0], 8, false),
		       NULL);
  CU_ASSERT_PTR_EQUAL (cab_layouts_fitting (&layouts, 96, 88, &items[1], 88, false), &items[1]);
  cab_names_fini (&layouts.names);
  cab_names_fini (&names);
}

static void
test_pointers (void)
{
  static const char *const rows[][3] = {
    { "double x", "x", "double *x" },
    { "struct next *next", "next", "struct next **next" },
    { "list list", "list", "list *list" },
    { "char name[20]", "name", "char (*name)[20]" },
    { "int (*step) (struct step *, int)", "step", "int (*(*step)) (struct step *, int)" },
    { "int in[3][4]", "in", "int (*in)[3][4]" },
    { "const struct a *b", "a", NULL }
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      char *got = cab_layout_pointer_to (rows[i][0], rows[i][1]);
      CU_ASSERT_EQUAL (got == NULL, rows[i][2] == NULL);
      CU_ASSERT (!got || !strcmp (got, rows[i][2]));
      free (got);
    }
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("layout arrays", NULL, NULL);
  CU_add_test (suite, "structures of arrays of random structures", test_arrays);
  CU_add_test (suite, "structures that stay", test_refused);
  CU_add_test (suite, "variables", test_statics);
  CU_add_test (suite, "local variables", test_locals);
  CU_add_test (suite, "arrays in structures", test_nested);
  CU_add_test (suite, "declarations", test_pointers);
  CU_basic_run_tests ();
  int failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
