/* test_allocators.c - the table of allocators: what is built in, what a user's file adds, and what
 * it must not contain.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/memory/allocators.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct cab_allocators table;
static char error[CAB_ALLOCATORS_ERROR_BYTES];

/* Read N bytes of TEXT as a file. */
static int
read_bytes (const char *text, size_t n)
{
  char path[] = "allocators-XXXXXX";
  int fd = mkstemp (path);
  CU_ASSERT_FATAL (fd >= 0 && write (fd, text, n) == (ssize_t) n);
  close (fd);
  error[0] = 0;
  int result = cab_allocators_read (&table, path, error);
  CU_ASSERT (result == 0 || strstr (error, path) != NULL);
  unlink (path);
  return result;
}

static int
read_text (const char *text)
{
  return read_bytes (text, strlen (text));
}

static bool
is (const char *name, enum cab_allocator_kind kind, unsigned size, unsigned count, unsigned pointer,
    unsigned result, bool minus_one)
{
  const struct cab_allocator *a = cab_allocators_find (&table, name);
  return a && a->kind == kind && a->size == size && a->count == count && a->pointer == pointer
      && a->result == result && a->fails_minus_one == minus_one;
}

static void
test_builtin (void)
{
  CU_ASSERT (is ("malloc", CAB_ALLOCATOR_ALLOCATES, 1, 0, 0, 0, false));
  CU_ASSERT (is ("calloc", CAB_ALLOCATOR_ALLOCATES, 2, 1, 0, 0, false));
  CU_ASSERT (is ("realloc", CAB_ALLOCATOR_MOVES, 2, 0, 1, 0, false));
  CU_ASSERT (is ("reallocarray", CAB_ALLOCATOR_MOVES, 3, 2, 1, 0, false));
  CU_ASSERT (is ("free", CAB_ALLOCATOR_RELEASES, 0, 0, 1, 0, false));
  CU_ASSERT (is ("posix_memalign", CAB_ALLOCATOR_ALLOCATES, 3, 0, 0, 1, false));
  CU_ASSERT (is ("strdup", CAB_ALLOCATOR_ALLOCATES, 0, 0, 0, 0, false));
  CU_ASSERT (is ("mmap", CAB_ALLOCATOR_ALLOCATES, 2, 0, 0, 0, true));
  CU_ASSERT (is ("_Znam", CAB_ALLOCATOR_ALLOCATES, 1, 0, 0, 0, false));
  CU_ASSERT (is ("_ZdlPvmSt11align_val_t", CAB_ALLOCATOR_RELEASES, 0, 0, 1, 0, false));
  CU_ASSERT_PTR_NULL (cab_allocators_find (&table, "_ZnwmPv"));
  CU_ASSERT_PTR_NULL (cab_allocators_find (&table, "_ZdlPvS_"));
  CU_ASSERT_PTR_NULL (cab_allocators_find (&table, "mallocx"));
  CU_ASSERT_EQUAL (cab_allocator_arguments (cab_allocators_find (&table, "reallocarray")), 3);
  CU_ASSERT_EQUAL (cab_allocator_arguments (cab_allocators_find (&table, "strdup")), 0);
}

