/* sys.h - what the runtime asks of the kernel: signal masks, locks, clocks, descriptors.
 *
 * Model:      thin; no state.  Nothing here allocates.  errno is the runtime's own (libc.h).
 * Threads:    all functions may run at once.  A lock is a 32-bit word, 0 = free, 1 = held, 2 = held
 *             and somebody sleeps.
 * Progress:   cab_lock blocks (64 pauses, then futex); the others return at once, cab_futex_wait
 *             after its time.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SYS_H
#define CAB_RT_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CAB_PAGE_BYTES 4096u
#define CAB_PATH_BYTES 4096u

static inline uint64_t
cab_round_up (uint64_t n, uint64_t to)
{
  return (n + to - 1) / to * to;
}

/* Block every signal of this thread, libc's own two included; how it was goes to *OLD.  A handler
   that runs instrumented code while this thread holds a lock of the runtime would wait for itself.
   Cancellation waits as well: it comes by one of these signals, and no system call of the runtime
   is a point of cancellation. */
struct cab_blocked
{
  uint64_t signals;
};
void cab_sys_block (struct cab_blocked *old);
void cab_sys_unblock (const struct cab_blocked *old);

/* Acquire and release; pair with each other. */
void cab_lock (uint32_t *lock);
void cab_unlock (uint32_t *lock);
/* 1 if taken, 0 if somebody holds it. */
int cab_trylock (uint32_t *lock);

/* Sleep while *WORD is VALUE, at most TIMEOUT_NS. */
void cab_futex_wait (uint32_t *word, uint32_t value, uint64_t timeout_ns);
void cab_futex_wake (uint32_t *word, int n);

uint64_t cab_realtime_ns (void);
uint64_t cab_monotonic_ns (void);

static inline void
cab_pause (void)
{
  __builtin_ia32_pause ();
}

/* Look number I of many for what another thread is to do: that may want the processor. */
#define CAB_LOOKS_YIELD 64u
void cab_sys_yield (void);
static inline void
cab_pause_or_yield (uint32_t i)
{
  if (i % CAB_LOOKS_YIELD == CAB_LOOKS_YIELD - 1)
    cab_sys_yield ();
  else
    cab_pause ();
}

/* open (2) with close-on-exec, never 0, 1 or 2: a program may run with these closed and must not
   find our file there. The descriptor, or -errno. */
int cab_sys_open (const char *path, int flags, unsigned mode);
int cab_sys_open_at (int at, const char *path, int flags, unsigned mode);

/* Read all of a small file (procfs) into BUFFER, at most BYTES - 1, NUL-terminated.  The length, or
   -errno. */
ssize_t cab_sys_read_file (const char *path, char *buffer, size_t bytes);

/* This process' number as /proc has it: readers look there.  In a namespace of its own getpid may
   tell another one. */
int cab_sys_pid (void);

/* Start time of process PID in clock ticks since boot (field 22 of its stat), with its parent,
   group and session; 0, or -1 if there is no such process.  Any of the pointers may be null. */
struct cab_process
{
  uint64_t start_ticks;
  int pid, parent, group, session;
  char state;   /* as in stat: R, S, ..., Z */
  int exit_status;   /* of a Z, as wait (2) has it */
};
int cab_sys_process (int pid, struct cab_process *process);

/* May a file be BYTES long, by the limit of files' sizes?  0, or -EFBIG: making it so long would
   send SIGXFSZ, which ends the program. */
int cab_sys_may_reach (uint64_t bytes);
/* Give [OFFSET, OFFSET + BYTES) of FD blocks on its medium, so that a store through a mapping
   cannot meet a full disk.  The range is new: file systems without fallocate get zeros written.  0,
   or -errno. */
int cab_sys_allocate (int fd, uint64_t offset, uint64_t bytes);
/* Zeros into [OFFSET, OFFSET + BYTES) of FD, in few and large writes.  0, or -errno. */
int cab_sys_write_zeros (int fd, uint64_t offset, uint64_t bytes);

/* How many processors may this thread run on?  2 if the kernel does not say. */
uint32_t cab_sys_processors (void);

/* Memory of the runtime's own, zero, never given back; null if there is none. */
void *cab_sys_map (size_t bytes);
/* Addresses without memory. */
void *cab_sys_reserve (size_t bytes);

#endif
