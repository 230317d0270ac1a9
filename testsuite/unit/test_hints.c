/* test_hints.c - hints files, good and hostile; the search for one; names of files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/formats/hints.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct cab_hints hints;
static char error[CAB_HINTS_ERROR_BYTES];

static int
parse (const char *text)
{
  error[0] = 0;
  return cab_hints_parse (&hints, "some.hints", text, strlen (text), error);
}

/* Check that TEXT is refused, with a message that contains WHY and names the file. */
static void
refused (const char *text, const char *why)
{
  CU_ASSERT_EQUAL (parse (text), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, why));
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "cabprof: some.hints: "));
  CU_ASSERT_EQUAL (hints.n, 0);
  CU_ASSERT_PTR_NULL (hints.row);
  if (!strstr (error, why))
    fprintf (stderr, "%s\n  said: %s\n", text, error);
}

#define HEAD "{ \"schema\": 1, \"format\": \"cabprof hints\", "
#define HEAD2 "{ \"schema\": 2, \"format\": \"cabprof hints\", "
#define HEAD3 "{ \"schema\": 3, \"format\": \"cabprof hints\", "
#define HEAD4 "{ \"schema\": 4, \"format\": \"cabprof hints\", "
#define ROW(REST) \
  "{ \"function\": \"f\", \"file\": \"a.c\", \"line\": 3, \"column\": 5, \"ordinal\": 0, " \
  "\"checksum\": \"1f\" " REST "}"

static void
test_good (void)
{
  CU_ASSERT_EQUAL (
    parse (HEAD "\"cabprof\": \"0.1\", \"every\": 4, \"gcc\": 12, \"loops\": [" ROW (
      ", \"unroll\": 8, \"vectorize\": false, \"why\": { \"gain\": [1, 2] }, \"name\": \"f\", "
      "\"flags\": \"m\"") ","
			  "{ \"function\": \"e\", \"file\": \"b/a.c\", \"line\": 1, \"column\": 0, "
			  "\"ordinal\": 2, \"checksum\": \"deadbeef\" }"
			  "], \"tried\": [ {} ] }"),
    0);
  CU_ASSERT_EQUAL_FATAL (hints.n, 2);
  CU_ASSERT_EQUAL (hints.every, 4);
  CU_ASSERT_EQUAL (hints.gcc, 12);
  CU_ASSERT_STRING_EQUAL (hints.path, "some.hints");
  CU_ASSERT_STRING_EQUAL (hints.row[0].function, "e");
  CU_ASSERT_EQUAL (hints.row[0].checksum, 0xdeadbeef);
  CU_ASSERT_EQUAL (hints.row[0].unroll, 0);
  CU_ASSERT_EQUAL (hints.row[0].vectorize, CAB_VECTORIZE_AS_IS);
  CU_ASSERT_EQUAL (hints.row[1].line, 3);
  CU_ASSERT_EQUAL (hints.row[1].unroll, 8);
  CU_ASSERT_EQUAL (hints.row[1].vectorize, CAB_VECTORIZE_NO);
  CU_ASSERT_STRING_EQUAL (hints.row[1].flags, "m");
  cab_hints_fini (&hints);
  CU_ASSERT_EQUAL (parse (HEAD2 "\"loops\": [" ROW (", \"registers\": true") "] }"), 0);
  CU_ASSERT (hints.row[0].registers && !hints.row[0].unroll);
  cab_hints_fini (&hints);
  /* Schema 1 did not have it: there it is for people. */
  CU_ASSERT_EQUAL (parse (HEAD "\"loops\": [" ROW (", \"registers\": true") "] }"), 0);
  CU_ASSERT_FALSE (hints.row[0].registers);
  cab_hints_fini (&hints);
  CU_ASSERT_EQUAL (parse (HEAD3 "\"loops\": [" ROW (", \"align\": 64") "] }"), 0);
  CU_ASSERT_EQUAL (hints.row[0].align, 64);
  cab_hints_fini (&hints);
  CU_ASSERT_EQUAL (parse (HEAD2 "\"loops\": [" ROW (", \"align\": 64") "] }"), 0);
  CU_ASSERT_EQUAL (hints.row[0].align, 0);
  cab_hints_fini (&hints);
  CU_ASSERT_EQUAL (parse (HEAD4 "\"loops\": [" ROW (", \"prefetch\": 64") "] }"), 0);
  CU_ASSERT_EQUAL (hints.row[0].prefetch, 64);
  cab_hints_fini (&hints);
  CU_ASSERT_EQUAL (parse (HEAD3 "\"loops\": [" ROW (", \"prefetch\": 64") "] }"), 0);
  CU_ASSERT_EQUAL (hints.row[0].prefetch, 0);
  cab_hints_fini (&hints);
  CU_ASSERT_EQUAL (parse (HEAD "\"loops\": [] }"), 0);
  CU_ASSERT_EQUAL (hints.n + hints.every, 0);
  cab_hints_fini (&hints);
}

