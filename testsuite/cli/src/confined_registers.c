/* confined_registers.c - a thread under a filter whose first gate is at the entry of a function with
 * arguments in vector registers.  Prints their sum, 255. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

__attribute__ ((noipa)) static double
sum (double a, double b, double c, double d, double e, double f, double g, double h)
{
  return a + b + c + d + e + f + g + h;
}

static void *
start (void *to)
{
  *(double *) to = sum (1, 2, 4, 8, 16, 32, 64, 128);
  return NULL;
}

int
main (void)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_chroot, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  struct sock_fprog program = { sizeof code / sizeof *code, code };
  pthread_t thread;
  double result = 0;
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    return 77;
  if (pthread_create (&thread, NULL, start, &result) || pthread_join (thread, NULL))
    return 1;
  printf ("%g\n", result);
  return 0;
}
