/* test_data_place.c - addresses of data are found in the right region, rows of samples are added
 * up, and lines of `perf script' are read.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "loopfb/build/script_data.h"
#include "loopfb/sample/data_place.h"
#include "testsuite/unit/seeded.h"

#define BASE UINT64_C (0x555500000000)
#define PAGE UINT64_C (0x1000)
#define STACK UINT64_C (0x7ffff0000000)

static char zeros[100 * 0x1000];       /* of this program, whose file is mapped below */

static struct cab_data_places places;
static uint64_t zeros_at;              /* its link-time address */

/* Return the region of ADDRESS of process 1 for a thread whose stack pointer is AT. */
static enum cab_data_region
region (uint64_t address, uint64_t at)
{
  return cab_data_place (&places, 1, address, at).region;
}

/* Map the segments of this program as the kernel does: whole pages of the file, then zeros. */
static void
map_program (void)
{
  struct cab_image image;
  struct cab_diag diag;
  GElf_Phdr s;
  CU_ASSERT_EQUAL_FATAL (cab_image_open (&image, "/proc/self/exe", &diag), 0);
  for (size_t i = 0; i < image.n_objects; i++)
    if (!strcmp (image.objects[i].name, "zeros"))
      zeros_at = image.objects[i].address;
  for (int i = 0; gelf_getphdr (image.file.elf, i, &s); i++)
    if (s.p_type == PT_LOAD)
      {
	uint64_t first = s.p_vaddr / PAGE * PAGE,
		 filed = (s.p_vaddr + s.p_filesz + PAGE - 1) / PAGE * PAGE,
		 end = (s.p_vaddr + s.p_memsz + PAGE - 1) / PAGE * PAGE;
	cab_data_places_map (&places, 1, BASE + first, filed - first, s.p_offset / PAGE * PAGE,
			     "/proc/self/exe");
	cab_data_places_map (&places, 1, BASE + filed, end - filed, 0, "//anon");
      }
  cab_image_close (&image);
}

static void
test_regions (void)
{
  cab_data_places_init (&places);
  cab_data_places_map (&places, 1, STACK, 33 * PAGE, 0, "[stack]");
  map_program ();
  CU_ASSERT_NOT_EQUAL_FATAL (zeros_at, 0);
  struct cab_data_place p = cab_data_place (&places, 1, BASE + zeros_at + 5000, STACK);
  CU_ASSERT_EQUAL (p.region, CAB_DATA_STATIC);
  CU_ASSERT_EQUAL (p.address, zeros_at + 5000);
  CU_ASSERT (p.path && !strcmp (p.path, "/proc/self/exe"));
  CU_ASSERT_EQUAL (region (STACK + 5, STACK + 100), CAB_DATA_STACK);
  /* The first stack grows without a word. */
  CU_ASSERT_EQUAL (region (STACK - 50 * PAGE, STACK - 50 * PAGE), CAB_DATA_STACK);
  CU_ASSERT_EQUAL (region (UINT64_MAX - 5, STACK), CAB_DATA_KERNEL);
  CU_ASSERT_EQUAL (region (0x10, STACK), CAB_DATA_UNKNOWN);
  CU_ASSERT_EQUAL (cab_data_place (&places, 2, STACK, STACK).region, CAB_DATA_UNKNOWN);
  /* The heap has no name until it has grown. */
  uint64_t heap = BASE + zeros_at / PAGE * PAGE + 5000 * PAGE;
  cab_data_places_map (&places, 1, heap, 10 * PAGE, 0, "//anon");
  CU_ASSERT_EQUAL (region (heap + 9 * PAGE, STACK), CAB_DATA_HEAP);
  cab_data_places_map (&places, 1, heap, 20 * PAGE, 0, "[heap]");
  CU_ASSERT_EQUAL (region (heap + 19 * PAGE, STACK), CAB_DATA_HEAP);
  cab_data_places_map (&places, 1, BASE * 2, PAGE, 0x3000, "/etc/hostname");
  p = cab_data_place (&places, 1, BASE * 2 + 8, STACK);
  CU_ASSERT_EQUAL (p.region, CAB_DATA_FILE);
  CU_ASSERT_EQUAL (p.address, 0x3008);
  cab_maps_fork (&places.maps, 2, 1);
  CU_ASSERT_EQUAL (cab_data_place (&places, 2, heap, STACK).region, CAB_DATA_HEAP);
  cab_data_places_fini (&places);
}