static void
test_rows_of (void)
{
  uint32_t n, first;
  CU_ASSERT_EQUAL (parse (HEAD "\"loops\": ["
			       "{ \"function\": \"g\", \"file\": \"a.c\", \"line\": 9, \"column\": "
			       "1, \"ordinal\": 0, \"checksum\": \"0\" }," ROW (
				 "") ","
				     "{ \"function\": \"g\", \"file\": \"a.c\", \"line\": 7, "
				     "\"column\": 1, \"ordinal\": 0, \"checksum\": \"0\" } ] }"),
		   0);
  first = cab_hints_of (&hints, "g", &n);
  CU_ASSERT_EQUAL (n, 2);
  CU_ASSERT_EQUAL (hints.row[first].line, 7);
  CU_ASSERT_EQUAL (hints.row[first + 1].line, 9);
  cab_hints_of (&hints, "f", &n);
  CU_ASSERT_EQUAL (n, 1);
  cab_hints_of (&hints, "", &n);
  CU_ASSERT_EQUAL (n, 0);
  cab_hints_of (&hints, "z", &n);
  CU_ASSERT_EQUAL (n, 0);
  cab_hints_fini (&hints);
}

static void
test_hostile (void)
{
  refused ("", "is not JSON");
  refused ("{", "is not JSON");
  refused ("[]", "is no hints file");
  refused ("null", "is not JSON");
  refused ("{ \"schema\": 1, \"schema\": 1 }", "is not JSON");
  refused ("{ \"schema\": 1, \"format\": \"cabprof loops\", \"loops\": [] }", "is no hints file");
  refused ("{ \"format\": \"cabprof hints\", \"loops\": [] }", "\"schema\" is none that this");
  refused ("{ \"schema\": 5, \"format\": \"cabprof hints\", \"loops\": [] }",
	   "\"schema\" is none that this");
  refused ("{ \"schema\": 0, \"format\": \"cabprof hints\", \"loops\": [] }",
	   "\"schema\" is none that this");
  refused ("{ \"schema\": \"1\", \"format\": \"cabprof hints\", \"loops\": [] }",
	   "\"schema\" is none that this");
  refused (HEAD "\"every\": 65, \"loops\": [] }", "\"every\" is not a number from 0 to 64");
  refused (HEAD "\"gcc\": \"12\", \"loops\": [] }", "\"gcc\" is not a number from 0 to ");
  refused (HEAD "\"every\": 1.5, \"loops\": [] }", "\"every\"");
  refused (HEAD "\"loops\": {} }", "\"loops\" is not a list");
  refused (HEAD "\"every\": 2 }", "\"loops\" is not a list");
  refused (HEAD "\"loops\": [ 1 ] }", "loops[0]: is not an object");
  refused (HEAD "\"loops\": [" ROW ("") ", {} ] }", "loops[1]: \"function\" is not a text");
  refused (HEAD "\"loops\": [" ROW (", \"unroll\": -1") "] }", "loops[0]: \"unroll\"");
  refused (HEAD "\"loops\": [" ROW (", \"unroll\": 65") "] }", "loops[0]: \"unroll\"");
  refused (HEAD "\"loops\": [" ROW (", \"unroll\": 99999999999999999999") "] }", "is not JSON");
  refused (HEAD "\"loops\": [" ROW (", \"unroll\": \"4\"") "] }", "loops[0]: \"unroll\"");
  refused (HEAD2 "\"loops\": [" ROW (", \"registers\": 1") "] }", "\"registers\" is neither");
  refused (HEAD3 "\"loops\": [" ROW (", \"align\": 24") "] }", "\"align\" is none of");
  refused (HEAD4 "\"loops\": [" ROW (", \"prefetch\": 12") "] }", "\"prefetch\" is none of");
  refused (HEAD4 "\"loops\": [" ROW (", \"prefetch\": 128") "] }", "\"prefetch\" is none of");
  refused (HEAD3 "\"loops\": [" ROW (", \"align\": true") "] }", "\"align\" is not a number");
  refused (HEAD "\"loops\": [" ROW (", \"vectorize\": 1") "] }", "\"vectorize\" is neither");
  refused (HEAD "\"loops\": [" ROW (", \"flags\": 1") "] }", "\"flags\" is not a text");
  refused (HEAD "\"loops\": [" ROW (", \"name\": \"a\\u0000b\"") "] }", "is not JSON");
  refused (HEAD "\"loops\": [" ROW ("") "," ROW (", \"unroll\": 2") "] }",
	   "two rows are for one loop, that of f at line 3");
}

static void
test_checksums (void)
{
  static const char *const bad[] = { "", "123456789", "0x1", "1G", "FF", " 1", "-1" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      char text[300];
      snprintf (text, sizeof text,
		HEAD "\"loops\": [ { \"function\": \"f\", \"file\": \"a\", \"line\": 1, "
		     "\"column\": 1, \"ordinal\": 0, "
		     "\"checksum\": \"%s\" } ] }",
		bad[i]);
      refused (text, "\"checksum\"");
    }
}

