/* confined_threads.c - run threads, some of which have filters. The argument says who forbids what.
 * own: each of four threads has the strict mode, one after the other, while the first one has none;
 * all: one of them forbids all but a few system calls to all threads, which go on then;
 * main: the first thread has the strict mode, and sends more than a ring holds. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 4
#define STATUS 42
static volatile int ready, done;
static long sums[THREADS + 1];

__attribute__ ((noipa)) static void leaf (long *sum, long i) { *sum += i; }
__attribute__ ((noipa)) static void own (long *sum, long n)
{ for (long i = 0; i < n; i++) leaf (sum, i); }
__attribute__ ((noipa)) static void all (long *sum, long n)
{ for (long i = 0; i < n; i++) leaf (sum, i); }
__attribute__ ((noipa)) static void after (long *sum, long n)
{ for (long i = 0; i < n; i++) leaf (sum, i); }

static void
wait_for (volatile int *what, int n)
{
  while (*what < n)
    __builtin_ia32_pause ();
}

static void
forbid_all (void)
{
#define LOAD BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr))
#define ALLOW(call) \
  BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  struct sock_filter code[] = { LOAD, ALLOW (SYS_write), ALLOW (SYS_exit), ALLOW (SYS_exit_group),
				BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS) };
  struct sock_fprog filter = { sizeof code / sizeof *code, code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
      || syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0)
    _exit (77);
}

static void *
strict_thread (void *sum)
{
  if (prctl (PR_SET_SECCOMP, SECCOMP_MODE_STRICT) < 0)
    _exit (77);
  own (sum, 1000);
  __atomic_fetch_add (&done, 1, __ATOMIC_SEQ_CST);
  for (;;)
    syscall (SYS_exit, 0);
}

static void *
waiting_thread (void *sum)
{
  own (sum, 10);
  __atomic_fetch_add (&ready, 1, __ATOMIC_SEQ_CST);
  wait_for (&done, 1);
  all (sum, 1000);
  __atomic_fetch_add (&done, 1, __ATOMIC_SEQ_CST);
  for (;;)
    __builtin_ia32_pause ();
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  pthread_t thread;
  if (!strcmp (how, "main"))
    {
      if (prctl (PR_SET_SECCOMP, SECCOMP_MODE_STRICT) < 0)
	return 77;
      own (sums, 400000);
      syscall (SYS_exit, STATUS);
    }
  for (int i = 1; i <= THREADS; i++)
    {
      int strict = !strcmp (how, "own");
      pthread_create (&thread, NULL, strict ? strict_thread : waiting_thread, sums + i);
      wait_for (strict ? &done : &ready, i);
    }
  if (!strcmp (how, "all"))
    {
      forbid_all ();
      done = 1;
      wait_for (&done, 1 + THREADS);
    }
  after (sums, 100);
  _exit (STATUS);
}
