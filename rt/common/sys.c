/* sys.c - see sys.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "rt/common/text.h"

#define ZEROS 64   /* most pages of one write */

/* Block signals by the runtime's own system call: signals that have waited arrive right after it,
   and a sampler among these sees that the time that it waited was spent in the runtime. glibc's
   sigprocmask would leave its two internal signals unblocked. */
void
cab_sys_block (struct cab_blocked *old)
{
  const uint64_t all = ~UINT64_C (0);
  const long bytes = sizeof all;
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &all, &old->signals, bytes);
}

void
cab_sys_unblock (const struct cab_blocked *old)
{
  const long bytes = sizeof old->signals;
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, &old->signals, NULL, bytes);
}

void
cab_futex_wait (uint32_t *word, uint32_t value, uint64_t timeout_ns)
{
  struct timespec t = { timeout_ns / 1000000000, timeout_ns % 1000000000 };
  /* A filter may forbid the call. */
  if (syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &t, NULL, 0) < 0 && errno == EPERM)
    cab_pause ();
}

void
cab_futex_wake (uint32_t *word, int n)
{
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

/* Return 1 if LOCK was free and is taken now (acquire), 0 if another thread holds it. */
static int
try_lock (uint32_t *lock)
{
  uint32_t expected = 0;
  return __atomic_compare_exchange_n (lock, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void
cab_lock (uint32_t *lock)
{
  for (int i = 0; i < 64; i++)
    {
      if (try_lock (lock))
	return;
      cab_pause ();
    }
  while (__atomic_exchange_n (lock, 2, __ATOMIC_ACQUIRE) != 0)
    cab_futex_wait (lock, 2, 1000000000);
}

void
cab_unlock (uint32_t *lock)
{
  if (__atomic_exchange_n (lock, 0, __ATOMIC_RELEASE) == 2)
    cab_futex_wake (lock, 1);
}

static uint64_t
clock_ns (clockid_t clock)
{
  struct timespec t = { 0 };
  clock_gettime (clock, &t);
  return (uint64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

uint64_t
cab_realtime_ns (void)
{
  return clock_ns (CLOCK_REALTIME);
}

uint64_t
cab_monotonic_ns (void)
{
  return clock_ns (CLOCK_MONOTONIC);
}

int
cab_sys_open (const char *path, int flags, unsigned mode)
{
  return cab_sys_open_at (AT_FDCWD, path, flags, mode);
}

int
cab_sys_open_at (int at, const char *path, int flags, unsigned mode)
{
  int fd = openat (at, path, flags | O_CLOEXEC, mode);
  if (fd < 0)
    return -errno;
  if (fd > 2)
    return fd;
  int high = fcntl (fd, F_DUPFD_CLOEXEC, 3);
  int error = errno;
  close (fd);
  return high < 0 ? -error : high;
}

ssize_t
cab_sys_read_file (const char *path, char *buffer, size_t bytes)
{
  int fd = cab_sys_open (path, O_RDONLY, 0);
  if (fd < 0)
    return fd;
  size_t n = 0;
  ssize_t got;
  while (n < bytes - 1 && (got = read (fd, buffer + n, bytes - 1 - n)) > 0)
    n += got;
  close (fd);
  buffer[n] = '\0';
  return n;
}

int
cab_sys_pid (void)
{
  char number[16];
  ssize_t n = readlink ("/proc/self", number, sizeof number - 1);
  number[n > 0 ? n : 0] = '\0';
  int pid = strtoll (number, NULL, 10);
  return pid > 0 ? pid : getpid ();
}

int
cab_sys_process (int pid, struct cab_sys_process *process)
{
  char path[64], stat[640];
  struct cab_text t = CAB_TEXT (path);
  cab_text_add (&t, "/proc/");
  cab_text_number (&t, pid, 10);
  cab_text_add (&t, "/stat");
  if (cab_sys_read_file (path, stat, sizeof stat) <= 0)
    return -1;
  /* The command's name stands in parentheses and may hold any character. */
  char *p = strrchr (stat, ')');
  if (!p || p[1] != ' ')
    return -1;
  process->pid = pid;
  process->state = p[2];
  p += 3;
  long long field[52] = { 0 };
  for (int i = 4; i <= 52 && *p; i++)
    field[i - 1] = strtoll (p, &p, 10);
  process->parent = field[3];
  process->group = field[4];
  process->session = field[5];
  process->start_ticks = field[21];
  process->exit_status = field[51];
  return 0;
}

int
cab_sys_write_zeros (int fd, uint64_t offset, uint64_t bytes)
{
  static char zeros[CAB_PAGE_BYTES];
  struct iovec same[ZEROS];
  for (int i = 0; i < ZEROS; i++)
    same[i] = (struct iovec) { zeros, sizeof zeros };
  while (bytes > 0)
    {
      /* File systems keep data in larger units where it begins and ends at multiples of many
	 pages. */
      uint64_t most = ZEROS * sizeof zeros - offset % (ZEROS * sizeof zeros),
	       whole = (bytes < most ? bytes : most) / sizeof zeros;
      same[0].iov_len = whole ? sizeof zeros : bytes;
      ssize_t n = pwritev (fd, same, whole ? whole : 1, offset);
      if (n <= 0)
	return n < 0 ? -errno : -ENOSPC;
      offset += n;
      bytes -= n;
    }
  return 0;
}

int
cab_sys_may_reach (uint64_t bytes)
{
  struct rlimit limit;
  return getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
	  && bytes > limit.rlim_cur
	 ? -EFBIG
	 : 0;
}

int
cab_sys_allocate (int fd, uint64_t offset, uint64_t bytes)
{
  if (cab_sys_may_reach (offset + bytes) < 0)
    return -EFBIG;
  if (fallocate (fd, 0, offset, bytes) == 0)
    return 0;
  if (errno != EOPNOTSUPP && errno != ENOSYS)
    return -errno;
  return cab_sys_write_zeros (fd, offset, bytes);
}

bool
cab_sys_read_memory (void *to, const void *at, size_t n)
{
  struct iovec local = { to, n }, remote = { (void *) at, n };
  long got = syscall (SYS_process_vm_readv, getpid (), &local, 1, &remote, 1, 0);
  if (got < 0 && (errno == EPERM || errno == ENOSYS))
    {
      memcpy (to, at, n);
      return true;
    }
  return got == (long) n;
}

void
cab_sys_yield (void)
{
  sched_yield ();
}

uint32_t
cab_sys_processors (void)
{
  cpu_set_t set;
  uint32_t n = 0;
  if (sched_getaffinity (0, sizeof set, &set) == 0)
    for (size_t i = 0; i < CPU_SETSIZE; i++)
      n += CPU_ISSET (i, &set) != 0;
  return n > 0 ? n : 2;
}

void *
cab_sys_map (size_t bytes)
{
  void *p = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		  -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

void *
cab_sys_reserve (size_t bytes)
{
  void *p = mmap (NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}
