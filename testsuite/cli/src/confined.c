/* confined.c - make children that forbid themselves system calls, each in its own way, and then run
 * functions for the first time. Argument: rounds that each child makes. Print how many children
 * there were; exit status 1 means that one did not end as it should. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATUS 42
#define N(a) (sizeof (a) / sizeof *(a))

static const int calls[] = {
  SYS_rt_sigprocmask, SYS_clock_gettime, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_madvise,
  SYS_futex, SYS_pwrite64, SYS_pwritev, SYS_ftruncate, SYS_fallocate, SYS_clone, SYS_clone3,
  SYS_gettid, SYS_getpid, SYS_sched_yield, SYS_open, SYS_openat, SYS_close, SYS_fstat,
  SYS_newfstatat, SYS_prctl, SYS_sched_getaffinity, SYS_tgkill, SYS_write, SYS_read, SYS_getrlimit
};
static const unsigned actions[] = { SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_KILL_THREAD,
				    SECCOMP_RET_TRAP, SECCOMP_RET_ERRNO | ENOSYS,
				    SECCOMP_RET_ERRNO };
enum how { BY_PRCTL, BY_SECCOMP, BY_TSYNC, N_HOWS };

static volatile long sum;
__attribute__ ((noipa)) static void leaf (long i) { sum += i; }
__attribute__ ((noipa)) static void inner (long i) { leaf (i); if (i & 1) leaf (-i); }
__attribute__ ((noipa)) static void work (long n) { for (long i = 0; i < n; i++) inner (i); }
static void trapped (int signal) { (void) signal; _exit (3); }

__attribute__ ((noipa)) static void
install (struct sock_filter *code, unsigned n, enum how how)
{
  struct sock_fprog filter = { n, code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
      || (how == BY_PRCTL ? prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)
	  : syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 
		     how == BY_TSYNC ? SECCOMP_FILTER_FLAG_TSYNC : 0, &filter)) != 0)
    _exit (77);
}

#define LOAD BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr))
#define IF(call, skip) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, call, 0, skip)
#define RETURN(action) BPF_STMT (BPF_RET | BPF_K, action)

static void
forbid (int call, unsigned action, enum how how)
{
  struct sock_filter code[] = { LOAD, IF (call, 1), RETURN (action), RETURN (SECCOMP_RET_ALLOW) };
  install (code, N (code), how);
}

/* Set a filter as real sandboxes do. */
static void
allow_few (unsigned action, enum how how)
{
  struct sock_filter code[] = {
    LOAD, IF (SYS_read, 1), RETURN (SECCOMP_RET_ALLOW), IF (SYS_write, 1),
    RETURN (SECCOMP_RET_ALLOW), IF (SYS_exit, 1), RETURN (SECCOMP_RET_ALLOW),
    IF (SYS_exit_group, 1), RETURN (SECCOMP_RET_ALLOW), IF (SYS_rt_sigreturn, 1),
    RETURN (SECCOMP_RET_ALLOW), IF (SYS_brk, 1), RETURN (SECCOMP_RET_ALLOW),
    RETURN (action)
  };
  install (code, N (code), how);
}

/* Become child number K; return false if there are no more. */
static int
confine (unsigned k)
{
  const unsigned one = N (calls) * N (actions);
  enum how how = k % N_HOWS;
  if (k < one)
    forbid (calls[k / N (actions)], actions[k % N (actions)], how);
  else if (k < one + N (actions) * N_HOWS)
    allow_few (actions[(k - one) / N_HOWS], how);
  else if (k == one + N (actions) * N_HOWS)
    {
      /* A call that is refused has no effect. */
      prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL);
      syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1u << 30, calls);
    }
  else if (k == one + N (actions) * N_HOWS + 1)
    prctl (PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  else
    return 0;
  return 1;
}

static void
child (unsigned k, long n)
{
  signal (SIGSYS, trapped);
  if (!confine (k))
    _exit (0);
  work (n);
  if (k == N (calls) * N (actions) + N (actions) * N_HOWS + 1)
    syscall (SYS_exit, STATUS);
  (k & 1 ? exit : _exit) (STATUS);
}

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 10;
  for (unsigned k = argc > 2 ? atoi (argv[2]) : 0;; k++)
    {
      int status;
      pid_t pid = fork ();
      if (pid == 0)
	child (k, n);
      if (pid < 0 || waitpid (pid, &status, 0) != pid)
	return 2;
      if (status == 77 << 8)
	return 77;
      if (status == 0)
	return printf ("%u\n", k), 0;
      if (status != STATUS << 8)
	return printf ("child %u: status %x\n", k, status), 1;
      if (argc > 2)
	return 0;
    }
}
