/* test_scan.c - the places of loops' directives are found in C, in C++, in Fortran of both forms,
 * and patches put them there.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/source/patch.h"

#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

static struct cab_place place;
static const char *why;

/* Scan for the loop whose header is where TEXT first says AT. */
static int
scan_as (enum cab_language language, const char *text, const char *at, uint32_t ordinal)
{
  const char *found = strstr (text, at), *start = found;
  struct cab_scan scan = { text, strlen (text), 1, 0, ordinal, false, false };
  if (!found)
    return -2;
  while (start > text && start[-1] != '\n')
    start--;
  for (const char *p = text; p < start; p++)
    scan.line += *p == '\n';
  scan.column = found - start + 1;
  memset (&place, 0, sizeof place);
  why = "";
  return language == CAB_LANGUAGE_C ? cab_scan_c (&scan, &place, &why)
	 : cab_scan_fortran (&scan, language == CAB_LANGUAGE_FIXED, &place, &why);
}

static int
c (const char *text, const char *at)
{
  return scan_as (CAB_LANGUAGE_C, text, at, 0);
}

static int
fortran (const char *text, const char *at)
{
  return scan_as (CAB_LANGUAGE_FORTRAN, text, at, 0);
}

#define IS(LINE, COLUMN, FIRST) \
  (place.line == (LINE) && place.column == (COLUMN) && place.first == (FIRST))
#define REFUSED(CALL, WORDS) ((CALL) == -1 && strstr (why, WORDS))

static void
test_heads (void)
{
  CU_ASSERT (!c ("void f (void)\n{\n  for (i = 0; i < n; i++)\n    g ();\n}\n", "< n")
	     && IS (3, 3, true));
  CU_ASSERT (!c ("{\n  while (*a)\n    a++;\n}", "*a)") && IS (2, 3, true));
  CU_ASSERT (!c ("{\n\tfor (int x : v)\n\t  g (x);\n}", "v)") && IS (2, 2, true));
  /* Several lines; a brace of an initialiser in the head. */
  CU_ASSERT (!c ("{\n  for (int i = 0;\n       i < f (a[1], 2);\n       i++)\n    ;\n}", "< f")
	     && IS (2, 3, true));
  CU_ASSERT (!c ("{ for (auto x = T { 1 }; x < 3; x++) ; }", "< 3") && IS (1, 3, false));
  /* Strings, comments and characters hide nothing and are nothing. */
  CU_ASSERT (
    !c ("{ g (\"for (;;) {\"); /* while (1) { */ c = '{'; // do {\n  while (x) { }\n}", "x)")
    && IS (2, 3, true));
  CU_ASSERT (!c ("{ s = R\"q(\n)\" while ( )q\"; n = 1'000;\n  while (x) ;\n}", "x)")
	     && IS (3, 3, true));
  /* Only the line is known. */
  struct cab_scan scan = { "{\n  while (x) ;\n  while (y) ; while (z) ;\n}", 42, 2, 0, 0, false,
			   false };
  CU_ASSERT (!cab_scan_c (&scan, &place, &why) && IS (2, 3, true));
  scan.line = 3;
  CU_ASSERT (cab_scan_c (&scan, &place, &why) == -1);
}

static void
test_bodies (void)
{
  const char *text = "{\n  do\n    {\n      int i;\n      s += g (s);\n    }\n  while (s < 100);\n "
		     " while (t) ;\n}";
  CU_ASSERT (!c (text, "s += g") && IS (2, 3, true));
  CU_ASSERT (!c (text, "< 100") && IS (2, 3, true));
  CU_ASSERT (!c (text, "t) ;") && IS (8, 3, true));
  /* The condition is within the body's first block of code. */
  CU_ASSERT (
    REFUSED (c ("{\n  while (1) {\n    a = b;\n    if (g (a)) return;\n    h ();\n  }\n}", "g (a)"),
	     "endless"));
  CU_ASSERT (
    !c ("{\n  do {\n    a = b;\n    if (g (a)) return;\n    h ();\n  } while (a);\n}", "g (a)")
    && IS (2, 3, true));
  CU_ASSERT (
    REFUSED (c ("{\n  while (1) {\n    if (b) d ();\n    if (g (a)) return;\n  }\n}", "g (a)"),
	     "no for, while or do"));
  /* With another loop's init first it is the outer loop; with its condition it is unknown. */
  CU_ASSERT (!c ("{ do\n  for (i = 0; i < n; i++) ;\n while (x);\n}", "i = 0") && IS (1, 3, false));
  CU_ASSERT (REFUSED (c ("{ while (1)\n  while (x) ;\n}", "x)"), "two loops begin"));
  CU_ASSERT (!c ("{ do\n  for (i = 0; i < n; i++) ;\n while (x);\n}", "< n") && IS (2, 3, true));
}

