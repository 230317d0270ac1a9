/* end-exec.c - execve, which returns only if it fails: the activations that it leaves are
   unfinished, in its own function as in its callers, and what ran before is in the profile of the
   process that it ends.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__ ((noinline, noclone)) static int
step (int i)                          /* calls = 11 */
{
  return i & 1 ? i : -i;
}

__attribute__ ((noinline, noclone)) static void
become (const char *path, char **argv)          /* calls = 3; unfinished = 1 */
{
  char *again[] = { argv[0], "again", NULL };
  execv (path, again);
  puts ("not there");
}

int
main (int argc, char **argv)          /* calls = 2; unfinished = 1 */
{
  int sum = 0;
  for (int i = 0; i < (argc > 1 ? 1 : 10); i++)
    sum += step (i);
  fflush (stdout);
  if (argc > 1)
    become ("/no/such/program", argv);
  else
    {
      become ("/no/such/program", argv);
      fflush (stdout);
      become ("/proc/self/exe", argv);
    }
  printf ("%d\n", sum);
  return 0;
}
