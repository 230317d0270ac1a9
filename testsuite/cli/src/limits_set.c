/* limits_set.c - lowers its own limit of addresses, in the way that argument 1 names, to argument 2
 * (MB), and goes on with 4 threads, a fork and large blocks.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int limit_in_library (const struct rlimit *limit);

static long cell[16];

__attribute__ ((noipa)) static void
work (int i)
{
  cell[i & 15]++;
}

/* Runs first under the limit. */
__attribute__ ((noipa)) static void
late (int i)
{
  cell[i & 15] += 2;
}

/* Return the size of the process in MB. */
static unsigned long
size (void)
{
  unsigned long pages = 0;
  FILE *file = fopen ("/proc/self/statm", "r");
  if (!file || fscanf (file, "%lu", &pages) != 1)
    exit (9);
  fclose (file);
  return pages >> 8;
}

static int
set_limit (const char *how, const struct rlimit *limit)
{
  int status = -1;
  pid_t pid;
  if (!strcmp (how, "setrlimit"))
    return setrlimit (RLIMIT_AS, limit);
  if (!strcmp (how, "prlimit"))
    return prlimit (getpid (), RLIMIT_AS, limit, NULL);
  if (!strcmp (how, "syscall"))
    return syscall (SYS_prlimit64, 0, RLIMIT_AS, limit, NULL);
  if (!strcmp (how, "library"))
    return limit_in_library (limit);
  if (!strcmp (how, "mlockall"))
    return mlockall (MCL_FUTURE);
  if (!strcmp (how, "stack"))
    return setrlimit (RLIMIT_STACK, limit);
  if (strcmp (how, "vfork"))
    return -1;
  if ((pid = vfork ()) == 0)
    _exit (setrlimit (RLIMIT_AS, limit) ? 1 : 0);
  return waitpid (pid, &status, 0) == pid ? status : -1;
}

static void *
run (void *argument)
{
  char *block = malloc (1 << 20);
  for (int i = 0; i < 100; i++)
    work (i);
  late (1);
  if (!block)
    return (void *) 1;
  memset (block, 1, 1 << 20);
  free (block);
  return argument;
}

int
main (int argc, char **argv)
{
  rlim_t bytes = (rlim_t) atol (argv[2]) << 20;
  struct rlimit limit = { bytes, bytes };
  pthread_t threads[4];
  pthread_attr_t attr;
  int failed = 0, status;
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, 4 << 20);
  work (argc);
  if (set_limit (argv[1], &limit))
    return 77;
  fprintf (stderr, "%lu MB\n", size ());
  for (int i = 0; i < 4; i++)
    if (pthread_create (&threads[i], &attr, run, NULL))
      return 3;
  for (int i = 0; i < 4; i++)
    {
      void *result;
      pthread_join (threads[i], &result);
      failed += result != NULL;
    }
  if (fork () == 0)
    {
      work (1);
      _exit (malloc (2 << 20) ? 0 : 1);
    }
  if (wait (&status) < 0 || status)
    return 4;
  void *all = mmap (NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf ("%d failed, %s, %s\n", failed, malloc (3 << 20) ? "3 MB" : "no 3 MB",
	  all == MAP_FAILED ? "not all" : "all");
  return 0;
}
