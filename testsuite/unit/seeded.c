/* seeded.c - see seeded.h.  SPDX-License-Identifier: GPL-3.0-or-later */
#include "testsuite/unit/seeded.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t seed;

uint64_t
draw (uint64_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return (seed >> 33) % below;
}

unsigned
rounds (unsigned all)
{
  const char *extent = getenv ("CAB_EXTENT");
  return extent && !strcmp (extent, "all") ? all : (all + 2) / 3;
}

int
run_seeded (int argc, char **argv, const char *name, CU_TestInfo *tests)
{
  CU_SuiteInfo suites[] = { { .pName = name, .pTests = tests }, CU_SUITE_INFO_NULL };
  seed = argc > 1 ? strtoull (argv[1], NULL, 0) : (uint64_t) time (NULL);
  printf ("seed %" PRIu64 "\n", seed);
  fflush (stdout);
  if (CU_initialize_registry () || CU_register_suites (suites))
    {
      printf ("%s: %s\n", name, CU_get_error_msg ());
      return 1;
    }
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
