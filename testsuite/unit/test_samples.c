/* test_samples.c - mappings, samples.json and the text of `perf script' are read right, also when
 * they are mangled.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analyses/binary/image.h"
#include "analyses/binary/maps.h"
#include "loopfb/build/script.h"
#include "loopfb/build/script_read.h"
#include "loopfb/sample/samples.h"
#include "testsuite/unit/seeded.h"

static uint32_t
find (const struct cab_maps *maps, uint32_t pid, uint64_t address, uint64_t wanted_offset)
{
  uint64_t offset = 0;
  uint32_t file = cab_maps_find (maps, pid, address, &offset);
  if (file != CAB_MAPS_NO_FILE)
    CU_ASSERT_EQUAL (offset, wanted_offset);
  return file;
}

static void
test_maps (void)
{
  struct cab_maps maps;
  cab_maps_init (&maps);
  cab_maps_add (&maps, 1, 0x1000, 0x1000, 0, "/a");
  cab_maps_add (&maps, 1, 0x4000, 0x4000, 0x100, "/b");
  CU_ASSERT_EQUAL (find (&maps, 1, 0x1fff, 0xfff), 0);
  CU_ASSERT_EQUAL (find (&maps, 1, 0x2000, 0), CAB_MAPS_NO_FILE);
  CU_ASSERT_EQUAL (find (&maps, 1, 0x7fff, 0x40ff), 1);
  CU_ASSERT_EQUAL (find (&maps, 2, 0x1000, 0), CAB_MAPS_NO_FILE);
  /* A child has its parent's mappings; a new mapping replaces another only where they overlap. */
  cab_maps_fork (&maps, 2, 1);
  cab_maps_add (&maps, 2, 0x5000, 0x1000, 0, "/a");
  CU_ASSERT_EQUAL (find (&maps, 2, 0x4fff, 0x10ff), 1);
  CU_ASSERT_EQUAL (find (&maps, 2, 0x5000, 0), 0);
  CU_ASSERT_EQUAL (find (&maps, 2, 0x6000, 0x2100), 1);
  CU_ASSERT_EQUAL (find (&maps, 1, 0x5000, 0x1100), 1);
  /* Memory without a file hides the file below it. */
  cab_maps_add (&maps, 2, 0x5000, 0x1000, 0, "//anon");
  CU_ASSERT_EQUAL (find (&maps, 2, 0x5800, 0), CAB_MAPS_NO_FILE);
  cab_maps_clear (&maps, 2);
  CU_ASSERT_EQUAL (find (&maps, 2, 0x4000, 0), CAB_MAPS_NO_FILE);
  CU_ASSERT_EQUAL (find (&maps, 1, 0x4000, 0x100), 1);
  for (uint32_t pid = 3; pid < 300; pid++)
    cab_maps_fork (&maps, pid, 1);
  CU_ASSERT_EQUAL (find (&maps, 299, 0x4000, 0x100), 1);
  cab_maps_fini (&maps);
}

static void
test_map_lines (void)
{
  static const char *const lines[] = {
    "00400000-00401000 r-xp 00001000 08:01 12 /usr/bin/a b\n",
    "00500000-00501000 r--p 00000000 08:01 12                 /usr/bin/a b",
    "7000-6000 r-xp 0 0:0 0 /x",
    "xyz",
    "",
    "00600000-00601000 r-xp 00000000 00:00 0 ",
    "7f00000000-7f00001000 r-xp 00000000 00:00 0 [vdso]"
  };
  struct cab_maps maps;
  cab_maps_init (&maps);
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
    cab_maps_add_line (&maps, 7, lines[i]);
  CU_ASSERT_EQUAL_FATAL (maps.n_files, 2);
  CU_ASSERT_STRING_EQUAL (maps.files[0].path, "/usr/bin/a b");
  CU_ASSERT_EQUAL (find (&maps, 7, 0x400010, 0x1010), 0);
  CU_ASSERT_EQUAL (find (&maps, 7, 0x7f00000010, 0x10), 1);
  CU_ASSERT_EQUAL (find (&maps, 7, 0x500010, 0), CAB_MAPS_NO_FILE);
  cab_maps_fini (&maps);
}

static void
fill (struct cab_samples *s)
{
  cab_samples_init (s);
  s->source = (struct cab_sample_source) { .name = "cpu-clock",
					   .kind = CAB_SAMPLE_PERF,
					   .unit_ns = true,
					   .adaptive = true,
					   .randomised = CAB_RANDOMISED_WAKE_UP,
					   .period = 2000000,
					   .asked_rate = 500 };
  uint32_t a = cab_samples_module (s, "/a"), b = cab_samples_module (s, "/b \xc3\xa4");
  for (int i = 0; i < 1000; i++)
    cab_samples_add (s, i % 3 ? a : b, 0x1000 + i % 100, 1, 10 + i % 2);
  cab_samples_settle (s);
  s->n += 5, s->kernel = 3, s->unknown = 2;
  s->weight += 50, s->kernel_weight = 30, s->unknown_weight = 20;
  s->overhead = 0.004;
  strcpy (s->overhead_how, "thus");
}

