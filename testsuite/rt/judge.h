/* judge.h - the other half of a test: start the program, read what it left, compare.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_JUDGE_H
#define CAB_TEST_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "cabprof/profile.h"

#define CHECK(condition, ...) \
  do { if (!(condition)) { \
    fprintf (stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
    fprintf (stderr, __VA_ARGS__); \
    fputc ('\n', stderr); \
    exit (1); } } while (0)

/* Return a directory of the test's own, which is removed at its end. */
const char *judge_directory (void);

/* Start this executable again as the program under test, with CABPROF_OPTIONS "data=DIR:OPTIONS"
   and ARGUMENT; its standard error goes to DIR-err. Return the status of wait after it ended or,
   where KILL_AFTER_US is not 0, was killed. */
int judge_run (const char *dir, const char *options, const char *argument, unsigned kill_after_us);

/* Store the paths of the parts in DIR, sorted by name, in PATHS; return how many there are. */
int judge_parts (const char *dir, char paths[][512], int most);

struct judge_part
{
  const unsigned char *bytes;
  size_t n;
  const struct cab_part_header *header;
};
struct judge_part judge_open (const char *path);
void judge_close (struct judge_part *part);

/* Return an area put together in memory, and its length in *N; null if there is none. */
void *judge_area (const struct judge_part *part, uint32_t kind, uint32_t owner, size_t *n);

/* Return the sum over all counter areas of counter COUNTER of function FN. */
uint64_t judge_count (const struct judge_part *part, uint32_t fn, uint32_t counter);

/* Return how often events say that path PATH of function FN was executed: by the paths arenas and
   what the rings still hold. The ledger's fields are not used. */
uint64_t judge_paths (const struct judge_part *part, uint32_t fn, uint64_t path);

/* Read the events that the rings still hold, by the rules of profile.h; call TAKE for each that its
   analysis NAME has not applied. */
void judge_left (const struct judge_part *part, const char *name, unsigned kind,
		 void (*take) (void *host, uint64_t word), void *host);

/* Return the arena of analysis NAME for ring RING; null if there is none. */
void *judge_arena (const struct judge_part *part, const char *name, uint32_t ring, size_t *used);

#endif
