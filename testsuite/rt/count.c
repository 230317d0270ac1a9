/* count.c - counters in place are exact over threads, over late registrations, and over areas that
 * grow and are used again.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (first_row, 13, 4, 3);
ROW (large_row, 9, 32000, 0);
ROW (other_row, 9, 20000, 2);

#define THREADS 6
#define ROUNDS 5

static void *
work (void *arg)
{
  long k = (long) arg;
  for (int i = 0; i < 1000; i++)
    {
      errno = 77;
      probe_count (&first_row, 2 + k % 2);
      CHECK (errno == 77, "errno changed");
      if (i == 500)
	probe_count (&large_row, 31999);
      if (i == 600)
	probe_count (&other_row, 19999);
    }
  return NULL;
}

static int
program (void)
{
  probe_count (&first_row, 0);
  for (int round = 0; round < ROUNDS; round++)
    {
      pthread_t threads[THREADS];
      for (long k = 0; k < THREADS; k++)
	pthread_create (&threads[k], NULL, work, (void *) k);
      for (long k = 0; k < THREADS; k++)
	pthread_join (threads[k], NULL);
    }
  CHECK (other_row.site_slot == 4 << 4, "sites: %lx", other_row.site_slot);
  return chdir ("/") == 0 ? 0 : 1;
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program ();
  char dir[512], parts[2][512], info[1024];
  snprintf (dir, sizeof dir, "%s/data", judge_directory ());
  CHECK (judge_run (dir, "", "count", 0) == 0, "the program failed");
  CHECK (judge_parts (dir, parts, 2) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  uint64_t half = 1000 * ROUNDS * THREADS / 2;
  CHECK (part.header->n_functions == 3 && part.header->n_modules == 1, "%u functions",
	 part.header->n_functions);
  CHECK (part.header->state == CAB_PART_ENDED && part.header->end_realtime_ns, "state %u",
	 part.header->state);
  CHECK (judge_count (&part, 1, 0) == 1, "%lu", judge_count (&part, 1, 0));
  CHECK (judge_count (&part, 1, 2) == half, "%lu", judge_count (&part, 1, 2));
  CHECK (judge_count (&part, 1, 3) == half, "%lu", judge_count (&part, 1, 3));
  CHECK (judge_count (&part, 2, 31999) == ROUNDS * THREADS, "%lu", judge_count (&part, 2, 31999));
  CHECK (judge_count (&part, 3, 19999) == ROUNDS * THREADS, "%lu", judge_count (&part, 3, 19999));
  CHECK (part.header->n_counts <= THREADS + 1,
	 "%u areas: those of ended threads are not used again", part.header->n_counts);
  CHECK (part.header->n_threads == 1 + ROUNDS * THREADS, "%u threads", part.header->n_threads);
  /* The records: each function's is where it should be. */
  size_t n;
  struct cab_part_module *m = judge_area (&part, CAB_EXT_MODULES, 0, &n);
  struct cab_part_function *f = judge_area (&part, CAB_EXT_FUNCTIONS, 0, &n);
  char *strings = judge_area (&part, CAB_EXT_STRINGS, 0, &n);
  snprintf (info, sizeof info, "%s/modules/%s.info", dir, strings + m->key);
  FILE *file = fopen (info, "r");
  CHECK (file, "%s", info);
  static char records[65536];
  n = fread (records, 1, sizeof records, file);
  const char *names[] = { "first_row", "large_row", "other_row" };
  for (int i = 0; i < 3; i++)
    CHECK (f[i].info_offset < n
	     && strncmp (records + f[i].info_offset + 4, names[i], strlen (names[i])) == 0,
	   "record %d", i);
  return 0;
}
