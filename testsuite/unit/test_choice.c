/* test_choice.c - lists of analyses, with arguments.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <string.h>
#include "analyses/live/choice.h"

static const struct cab_option options[] = { { "size", "BYTES", "" },
					     { "kind", "a|b", "" },
					     { NULL, NULL, NULL } };
static const struct cab_analysis with = { .name = "with", .options = options },
				 without = { .name = "without" };

static void
next_is (const char **list, const char *name, const char *arguments)
{
  struct cab_choice choice;
  CU_ASSERT_EQUAL_FATAL (cab_choice_next (list, &choice, NULL), 1);
  CU_ASSERT_STRING_EQUAL (choice.name, name);
  CU_ASSERT_STRING_EQUAL (choice.arguments, arguments);
}

static void
test_list (void)
{
  const char *list = "+tree+cache,size=32K/8/64,kind=a++x,:placement=inline";
  struct cab_choice choice;
  next_is (&list, "tree", "");
  next_is (&list, "cache", "size=32K/8/64:kind=a");
  next_is (&list, "x", "");
  CU_ASSERT_EQUAL (cab_choice_next (&list, &choice, NULL), 0);
  CU_ASSERT_EQUAL (cab_choice_next (&list, &choice, NULL), 0);
  list = "";
  CU_ASSERT_EQUAL (cab_choice_next (&list, &choice, NULL), 0);
  list = "tree,cache,size=1,y,x=2,,z+u,";
  next_is (&list, "tree", "");
  next_is (&list, "cache", "size=1");
  next_is (&list, "y", "x=2");
  next_is (&list, "z", "");
  next_is (&list, "u", "");
  CU_ASSERT_EQUAL (cab_choice_next (&list, &choice, NULL), 0);
}

static void
test_long (void)
{
  char text[1000];
  const char *list = text;
  struct cab_choice choice;
  struct cab_diag diag = { "" };
  memset (text, 'a', sizeof text);
  text[300] = '\0';
  CU_ASSERT_EQUAL (cab_choice_next (&list, &choice, &diag), -1);
  CU_ASSERT (strstr (diag.text, "too long") != NULL);
  text[300] = 'a';
  text[100] = ',';
  text[102] = '=';
  text[999] = '\0';
  list = text;
  CU_ASSERT_EQUAL (cab_choice_next (&list, &choice, NULL), -1);
}

static void
refused (const struct cab_analysis *analysis, const char *arguments, const char *words)
{
  struct cab_choice choice = { "", "" };
  struct cab_diag diag = { "" };
  strcpy (choice.arguments, arguments);
  CU_ASSERT_EQUAL (cab_choice_check (analysis, &choice, &diag), words ? -1 : 0);
  if (words)
    CU_ASSERT_STRING_EQUAL (diag.text, words);
}

static void
test_keys (void)
{
  refused (&without, "", NULL);
  refused (&with, "", NULL);
  refused (&with, "size=3:kind=", NULL);
  refused (&without, "size=3", "analysis 'without': it takes no arguments: leave them out");
  refused (&with, "size=3:siz=4",
	   "analysis 'with': no such argument 'siz=4': there are size=BYTES, kind=a|b");
  refused (&with, "size",
	   "analysis 'with': no such argument 'size': there are size=BYTES, kind=a|b");
}

static void
test_values (void)
{
  size_t n = 0;
  const char *text = "ab=1:b=23:c=";
  const char *value = cab_choice_value (text, "b", &n);
  CU_ASSERT (value && n == 2 && !memcmp (value, "23", 2));
  value = cab_choice_value (text, "c", &n);
  CU_ASSERT (value && n == 0);
  CU_ASSERT_PTR_NULL (cab_choice_value (text, "a", &n));
  CU_ASSERT_PTR_NULL (cab_choice_value ("", "a", &n));
  CU_ASSERT_PTR_NULL (cab_choice_value (NULL, "a", &n));
}

static void
number_is (const char *arguments, bool good, uint64_t expected)
{
  uint64_t n = 7;
  CU_ASSERT_EQUAL (cab_choice_number (arguments, "n", 2, 256, &n), good);
  CU_ASSERT_EQUAL (n, expected);
}

static void
test_numbers (void)
{
  number_is ("", true, 7);
  number_is ("m=3", true, 7);
  number_is ("n=2", true, 2);
  number_is ("m=1:n=256", true, 256);
  number_is ("n=0000000000000000000000000012", true, 12);
  number_is ("n=1", false, 7);
  number_is ("n=257", false, 7);
  number_is ("n=", false, 7);
  number_is ("n=3x", false, 7);
  number_is ("n=-3", false, 7);
  number_is ("n=18446744073709551620", false, 7);   /* 4, were it not too large */
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("choice", NULL, NULL);
  CU_add_test (suite, "list", test_list);
  CU_add_test (suite, "too long", test_long);
  CU_add_test (suite, "keys", test_keys);
  CU_add_test (suite, "values", test_values);
  CU_add_test (suite, "numbers", test_numbers);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