static void
test_refused (void)
{
  CU_ASSERT (REFUSED (c ("{\n again:\n  s += g (1);\n  if (s < n) goto again;\n}", "s += g"),
		      "no for, while or do"));
  CU_ASSERT (REFUSED (c ("{ for (;;) { again: s++; if (s < n) goto again; } }", "s++"),
		      "no for, while or do"));
  CU_ASSERT (REFUSED (c ("{ for (;;) g (); }", "g ()"), "without a condition"));
  CU_ASSERT (REFUSED (c ("{ for (i = 0; i < n && a[i]; i++) ; }", "< n"), "&&"));
  CU_ASSERT (REFUSED (c ("{ do ; while (x || y); }", "x ||"), "||"));
  CU_ASSERT (REFUSED (c ("{ while (x ? y : z) ; }", "x ?"), "?:"));
  CU_ASSERT (!c ("{ while (x & &y) ; }", "x &"));
  CU_ASSERT (REFUSED (c ("{ for (int i = 0; int c = n - i; i++) ; }", "int c"), "declaration"));
  CU_ASSERT (REFUSED (c ("#define EACH(i) for (i = 0; i < n; i++)\n{ EACH (i) g (); }", "EACH (i)"),
		      "no for, while or do"));
  CU_ASSERT (REFUSED (
    c ("#define EACH(i) for (i = 0; i < n; i++)\n{ while (1) EACH (i) g (); }", "EACH (i)"),
    "macro"));
  CU_ASSERT (REFUSED (c ("#define EACH(i) \\\n  for (i = 0; i < n; i++)\n", "< n"), "macro"));
  CU_ASSERT (REFUSED (c ("{ ASSERT (({ while (x) ; 1; })); }", "x)"), "arguments of a macro"));
  CU_ASSERT (REFUSED (c ("#line 3 \"a.y\"\n{ while (x) ; }", "x)"), "#line"));
  CU_ASSERT (REFUSED (c ("#pragma omp simd\n  while (x) ;", "x)"), "OpenMP"));
  CU_ASSERT (REFUSED (c ("{ _Pragma (\"GCC ivdep\") while (x) ; }", "x)"), "_Pragma"));
  CU_ASSERT (REFUSED (c ("{ g (); \\\n while (x) ; }", "x)"), "backslash"));
  CU_ASSERT (REFUSED (scan_as (CAB_LANGUAGE_C, "{ while (x) ; }", "x)", 1), "several loops"));
  CU_ASSERT (REFUSED (c ("int i = 3;\n", "i = 3"), "no for, while or do"));
  /* Nothing of this is C. */
  CU_ASSERT (c (")))) } while ( { [ do for ( x", "x") == -1);
  CU_ASSERT (c ("/* never ends while (x)", "x)") == -1);
  CU_ASSERT (c ("while (x", "x") == -1);
}

/* A for that ends the body of a loop whose top is only a test. */
static void
test_ends_of_bodies (void)
{
  const char *lost = "GCC loses the pragma";
  CU_ASSERT (REFUSED (c ("{ while (x) { x--; for (i = 0; i < n; i++) ; } }", "< n"), lost));
  CU_ASSERT (REFUSED (
    c ("{ for (;;) { x--; if (a) { for (i = 0; i < n; i++) ; } else g (); } }", "< n"), lost));
  CU_ASSERT (REFUSED (c ("{ for (;x;) for (i = 0; i < n; i++) ; }", "< n"), lost));
  CU_ASSERT (REFUSED (c ("{ while (TRUE) { for (i = 0; i < n; i++) ; continue; } }", "< n"), lost));
  CU_ASSERT (!c ("{ while (x) { for (i = 0; i < n; i++) ; x--; } }", "< n"));
  CU_ASSERT (!c ("{ while (x) { x--; while (i < n) i++; } }", "< n"));
  CU_ASSERT (!c ("{ for (;x;x--) for (i = 0; i < n; i++) ; }", "< n"));
  CU_ASSERT (!c ("{ do for (i = 0; i < n; i++) ; while (x); }", "< n"));
}

