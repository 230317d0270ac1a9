/* test_heap_sites.c - samples of several processes are answered from the logs of these, which are
 * made up, and may be damaged.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "loopfb/preload/heap_log.h"
#include "loopfb/sample/heap_history.h"
#include "loopfb/sample/heap_sites.h"
#include "testsuite/unit/seeded.h"

#define PLACE 5000

static char directory[] = "heap-sites-XXXXXX";

/* Write PID's file NUMBER: HEADER, and the N EVENTS. */
static void
write_log (uint32_t pid, unsigned number, struct cab_heap_header header,
	   const struct cab_heap_event *events, uint64_t n)
{
  char path[100];
  static char page[CAB_HEAP_HEADER_BYTES];
  snprintf (path, sizeof path, "%s/heap-%u-%u", directory, pid, number);
  FILE *file = fopen (path, "wb");
  header.magic = header.magic ? header.magic : CAB_HEAP_MAGIC;
  header.n = header.n ? header.n : n;
  memcpy (page, &header, sizeof header);
  CU_ASSERT_EQUAL (fwrite (page, sizeof page, 1, file), 1);
  if (n)
    CU_ASSERT_EQUAL (fwrite (events, sizeof *events, n, file), n);
  fclose (file);
}

/* What was taken: by its weight, which is its number. */
static struct cab_heap_sample taken[16];
static unsigned n_taken;

static void
take (void *host, uint32_t pid, struct cab_heap_sample *sample)
{
  CU_ASSERT_PTR_EQUAL (host, taken);
  CU_ASSERT_EQUAL (sample->row.module, pid);
  taken[sample->row.weight] = *sample;
  n_taken++;
}

static void
add (struct cab_heap_sites *sites, uint32_t pid, uint64_t time, unsigned number)
{
  cab_heap_sites_add (sites, pid,
		      &(struct cab_heap_sample) {
			.row = { .region = CAB_DATA_MAPPED, .module = pid, .weight = number },
			.address = PLACE, .time = time });
}

static void
is_site (unsigned number, uint64_t site, uint64_t bytes, uint64_t offset)
{
  CU_ASSERT_EQUAL (taken[number].row.block_bytes, bytes);
  CU_ASSERT_EQUAL (taken[number].row.block_offset, offset);
  CU_ASSERT_EQUAL (taken[number].site, site);
  CU_ASSERT_EQUAL (taken[number].row.region, bytes ? CAB_DATA_HEAP : CAB_DATA_MAPPED);
}

#define BLOCK(time, site, bytes) { time, PLACE - 8, bytes, site, 0, CAB_HEAP_ALLOCATED }
#define END(time) { time, PLACE - 8, 0, 0, 0, CAB_HEAP_RELEASED }

/* Process 1 forks 2, which executes another program, and then ends; 3 has no log. */
static void
test_processes (void)
{
  const struct cab_heap_event first[] = { BLOCK (20, 1, 100), END (60), BLOCK (70, 2, 8000) },
			      child[] = { END (45), BLOCK (47, 3, 100) },
			      after[] = { BLOCK (90, 4, 100) };
  struct cab_heap_sites sites;
  write_log (1, 0, (struct cab_heap_header) { .start = 10, .n_room = 3 }, first, 3);
  write_log (2, 0, (struct cab_heap_header) { .start = 44, .n_room = 2 }, child, 2);
  write_log (2, 1, (struct cab_heap_header) { .start = 81, .n_room = 1, .full = 95, .lost = 7 },
	     after, 1);
  cab_heap_sites_init (&sites, directory);
  cab_heap_sites_exec (&sites, 1, 5);
  add (&sites, 1, 19, 0);
  add (&sites, 1, 30, 1);
  cab_heap_sites_fork (&sites, 2, 1, 40);
  add (&sites, 2, 41, 2);
  add (&sites, 2, 46, 3);
  add (&sites, 2, 50, 4);
  add (&sites, 1, 65, 5);
  add (&sites, 1, 75, 6);
  cab_heap_sites_take (&sites, 2, 80, take, taken);
  CU_ASSERT_EQUAL (n_taken, 3);
  cab_heap_sites_exec (&sites, 2, 80);
  add (&sites, 2, 85, 7);
  add (&sites, 2, 92, 8);
  add (&sites, 2, 96, 9);
  add (&sites, 3, 96, 10);
  cab_heap_sites_take_all (&sites, take, taken);
  CU_ASSERT_EQUAL (n_taken, 11);
  cab_heap_sites_fini (&sites);
  is_site (0, 0, 0, 0);
  is_site (1, 1, 100, 8);
  is_site (2, 1, 100, 8);
  is_site (3, 0, 0, 0);
  is_site (4, 3, 100, 8);
  is_site (5, 0, 0, 0);
  is_site (6, 2, 8000, 0);     /* offsets in large blocks are not kept */
  is_site (7, 0, 0, 0);
  is_site (8, 4, 100, 8);
  is_site (9, 0, 0, 0);
  CU_ASSERT_EQUAL (taken[7].state, CAB_HEAP_ANSWERED);
  CU_ASSERT_EQUAL (taken[9].state, CAB_HEAP_AFTER_LOG);
  CU_ASSERT_EQUAL (taken[10].state, CAB_HEAP_NO_LOG);
  CU_ASSERT_EQUAL (cab_heap_history_lost (directory), 7);
}

/* What a file cannot hold is skipped. */
static void
test_damaged (void)
{
  const struct cab_heap_event events[] = { BLOCK (20, 1, 100),
					   { 30, PLACE - 8, 100, 9, UINT32_MAX, 77 },
					   { 31, UINT64_MAX, UINT64_MAX, 8, UINT32_MAX,
					     CAB_HEAP_ALLOCATED } };
  struct cab_heap_history h;
  char path[100];
  write_log (9, 0, (struct cab_heap_header) { .magic = 1, .start = 1 }, events, 3);
  write_log (9, 1, (struct cab_heap_header) { .n = UINT64_MAX, .start = 2 }, events, 3);
  snprintf (path, sizeof path, "%s/heap-9-2", directory);
  close (open (path, O_CREAT | O_WRONLY, 0600));
  snprintf (path, sizeof path, "%s/heap-9-3", directory);
  mkdir (path, 0700);
  write_log (9, 4, (struct cab_heap_header) { .own_allocator = 1, .start = 3 }, events, 1);
  cab_heap_history_init (&h);
  cab_heap_history_read (&h, directory, 9, 0, UINT64_MAX);
  CU_ASSERT_EQUAL (h.n, 3);
  CU_ASSERT (h.seen);
  struct cab_block_question q = { .address = PLACE, .time = 50 };
  cab_blocks_answer (h.events, h.n, &q, 1);
  CU_ASSERT_EQUAL (q.site, 1);
  cab_heap_history_fini (&h);
  cab_heap_history_read (&h, directory, 9, 3, UINT64_MAX);
  CU_ASSERT_EQUAL (h.n, 1);
  CU_ASSERT_FALSE (h.seen);
  cab_heap_history_fini (&h);
  rmdir (path);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "forks and execs", test_processes },
			  { "damaged logs", test_damaged },
			  CU_TEST_INFO_NULL };
  if (!mkdtemp (directory))
    return 1;
  int result = run_seeded (argc, argv, "heap sites", tests);
  cab_heap_history_remove (directory);
  return rmdir (directory) < 0 ? 1 : result;
}
