/* own_libc.c - a program that defines functions of the C library. The linker calls own_NAME by the
 * name of NAME (--defsym), for one NAME or for all. Each counts its calls, and the program prints
 * the counts, those of its child first. It calls each function, and works in two threads and in the
 * child.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HAND __attribute__ ((noipa))
#define SIX long a, long b, long c, long d, long e, long f
typedef long six (SIX);

static long
kernel (long n, SIX)
{
  register long r10 __asm__ ("r10") = d;
  register long r8 __asm__ ("r8") = e;
  register long r9 __asm__ ("r9") = f;
  __asm__ volatile ("syscall" : "+a" (n) : "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9) : "rcx", "r11", "memory");
  return n;
}

static HAND long
result (long n)
{
  if ((unsigned long) n < -4095ul)
    return n;
  errno = -n;
  return -1;
}

/* COUNT is how often the function was called, by any caller. */
#define COUNTED(name) static long count_##name
#define SYSTEM(name, number) \
  COUNTED (name); \
  HAND long own_##name (SIX) { count_##name++; return result (kernel (number, a, b, c, d, e, f)); }
/* The C library's own function does the work. */
#define PASSED(name) \
  COUNTED (name); \
  HAND long own_##name (SIX) \
  { \
    static six *real; \
    count_##name++; \
    if (!real) \
      real = (six *) dlsym (RTLD_NEXT, #name); \
    return real (a, b, c, d, e, f); \
  }
#define OWN(name, ...) COUNTED (name); HAND long own_##name (SIX) { count_##name++; (void) a, (void) b, (void) c, (void) d, (void) e, (void) f; __VA_ARGS__ }
#define S(x) ((char *) (x))
#define STAY __asm__ volatile ("" ::: "memory")   /* the loop stays one */

OWN (memcpy, for (long i = 0; i < c; i++) { S (a)[i] = S (b)[i]; STAY; } return a;)
OWN (memmove, if (a < b) for (long i = 0; i < c; i++) { S (a)[i] = S (b)[i]; STAY; } else for (long i = c; i-- > 0; ) { S (a)[i] = S (b)[i]; STAY; } return a;)
OWN (memset, for (long i = 0; i < c; i++) { S (a)[i] = b; STAY; } return a;)
OWN (memcmp, for (long i = 0; i < c; i++) if (S (a)[i] != S (b)[i]) return (unsigned char) S (a)[i] - (unsigned char) S (b)[i]; return 0;)
OWN (memchr, for (long i = 0; i < c; i++) if (S (a)[i] == (char) b) return a + i; return 0;)
OWN (strlen, long n = 0; while (S (a)[n]) { n++; STAY; } return n;)
OWN (strcmp, while (*S (a) && *S (a) == *S (b)) a++, b++; return (unsigned char) *S (a) - (unsigned char) *S (b);)
OWN (strncmp, while (c && *S (a) && *S (a) == *S (b)) a++, b++, c--; return c ? (unsigned char) *S (a) - (unsigned char) *S (b) : 0;)
OWN (strchr, for (; *S (a) != (char) b; a++) if (!*S (a)) return 0; return a;)
OWN (strrchr, long last = 0; do if (*S (a) == (char) b) last = a; while (*S (a++)); return last;)
OWN (strspn, long n = 0; while (S (a)[n] && S (a)[n] == *S (b)) n++; return n;)
OWN (strcspn, long n = 0; while (S (a)[n] && S (a)[n] != *S (b)) n++; return n;)
OWN (strtoull, long n = 0; while (*S (a) >= '0' && *S (a) <= '9') n = n * 10 + *S (a++) - '0'; if (b) *(long *) b = a; return n;)
OWN (strtoll, long n = 0; while (*S (a) >= '0' && *S (a) <= '9') n = n * 10 + *S (a++) - '0'; if (b) *(long *) b = a; return n;)
OWN (getenv, return 0;)
OWN (getauxval, return 0;)
OWN (sigemptyset, *(uint64_t *) a = 0; return 0;)
OWN (sigfillset, *(uint64_t *) a = -1; return 0;)
OWN (sigaddset, *(uint64_t *) a |= 1ull << (b - 1); return 0;)
OWN (sigismember, return *(uint64_t *) a >> (b - 1) & 1;)
OWN (pthread_sigmask, return -kernel (SYS_rt_sigprocmask, a, b, c, 8, 0, 0);)
OWN (pread, return result (kernel (SYS_pread64, a, b, c, d, 0, 0));)
OWN (getcwd, return kernel (SYS_getcwd, a, b, 0, 0, 0, 0) < 0 ? 0 : a;)
OWN (syscall, return result (kernel (a, b, c, d, e, f, 0));)
OWN (__sched_cpucount, return 1;)
OWN (sched_getaffinity, return kernel (SYS_sched_getaffinity, a, b, c, 0, 0, 0) < 0 ? -1 : 0;)
OWN (sigpending, return result (kernel (SYS_rt_sigpending, a, 8, 0, 0, 0, 0));)
OWN (sigtimedwait, return result (kernel (SYS_rt_sigtimedwait, a, b, c, 8, 0, 0));)
OWN (recv, return result (kernel (SYS_recvfrom, a, b, c, d, 0, 0));)
OWN (pwritev, return result (kernel (SYS_pwritev, a, b, c, d, 0, 0));)
SYSTEM (access, SYS_access)
SYSTEM (clock_gettime, SYS_clock_gettime)
SYSTEM (close, SYS_close)
SYSTEM (connect, SYS_connect)
SYSTEM (fallocate, SYS_fallocate)
SYSTEM (fchmod, SYS_fchmod)
SYSTEM (fcntl, SYS_fcntl)
SYSTEM (flock, SYS_flock)
SYSTEM (fstat, SYS_fstat)
SYSTEM (ftruncate, SYS_ftruncate)
SYSTEM (geteuid, SYS_geteuid)
SYSTEM (getpid, SYS_getpid)
SYSTEM (getppid, SYS_getppid)
SYSTEM (getrlimit, SYS_getrlimit)
SYSTEM (getuid, SYS_getuid)
SYSTEM (link, SYS_link)
SYSTEM (lseek, SYS_lseek)
SYSTEM (lstat, SYS_lstat)
SYSTEM (madvise, SYS_madvise)
SYSTEM (mkdir, SYS_mkdir)
SYSTEM (mmap, SYS_mmap)
SYSTEM (mprotect, SYS_mprotect)
SYSTEM (mremap, SYS_mremap)
SYSTEM (munmap, SYS_munmap)
SYSTEM (open, SYS_open)
SYSTEM (openat, SYS_openat)
SYSTEM (prctl, SYS_prctl)
SYSTEM (read, SYS_read)
SYSTEM (readlink, SYS_readlink)
SYSTEM (rename, SYS_rename)
SYSTEM (rmdir, SYS_rmdir)
SYSTEM (sched_yield, SYS_sched_yield)
SYSTEM (sendmsg, SYS_sendmsg)
SYSTEM (socket, SYS_socket)
SYSTEM (stat, SYS_stat)
SYSTEM (unlink, SYS_unlink)
SYSTEM (unlinkat, SYS_unlinkat)
SYSTEM (write, SYS_write)
SYSTEM (writev, SYS_writev)
PASSED (__errno_location)
PASSED (dl_iterate_phdr)
PASSED (dlerror)
PASSED (dlopen)
PASSED (pthread_attr_destroy)
PASSED (pthread_attr_init)
PASSED (pthread_attr_setdetachstate)
PASSED (pthread_attr_setstack)
PASSED (pthread_create)
PASSED (pthread_key_create)
PASSED (pthread_setcancelstate)
PASSED (pthread_setcanceltype)
PASSED (pthread_setspecific)
PASSED (malloc)
PASSED (calloc)
PASSED (free)

#define C(name) { #name, &count_##name }
static const struct
{
  const char *name;
  long *count;
} counts[] = {
  C (memcpy), C (memmove), C (memset), C (memcmp), C (memchr), C (strlen), C (strcmp),
  C (strncmp), C (strchr), C (strrchr), C (strspn), C (strcspn), C (strtoull), C (strtoll),
  C (getenv), C (getauxval), C (sigemptyset), C (sigfillset), C (sigaddset), C (sigismember),
  C (pthread_sigmask), C (pread), C (getcwd), C (syscall), C (__sched_cpucount),
  C (sched_getaffinity), C (sigpending), C (sigtimedwait), C (recv), C (pwritev), C (access),
  C (clock_gettime), C (close), C (connect), C (fallocate), C (fchmod), C (fcntl), C (flock),
  C (fstat), C (ftruncate), C (geteuid), C (getpid), C (getppid), C (getrlimit), C (getuid),
  C (link), C (lseek), C (lstat), C (madvise), C (mkdir), C (mmap), C (mprotect), C (mremap),
  C (munmap), C (open), C (openat), C (prctl), C (read), C (readlink), C (rename), C (rmdir),
  C (sched_yield), C (sendmsg), C (socket), C (stat), C (unlink), C (unlinkat), C (write),
  C (writev), C (__errno_location), C (dl_iterate_phdr), C (dlerror), C (dlopen),
  C (pthread_attr_destroy), C (pthread_attr_init), C (pthread_attr_setdetachstate),
  C (pthread_attr_setstack), C (pthread_create), C (pthread_key_create),
  C (pthread_setcancelstate), C (pthread_setcanceltype), C (pthread_setspecific), C (malloc),
  C (calloc), C (free)
};

static void
put (const char *text)
{
  long n = 0;
  while (text[n])
    n++;
  kernel (SYS_write, 1, (long) text, n, 0, 0, 0);
}

static void
put_number (long n)
{
  char digits[24];
  int i = sizeof digits - 1;
  digits[i] = 0;
  do
    digits[--i] = '0' + n % 10;
  while (n /= 10);
  put (digits + i);
}

static void
put_counts (void)
{
  for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
    if (*counts[i].count)
      {
	put (counts[i].name);
	put (" ");
	put_number (*counts[i].count);
	put ("\n");
      }
}

/* Send more events than a small ring holds. */
static HAND int
work (int n)
{
  static __thread long sums[64];
  for (int i = 0; i < 8; i++)
    sums[(n + i) & 63] += i;
  return n < 2 ? n : work (n - 1) + work (n - 2);
}

static volatile long sink;
#define USE(call) sink += (long) (call)

static int
see (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) info, (void) size, (void) data;
  return 1;
}

