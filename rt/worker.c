/* worker.c - see worker.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/worker.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "rt/gate.h"
#include "rt/sys.h"

/* A stack of our own, so libc allocates nothing but its table of TLS blocks.  The program's static TLS lies on it too. */
static int
start_on (void *(*work) (void *), void *argument, size_t stack_bytes)
{
  pthread_attr_t attr;
  pthread_t thread;
  void *stack = cab_sys_map (stack_bytes);
  if (!stack)
    return -1;
  pthread_attr_init (&attr);
  pthread_attr_setstack (&attr, stack, stack_bytes);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  int error = pthread_create (&thread, &attr, work, argument);
  pthread_attr_destroy (&attr);
  if (error == 0)
    pthread_setname_np (thread, "cabprof");
  else
    munmap (stack, stack_bytes);
  return -error;
}

/* The new thread inherits the mask.  What libc allocates may enter the runtime. */
int
cab_worker_start (void *(*work) (void *), void *argument)
{
  static const size_t stack_bytes[] = { 1 << 20, 16 << 20, 256 << 20 };
  sigset_t all;
  struct cab_blocked blocked;
  int error = -1;
  cab_inside_pause (true);
  /* Unlike ours this lets libc's own signals through: setuid waits for each thread to answer one. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, NULL);
  for (int i = 0; i < 3 && error < 0; i++)
    error = start_on (work, argument, stack_bytes[i]);
  cab_sys_block (&blocked);
  cab_inside_pause (false);
  return error;
}
