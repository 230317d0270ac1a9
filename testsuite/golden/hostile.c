/* hostile.c - truncated and mangled profiles give a good report or a clear message, never a crash
 * (under the address sanitizer).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/report/report.h"
#include "testsuite/golden/profile_writer.h"
#include "testsuite/unit/seeded.h"

#define DIR "hostile.data"

static FILE *nowhere;
static unsigned n_refused, n_read;

struct file
{
  const char *path;
  unsigned char *bytes;
  size_t n;
};

static struct file
load (const char *path)
{
  struct file file = { .path = path };
  FILE *stream = fopen (path, "rb");
  CU_ASSERT_FATAL (stream != NULL);
  file.bytes = xmalloc (4 << 20);
  file.n = fread (file.bytes, 1, 4 << 20, stream);
  fclose (stream);
  return file;
}

static void
store (const struct file *file, size_t n)
{
  FILE *stream = fopen (file->path, "wb");
  CU_ASSERT_FATAL (stream != NULL);
  CU_ASSERT_EQUAL (fwrite (file->bytes, 1, n, stream), n);
  fclose (stream);
}

static void
report_all (struct cab_model *model, enum cab_format format)
{
  struct cab_style style = { .width = 80, .table_width = 80 };
  struct cab_report_options options = { .format = format,
					.by_thread = model->by_thread,
					.fold_recursion = draw (2) };
  cab_report_overview (model, &options, &style, nowhere);
  for (int i = 0; cab_reports[i]; i++)
    {
      struct cab_table table;
      if (!cab_reports[i]->fill)
	continue;
      cab_reports[i]->fill (model, &options, &table);
      cab_table_text (&table, &style, nowhere);
      cab_table_tsv (&table, nowhere);
      cab_table_json (&table, DIR, nowhere);
      cab_table_fini (&table);
    }
}

/* Read the profile in DIR, whatever it holds. */
static void
read_all (void)
{
  struct cab_model model;
  struct cab_diag diag = { "" };
  if (cab_model_open (&model, DIR, draw (2), &diag) < 0)
    {
      CU_ASSERT (strstr (diag.text, DIR) && strchr (diag.text, ':'));
      n_refused++;
      return;
    }
  for (uint32_t i = 0; i < model.n_problems; i++)
    CU_ASSERT (strlen (model.problems[i]) > 10);
  report_all (&model, draw (2) ? CAB_FORMAT_TEXT : CAB_FORMAT_TSV);
  cab_model_close (&model);
  n_read++;
}

static const char *const files[] = {
  DIR "/102-17979d15f5d67c00.part", DIR "/modules/prog.info"
};

static struct file
fresh (int which)
{
  CU_ASSERT_EQUAL_FATAL (write_profile (DIR), 0);
  unlink (DIR "/101-17979d15ba3bb200.part");
  return load (files[which]);
}

/* Return true if there is anything but zeros around AT. Holes need not be cut at every place. */
static bool
is_hole (const struct file *file, size_t at)
{
  size_t from = at < 64 ? 0 : at - 64, to = at + 64 < file->n ? at + 64 : file->n;
  for (size_t i = from; i < to; i++)
    if (file->bytes[i])
      return false;
  return true;
}

static void
test_truncated (void)
{
  for (int which = 0; which < 2; which++)
    {
      struct file file = fresh (which);
      for (size_t n = 0; n < file.n; n += 64)
	if (n % 32768 == 0 || !is_hole (&file, n))
	  {
	    store (&file, n);
	    read_all ();
	  }
      free (file.bytes);
    }
}

/* Change a few bytes: more of them where there are any at all. */
static void
mangle (struct file *file)
{
  for (uint64_t n = 1 + draw (4); n > 0; n--)
    {
      size_t at = draw (file->n);
      for (int tries = 0; tries < 2000 && is_hole (file, at); tries++)
	at = draw (file->n);
      file->bytes[at] = draw (3) ? draw (256) : draw (2) ? 255 : file->bytes[at] ^ 1u << draw (8);
    }
}

static void
test_mangled (void)
{
  for (unsigned round = 0; round < rounds (1200); round++)
    {
      struct file file = fresh (round % 3 == 0);
      mangle (&file);
      store (&file, file.n);
      read_all ();
      free (file.bytes);
    }
}

/* Set the fields of the header and of the first rows of each table, one at a time, to the least and
   the greatest value. */
static void
test_extremes (void)
{
  static const uint64_t values[] = {
    0, 1, 0x7fffffff, 0xffffffff, UINT64_C (0x7fffffffffffffff), UINT64_MAX
  };
  struct file file = fresh (0);
  struct cab_part_header *h = (struct cab_part_header *) file.bytes;
  for (size_t at = 0; at < file.n; at += 4)
    if ((at < 500
	 || (at >= offsetof (struct cab_part_header, extents)
	     && at < offsetof (struct cab_part_header, extents) + 8 * 32)
	 || (at >= h->extents[0].file_offset && (at - h->extents[0].file_offset) % 4096 < 128)))
      {
	unsigned char saved[8];
	size_t bytes = file.n - at < 8 ? 4 : draw (2) ? 4 : 8;
	memcpy (saved, file.bytes + at, 8);
	memcpy (file.bytes + at, &values[draw (6)], bytes);
	store (&file, file.n);
	read_all ();
	memcpy (file.bytes + at, saved, 8);
      }
  free (file.bytes);
}

static void
test_foreign (void)
{
  static const char *const texts[] = { "", "x", "CABPART", "#!/bin/sh\n", "\177ELF\2\1\1" };
  for (int i = 0; i < 5; i++)
    {
      struct file file = fresh (0);
      struct file other = { file.path, (unsigned char *) texts[i], strlen (texts[i]) };
      store (&other, other.n);
      read_all ();
      free (file.bytes);
    }
}

int
main (int argc, char **argv)
{
  uint64_t first = argc > 1 ? strtoull (argv[1], NULL, 10) : (uint64_t) time (NULL);
  char directory[] = "/tmp/cabprof-hostile-XXXXXX";
  seed = first;
  nowhere = fopen ("/dev/null", "w");
  if (!nowhere || !mkdtemp (directory) || chdir (directory) < 0)
    return 1;
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("hostile", NULL, NULL);
  CU_add_test (suite, "foreign files", test_foreign);
  CU_add_test (suite, "truncated", test_truncated);
  CU_add_test (suite, "extreme fields", test_extremes);
  CU_add_test (suite, "mangled bytes", test_mangled);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  printf ("%u profiles refused, %u read, seed %lu, in %s\n", n_refused, n_read,
	  (unsigned long) first, directory);
  if (!failed && system ("rm -rf " DIR) == 0)
    rmdir (directory);
  CU_cleanup_registry ();
  fclose (nowhere);
  return failed != 0;
}