static void
test_json (void)
{
  struct cab_samples s, t;
  struct cab_diag diag;
  fill (&s);
  cab_samples_init (&t);
  CU_ASSERT_EQUAL (s.n_addresses, 200);
  CU_ASSERT_EQUAL (cab_samples_write (&s, "samples.json", &diag), 0);
  CU_ASSERT_EQUAL_FATAL (cab_samples_read (&t, "samples.json", &diag), 0);
  CU_ASSERT (!memcmp (&s.source, &t.source, sizeof s.source));
  CU_ASSERT (t.n == 1005 && t.kernel == 3 && t.unknown == 2 && t.weight == s.weight
	     && t.kernel_weight == 30 && t.unknown_weight == 20);
  CU_ASSERT (t.overhead == 0.004 && !strcmp (t.overhead_how, "thus"));
  CU_ASSERT_EQUAL_FATAL (t.n_addresses, s.n_addresses);
  for (uint32_t i = 0; i < s.n_addresses; i++)
    CU_ASSERT (s.addresses[i].module == t.addresses[i].module
	       && s.addresses[i].address == t.addresses[i].address
	       && s.addresses[i].n == t.addresses[i].n
	       && s.addresses[i].weight == t.addresses[i].weight);
  CU_ASSERT_STRING_EQUAL (t.modules[1].path, s.modules[1].path);
  cab_samples_fini (&s);
  cab_samples_fini (&t);
}

static void
test_merge (void)
{
  struct cab_samples s, t;
  struct cab_diag diag = { "" };
  fill (&s);
  cab_samples_init (&t);
  CU_ASSERT (cab_samples_merge (&t, &s, &diag) == 0 && cab_samples_merge (&t, &s, &diag) == 0);
  CU_ASSERT (t.n == 2 * s.n && t.weight == 2 * s.weight && t.kernel == 6 && t.unknown == 4
	     && t.n_addresses == s.n_addresses);
  CU_ASSERT (t.addresses[7].weight == 2 * s.addresses[7].weight
	     && t.addresses[7].address == s.addresses[7].address);
  free (s.modules[1].build_id);
  s.modules[1].build_id = strdup ("abcd");
  CU_ASSERT (cab_samples_merge (&t, &s, &diag) < 0 && strstr (diag.text, "two builds of /b"));
  strcpy (s.source.name, "cycles");
  CU_ASSERT (cab_samples_merge (&t, &s, &diag) < 0
	     && strstr (diag.text, "cpu-clock and of cycles"));
  cab_samples_fini (&s);
  cab_samples_fini (&t);
}

static void
store (const char *path, const char *bytes, size_t n)
{
  FILE *file = fopen (path, "wb");
  CU_ASSERT_FATAL (file && fwrite (bytes, 1, n, file) == n);
  fclose (file);
}

static size_t
load (const char *path, char *bytes, size_t room)
{
  FILE *file = fopen (path, "rb");
  CU_ASSERT_FATAL (file != NULL);
  size_t n = fread (bytes, 1, room, file);
  fclose (file);
  return n;
}

/* A mangled file gives samples, or a message that names the file. */
static void
test_hostile_json (void)
{
  static char good[65536], bad[65536];
  size_t n = load ("samples.json", good, sizeof good);
  unsigned n_read = 0;
  for (int i = 0; i < 400; i++)
    {
      struct cab_samples s;
      struct cab_diag diag = { "" };
      memcpy (bad, good, n);
      for (uint64_t k = draw (4); k-- > 0;)
	bad[draw (draw (2) ? n : 600)] = "0129-[]{}\",:e.x\\\xff"[draw (18)];
      store ("bad.json", bad, draw (4) ? n : draw (n));
      cab_samples_init (&s);
      if (cab_samples_read (&s, "bad.json", &diag) < 0)
	{
	  CU_ASSERT (strstr (diag.text, "bad.json: ") != NULL);
	}
      else
	n_read++;
      cab_samples_fini (&s);
    }
  CU_ASSERT (n_read > 10 && n_read < 400);
}

static enum cab_script_kind
parse (const char *text, struct cab_script_line *line)
{
  static char copy[512];
  snprintf (copy, sizeof copy, "%s", text);
  return cab_script_parse (copy, line);
}

