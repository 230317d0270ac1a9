/* sandbox.c - a program that forbids itself to open files, and then runs functions for the first
 * time. Arguments: what the filter does on open (kill, trap, errno), or how files are taken out of
 * reach (root, namespace); more: many functions. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static long sum;

#define FUNCTION(n) \
  __attribute__ ((noipa)) static void f##n (long i) { while (i > n) { sum += i; i -= n + 1; } }
#define TEN(n) FUNCTION (n##0) FUNCTION (n##1) FUNCTION (n##2) FUNCTION (n##3) FUNCTION (n##4) \
  FUNCTION (n##5) FUNCTION (n##6) FUNCTION (n##7) FUNCTION (n##8) FUNCTION (n##9)
#define HUNDRED(n) TEN (n##0) TEN (n##1) TEN (n##2) TEN (n##3) TEN (n##4) TEN (n##5) TEN (n##6) \
  TEN (n##7) TEN (n##8) TEN (n##9)
HUNDRED (1) HUNDRED (2) HUNDRED (3) HUNDRED (4) HUNDRED (5) HUNDRED (6)

#define CALL(n) f##n (7);
#define CALL_TEN(n) CALL (n##0) CALL (n##1) CALL (n##2) CALL (n##3) CALL (n##4) CALL (n##5) \
  CALL (n##6) CALL (n##7) CALL (n##8) CALL (n##9)
#define CALL_HUNDRED(n) CALL_TEN (n##0) CALL_TEN (n##1) CALL_TEN (n##2) CALL_TEN (n##3) \
  CALL_TEN (n##4) CALL_TEN (n##5) CALL_TEN (n##6) CALL_TEN (n##7) CALL_TEN (n##8) CALL_TEN (n##9)

static void
forbid_opening (unsigned action)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 2, 0),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT (BPF_RET | BPF_K, action)
  };
  struct sock_fprog filter = { sizeof code / sizeof *code, code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
    exit (77);
}

/* IN_NAMESPACE: act as a user who may do so without being root. */
static void
hide_files (int in_namespace)
{
  if ((in_namespace && unshare (CLONE_NEWUSER | CLONE_NEWNS) < 0) || chroot ("/proc") < 0
      || chdir ("/") < 0
      || (!in_namespace && (setgid (65534) < 0 || setuid (65534) < 0)))
    exit (77);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp (how, "root") || !strcmp (how, "namespace"))
    hide_files (!strcmp (how, "namespace"));
  else if (*how)
    forbid_opening (!strcmp (how, "kill") ? SECCOMP_RET_KILL_PROCESS
		    : !strcmp (how, "trap") ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | EACCES);
  f100 (1000);
  CALL_HUNDRED (1)
  if (argc > 2)
    {
      CALL_HUNDRED (2) CALL_HUNDRED (3) CALL_HUNDRED (4) CALL_HUNDRED (5) CALL_HUNDRED (6)
    }
  printf ("%ld\n", sum);
  return 0;
}
