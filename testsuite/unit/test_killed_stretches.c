/* test_killed_stretches.c - a process that is killed after any of its instructions leaves a state
 * of `deps' that goes on with the stretch that was cut off.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/deps/an_deps.h"
#include "testsuite/unit/deps_rows.h"
#include "testsuite/unit/stretch_rows.h"

#define SHARED_BYTES (16u << 20)

/* What a killed process leaves: its arena in shared memory, and how much of it counts. */
struct shared
{
  uint64_t used;
  unsigned char bytes[SHARED_BYTES] __attribute__ ((aligned (64)));
};

static int
grow_shared (struct cab_arena *arena, size_t cap)
{
  if (cap > SHARED_BYTES)
    return -1;
  arena->cap = cap;
  return 0;
}

static void
publish_shared (struct cab_arena *arena)
{
  ((struct shared *) arena->host)->used = arena->used;
}

static struct rows
rows_in (const struct cab_arena *arena)
{
  struct rows rows = { 0 };
  rows_of_deps (&rows, arena);
  tidy (&rows);
  return rows;
}

/* Return true if what is left by then can be continued, and is then like WANT. */
static bool
goes_on (const struct shared *shared, const struct stretch_rows *rows, const struct rows *want)
{
  struct cab_arena arena;
  struct cab_diag diag = { "" };
  size_t cap = shared->used + (1u << 20);
  unsigned char *copy = XCNEWVEC (unsigned char, cap);
  memcpy (copy, shared->bytes, shared->used);
  cab_heap_adopt (&arena, copy, cap, shared->used);
  bool good = cab_deps.check (&arena, &diag) == 0;
  if (good)
    cab_deps.resume (&arena);
  uint64_t said = good ? cab_deps.applied (&arena) + cab_deps.lost (&arena) : 0;
  uint32_t had = 0;
  while (had < rows->n && stretch_events (rows, had) < said)
    had = stretch_end (rows, had);
  good = good && stretch_events (rows, had) == said;
  if (good)
    {
      feed_stretch_rows (&cab_deps, &arena, rows, had, rows->n, false);
      struct rows got = rows_in (&arena);
      good = equal (&got, want)
	  && cab_deps.applied (&arena) + cab_deps.lost (&arena) == stretch_events (rows, rows->n);
      free (got.row);
    }
  cab_heap_fini (&arena);
  return good;
}

/* In the child: feed rows [FROM, rows->n) under the parent's eyes. */
static void
feed_traced (struct shared *shared, const struct stretch_rows *rows, uint32_t from)
{
  struct cab_arena arena = {
    shared->bytes, 0, SHARED_BYTES, grow_shared, publish_shared, shared
  };
  cab_deps.open (&arena, "", NULL);
  feed_stretch_rows (&cab_deps, &arena, rows, 0, from, false);
  shared->used = arena.used;
  ptrace (PTRACE_TRACEME, 0, NULL, NULL);
  raise (SIGSTOP);
  feed_stretch_rows (&cab_deps, &arena, rows, from, rows->n, false);
  _exit (0);
}

/* Stop the child after each of its instructions, and check what it would leave.  States that have
   not changed are not checked again. */
static bool
step_through (struct shared *shared, const struct stretch_rows *rows, uint32_t from,
	      const struct rows *want)
{
  struct shared *last = XCNEW (struct shared);
  bool good = true;
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    feed_traced (shared, rows, from);
  waitpid (pid, &status, 0);
  while (good && WIFSTOPPED (status))
    {
      if (last->used != shared->used || memcmp (last->bytes, shared->bytes, shared->used))
	{
	  good = goes_on (shared, rows, want);
	  memcpy (last, shared, offsetof (struct shared, bytes) + shared->used);
	}
      if (ptrace (PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 || waitpid (pid, &status, 0) < 0)
	break;
    }
  kill (pid, SIGKILL);
  waitpid (pid, &status, 0);
  free (last);
  return good;
}

/* Kill the process in the last rows, with a stretch among them. */
static void
test_killed (void)
{
  for (unsigned i = 0; i < rounds (6); i++)
    {
      struct shared *shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      struct stretch_rows rows = make_stretch_rows (60 + draw (60), 40);
      struct cab_arena arena;
      uint32_t last = rows.n, at = 0, end;
      CU_ASSERT_FATAL (shared != MAP_FAILED);
      for (; at < rows.n; at = end)
	{
	  end = stretch_end (&rows, at);
	  last = end - at > 2 && rows.times[at] > 10 ? at : last;
	}
      rows.n = last < rows.n ? stretch_end (&rows, last) : rows.n;
      cab_heap_open (&arena, &cab_deps);
      feed_stretch_rows (&cab_deps, &arena, &rows, 0, rows.n, false);
      struct rows want = rows_in (&arena);
      CU_ASSERT (step_through (shared, &rows, last < rows.n ? last : 0, &want));
      free (want.row);
      cab_heap_fini (&arena);
      free_stretch_rows (&rows);
      munmap (shared, sizeof *shared);
    }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "killed in stretches", test_killed }, CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "killed stretches", tests);
}
