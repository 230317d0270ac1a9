/* real_seccomp.c - a program that confines itself with the real libseccomp, linked or loaded, and
 * then runs functions for the first time, in two threads, and makes a call that is not allowed.
 * Arguments: linked or loaded; kill, process, errno or trap: what becomes of other calls; one or all
 * threads; rounds.  Prints a sum, and the error of the call. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile long sum[2];
static volatile int go;   /* 1: the thread runs, 2: there is a filter, 3: the thread has worked */
__attribute__ ((noipa)) static void leaf (int k, long i) { sum[k] += i; }
__attribute__ ((noipa)) static void inner (int k, long i) { leaf (k, i); if (i & 1) leaf (k, -i); }
__attribute__ ((noipa)) static void work (int k, long n)
{
  for (long i = 0; i < n; i++)
    inner (k, i);
}

static void *library;
static const char *mode;

/* The function NAME, which is called BY_NAME where the library is linked. */
static void *
find (const char *name, void *by_name)
{
  return strcmp (mode, "loaded") ? by_name : dlsym (library, name);
}
#define CALL(name) ((__typeof__ (&name)) find (#name, name))

static uint32_t
action_of (const char *name)
{
  return !strcmp (name, "kill") ? SCMP_ACT_KILL : !strcmp (name, "process") ? SCMP_ACT_KILL_PROCESS
       : !strcmp (name, "trap") ? SCMP_ACT_TRAP : SCMP_ACT_ERRNO (EXDEV);
}

static int
load (scmp_filter_ctx context)
{
  return strcmp (mode, "loaded") ? seccomp_load (context) : CALL (seccomp_load) (context);
}

static void
confine (const char *action, int all)
{
  static const int allowed[] = { SCMP_SYS (write), SCMP_SYS (exit), SCMP_SYS (exit_group),
				 SCMP_SYS (rt_sigreturn) };
  scmp_filter_ctx context = CALL (seccomp_init) (action_of (action));
  if (!context || (all && CALL (seccomp_attr_set) (context, SCMP_FLTATR_CTL_TSYNC, 1)))
    _exit (77);
  for (unsigned i = 0; i < sizeof allowed / sizeof *allowed; i++)
    if (CALL (seccomp_rule_add) (context, SCMP_ACT_ALLOW, allowed[i], 0))
      _exit (77);
  if (load (context))
    _exit (77);
}

static void *
run (void *n)
{
  go = 1;
  while (go != 2)
    ;
  work (1, (long) n);
  go = 3;
  syscall (SYS_exit, 0);   /* no more than the filter allows */
  return NULL;
}

static void
trapped (int number)
{
  (void) number;
  _exit (7);
}

int
main (int argc, char **argv)
{
  char line[64];
  pthread_t thread;
  if (argc < 5)
    return 2;
  mode = argv[1];
  signal (SIGSYS, trapped);
  if (!strcmp (mode, "loaded") && !(library = dlopen ("libseccomp.so.2", RTLD_NOW)))
    return 77;
  long n = atol (argv[4]);
  if (pthread_create (&thread, NULL, run, (void *) n))
    return 3;
  while (!go)
    sched_yield ();
  confine (argv[2], !strcmp (argv[3], "all"));
  work (0, n);
  go = 2;
  while (go != 3)
    ;
  int length = snprintf (line, sizeof line, "%ld %ld\n", sum[0], sum[1]);
  if (write (1, line, length) != length)
    return 4;
  errno = 0;
  syscall (SYS_getppid);
  length = snprintf (line, sizeof line, "%d\n", errno);
  return write (1, line, length) == length ? 42 : 4;
}
