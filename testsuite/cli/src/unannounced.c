/* unannounced.c - installs a filter in a way that its own code does not show, and runs functions
 * for the first time.  Arguments: who installs it, how, and the rounds that follow.  Who: linked (a
 * library), loaded (by dlopen: its file is the fourth argument), pointer, table.  Prints a sum. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int forbid (const char *how, unsigned action);

static long sum;
__attribute__ ((noipa)) static void leaf (long i) { sum += i; }
__attribute__ ((noipa)) static void inner (long i) { leaf (i); if (i & 1) leaf (-i); }
__attribute__ ((noipa)) static void work (long n) { for (long i = 0; i < n; i++) inner (i); }

static int (*volatile by_prctl) (int, ...);
static long (*const table[]) (long, ...) = { syscall };
static volatile int zero;

/* A filter that allows only to write and to exit, by functions that are known by address. */
static int
forbid_by_pointer (int by_table)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
  };
  const struct sock_fprog program = { sizeof code / sizeof *code, code };
  by_prctl = prctl;
  if (by_prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    return -1;
  if (by_table)
    return table[zero] (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  return by_prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int
confine (char **argv)
{
  int (*loaded) (const char *, unsigned) = forbid;
  if (!strcmp (argv[1], "pointer") || !strcmp (argv[1], "table"))
    return forbid_by_pointer (!strcmp (argv[1], "table"));
  if (!strcmp (argv[1], "loaded"))
    {
      void *library = dlopen (argv[4], RTLD_NOW);
      loaded = library ? (int (*) (const char *, unsigned)) dlsym (library, "forbid") : NULL;
    }
  return loaded ? loaded (argv[2], SECCOMP_RET_KILL_PROCESS) : 1;
}

int
main (int argc, char **argv)
{
  char line[32];
  if (argc < 4)
    return 2;
  /* A filter that is refused takes nothing away, and errno is the call's. */
  errno = 0;
  if (prctl (PR_SET_SECCOMP, 99, 0) == 0 || errno != EINVAL)
    return 3;
  if (confine (argv))
    return 77;
  work (atol (argv[3]));
  int n = snprintf (line, sizeof line, "%ld\n", sum);
  return write (1, line, n) == n ? 42 : 4;
}