/* Return what the scan says for LOOP, all of a line, in a template. */
static int
in_template (const char *loop)
{
  struct cab_scan scan = { loop, strlen (loop), 1, 0, 0, true, false };
  return cab_scan_c (&scan, &place, &why);
}

/* In a template GCC may lose the pragma where the condition calls a function, or changes
   something. */
static void
test_templates (void)
{
  const char *text = "{ for (i = 0; i < v.size (); i++) ; for (auto x : f (y)) ; }";
  struct cab_scan scan = { text, strlen (text), 1, 17, 0, true, false };
  CU_ASSERT (cab_scan_c (&scan, &place, &why) == -1 && strstr (why, "template"));
  CU_ASSERT (in_template ("while (n--) ;") == -1 && in_template ("while (--n > 0) ;") == -1
	     && in_template ("for (; ++i < n;) ;") == -1);
  CU_ASSERT (in_template ("while (n -= 1) ;") == -1 && in_template ("while ((k = *p) != n) ;") == -1
	     && in_template ("do ; while (n--);") == -1);
  CU_ASSERT (!in_template ("while (a == b) ;") && !in_template ("while (a <= b) ;")
	     && !in_template ("while (a >= b) ;") && !in_template ("while (a != b) ;"));
  CU_ASSERT (!in_template ("while (a - -b) ;") && !in_template ("while (*p) ;")
	     && !in_template ("for (i = 0; i < (n); i++) ;"));
  scan.is_template = false;
  CU_ASSERT (!cab_scan_c (&scan, &place, &why) && IS (1, 3, false));
  scan.is_template = true;
  scan.column = strstr (text, "f (y)") - text + 1;
  CU_ASSERT (!cab_scan_c (&scan, &place, &why) && IS (1, 37, false));
}

static void
test_before (void)
{
  CU_ASSERT (!c ("{ if (a) b (); else for (i = 0; i < n; i++) ; }", "< n") && IS (1, 21, false));
  CU_ASSERT (!c ("  /* a */ while (x) ;", "x)") && IS (1, 11, true));
  CU_ASSERT (!c ("{ /* a\n b */ while (x) ; }", "x)") && IS (2, 7, false));
  CU_ASSERT (!c ("{ // a /*\n   while (x) ; }", "x)") && IS (2, 4, true));
  CU_ASSERT (!c ("{\nlabel: while (x) ; }", "x)") && IS (2, 8, false));
  CU_ASSERT (!c ("{\n#pragma GCC unroll 8\n  while (x) ; }", "x)") && place.replaces == 2
	     && place.present == 8);
  CU_ASSERT (!c ("{\n#pragma GCC ivdep\n  while (x) ; }", "x)") && place.replaces == 0);
}

static void
test_conditionals (void)
{
  const char *text = "{\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  while (x) ;\n  }\n}";
  CU_ASSERT (!c (text, "x)") && IS (7, 3, true));
  text = "#if 0\nwhile (\n#else\n  while (x) ;\n#endif\n";
  CU_ASSERT (!c (text, "x)") && IS (4, 3, true));
  text
    = "#if A\n  while (y) {\n#if B\n  while (z) ;\n#endif\n  }\n#elif C\n  while (x) ;\n#endif\n";
  CU_ASSERT (!c (text, "x)") && IS (8, 3, true));
  CU_ASSERT (!c (text, "z)") && IS (4, 3, true));
}