/* The kernel merges neighbours, and tells of them as one: a thread's stack stays by itself. */
static void
test_merged (void)
{
  uint64_t block = UINT64_C (0x7f0000100000), stack = block - 16 * PAGE;
  cab_data_places_init (&places);
  map_program ();
  cab_data_places_map (&places, 1, block, 8 * PAGE, block, "//anon");
  cab_data_places_map (&places, 1, stack, 16 * PAGE, stack, "//anon");
  cab_data_places_map (&places, 1, stack + PAGE, 24 * PAGE, stack + PAGE, "//anon");
  CU_ASSERT_EQUAL (region (stack + 9 * PAGE, stack + 9 * PAGE), CAB_DATA_STACK);
  CU_ASSERT_EQUAL (region (block, stack + 9 * PAGE), CAB_DATA_MAPPED);
  CU_ASSERT_EQUAL (region (block + 8 * PAGE, stack + 9 * PAGE), CAB_DATA_MAPPED);
  CU_ASSERT_EQUAL (region (stack + 9 * PAGE, STACK), CAB_DATA_MAPPED);
  /* Another mapping in place of a file's. */
  cab_data_places_map (&places, 1, block + 100 * PAGE, 4 * PAGE, 0, "/etc/hostname");
  cab_data_places_map (&places, 1, block + 101 * PAGE, PAGE, 0, "//anon");
  CU_ASSERT_EQUAL (region (block + 100 * PAGE, STACK), CAB_DATA_FILE);
  CU_ASSERT_EQUAL (region (block + 101 * PAGE, STACK), CAB_DATA_MAPPED);
  CU_ASSERT_EQUAL (region (block + 102 * PAGE, STACK), CAB_DATA_FILE);
  cab_data_places_fini (&places);
}

/* Rows are added up whatever their order, and however many there are. */
static void
test_rows (void)
{
  struct cab_data_rows rows = { 0 };
  uint64_t n[7] = { 0 }, weight[7] = { 0 };
  for (int i = 0; i < 20000; i++)
    {
      uint64_t which = draw (7), heavy = draw (100);
      cab_data_add (&rows, &(struct cab_data_row) { .region = which & 1, .module = which >> 1 & 1,
						    .address = which >> 2, .n = 1,
						    .weight = heavy, .latency = 2 * heavy });
      n[which]++;
      weight[which] += heavy;
    }
  cab_data_settle (&rows);
  CU_ASSERT_EQUAL (rows.n, 7);
  for (uint32_t i = 0; i < rows.n; i++)
    {
      const struct cab_data_row *r = &rows.row[i];
      uint64_t which = r->region | r->module << 1 | r->address << 2;
      CU_ASSERT_EQUAL (r->n, n[which]);
      CU_ASSERT_EQUAL (r->weight, weight[which]);
      CU_ASSERT_EQUAL (r->latency, 2 * weight[which]);
    }
  cab_data_fini (&rows);
}

static enum cab_data_level
level (uint64_t levels)
{
  bool modified;
  union perf_mem_data_src s = { .mem_op = PERF_MEM_OP_LOAD, .mem_lvl = levels };
  enum cab_data_level found = cab_data_level_of (s.val, &modified);
  CU_ASSERT_FALSE (modified);
  s.mem_snoop = PERF_MEM_SNOOP_HITM;
  CU_ASSERT_EQUAL (cab_data_level_of (s.val, &modified), found);
  CU_ASSERT_TRUE (modified);
  return found;
}

static void
test_levels (void)
{
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_NA), CAB_DATA_LEVEL_UNKNOWN);
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1), CAB_DATA_LEVEL_L1);
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_HIT | PERF_MEM_LVL_LFB), CAB_DATA_LEVEL_FILL);
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_HIT | PERF_MEM_LVL_L2), CAB_DATA_LEVEL_L2);
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3), CAB_DATA_LEVEL_L3);
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_MISS | PERF_MEM_LVL_L3), CAB_DATA_LEVEL_MEMORY);
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM), CAB_DATA_LEVEL_MEMORY);
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_RAM1), CAB_DATA_LEVEL_REMOTE);
  CU_ASSERT_EQUAL (level (PERF_MEM_LVL_HIT | PERF_MEM_LVL_REM_CCE1), CAB_DATA_LEVEL_REMOTE);
}

/* Parse a copy of TEXT. */
static enum cab_script_data_kind
parse (const char *text, struct cab_script_data *parsed)
{
  static char line[512];
  snprintf (line, sizeof line, "%s", text);
  return cab_script_data_parse (line, parsed);
}