static HAND void
use_strings (void)
{
  char a[64] = "one two three", b[64];
  memcpy (b, a, sizeof a);
  memmove (b + 1, b, 20);
  memset (b, 'x', 9);
  USE (memcmp (a, b, 20)), USE (strlen (a)), USE (strcmp (a, b)), USE (strncmp (a, b, 3));
  USE (memchr (a, 'w', 10) != NULL), USE (strchr (a, 't') != NULL), USE (strrchr (a, 't') != NULL);
  USE (strspn (a, "o")), USE (strcspn (a, "t"));
  USE (strtoull ("12", NULL, 10)), USE (strtoll ("12", NULL, 10));
  USE (getenv ("HOME") != NULL), USE (getauxval (AT_SECURE));
  free (malloc (100)), free (calloc (10, 10));
}

static HAND void
use_files (void)
{
  struct stat s;
  char buffer[4096];
  struct iovec v = { buffer, 16 };
  int fd = open ("own", O_RDWR | O_CREAT, 0600), other;
  USE (write (fd, buffer, 64)), USE (writev (fd, &v, 1)), USE (pwritev (fd, &v, 1, 8));
  USE (lseek (fd, 0, SEEK_SET)), USE (read (fd, buffer, 8)), USE (pread (fd, buffer, 8, 0));
  USE (fstat (fd, &s)), USE (ftruncate (fd, 8192)), USE (fallocate (fd, 0, 0, 4096));
  USE (flock (fd, LOCK_SH)), USE (fcntl (fd, F_GETFD)), USE (fchmod (fd, 0644));
  void *p = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  USE (madvise (p, 4096, MADV_NORMAL)), USE (mprotect (p, 4096, PROT_READ));
  p = mremap (p, 4096, 8192, MREMAP_MAYMOVE);
  munmap (p, 8192);
  close (fd);
  other = openat (AT_FDCWD, "own", O_RDONLY);
  close (other);
  USE (stat ("own", &s)), USE (lstat ("own", &s)), USE (access ("own", R_OK));
  USE (mkdir ("own.d", 0700)), USE (link ("own", "own.2")), USE (rename ("own.2", "own.d/2"));
  USE (unlinkat (AT_FDCWD, "own.d/2", 0)), USE (rmdir ("own.d")), USE (unlink ("own"));
  USE (readlink ("/proc/self/exe", buffer, sizeof buffer)), USE (getcwd (buffer, sizeof buffer));
}

