/* libc_system.c - the kernel's functions, the environment and numbers for the runtime; see libc.h.
 * Compiled without libc.h.
 *
 * A function that the kernel has under the same name takes its arguments as the C library's does:
 * both take them in the same registers.  A register that a caller leaves undefined is not read.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <linux/prctl.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "rt/libc/libc_system.h"

#define HIDDEN __attribute__ ((visibility ("hidden")))
#define ERRORS 4095u   /* results from -4095 to -1 are errors */
#define MASK_BYTES 8   /* of the kernel's sets of signals */

/* Data of the C library and of the loader. */
extern char **environ;
extern void *__libc_stack_end;

int64_t cab_libc_errno_at;

int *
cab_libc_errno (void)
{
  static int early;
  char *thread = __builtin_thread_pointer ();
  return cab_libc_errno_at ? (int *) (thread + cab_libc_errno_at) : &early;
}

static long
result_of (long result)
{
  if ((unsigned long) result < -(unsigned long) ERRORS)
    return result;
  *cab_libc_errno () = -result;
  return -1;
}

enum cab_may_call (*cab_libc_may_call) (long number, const long *arguments);

/* Return true if the filters of the calling thread are known. */
static int
is_known (void)
{
  static const long none[6];
  return cab_libc_may_call && cab_libc_may_call (SYS_getpid, none) != CAB_CALL_UNKNOWN;
}

/* The process has completed its start, and did so without a filter of system calls. */
static uint32_t watching;

static int
has_filter (void)
{
  return cab_system_call (SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0, 0) != 0;
}

void
cab_libc_watch_sandbox (void)
{
  __atomic_store_n (&watching, !has_filter (), __ATOMIC_RELAXED);
}

/* Return nonzero if this thread has a filter that the process did not start with.  A filter that
   kills for that query would also kill for opening and growing a file.  Threads of the runtime may
   have none, and continue. */
int
cab_libc_is_confined (void)
{
  return is_known () || (__atomic_load_n (&watching, __ATOMIC_RELAXED) && has_filter ());
}

/* Return true if a file must not be opened, since the thread has a filter about which nothing is
   known. */
static int
may_not_open (void)
{
  return !is_known () && cab_libc_is_confined ();
}

#define SYSTEM_CALL_AS(name, number) \
  HIDDEN long cab_libc_##name (long a, long b, long c, long d, long e, long f); \
  long \
  cab_libc_##name (long a, long b, long c, long d, long e, long f) \
  { \
    return result_of (cab_system_call (number, a, b, c, d, e, f)); \
  }
#define SYSTEM_CALL(name) SYSTEM_CALL_AS (name, SYS_##name)

SYSTEM_CALL (access)
SYSTEM_CALL (clock_gettime)
SYSTEM_CALL (close)
SYSTEM_CALL (connect)
SYSTEM_CALL (fallocate)
SYSTEM_CALL (fchmod)
SYSTEM_CALL (fchown)
SYSTEM_CALL (fcntl)
SYSTEM_CALL (flock)
SYSTEM_CALL (fstat)
SYSTEM_CALL_AS (fstatat, SYS_newfstatat)
SYSTEM_CALL (ftruncate)
SYSTEM_CALL (getegid)
SYSTEM_CALL (geteuid)
SYSTEM_CALL (getgid)
SYSTEM_CALL (getpid)
SYSTEM_CALL (getppid)
SYSTEM_CALL (getrlimit)
SYSTEM_CALL (gettid)
SYSTEM_CALL (getuid)
SYSTEM_CALL (kill)
SYSTEM_CALL (link)
SYSTEM_CALL (linkat)
SYSTEM_CALL (lseek)
SYSTEM_CALL (lstat)
SYSTEM_CALL (madvise)
SYSTEM_CALL (mincore)
SYSTEM_CALL (mkdir)
SYSTEM_CALL (mkdirat)
SYSTEM_CALL (mmap)
SYSTEM_CALL (mprotect)
SYSTEM_CALL (mremap)
SYSTEM_CALL (msync)
SYSTEM_CALL (munmap)
SYSTEM_CALL (nanosleep)
SYSTEM_CALL (prctl)
SYSTEM_CALL_AS (pread, SYS_pread64)
SYSTEM_CALL_AS (pwrite, SYS_pwrite64)
SYSTEM_CALL (read)
SYSTEM_CALL (readlink)
SYSTEM_CALL (readlinkat)
SYSTEM_CALL (rename)
SYSTEM_CALL (renameat)
SYSTEM_CALL (rmdir)
SYSTEM_CALL (sched_yield)
SYSTEM_CALL (sendmsg)
SYSTEM_CALL (sigaltstack)
SYSTEM_CALL (socket)
SYSTEM_CALL (stat)
SYSTEM_CALL (tgkill)
SYSTEM_CALL (unlink)
SYSTEM_CALL (unlinkat)
SYSTEM_CALL (write)
SYSTEM_CALL (writev)

