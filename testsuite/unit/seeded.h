/* seeded.h - tests that draw numbers and can repeat what failed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the seed is the program's first argument, else the time, and is printed before the
 *             first test, since a sanitizer may end the program.
 * Threads:    one.
 */
#ifndef CAB_TEST_SEEDED_H
#define CAB_TEST_SEEDED_H

#include <CUnit/Basic.h>
#include <stdint.h>

/* The state; the same seed gives the same numbers. */
extern uint64_t seed;
/* Return the next number, less than BELOW. */
uint64_t draw (uint64_t below);

/* Return how often to repeat what `make check-all' does ALL times: a third of that elsewhere, since
   each run draws other numbers. */
unsigned rounds (unsigned all);

/* Run TESTS, which end with CU_TEST_INFO_NULL, as the suite NAME; return main's result. */
int run_seeded (int argc, char **argv, const char *name, CU_TestInfo *tests);

#endif
