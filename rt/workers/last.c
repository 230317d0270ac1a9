/* last.c - see last.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/workers/last.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/base/rt.h"
#include "rt/common/sys.h"
#include "rt/filters/filters.h"
#include "rt/workers/worker.h"

/* Before a sleep of so long it is checked that the first thread is there. */
#define LONG_NS 1000000000u

#define WATCH_NS 20000000u   /* between checks for the program's last thread */
static uint32_t watching;
enum { WATCHING = 1, WATCHING_STATUS };

#define BLIND_NS 2000000u     /* between checks of rings whose threads cannot wake a consumer */
static uint32_t stopped;      /* no thread of the runtime may run any more */

/* Return true if only the runtime's threads are left, besides the first thread, which stays in the
   kernel's count until the process ends.  The kernel gives a process' task directory two links and
   one for each thread. */
static bool
left_alone (void)
{
  struct stat task;
  uint32_t n = 1 + cab_worker_threads ();
  return stat ("/proc/self/task", &task) == 0 && task.st_nlink <= n + 2;
}

/* Exit status of the program's first thread where it leaves by the system call alone, or is killed
   alone, which nothing reports. */
static int first_status;

static void
look_for_first (void)
{
  struct cab_sys_process self;
  if (__atomic_load_n (&watching, __ATOMIC_RELAXED) || cab_sys_process (cab_rt.part.pid, &self) < 0
      || self.state != 'Z')
    return;
  first_status = self.exit_status;
  __atomic_store_n (&watching, WATCHING_STATUS, __ATOMIC_RELEASE);
}

void
cab_last_end (void)
{
  static const uint64_t by_default[4];   /* the kernel's struct sigaction */
  int signal = first_status & 0x7f;
  if (__atomic_load_n (&watching, __ATOMIC_ACQUIRE) != WATCHING_STATUS)
    return;
  if (signal)
    {
      const uint64_t mask = ~(UINT64_C (1) << (signal - 1));
      syscall (SYS_rt_sigaction, signal, by_default, NULL, sizeof mask);
      syscall (SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
      tgkill (getpid (), gettid (), signal);
    }
  syscall (SYS_exit_group, first_status >> 8 & 0xff);
}

bool
cab_last_is_gone (uint64_t *timeout_ns)
{
  if (__atomic_load_n (&stopped, __ATOMIC_ACQUIRE))
    return true;
  bool filtered = __atomic_load_n (&cab_filters, __ATOMIC_RELAXED);
  if (filtered || *timeout_ns >= LONG_NS)
    look_for_first ();
  if (filtered && *timeout_ns > BLIND_NS)
    *timeout_ns = BLIND_NS;
  if (!__atomic_load_n (&watching, __ATOMIC_ACQUIRE))
    return false;
  *timeout_ns = *timeout_ns < WATCH_NS ? *timeout_ns : WATCH_NS;
  return left_alone ();
}

void
cab_last_watch (void)
{
  __atomic_store_n (&watching, WATCHING, __ATOMIC_RELEASE);
}

void
cab_last_stop (void)
{
  __atomic_store_n (&stopped, 1, __ATOMIC_RELEASE);
}

void
cab_last_fork (void)
{
  watching = stopped = 0;
}