static void
test_free_form (void)
{
  CU_ASSERT (!fortran ("  do i = 1, n\n    a(i) = 1\n  end do\n", "do i") && IS (1, 3, true));
  CU_ASSERT (!fortran ("  outer: DO 10 I = 1, &\n     N\n10 continue\n", "N\n") && IS (1, 3, true));
  CU_ASSERT (!fortran ("do i = 1, n, 2\n  ! a comment\n\n  a(i) = 1\nend do\n", "a(i)")
	     && IS (1, 1, true));
  CU_ASSERT (!fortran ("!GCC$ unroll 4\ndo i = 1, n\nend do\n", "do i") && place.replaces == 1
	     && place.present == 4);
  CU_ASSERT (REFUSED (fortran ("do while (x > 1)\nend do\n", "do while"), "DO WHILE"));
  CU_ASSERT (REFUSED (fortran ("do concurrent (i = 1:n)\nend do\n", "do conc"), "DO CONCURRENT"));
  CU_ASSERT (
    REFUSED (fortran ("do\n  a = 1\n  if (b) exit\nend do\n", "a = 1"), "without a counter"));
  CU_ASSERT (REFUSED (fortran ("do i = 1, n\n  b = b * 2\nend do\n", "b = b"), "array expression"));
  CU_ASSERT (REFUSED (fortran ("a = 1; do i = 1, n\nend do\n", "do i"), "several statements"));
  CU_ASSERT (REFUSED (fortran ("!$omp parallel do\ndo i = 1, n\nend do\n", "do i"), "OpenMP"));
  CU_ASSERT (REFUSED (fortran ("double precision :: x = 3, y\n", "double"), "no DO"));
  CU_ASSERT (REFUSED (fortran ("# 1 \"a.F\"\ndo i = 1, n\nend do\n", "do i"), "#line"));
  CU_ASSERT (!fortran ("print *, 'it''s; !', \"\"\n  do i = 1, n ! over; all\nend do\n", "do i")
	     && IS (2, 3, true));
}

static void
test_fixed_form (void)
{
  const char *text
    = "C     do i = 1, 2\n      DO 10 I = 1,\n     &      N\n      A(I) = 1\n   10 CONTINUE\n";
  CU_ASSERT (!scan_as (CAB_LANGUAGE_FIXED, text, "N\n", 0) && IS (2, 1, true));
  CU_ASSERT (scan_as (CAB_LANGUAGE_FIXED, text, "A(I)", 0) == -1);
  text = "cGCC$ unroll 3\n      do i = 1, n\n      end do\n";
  CU_ASSERT (!scan_as (CAB_LANGUAGE_FIXED, text, "do i", 0) && place.replaces == 1
	     && place.present == 3);
}

/* Return true if the patch of TEXT for loops at N places (line, column, first, factor)
   is EXPECTED. */
static bool
patches (enum cab_language language, const char *text, const struct cab_edit *edits, size_t n,
	 const char *expected)
{
  struct cab_edit copy[8];
  char *got = NULL;
  size_t bytes;
  FILE *to = open_memstream (&got, &bytes);
  memcpy (copy, edits, n * sizeof *copy);
  cab_patch_write ("d/f", language, text, strlen (text), copy, n, to);
  fclose (to);
  bool same = !strcmp (got, expected);
  if (!same)
    printf ("\ngot:\n%s", got);
  free (got);
  return same;
}

static void
test_patches (void)
{
  struct cab_edit first = { { 2, 3, true, 0, 0 }, 4, NULL },
		  middle = { { 2, 10, false, 0, 0 }, 8, NULL },
		  replaced = { { 2, 3, true, 1, 2 }, 16, NULL };
  struct cab_edit both[2] = { middle, first };
  CU_ASSERT (patches (
    CAB_LANGUAGE_C, "a\n\twhile (x) ;\nb\n", &first, 1,
    "--- a/d/f\n+++ b/d/f\n@@ -1,3 +1,4 @@\n a\n+\t#pragma GCC unroll 4\n \twhile (x) ;\n b\n"));
  CU_ASSERT (patches (CAB_LANGUAGE_C, "a\n  if (a) while (x) ;\nb", &middle, 1,
		      "--- a/d/f\n+++ b/d/f\n@@ -1,3 +1,5 @@\n a\n-  if (a) while (x) ;\n+  if "
		      "(a)\n+    #pragma GCC unroll 8\n+    while (x) ;\n"
		      " b\n\\ No newline at end of file\n"));
  CU_ASSERT (patches (CAB_LANGUAGE_C, "a\n  for () for () ;\n", both, 2,
		      "--- a/d/f\n+++ b/d/f\n@@ -1,2 +1,5 @@\n a\n-  for () for () ;\n+  #pragma "
		      "GCC unroll 4\n+  for ()\n"
		      "+    #pragma GCC unroll 8\n+    for () ;\n"));
  CU_ASSERT (patches (CAB_LANGUAGE_C, "#pragma GCC unroll 2\n  while (x) ;\n", &replaced, 1,
		      "--- a/d/f\n+++ b/d/f\n@@ -1,2 +1,2 @@\n-#pragma GCC unroll 2\n+#pragma GCC "
		      "unroll 16\n   while (x) ;\n"));
  CU_ASSERT (
    patches (CAB_LANGUAGE_FIXED, "a\n      do i = 1, n\n", &first, 1,
	     "--- a/d/f\n+++ b/d/f\n@@ -1,2 +1,3 @@\n a\n+!GCC$ unroll 4\n       do i = 1, n\n"));
  CU_ASSERT (patches (
    CAB_LANGUAGE_FORTRAN, "a\r\n  do i = 1, n\r\n", &first, 1,
    "--- a/d/f\n+++ b/d/f\n@@ -1,2 +1,3 @@\n a\r\n+  !GCC$ unroll 4\r\n   do i = 1, n\r\n"));
}

