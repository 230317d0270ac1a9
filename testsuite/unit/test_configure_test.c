/* test_configure_test.c - programs of configure scripts are recognised by their names; others are
 * not mistaken for them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include "plugin/stub/configure_test.h"

static const struct
{
  const char *directory, *file;
  bool expected;
} cases[] = { { "/src", "conftest.c", true },
	      { "/src", "./conftest.cpp", true },
	      { "/src", "conftest.o", true },
	      { "/src/build", "/src/build/.sconf_temp/conftest_1a2b_0.c", true },
	      { "/b/CMakeFiles/CMakeScratch/TryCompile-x1",
		"/b/CMakeFiles/CMakeScratch/TryCompile-x1/src.c", true },
	      { "/b/CMakeFiles/CMakeTmp", "CMakeFiles/cmTC_1.dir/src.c.o", true },
	      { "/b/CMakeFiles/3.25.1/CompilerIdCXX", "CMakeCXXCompilerId.cpp", true },
	      { "/b", "/b/meson-private/tmpa/testfile.c", true },
	      { "/b/meson-private", "sanitycheckc.c", true },
	      { "/b/.conf_check_0123/testbuild", "../test.c", true },
	      { "/src", "/tmp/ffconf.aBcD/test.c", true },
	      { "/src", "ztest4711.c", true },
	      { "/src", "_configtest.c", true },
	      { "/src", "config-temp/qemu-conf.c", true },
	      { "/src", "main.c", false },
	      { "/src", "conftests.c", false },
	      { "/src", "my-conftest.c", false },
	      { "/src", "ztest.c", false },
	      { "/src", "conftest/main.c", false },
	      { "/src/CMakeFiles", "p.dir/main.c.o", false },
	      { "/b/CMakeFiles/CMakeScratch", "/src/main.c", false },
	      { "", "main.c", false },
	      { "/src", "", false } };

static void
test_names (void)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (cab_is_configure_test (cases[i].directory, cases[i].file) != cases[i].expected)
      CU_FAIL (cases[i].file);
  CU_PASS ("all names");
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("configure_test", NULL, NULL);
  CU_add_test (suite, "names", test_names);
  CU_basic_run_tests ();
  unsigned failures = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failures != 0;
}