static void
test_script_lines (void)
{
  struct cab_script_line l;
  CU_ASSERT_EQUAL (
    parse (
      "  burn 11539 18938.062607:     250000 cpu-clock:      5610a17eb16b hot+0x22 (/tmp/burn)\n",
      &l),
    CAB_SCRIPT_SAMPLE);
  CU_ASSERT (!strcmp (l.event, "cpu-clock") && l.ip == 0x5610a17eb16b && l.period == 250000
	     && l.pid == 11539 && l.offset == 0x22);
  CU_ASSERT (l.has_offset && !strcmp (l.symbol, "hot") && !strcmp (l.dso, "/tmp/burn"));
  CU_ASSERT_EQUAL (parse ("cycles:u:      401136 main (/tmp/a b (deleted))", &l),
		   CAB_SCRIPT_SAMPLE);
  CU_ASSERT (!strcmp (l.event, "cycles:u") && !strcmp (l.symbol, "main")
	     && !strcmp (l.dso, "/tmp/a b") && l.period == 1 && !l.has_offset);
  CU_ASSERT_EQUAL (parse ("my prog 1/2 [001] 1.5: 7 IDQ_UOPS_NOT_DELIVERED:CORE:  7f11 std::f(int, "
			  "char (*)(int))+0x1f (/lib/x.so)",
			  &l),
		   CAB_SCRIPT_SAMPLE);
  CU_ASSERT (!strcmp (l.event, "IDQ_UOPS_NOT_DELIVERED:CORE") && l.pid == 1 && l.period == 7
	     && l.ip == 0x7f11 && l.offset == 0x1f);
  CU_ASSERT (!strcmp (l.symbol, "std::f(int, char (*)(int))") && !strcmp (l.dso, "/lib/x.so"));
  CU_ASSERT_EQUAL (parse ("a 1 1.5: 7 cycles: ffffffff81c39d89 [unknown] ([kernel.kallsyms])", &l),
		   CAB_SCRIPT_SAMPLE);
  CU_ASSERT (!l.symbol && !strcmp (l.dso, "[kernel.kallsyms]"));
  CU_ASSERT_EQUAL (parse ("a 1 1.5: 7 cycles: ", &l), CAB_SCRIPT_HEAD);
  CU_ASSERT_EQUAL (parse ("\t    401136 main+0x6 (/a)", &l), CAB_SCRIPT_FRAME);
  CU_ASSERT (l.ip == 0x401136 && !l.event && l.offset == 6);
  CU_ASSERT_EQUAL (parse ("# comment", &l), CAB_SCRIPT_NOTHING);
  CU_ASSERT_EQUAL (parse ("\n", &l), CAB_SCRIPT_NOTHING);
  CU_ASSERT_EQUAL (parse ("hello world", &l), CAB_SCRIPT_BAD);
  CU_ASSERT (cab_script_same_event ("cycles", "cycles:ppp")
	     && !cab_script_same_event ("cycles", "cpu-clock"));
  CU_ASSERT (!cab_script_same_event ("IDQ_UOPS_NOT_DELIVERED:CORE", "IDQ_UOPS_NOT_DELIVERED"));
}

/* The text below is about this function itself. */
static uint64_t
own_bias (uint64_t *address)
{
  struct cab_image image;
  struct cab_diag diag;
  *address = 0;
  CU_ASSERT_EQUAL_FATAL (cab_image_open (&image, "/proc/self/exe", &diag), 0);
  for (size_t i = 0; i < image.n_symbols; i++)
    if (!strcmp (image.symbols[i].name, "test_script_lines"))
      *address = image.symbols[i].address;
  CU_ASSERT_PTR_NOT_NULL_FATAL (cab_image_symbol (&image, *address + 3));
  cab_image_close (&image);
  return (uint64_t) (uintptr_t) test_script_lines - *address;
}

static void
write_script (const char *path, const char *exe, bool offsets)
{
  uint64_t address, bias = own_bias (&address);
  FILE *file = fopen (path, "w");
  for (int i = 0; i < 40; i++)
    {
      char offset[16] = "";
      snprintf (offset, sizeof offset, "+0x%x", i);
      fprintf (file, "x 5 1.%d: 100 cycles: %" PRIx64 " test_script_lines%s (%s)\n", i,
	       address + bias + i, offsets ? offset : "", exe);
      fprintf (file, "x 5 1.%d: 100 cycles: ffffffff81c39d89 clear_page ([kernel.kallsyms])\n", i);
    }
  fprintf (file, "x 5 2.0: 100 cycles: 12345 nowhere (/no/such/file)\nnonsense\n");
  fclose (file);
}