static void
test_hunks (void)
{
  char text[400] = "", line[16];
  for (int i = 1; i <= 40; i++)
    {
      snprintf (line, sizeof line, "%d\n", i);
      strcat (text, line);
    }
  struct cab_edit edits[3] = { { { 30, 1, true, 0, 0 }, 2, NULL },
			       { { 5, 1, true, 0, 0 }, 2, NULL },
			       { { 9, 1, true, 0, 0 }, 2, NULL } };
  CU_ASSERT (
    patches (CAB_LANGUAGE_C, text, edits, 3,
	     "--- a/d/f\n+++ b/d/f\n@@ -2,10 +2,12 @@\n 2\n 3\n 4\n+#pragma GCC unroll 2\n 5\n 6\n "
	     "7\n 8\n+#pragma GCC unroll 2\n 9\n 10\n"
	     " 11\n@@ -27,6 +29,7 @@\n 27\n 28\n 29\n+#pragma GCC unroll 2\n 30\n 31\n 32\n"));
}

static void
test_languages (void)
{
  CU_ASSERT_EQUAL (cab_patch_language ("a/b.c"), CAB_LANGUAGE_C);
  CU_ASSERT_EQUAL (cab_patch_language ("x.tcc"), CAB_LANGUAGE_C);
  CU_ASSERT_EQUAL (cab_patch_language ("x.F90"), CAB_LANGUAGE_FORTRAN);
  CU_ASSERT_EQUAL (cab_patch_language ("x.f"), CAB_LANGUAGE_FIXED);
  CU_ASSERT_EQUAL (cab_patch_language ("x.y"), CAB_LANGUAGE_NONE);
  CU_ASSERT_EQUAL (cab_patch_language ("a.c/x"), CAB_LANGUAGE_NONE);
}

/* Endlessly nested statements, and bytes without sense, break nothing. */
static void
test_hostile (void)
{
  size_t n = 30000;
  char *text = malloc (n + 64);
  for (int kind = 0; kind < 4; kind++)
    {
      static const char *const parts[] = { "if (x) ", "{ ", "do ", "#if A\n" };
      text[0] = 0;
      size_t length = 0, part = strlen (parts[kind]);
      while (length + part < (kind == 2 ? 3000 : n))
	{
	  memcpy (text + length, parts[kind], part);
	  length += part;
	}
      strcpy (text + length, "while (y) ;");
      c (text, "y)");
    }
  unsigned seed = 20261121;
  for (int round = 0; round < 300; round++)
    {
      static const char alphabet[] = "{}()[];:\"'/*#\n\\ R ab0while for do if else &!$,=";
      for (int i = 0; i < 400; i++)
	text[i] = alphabet[(seed = seed * 1103515245 + 12345) >> 16 & 31];
      strcpy (text + 400, " while (y) ;");
      c (text, "y)");
      fortran (text, "y)");
      scan_as (CAB_LANGUAGE_FIXED, text, "y)", 0);
    }
  free (text);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("scan", NULL, NULL);
  CU_ADD_TEST (suite, test_heads);
  CU_ADD_TEST (suite, test_bodies);
  CU_ADD_TEST (suite, test_refused);
  CU_ADD_TEST (suite, test_ends_of_bodies);
  CU_ADD_TEST (suite, test_templates);
  CU_ADD_TEST (suite, test_before);
  CU_ADD_TEST (suite, test_conditionals);
  CU_ADD_TEST (suite, test_free_form);
  CU_ADD_TEST (suite, test_fixed_form);
  CU_ADD_TEST (suite, test_patches);
  CU_ADD_TEST (suite, test_hunks);
  CU_ADD_TEST (suite, test_languages);
  CU_ADD_TEST (suite, test_hostile);
  CU_basic_run_tests ();
  unsigned n_failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return n_failed != 0;
}