static void
test_lines (void)
{
  struct cab_script_data d;
  CU_ASSERT_EQUAL (parse ("a b 31/32 [001] 1.5: 7 mem-loads:ppp: 55f0 68100142 |OP LOAD|LVL L1 hit|"
			  "BLK N/A 12345 401136 facade+0x3 (/a)",
			  &d),
		   CAB_SCRIPT_DATA_SAMPLE);
  CU_ASSERT_STRING_EQUAL (d.event, "mem-loads:ppp");
  CU_ASSERT_EQUAL (d.pid, 31);
  CU_ASSERT_EQUAL (d.period, 7);
  CU_ASSERT_EQUAL (d.data.address, 0x55f0);
  CU_ASSERT_EQUAL (d.data.source, 0x68100142);
  CU_ASSERT_EQUAL (d.data.latency, 12345);
  CU_ASSERT_EQUAL (d.ip, 0x401136);
  /* With names, and without what only the processor's events have. */
  CU_ASSERT_EQUAL (parse ("a 31 1.5: page-faults: 55f0 facade (/a b)  55c489cf11d3 added+0x9 (/a)",
			  &d),
		   CAB_SCRIPT_DATA_SAMPLE);
  CU_ASSERT_EQUAL (d.period, 1);
  CU_ASSERT_EQUAL (d.ip, 0x55c489cf11d3);
  CU_ASSERT_EQUAL (d.data.latency, 0);
  CU_ASSERT_EQUAL (parse ("x 5/5 1.0: PERF_RECORD_MMAP2 5/5: [0x1000(0x2000) @ 0x30 fe:01 1 2]: "
			  "r-xp /a b",
			  &d),
		   CAB_SCRIPT_DATA_MAPPING);
  CU_ASSERT (d.pid == 5 && d.start == 0x1000 && d.bytes == 0x2000 && d.offset == 0x30 && d.code);
  CU_ASSERT_STRING_EQUAL (d.path, "/a b");
  CU_ASSERT_EQUAL (parse ("x 5/5 1.0: PERF_RECORD_FORK(6:7):(5:5)", &d), CAB_SCRIPT_DATA_FORK);
  CU_ASSERT (d.pid == 6 && d.parent == 5);
  CU_ASSERT_EQUAL (parse ("x 5/5 1.0: PERF_RECORD_COMM exec: a: b:8/9", &d), CAB_SCRIPT_DATA_EXEC);
  CU_ASSERT_EQUAL (d.pid, 8);
  CU_ASSERT_EQUAL (parse ("x 5/5 1.0: PERF_RECORD_COMM: a:8/9", &d), CAB_SCRIPT_DATA_NOTHING);
  CU_ASSERT_EQUAL (parse ("# comment", &d), CAB_SCRIPT_DATA_NOTHING);
  CU_ASSERT_EQUAL (parse ("x 5/5 1.0: cycles: here", &d), CAB_SCRIPT_DATA_BAD);
}

/* Damaged lines are taken for anything, but are read within their bounds. */
static void
test_hostile_lines (void)
{
  static const char *const lines[] = {
    "a 31/32 1.5: 7 loads: 55f0 68100142 |OP LOAD|LVL L1 hit|BLK N/A 12 401136 f (/a)",
    "x 5/5 1.0: PERF_RECORD_MMAP2 5/5: [0x1000(0x2000) @ 0x30 fe:01 1 2]: r-xp /a",
    "x 5/5 1.0: PERF_RECORD_FORK(6:7):(5:5)", "x 5/5 1.0: PERF_RECORD_COMM exec: a:8/9"
  };
  for (int i = 0; i < 20000; i++)
    {
      struct cab_script_data d;
      const char *line = lines[draw (4)];
      size_t n = strlen (line);
      char *bad = strdup (line);
      for (uint64_t k = draw (6); k-- > 0;)
	bad[draw (n)] = "0f:+( )/[]x|@.\t\xff-"[draw (17)];
      bad[draw (3) ? n : draw (n)] = 0;
      cab_script_data_parse (bad, &d);
      free (bad);
    }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "regions", test_regions },
			  { "merged mappings", test_merged },
			  { "rows", test_rows },
			  { "levels", test_levels },
			  { "lines of perf script", test_lines },
			  { "damaged lines", test_hostile_lines },
			  CU_TEST_INFO_NULL };
  zeros[argc] = 1;
  return run_seeded (argc, argv, "data place", tests);
}
