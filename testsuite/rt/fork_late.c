/* fork_late.c - the parent runs on, into functions that are new to it, before the child has opened
 * its own part.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (both_row, 13, 4, 1);
ROW (parent_row, 13, 4, 1);
ROW (child_row, 13, 4, 1);

static int go[2];

/* In the child, before the runtime's own handler, wait until the parent has been in its
   function. */
static void
wait_for_parent (void)
{
  char c;
  while (go[1] && read (go[0], &c, 1) != 1)
    continue;
}

static void
register_first (void)
{
  pthread_atfork (NULL, NULL, wait_for_parent);
}

static void (*const first[]) (void) __attribute__ ((section (".preinit_array"), used)) = {
  register_first
};

static int
program (void)
{
  if (pipe (go) < 0)
    return 1;
  probe_count (&both_row, 2);
  if (fork () == 0)
    {
      for (int i = 0; i < 9; i++)
	probe_count (&child_row, 3);
      _exit (0);
    }
  for (int i = 0; i < 7; i++)
    probe_count (&parent_row, 3);
  if (write (go[1], "", 1) != 1)
    return 1;
  wait (NULL);
  return 0;
}

int
main (void)
{
  static char parts[8][512];
  char dir[512];
  if (getenv ("CAB_TEST_RUN"))
    return program ();
  snprintf (dir, sizeof dir, "%s/data", judge_directory ());
  CHECK (judge_run (dir, "", "fork_late", 0) == 0, "status");
  int n = judge_parts (dir, parts, 8);
  CHECK (n == 2, "%d parts", n);
  for (int i = 0; i < n; i++)
    {
      struct judge_part part = judge_open (parts[i]);
      uint64_t expected = part.header->forked_from ? 9 : 7;
      CHECK (part.header->n_functions == 2, "%u functions", part.header->n_functions);
      CHECK (judge_count (&part, 2, 3) == expected, "%lu, not %lu", judge_count (&part, 2, 3),
	     expected);
      judge_close (&part);
    }
  return 0;
}
