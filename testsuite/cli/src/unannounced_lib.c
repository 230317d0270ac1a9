/* unannounced_lib.c - a library without probes that installs a filter which allows little.
 *
 * forbid (HOW, ACTION): by prctl, syscall, an instruction of its own, or for all threads.  Returns 0
 * where that has worked. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N(a) (sizeof (a) / sizeof *(a))
#define ALLOW(call) \
  BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static long
by_instruction (long number, long a, long b, const void *c)
{
  __asm__ volatile ("syscall" : "+a" (number) : "D" (a), "S" (b), "d" (c) : "rcx", "r11", "memory");
  return number;
}

int
forbid (const char *how, unsigned action)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    ALLOW (SYS_write), ALLOW (SYS_exit), ALLOW (SYS_exit_group), ALLOW (SYS_rt_sigreturn),
    BPF_STMT (BPF_RET | BPF_K, action)
  };
  const struct sock_fprog program = { N (code), code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    return -1;
  if (!strcmp (how, "prctl"))
    return prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  if (!strcmp (how, "syscall"))
    return syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  if (!strcmp (how, "both"))
    return syscall (SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
  if (!strcmp (how, "all"))
    return syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return by_instruction (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