static HAND void
use_process (void)
{
  struct timespec t;
  struct rlimit l;
  sigset_t one, old;
  cpu_set_t set;
  char byte;
  struct sockaddr nowhere = { .sa_family = AF_UNIX };
  struct msghdr message = { 0 };
  int fd = socket (AF_UNIX, SOCK_DGRAM, 0);
  USE (connect (fd, &nowhere, sizeof nowhere)), USE (sendmsg (fd, &message, MSG_DONTWAIT));
  USE (recv (fd, &byte, 1, MSG_DONTWAIT));
  close (fd);
  sigfillset (&one), sigemptyset (&one), sigaddset (&one, SIGUSR1), USE (sigismember (&one, SIGUSR1));
  pthread_sigmask (SIG_BLOCK, &one, &old), sigpending (&one);
  t = (struct timespec) { 0, 1 };
  sigtimedwait (&one, NULL, &t);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  USE (clock_gettime (CLOCK_MONOTONIC, &t)), USE (getrlimit (RLIMIT_AS, &l)), USE (sched_yield ());
  USE (sched_getaffinity (0, sizeof set, &set)), USE (CPU_COUNT (&set));
  USE (getpid ()), USE (getppid ()), USE (getuid ()), USE (geteuid ());
  USE (prctl (PR_GET_DUMPABLE)), USE (syscall (SYS_gettid));
}

