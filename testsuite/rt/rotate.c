/* rotate.c - a process belongs to the right run, and an older profile moves aside once per run and
 * is never lost before.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (row, 9, 3, 0);

static int
program (const char *how)
{
  probe_count (&row, 2);
  if (strcmp (how, "sleep") == 0)
    {
      close (open ("sleeping", O_WRONLY | O_CREAT, 0666));
      sleep (100);
    }
  return 0;
}

static char work[512], self[512];

/* Run a command line in a session of its own, as a terminal's shell would be its leader. */
static void
session (const char *format, ...)
{
  char text[2000], command[4000];
  va_list list;
  va_start (list, format);
  vsnprintf (text, sizeof text, format, list);
  va_end (list);
  snprintf (command, sizeof command,
	    "cd %s; P='env CAB_TEST_RUN=quick %s'; S='env CAB_TEST_RUN=sleep %s'; %s", work, self,
	    self, text);
  pid_t pid = fork ();
  if (pid == 0)
    {
      setsid ();
      unsetenv ("CABPROF_OPTIONS");
      unsetenv ("CABPROF_SESSION");
      execl ("/bin/bash", "bash", "-c", command, (char *) NULL);
      _exit (127);
    }
  int status;
  waitpid (pid, &status, 0);
  CHECK (status == 0, "%s: status %x", text, status);
}

static void
expect (const char *what, int now, int old)
{
  static char parts[300][512];
  char dir[600];
  snprintf (dir, sizeof dir, "%s/cabprof.data", work);
  int n = judge_parts (dir, parts, 300);
  strcat (dir, ".old");
  int m = judge_parts (dir, parts, 300);
  CHECK (n == now && m == old, "%s: %d parts, %d old, not %d and %d", what, n, m, now, old);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program (getenv ("CAB_TEST_RUN"));
  snprintf (work, sizeof work, "%s", judge_directory ());
  CHECK (readlink ("/proc/self/exe", self, sizeof self - 1) > 0, "self");
  session ("$P; (cd /; true); bash -c \"$P; $P\"; timeout 10 $P");
  expect ("a script is one run", 4, 0);
  session ("$P");
  expect ("the next run", 1, 4);
  session (
    "for i in 1 2 3 4 5 6 7 8 9 10; do for k in 1 2 3 4 5 6 7 8 9 10; do $P & done; wait; done");
  expect ("a hundred processes at once", 100, 1);
  session ("set -m; $P; $P; true");
  expect ("with job control each command is a run", 1, 1);
  session ("set -m; bash -c \"$P; $P; true\"; true");
  expect ("which all that come of it share", 2, 1);
  session ("CABPROF_SESSION=1 $P; CABPROF_OPTIONS=data=cabprof.data $P");
  expect ("told where to go, a process adds", 4, 1);
  session ("$S & echo $! > pid; until [ -e sleeping ]; do sleep 0.01; done");
  expect ("the sleeper's run", 1, 4);
  session ("$P");
  expect ("a profile of a process that runs is not moved", 2, 4);
  session ("kill $(cat pid); while grep -qs '^State:.[^ZX]' /proc/$(cat pid)/status; do sleep "
	   "0.01; done; echo mine > cabprof.data.old/notes");
  session ("$P");
  expect ("a directory with a foreign file is not removed: the run adds", 3, 4);
  return 0;
}