/* Every beginning of a good file is refused, whatever follows it; only the whole is accepted. */
static void
test_cut_off (void)
{
  static const char whole[] = HEAD
    "\"every\": 2, \"loops\": [" ROW (", \"unroll\": 8, \"vectorize\": true") "] }";
  for (size_t length = 0; length < sizeof whole - 1; length++)
    CU_ASSERT_EQUAL (cab_hints_parse (&hints, "some.hints", whole, length, error), -1);
  CU_ASSERT_EQUAL (parse (whole), 0);
  cab_hints_fini (&hints);
}

/* With one byte of a good file changed, the reader accepts or refuses it, and is never harmed. */
static void
test_mangled (void)
{
  static const char whole[] = HEAD
    "\"every\": 2, \"loops\": [" ROW (", \"unroll\": 8") "," ROW (", \"line\": 4") "] }";
  char text[sizeof whole];
  for (size_t i = 0; i < sizeof whole - 1; i++)
    for (unsigned value = 0; value < 256; value += 5)
      {
	memcpy (text, whole, sizeof whole);
	text[i] = value;
	if (!cab_hints_parse (&hints, "some.hints", text, sizeof whole - 1, error))
	  cab_hints_fini (&hints);
      }
}

static void
test_long_names (void)
{
  static char path[3000], name[3000], text[7000];
  memset (path, 'p', sizeof path - 1);
  memset (name, 'n', sizeof name - 1);
  snprintf (text, sizeof text,
	    HEAD "\"loops\": [ { \"function\": \"%s\", \"file\": \"a\", \"line\": 1, \"column\": "
		 "1, \"ordinal\": 0, "
		 "\"checksum\": \"1\" }, { \"function\": \"%s\", \"file\": \"a\", \"line\": 1, "
		 "\"column\": 1, \"ordinal\": 0, \"checksum\": \"1\" } ] }",
	    name, name);
  CU_ASSERT_EQUAL (cab_hints_parse (&hints, path, text, strlen (text), error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "two rows"));
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "cabprof tune"));
}

static void
test_files (void)
{
  static const char *const same[][2] = { { "a.c", "a.c" },     { "/x/y/a.c", "a.c" },
					 { "a.c", "src/a.c" }, { "src/a.c", "/x/src/a.c" },
					 { "./a.c", "a.c" },   { "././src/a.c", "/x/src/a.c" } };
  static const char *const other[][2] = {
    { "a.c", "ba.c" }, { "a.c", "b.c" }, { "src/a.c", "lib/a.c" }, { "", "a.c" },
    { "a.c", "" },     { "", "" },	 { "/a.c", "/x/ya.c" }
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    CU_ASSERT (cab_hints_same_file (same[i][0], same[i][1])
	       && cab_hints_same_file (same[i][1], same[i][0]));
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    CU_ASSERT (!cab_hints_same_file (other[i][0], other[i][1])
	       && !cab_hints_same_file (other[i][1], other[i][0]));
}

static void
test_read_and_search (void)
{
  char top[] = "/tmp/test_hints.XXXXXX", deep[100], file[100];
  CU_ASSERT_PTR_NOT_NULL_FATAL (mkdtemp (top));
  snprintf (deep, sizeof deep, "%s/a", top);
  CU_ASSERT_EQUAL (mkdir (deep, 0777), 0);
  CU_ASSERT_PTR_NULL (cab_hints_search (deep));
  snprintf (file, sizeof file, "%s/" CAB_HINTS_FILE, top);
  FILE *out = fopen (file, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL (out);
  fputs (HEAD "\"loops\": [] }", out);
  fclose (out);
  char *found = cab_hints_search (deep);
  CU_ASSERT_PTR_NOT_NULL_FATAL (found);
  CU_ASSERT_STRING_EQUAL (found, file);
  free (found);
  CU_ASSERT_EQUAL (cab_hints_read (&hints, file, error), 0);
  cab_hints_fini (&hints);
  CU_ASSERT_EQUAL (cab_hints_read (&hints, deep, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "is not a file"));
  unlink (file);
  CU_ASSERT_EQUAL (cab_hints_read (&hints, file, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "No such file"));
  rmdir (deep);
  rmdir (top);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("hints", NULL, NULL);
  CU_add_test (suite, "a good file", test_good);
  CU_add_test (suite, "rows of a function", test_rows_of);
  CU_add_test (suite, "hostile files", test_hostile);
  CU_add_test (suite, "checksums", test_checksums);
  CU_add_test (suite, "cut off", test_cut_off);
  CU_add_test (suite, "mangled", test_mangled);
  CU_add_test (suite, "long names", test_long_names);
  CU_add_test (suite, "names of files", test_files);
  CU_add_test (suite, "reading and searching", test_read_and_search);
  CU_basic_run_tests ();
  unsigned n = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return n != 0;
}
