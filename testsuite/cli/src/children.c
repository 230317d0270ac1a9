/* children.c - make children, of which libc's fork handlers see only some; work is called 400 times
 * for each word given.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 4
#define CALLS 100

static volatile long x[4], stop;

__attribute__ ((noipa)) static void
work (int i)
{
  x[i & 3]++;
}

__attribute__ ((noipa)) static void
other (int i)
{
  x[i & 3]--;
}

static void
work_much (void)
{
  for (int i = 0; i < CALLS; i++)
    work (i);
}

__attribute__ ((noreturn)) static void
leave (void)
{
  for (;;)
    syscall (SYS_exit_group, 0);
}

static int
child (void *unused)
{
  (void) unused;
  work_much ();
  leave ();
}

static int
end (void *unused)
{
  (void) unused;
  work_much ();
  syscall (SYS_exit, 0);
  return 0;
}

static void *
thread (void *unused)
{
  work_much ();
  return unused;
}

static void *
churn (void *unused)
{
  while (!stop)
    other (1);
  return unused;
}

static pid_t
await (pid_t pid)
{
  int status;
  if (pid < 0 || waitpid (pid, &status, __WALL) < 0 || status != 0)
    {
      printf ("child %d, status %x\n", pid, pid < 0 ? 0 : status);
      exit (1);
    }
  return pid;
}

static pid_t
raw_fork (void)
{
  return syscall (SYS_fork);
}

static void
by_fork (void)
{
  pid_t pid = raw_fork ();
  if (pid == 0)
    child (NULL);
  await (pid);
}

static char stack[65536] __attribute__ ((aligned (64)));

static void
by_clone (int flags)
{
  await (clone (child, stack + sizeof stack, flags | SIGCHLD, NULL));
}

static void
by_clone3 (void)
{
  struct clone_args args = { .exit_signal = SIGCHLD };
  pid_t pid = syscall (SYS_clone3, &args, sizeof args);
  if (pid == 0)
    child (NULL);
  await (pid);
}

static void
by_vfork (void)
{
  pid_t pid = vfork ();
  if (pid == 0)
    {
      work_much ();
      execl ("/bin/true", "true", (char *) NULL);
      _exit (1);
    }
  await (pid);
}

/* Run a thread without libc on this thread's thread-local memory, and sleep until it has gone.
   This thread sends nothing meanwhile: the two share a context of the runtime, as they share
   errno. */
static void
by_thread (void)
{
  static uint32_t there;
  there = 1;
  int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM
	      | CLONE_CHILD_CLEARTID;
  clone (end, stack + sizeof stack, flags, NULL, NULL, NULL, &there);
  syscall (SYS_futex, &there, FUTEX_WAIT, 1, NULL, NULL, 0);
}

/* The child's first probe is in a thread of its own; then a thread known to the parent's counters
   calls. */
static void
by_thread_of_child (void)
{
  pid_t pid = raw_fork ();
  if (pid == 0)
    {
      pthread_t t;
      for (int i = 0; i < CALLS / 2; i++)
	other (i);
      if (pthread_create (&t, NULL, thread, NULL) || pthread_join (t, NULL))
	_exit (1);
      for (int i = 0; i < 1000; i++)
	other (i);
      leave ();
    }
  await (pid);
}

/* Make a child that works, and whose child works, made by libc or not. */
static void
by_grandchild (int how)
{
  pid_t pid = raw_fork ();
  if (pid == 0)
    {
      for (int i = 0; i < CALLS / 2; i++)
	work (i);
      pid_t next = how ? raw_fork () : fork ();
      if (next == 0)
	{
	  for (int i = 0; i < CALLS / 2; i++)
	    work (i);
	  leave ();
	}
      await (next);
      leave ();
    }
  await (pid);
}

/* Behave like a daemon: the child ends at once, its child works. */
static void
by_daemon (void)
{
  int ends[2];
  char byte;
  if (pipe (ends))
    exit (1);
  pid_t pid = raw_fork ();
  if (pid == 0)
    {
      if (fork () == 0)
	{
	  setsid ();
	  work_much ();
	}
      leave ();
    }
  await (pid);
  close (ends[1]);
  while (read (ends[0], &byte, 1) > 0)
    continue;
  close (ends[0]);
}

/* End by exit, having called only what the parent has called before. */
static void
by_exit (void)
{
  pid_t pid = raw_fork ();
  if (pid == 0)
    {
      work_much ();
      fclose (stdout);
      exit (0);
    }
  await (pid);
}

static void
by_command (int how)
{
  char *argv[] = { "true", NULL }, *env[] = { NULL };
  pid_t pid;
  FILE *pipe;
  work_much ();
  if (how == 0)
    await (posix_spawn (&pid, "/bin/true", NULL, NULL, argv, env) == 0 ? pid : -1);
  else if (how == 1 && system ("exit 0"))
    exit (1);
  else if (how == 2 && (!(pipe = popen ("exit 0", "r")) || pclose (pipe)))
    exit (1);
}

/* Behave as in a container: the child is process 1. */
static void
by_namespace (void)
{
  pid_t pid = clone (child, stack + sizeof stack, CLONE_NEWPID | SIGCHLD, NULL);
  if (pid < 0)
    work_much ();
  else
    await (pid);
}

static void
make (const char *word)
{
  if (!strcmp (word, "fork"))
    by_fork ();
  else if (!strcmp (word, "clone"))
    by_clone (0);
  else if (!strcmp (word, "files"))
    by_clone (CLONE_FILES | CLONE_FS);
  else if (!strcmp (word, "vm"))
    by_clone (CLONE_VM);
  else if (!strcmp (word, "clone3"))
    by_clone3 ();
  else if (!strcmp (word, "vfork"))
    by_vfork ();
  else if (!strcmp (word, "thread"))
    by_thread ();
  else if (!strcmp (word, "childs-thread"))
    by_thread_of_child ();
  else if (!strcmp (word, "grandchild"))
    by_grandchild (0);
  else if (!strcmp (word, "grandchild-raw"))
    by_grandchild (1);
  else if (!strcmp (word, "daemon"))
    by_daemon ();
  else if (!strcmp (word, "exit"))
    by_exit ();
  else if (!strcmp (word, "spawn"))
    by_command (0);
  else if (!strcmp (word, "system"))
    by_command (1);
  else if (!strcmp (word, "popen"))
    by_command (2);
  else if (!strcmp (word, "namespace"))
    by_namespace ();
  else
    exit (2);
}

static void *
make_all (void *word)
{
  for (int k = 0; k < CHILDREN; k++)
    make (word);
  return NULL;
}

/* Arguments: WORD..., or -t WORD... to make the children in a thread, beside another that runs. */
int
main (int argc, char **argv)
{
  bool threads = argc > 1 && !strcmp (argv[1], "-t");
  pthread_t churning, making;
  setbuf (stdout, NULL);
  for (int i = 1 + threads; i < argc; i++)
    if (!threads)
      make_all (argv[i]);
    else if (pthread_create (&churning, NULL, churn, NULL)
	     || pthread_create (&making, NULL, make_all, argv[i])
	     || pthread_join (making, NULL) || (stop = 1, pthread_join (churning, NULL))
	     || (stop = 0))
      return 1;
  return 0;
}