/* These differ from the kernel's functions of the same name. */
HIDDEN long cab_libc_open (long path, long flags, long mode);
HIDDEN long cab_libc_openat (long at, long path, long flags, long mode);
HIDDEN long cab_libc_syscall (long number, long a, long b, long c, long d, long e, long f);
HIDDEN long cab_libc_faccessat (long fd, long path, long mode, long flags);
HIDDEN long cab_libc_pwritev (long fd, long parts, long n, long offset);
HIDDEN long cab_libc_recv (long fd, long to, long n, long flags);
HIDDEN char *cab_libc_getcwd (char *to, size_t n);
HIDDEN long cab_libc_sched_getaffinity (long pid, size_t n, unsigned char *set);
HIDDEN int cab_libc_pthread_sigmask (int how, const uint64_t *set, uint64_t *old);
HIDDEN long cab_libc_sigpending (uint64_t *set);
HIDDEN long cab_libc_sigtimedwait (const uint64_t *set, void *info, const void *timeout);
HIDDEN int cab_libc_sigemptyset (uint64_t *set), cab_libc_sigfillset (uint64_t *set);
HIDDEN int cab_libc_sigaddset (uint64_t *set, int signal);
HIDDEN int cab_libc_sigdelset (uint64_t *set, int signal);
HIDDEN int cab_libc_sigismember (const uint64_t *set, int signal);
HIDDEN char *cab_libc_getenv (const char *name);
HIDDEN unsigned long cab_libc_getauxval (unsigned long type);
HIDDEN long long cab_libc_strtoll (const char *s, char **end, int base);
HIDDEN unsigned long long cab_libc_strtoull (const char *s, char **end, int base);

long
cab_libc_syscall (long number, long a, long b, long c, long d, long e, long f)
{
  return result_of (cab_system_call (number, a, b, c, d, e, f));
}

long
cab_libc_open (long path, long flags, long mode)
{
  return result_of (may_not_open () ? -EPERM
				    : cab_system_call (SYS_open, path, flags, mode, 0, 0, 0));
}

long
cab_libc_openat (long at, long path, long flags, long mode)
{
  return result_of (may_not_open () ? -EPERM
				    : cab_system_call (SYS_openat, at, path, flags, mode, 0, 0));
}

/* The kernel's call takes no flags. */
long
cab_libc_faccessat (long fd, long path, long mode, long flags)
{
  (void) flags;
  return result_of (cab_system_call (SYS_faccessat, fd, path, mode, 0, 0, 0));
}

long
cab_libc_pwritev (long fd, long parts, long n, long offset)
{
  return result_of (cab_system_call (SYS_pwritev, fd, parts, n, offset, 0, 0));
}

long
cab_libc_recv (long fd, long to, long n, long flags)
{
  return result_of (cab_system_call (SYS_recvfrom, fd, to, n, flags, 0, 0));
}

/* Return null for a directory that cannot be reached from the root: its name does not begin with a
   slash. */
