/* sys.h - what the runtime asks of the kernel: signal masks, locks, clocks, descriptors.
 *
 * Model:      thin; no state.  Nothing here allocates.  errno is the runtime's own (libc.h).
 * Threads:    all functions may run at once.  A lock is a 32-bit word: 0 = free, 1 = held, 2 =
 *             held, and a thread may sleep on it.
 * Progress:   cab_lock blocks (64 pauses, then futex); the others return at once, cab_futex_wait
 *             after its timeout.
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

/* Block every signal of this thread, libc's own two included, and store the previous mask in *OLD.
   A handler that runs instrumented code while this thread holds a lock of the runtime would
   deadlock.  Cancellation waits as well: it arrives as one of these signals, and no system call of
   the runtime is a cancellation point. */
struct cab_blocked
{
  uint64_t signals;
};
void cab_sys_block (struct cab_blocked *old);
/* Restore the mask that cab_sys_block stored in *OLD. */
void cab_sys_unblock (const struct cab_blocked *old);

/* Take LOCK; acquires, and pairs with the release in cab_unlock. */
void cab_lock (uint32_t *lock);
/* Release LOCK, and wake one sleeper if there may be any. */
void cab_unlock (uint32_t *lock);

/* Sleep while *WORD is VALUE, at most TIMEOUT_NS. */
void cab_futex_wait (uint32_t *word, uint32_t value, uint64_t timeout_ns);
/* Wake at most N threads that sleep on WORD. */
void cab_futex_wake (uint32_t *word, int n);

/* Return the time of CLOCK_REALTIME. */
uint64_t cab_realtime_ns (void);
/* Return the time of CLOCK_MONOTONIC. */
uint64_t cab_monotonic_ns (void);

static inline void
cab_pause (void)
{
  __builtin_ia32_pause ();
}

/* Pause in round I of a polling loop; some rounds yield, since the thread that is waited for may
   need the processor. */
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

/* Open as open (2) does, with close-on-exec, at a descriptor above 2: a program may run with 0, 1
   or 2 closed, and must not find our file there.  Return the descriptor, or -errno. */
int cab_sys_open (const char *path, int flags, unsigned mode);
int cab_sys_open_at (int at, const char *path, int flags, unsigned mode);

/* Read all of a small file (procfs) into BUFFER, at most BYTES - 1, NUL-terminated.  Return the
   length, or -errno. */
ssize_t cab_sys_read_file (const char *path, char *buffer, size_t bytes);

/* Copy N bytes from AT, an address given by the program.  Return false if they cannot be read. */
bool cab_sys_read_memory (void *to, const void *at, size_t n);

/* Return this process' number in /proc, where readers look.  In a PID namespace getpid may return
   another one. */
int cab_sys_pid (void);

/* Facts about process PID from its stat: start time in clock ticks since boot (field 22), parent,
   group and session. */
struct cab_sys_process
{
  uint64_t start_ticks;
  int pid, parent, group, session;
  char state;   /* as in stat: R, S, ..., Z */
  int exit_status;   /* exit status in the form of wait (2), of a Z */
};
/* Fill *PROCESS for process PID.  Return 0, or -1 if there is no such process. */
int cab_sys_process (int pid, struct cab_sys_process *process);

/* Return 0 if the limit of file sizes allows a file of BYTES bytes, else -EFBIG: making it that
   long would send SIGXFSZ, which ends the program. */
int cab_sys_may_reach (uint64_t bytes);
/* Give [OFFSET, OFFSET + BYTES) of FD blocks on its medium, so that a store through a mapping
   cannot meet a full disk.  The range is new: file systems without fallocate get zeros written.
   Return 0, or -errno. */
int cab_sys_allocate (int fd, uint64_t offset, uint64_t bytes);
/* Write zeros to [OFFSET, OFFSET + BYTES) of FD, in few and large writes.  Return 0, or -errno. */
int cab_sys_write_zeros (int fd, uint64_t offset, uint64_t bytes);

/* Return how many processors this thread may run on, or 2 if the kernel does not say. */
uint32_t cab_sys_processors (void);

/* Return BYTES of memory of the runtime's own, zero; null if there is none. */
void *cab_sys_map (size_t bytes);
/* Reserve BYTES of addresses without memory.  Return null if there are none. */
void *cab_sys_reserve (size_t bytes);

#endif