static void *
thread (void *argument)
{
  int old;
  pthread_setcancelstate (PTHREAD_CANCEL_ENABLE, &old);
  pthread_setcanceltype (PTHREAD_CANCEL_DEFERRED, &old);
  return (void *) (long) work ((int) (long) argument);
}

static HAND void
use_threads (void)
{
  static char stack[256 << 10] __attribute__ ((aligned (4096)));
  pthread_attr_t attr;
  pthread_key_t key;
  pthread_t t;
  void *value;
  pthread_key_create (&key, NULL), pthread_setspecific (key, &key);
  pthread_attr_init (&attr), pthread_attr_setstack (&attr, stack, sizeof stack);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_JOINABLE);
  pthread_create (&t, &attr, thread, (void *) 14L);
  pthread_attr_destroy (&attr);
  pthread_join (t, &value);
  USE (value);
  dl_iterate_phdr (see, NULL);
  USE (dlopen ("nowhere.so", RTLD_NOW) != NULL), USE (dlerror () != NULL);
}

int
main (void)
{
  int status;
  errno = 77;
  USE (work (16));
  use_strings ();
  use_files ();
  use_process ();
  use_threads ();
  pid_t child = fork ();
  if (child == 0)
    {
      for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
	*counts[i].count = 0;
      use_strings ();
      use_files ();
      USE (work (12));
      put_counts ();
      _exit (7);
    }
  waitpid (child, &status, 0);
  use_strings ();
  put_number (WEXITSTATUS (status));
  put ("\n");
  put_counts ();
  return 0;
}