char *
cab_libc_getcwd (char *to, size_t n)
{
  if (result_of (cab_system_call (SYS_getcwd, (long) to, n, 0, 0, 0, 0)) < 0)
    return NULL;
  if (to[0] == '/')
    return to;
  *cab_libc_errno () = ENOENT;
  return NULL;
}

/* Clear the rest of the set; the kernel returns how many bytes it wrote. */
long
cab_libc_sched_getaffinity (long pid, size_t n, unsigned char *set)
{
  long written = result_of (cab_system_call (SYS_sched_getaffinity, pid, n, (long) set, 0, 0, 0));
  for (size_t i = written; written >= 0 && i < n; i++)
    set[i] = 0;
  return written < 0 ? -1 : 0;
}

int
cab_libc_pthread_sigmask (int how, const uint64_t *set, uint64_t *old)
{
  return -cab_system_call (SYS_rt_sigprocmask, how, (long) set, (long) old, MASK_BYTES, 0, 0);
}

long
cab_libc_sigpending (uint64_t *set)
{
  return result_of (cab_system_call (SYS_rt_sigpending, (long) set, MASK_BYTES, 0, 0, 0, 0));
}

long
cab_libc_sigtimedwait (const uint64_t *set, void *info, const void *timeout)
{
  return result_of (cab_system_call (SYS_rt_sigtimedwait, (long) set, (long) info, (long) timeout,
				     MASK_BYTES, 0, 0));
}

int
cab_libc_sigemptyset (uint64_t *set)
{
  *set = 0;
  return 0;
}

/* Set all signals but 32 and 33, which are the C library's own. */
int
cab_libc_sigfillset (uint64_t *set)
{
  *set = ~(UINT64_C (3) << 31);
  return 0;
}

int
cab_libc_sigaddset (uint64_t *set, int signal)
{
  *set |= UINT64_C (1) << (signal - 1);
  return 0;
}

int
cab_libc_sigdelset (uint64_t *set, int signal)
{
  *set &= ~(UINT64_C (1) << (signal - 1));
  return 0;
}

int
cab_libc_sigismember (const uint64_t *set, int signal)
{
  return *set >> (signal - 1) & 1;
}

char *
cab_libc_getenv (const char *name)
{
  for (char **e = environ; e && *e; e++)
    {
      size_t i = 0;
      while (name[i] && (*e)[i] == name[i])
	i++;
      if (!name[i] && (*e)[i] == '=')
	return *e + i + 1;
    }
  return NULL;
}

/* Search the auxiliary vector.  The stack of a new process holds the number of arguments, the
   arguments, a null, the environment, a null, and this vector. */
unsigned long
cab_libc_getauxval (unsigned long type)
{
  void **p = (void **) __libc_stack_end + 1;
  while (*p++)
    ;
  while (*p++)
    ;
  for (const Elf64_auxv_t *a = (const Elf64_auxv_t *) p; a->a_type != AT_NULL; a++)
    if (a->a_type == type)
      return a->a_un.a_val;
  return 0;
}

/* Parse a decimal number, whatever BASE is. */
unsigned long long
cab_libc_strtoull (const char *s, char **end, int base)
{
  unsigned long long n = 0;
  int over = 0;
  (void) base;
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  for (s += *s == '+'; *s >= '0' && *s <= '9'; s++)
    {
      over |= __builtin_mul_overflow (n, 10, &n);
      over |= __builtin_add_overflow (n, *s - '0', &n);
    }
  if (end)
    *end = (char *) s;
  return over ? ULLONG_MAX : n;
}

long long
cab_libc_strtoll (const char *s, char **end, int base)
{
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  int minus = *s == '-';
  unsigned long long n = cab_libc_strtoull (s + minus, end, base);
  if (n > LLONG_MAX)
    return minus ? LLONG_MIN : LLONG_MAX;
  return minus ? -(long long) n : (long long) n;
}
