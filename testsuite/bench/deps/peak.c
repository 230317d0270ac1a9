/* peak.c - run a program, and write the most memory that it and its children had, in KB, to a file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel counts for a process also what it had before it called exec, as a copy of its parent:
 * this parent is small.  Usage: peak FILE PROGRAM ARGUMENT...
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  struct rusage usage;
  int status = 1;
  pid_t pid = argc > 2 ? fork () : -1;
  if (pid == 0)
    {
      execv (argv[2], argv + 2);
      _exit (127);
    }
  FILE *file = pid > 0 && wait4 (pid, &status, 0, &usage) == pid && !status ? fopen (argv[1], "w")
									    : NULL;
  return !file || fprintf (file, "%ld\n", usage.ru_maxrss) < 0 || fclose (file);
}
