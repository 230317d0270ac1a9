/* seeded.h - tests that draw numbers, so that what failed can be had again.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the seed is the program's first argument, else the time, and is said before the first
 *             test, as a sanitizer may end the program.
 * Threads:    one.
 */
#ifndef CAB_TEST_SEEDED_H
#define CAB_TEST_SEEDED_H

#include <CUnit/Basic.h>
#include <stdint.h>

/* The state; the same seed gives the same numbers. */
extern uint64_t seed;
/* The next number, less than BELOW. */
uint64_t draw (uint64_t below);

/* Return how often to repeat what `make check-all' does ALL times: a third of that elsewhere, as
   each run draws anew. */
unsigned rounds (unsigned all);

/* Run TESTS, which end with CU_TEST_INFO_NULL, as the suite NAME; main's result. */
int run_seeded (int argc, char **argv, const char *name, CU_TestInfo *tests);

#endif
