/* worker.c - see worker.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/workers/worker.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rt/base/hide.h"
#include "rt/filters/filters.h"
#include "rt/base/rt.h"
#include "rt/workers/place.h"
#include "rt/common/sys.h"

/* Kernel ids of the threads that were started, 0: not known yet. */
#define NOBODY INT32_MAX
#define MOST (CAB_MAX_CONSUMERS + CAB_MAX_DELEGATES + 8)
static uint32_t n_started, tids[MOST];
static uint32_t n_threads;   /* cab_worker_threads; a thread may leave before it is counted */

/* Stands at the far end of the thread's stack. */
struct job
{
  void *(*work) (void *);
  void *argument;
  uint32_t *tid;
  struct cab_thread_place place;
};

/* Run a job in a new thread, which starts with all signals blocked. libc's own signals must come
   through: setuid waits for each thread to answer one.  Probes of what a user's analysis calls
   count nowhere. */
static void *
begin (void *job)
{
  struct cab_hidden hidden;
  sigset_t all;
  cab_hide (&hidden);
  cab_ctx_self ()->confined = CAB_CONFINED_LOOKED;   /* it has no filter: see cab_worker_start */
  __atomic_store_n (((const struct job *) job)->tid, gettid (), __ATOMIC_RELEASE);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, NULL);
  cab_place_take (&((const struct job *) job)->place);
  prctl (PR_SET_NAME, "cabprof");
  return ((const struct job *) job)->work (((const struct job *) job)->argument);
}

/* Start a thread for JOB.  The stack is ours, so libc allocates nothing but its table of TLS
   blocks.  The program's static TLS lies on it too. */
static int
start_on (const struct job *job, size_t stack_bytes)
{
  pthread_attr_t attr;
  pthread_t thread;
  void *stack = cab_sys_map (stack_bytes);
  if (!stack)
    return -1;
  *(struct job *) stack = *job;
  pthread_attr_init (&attr);
  pthread_attr_setstack (&attr, stack, stack_bytes);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  int error = pthread_create (&thread, &attr, begin, stack);
  pthread_attr_destroy (&attr);
  if (error)
    munmap (stack, stack_bytes);
  return -error;
}

int
cab_worker_start (void *(*work) (void *), void *argument)
{
  static const size_t stack_bytes[] = { 1 << 20, 16 << 20, 256 << 20 };
  struct cab_hidden hidden;
  int error = -1;
  uint32_t n = cab_filters_known () ? MOST : __atomic_fetch_add (&n_started, 1, __ATOMIC_RELAXED);
  if (n >= MOST)
    return -1;
  struct job job = { work, argument, &tids[n], { 0 } };
  cab_place_find (&job.place);
  cab_hide (&hidden);
  for (int i = 0; i < 3 && error < 0; i++)
    error = start_on (&job, stack_bytes[i]);
  cab_hide_end (&hidden);
  if (error < 0)
    __atomic_store_n (&tids[n], NOBODY, __ATOMIC_RELEASE);
  else
    __atomic_fetch_add (&n_threads, 1, __ATOMIC_RELEASE);
  return error;
}

uint32_t
cab_worker_threads (void)
{
  int32_t n = __atomic_load_n (&n_threads, __ATOMIC_ACQUIRE);
  return n < 0 ? 0 : n;
}

void
cab_worker_leave (void)
{
  __atomic_fetch_sub (&n_threads, 1, __ATOMIC_RELEASE);
}

void
cab_worker_wait (void)
{
  uint32_t n = __atomic_load_n (&n_started, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < n && i < MOST; i++)
    for (uint32_t tid;
	 !(tid = __atomic_load_n (&tids[i], __ATOMIC_ACQUIRE)) || tgkill (getpid (), tid, 0) == 0;)
      cab_sys_yield ();
}

void
cab_worker_fork (void)
{
  n_started = n_threads = 0;
  memset (tids, 0, sizeof tids);
}
