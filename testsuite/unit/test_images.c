/* test_images.c - ELF files: symbols as the dynamic linker finds them, sections, damaged files.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file is the library of CUnit, which is small and loaded, so that the dynamic linker can be
 * asked the same.
 */
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/binary/elf_section.h"
#include "analyses/binary/image.h"
#include "testsuite/unit/seeded.h"

static const char *path;
static uintptr_t base;
static char good[1 << 20], bad[1 << 20];
static size_t n_good;

static void
load_library (void)
{
  Dl_info info;
  CU_ASSERT_FATAL (dladdr ((void *) CU_initialize_registry, &info) != 0);
  path = info.dli_fname;
  base = (uintptr_t) info.dli_fbase;
  FILE *file = fopen (path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL (file);
  n_good = fread (good, 1, sizeof good, file);
  CU_ASSERT_FATAL (n_good < sizeof good);
  fclose (file);
}

/* Every exported function of the library is where the dynamic linker has it. */
static void
test_symbols (void)
{
  struct cab_image image;
  struct cab_diag diag;
  unsigned n = 0;
  load_library ();
  CU_ASSERT_EQUAL_FATAL (cab_image_open (&image, path, &diag), 0);
  CU_ASSERT (!image.fixed && strlen (image.build_id) == 40);
  for (size_t i = 0; i < image.n_symbols; i++)
    {
      void *at = dlsym (RTLD_DEFAULT, image.symbols[i].name);
      const struct cab_image_symbol *found = cab_image_symbol (&image, image.symbols[i].address);
      CU_ASSERT (found == &image.symbols[i]);
      n += at && (uintptr_t) at - base == image.symbols[i].address;
    }
  CU_ASSERT (n > 50);
  CU_ASSERT (cab_image_has_sections (&image, ".dyn"));
  CU_ASSERT (!cab_image_has_sections (&image, ".gnu.lto_"));
  cab_image_close (&image);
}

static void
test_sections (void)
{
  struct cab_diag diag;
  size_t bytes;
  char *names = cab_elf_section (path, ".dynstr", &bytes, &diag);
  CU_ASSERT_PTR_NOT_NULL_FATAL (names);
  CU_ASSERT (memmem (names, bytes, "\0CU_initialize_registry", 24) != NULL && !names[bytes]);
  free (names);
  CU_ASSERT (!cab_elf_section (path, ".bss", &bytes, &diag));
  CU_ASSERT (strstr (diag.text, "has no section .bss: ") != NULL);
  CU_ASSERT (!cab_elf_section (".", ".text", &bytes, &diag));
  CU_ASSERT (strstr (diag.text, "is no 64-bit ELF file: ") != NULL);
  CU_ASSERT (!cab_elf_section ("none", ".text", &bytes, &diag));
  CU_ASSERT (strstr (diag.text, "none: No such file") != NULL);
}

/* Put an offset or length that is wrong in some way over an aligned word of the N bytes at AT. */
static void
spoil (size_t at, size_t n)
{
  static const uint64_t wrong[] = { 0, 1, 7, 63, 0xffff, 0xffffffff, 1ull << 62, UINT64_MAX - 7 };
  uint64_t word = draw (2) ? wrong[draw (8)] : draw (2 * n_good);
  size_t bytes = 1u << draw (4);
  at += draw (n / bytes) * bytes;
  if (at + bytes <= n_good)
    memcpy (bad + at, &word, bytes);
}

/* Files with a wrong header, segment or section, or the beginning of a file, are read as far as
   they go or refused. */
static void
test_damaged (void)
{
  Elf64_Ehdr h;
  unsigned n_read = 0, n_refused = 0, n = rounds (1500);
  memcpy (&h, good, sizeof h);
  for (unsigned i = 0; i < n; i++)
    {
      struct cab_image image;
      struct cab_diag diag = { "" };
      size_t bytes;
      uint64_t address;
      memcpy (bad, good, n_good);
      for (uint64_t k = 1 + draw (4); k-- > 0;)
	switch (draw (4))
	  {
	  case 0: spoil (0, sizeof h); break;
	  case 1: spoil (h.e_phoff, h.e_phnum * sizeof (Elf64_Phdr)); break;
	  case 2: spoil (h.e_shoff, h.e_shnum * sizeof (Elf64_Shdr)); break;
	  default: spoil (0, n_good);
	  }
      FILE *file = fopen ("bad.elf", "w");
      fwrite (bad, 1, draw (4) ? n_good : draw (n_good), file);
      fclose (file);
      free (cab_elf_section ("bad.elf", draw (2) ? ".dynstr" : ".text", &bytes, &diag));
      if (cab_image_open (&image, "bad.elf", &diag) < 0)
	{
	  CU_ASSERT (strstr (diag.text, "bad.elf: ") != NULL);
	  n_refused++;
	  continue;
	}
      for (int k = 0; k < 20; k++)
	{
	  const struct cab_image_symbol *symbol = cab_image_symbol (&image, draw (n_good));
	  CU_ASSERT (!symbol || strlen (symbol->name) < n_good);
	  cab_image_address (&image, draw (n_good), &address);
	}
      n_read++;
      cab_image_close (&image);
    }
  CU_ASSERT (n_read > n / 10 && n_refused > n / 100);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "symbols", test_symbols },
			  { "sections", test_sections },
			  { "damaged files", test_damaged },
			  CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "images", tests);
}