static void
test_script (void)
{
  char exe[512] = "";
  CU_ASSERT_FATAL (readlink ("/proc/self/exe", exe, sizeof exe - 1) > 0);
  for (int offsets = 0; offsets < 2; offsets++)
    {
      struct cab_samples s;
      struct cab_diag diag;
      uint64_t address;
      own_bias (&address);
      write_script ("perf.script", exe, offsets);
      cab_samples_init (&s);
      CU_ASSERT_EQUAL_FATAL (cab_samples_from_script (&s, "perf.script", NULL, &diag), 0);
      CU_ASSERT (s.n == 81 && s.kernel == 40 && s.unknown == 1 && s.weight == 8100 && s.lost == 1);
      CU_ASSERT (s.source.kind == CAB_SAMPLE_SCRIPT && !strcmp (s.source.name, "cycles"));
      CU_ASSERT_EQUAL_FATAL (s.n_addresses, 40);
      CU_ASSERT (s.addresses[0].address == address && s.addresses[39].address == address + 39);
      cab_samples_fini (&s);
    }
}

/* Return why EVENT of PATH is refused. */
static bool
is_refused (const char *path, const char *event, const char *words)
{
  struct cab_samples s;
  struct cab_diag diag = { "" };
  cab_samples_init (&s);
  bool refused = cab_samples_from_script (&s, path, event, &diag) < 0;
  cab_samples_fini (&s);
  return refused && strstr (diag.text, words);
}

static void
test_script_events (void)
{
  struct cab_samples s;
  struct cab_diag diag;
  const char two[] = "cycles: 401136 main (/a)\ncpu-clock: 401136 main (/a)\n";
  store ("two.script", two, strlen (two));
  store ("none.script", "#\n", 2);
  CU_ASSERT (is_refused ("two.script", NULL, "several events: cycles, cpu-clock"));
  CU_ASSERT (is_refused ("two.script", "stalls", "no event stalls, but cycles, cpu-clock"));
  CU_ASSERT (is_refused ("none.script", NULL, "holds no sample"));
  CU_ASSERT (is_refused ("nosuch.script", NULL, "nosuch.script: "));
  cab_samples_init (&s);
  CU_ASSERT_EQUAL (cab_samples_from_script (&s, "two.script", "cpu-clock", &diag), 0);
  CU_ASSERT_EQUAL (s.n, 1);
  cab_samples_fini (&s);
}

/* Mangled text is read as far as it goes. */
static void
test_hostile_script (void)
{
  static char good[65536], bad[65536];
  size_t n = load ("perf.script", good, sizeof good);
  for (int i = 0; i < 200; i++)
    {
      struct cab_samples s;
      struct cab_diag diag = { "" };
      memcpy (bad, good, n);
      for (uint64_t k = draw (200); k-- > 0;)
	bad[draw (n)] = "0f:+( )/[]x.\n\t\0\xff-"[draw (17)];
      store ("bad.script", bad, n);
      cab_samples_init (&s);
      if (cab_samples_from_script (&s, "bad.script", draw (2) ? "cycles" : NULL, &diag) < 0)
	{
	  CU_ASSERT (strstr (diag.text, "bad.script: ") != NULL);
	}
      cab_samples_fini (&s);
    }
}

/* The files are no ELF, or a piece of one. */
static void
test_hostile_image (void)
{
  static char good[1 << 20], bad[1 << 20];
  size_t n = load ("/proc/self/exe", good, sizeof good);
  for (int i = 0; i < 100; i++)
    {
      struct cab_image image;
      struct cab_diag diag = { "" };
      memcpy (bad, good, n);
      for (uint64_t k = draw (20); k-- > 0;)
	bad[draw (draw (2) ? n : 1024)] = draw (256);
      store ("bad.elf", bad, draw (3) ? n : 1 + draw (n - 1));
      if (cab_image_open (&image, "bad.elf", &diag) < 0)
	{
	  CU_ASSERT (strstr (diag.text, "bad.elf: ") != NULL);
	  continue;
	}
      uint64_t address;
      for (int k = 0; k < 50; k++)
	{
	  cab_image_symbol (&image, draw (n));
	  cab_image_address (&image, draw (n), &address);
	  cab_image_mapped (&image, draw (n), &address);
	  cab_image_holds (&image, draw (n));
	  cab_image_section (&image, draw (n));
	}
      cab_image_close (&image);
    }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "maps", test_maps },
    { "map lines", test_map_lines },
    { "json", test_json },
    { "merge", test_merge },
    { "hostile json", test_hostile_json },
    { "script lines", test_script_lines },
    { "script", test_script },
    { "script events", test_script_events },
    { "hostile script", test_hostile_script },
    { "hostile image", test_hostile_image },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "samples", tests);
}