static void
test_lines (void)
{
  CU_ASSERT_EQUAL (
    read_text (
      "# ours\n\npool_*  allocates size=2 count=3 # objects\npool_free\treleases pointer=2\r\n"
      "grow moves pointer=1 size=2\nget allocates result=1 size=2\nmap allocates size=1 fails=-1\n"
      "text allocates size=strlen\nmmap ignored"),
    0);
  CU_ASSERT (is ("pool_get", CAB_ALLOCATOR_ALLOCATES, 2, 3, 0, 0, false));
  CU_ASSERT (is ("pool_free", CAB_ALLOCATOR_RELEASES, 0, 0, 2, 0, false));
  CU_ASSERT (is ("grow", CAB_ALLOCATOR_MOVES, 2, 0, 1, 0, false));
  CU_ASSERT (is ("get", CAB_ALLOCATOR_ALLOCATES, 2, 0, 0, 1, false));
  CU_ASSERT (is ("map", CAB_ALLOCATOR_ALLOCATES, 1, 0, 0, 0, true));
  CU_ASSERT (is ("text", CAB_ALLOCATOR_ALLOCATES, 0, 0, 0, 0, false));
  CU_ASSERT_PTR_NULL (cab_allocators_find (&table, "mmap"));
  CU_ASSERT (is ("malloc", CAB_ALLOCATOR_ALLOCATES, 1, 0, 0, 0, false));
  CU_ASSERT_EQUAL (
    read_text ("/^(my|our)_(new|get)$/ allocates size=2\n/_drop/ releases pointer=1\n"), 0);
  CU_ASSERT (is ("our_get", CAB_ALLOCATOR_ALLOCATES, 2, 0, 0, 0, false));
  CU_ASSERT_PTR_NULL (cab_allocators_find (&table, "our_getter"));
  CU_ASSERT (is ("any_dropped", CAB_ALLOCATOR_RELEASES, 0, 0, 1, 0, false));
  CU_ASSERT_EQUAL (read_text ("malloc allocates size=7\n"), 0);
  CU_ASSERT (is ("malloc", CAB_ALLOCATOR_ALLOCATES, 7, 0, 0, 0, false));
  cab_allocators_fini (&table);
  CU_ASSERT (is ("malloc", CAB_ALLOCATOR_ALLOCATES, 1, 0, 0, 0, false));
}

static void
test_bad_lines (void)
{
  static const char *const bad[] = { "f",
				     "/f(/ allocates size=1",
				     "f allocate size=1",
				     "f allocates",
				     "f allocates size",
				     "f allocates size=",
				     "f allocates size=0",
				     "f allocates size=-1",
				     "f allocates size=1x",
				     "f allocates size= 1",
				     "f allocates size=65",
				     "f allocates size=99999999999999999999",
				     "f allocates size=1 size=2",
				     "f allocates size=1 pointer=2",
				     "f allocates size=strlen count=1",
				     "f allocates size=strlen size=1",
				     "f allocates count=1",
				     "f allocates size=1 result=1 fails=-1",
				     "f allocates size=1 fails=0",
				     "f allocates size=1 align=2",
				     "f allocates size=1 else",
				     "f releases",
				     "f releases pointer=1 size=2",
				     "f releases pointer=1 fails=-1",
				     "f moves size=1",
				     "f moves pointer=1",
				     "f moves pointer=1 size=strlen",
				     "f moves pointer=1 size=2 result=3",
				     "f ignored size=1",
				     "f ignored pointer=1" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      char text[200];
      snprintf (text, sizeof text, "g releases pointer=1\n%s\nh releases pointer=1\n", bad[i]);
      CU_ASSERT_EQUAL (read_text (text), -1);
      if (!strstr (error, ":2: ") || !strstr (error, "NAME releases pointer=N"))
	CU_FAIL (bad[i]);
      CU_ASSERT_PTR_NULL (cab_allocators_find (&table, "g"));
    }
  CU_ASSERT_EQUAL (read_bytes ("g ignored\0x\n", 12), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, ":1: "));
}

static void
test_no_file (void)
{
  CU_ASSERT_EQUAL (cab_allocators_read (&table, "/no/such/file", error), -1);
  CU_ASSERT_PTR_NOT_NULL (
    strstr (error, "/no/such/file: the table of allocators cannot be read: No such file"));
  CU_ASSERT_EQUAL (cab_allocators_read (&table, "/tmp", error), -1);
  CU_ASSERT_PTR_NOT_NULL (
    strstr (error, "/tmp: the table of allocators cannot be read: Is a directory"));
  CU_ASSERT_EQUAL (read_text (""), 0);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("allocators", NULL, NULL);
  CU_add_test (suite, "built in", test_builtin);
  CU_add_test (suite, "lines", test_lines);
  CU_add_test (suite, "bad lines", test_bad_lines);
  CU_add_test (suite, "no file", test_no_file);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  cab_allocators_fini (&table);
  CU_cleanup_registry ();
  return failed != 0;
}
