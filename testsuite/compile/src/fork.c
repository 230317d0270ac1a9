/* fork.c - children that go on in the same functions, fork in a thread, vfork with exec, _exit in
   the child.
   flags: -pthread
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline))

static int NOINLINE
work (int n)			/* calls = 450 */
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i % 3 ? i : -i;
  return sum;
}

static int NOINLINE
child (int n)			/* calls = 4 */
{
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += work (i + n);
  return sum & 127;
}

static int NOINLINE
wait_for (pid_t pid)		/* calls = 5 */
{
  int status = 0;
  if (pid < 0 || waitpid (pid, &status, 0) != pid)
    return -1;
  return WIFEXITED (status) ? WEXITSTATUS (status) : -WTERMSIG (status);
}

static void *
in_thread (void *result)	/* calls = 1 */
{
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    _exit (child (7));
  *(int *) result = wait_for (pid);
  return NULL;
}

int
main (void)
{
  int results[5] = { 0 };
  for (int i = 0; i < 50; i++)
    results[4] += work (i);
  for (int i = 0; i < 3; i++)
    {
      fflush (stdout);
      pid_t pid = fork ();
      if (pid == 0)
	{
	  int status = child (i);
	  if (i == 1)
	    abort ();
	  if (i == 2)
	    exit (status);
	  _exit (status);
	}
      results[i] = wait_for (pid);
    }
  pthread_t thread;
  if (pthread_create (&thread, NULL, in_thread, &results[3]) != 0)
    return 1;
  pthread_join (thread, NULL);
  pid_t pid = vfork ();
  if (pid == 0)
    {
      execl ("/bin/true", "true", (char *) NULL);
      _exit (9);
    }
  printf ("%d\n", wait_for (pid));
  for (int i = 0; i < 5; i++)
    printf ("%d ", results[i]);
  putchar ('\n');
  return 0;
}
