/* libc_system.h - a system call, by an instruction of the runtime's own.
 * Errors:     the kernel's: -errno.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_LIBC_SYSTEM_H
#define CAB_RT_LIBC_SYSTEM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

/* What is known about the filters of the calling thread, for one call; filters.h sets it.  Null: no
   filter is known in any thread. */
enum cab_may_call
{
  CAB_CALL_UNKNOWN,     /* no filter is known */
  CAB_CALL_ALLOWED,
  CAB_CALL_FORBIDDEN
};
extern enum cab_may_call (*cab_libc_may_call) (long number, const long *arguments)
  __attribute__ ((visibility ("hidden")));

/* Make system call NUMBER.  Return its result, or -EPERM, without asking the kernel, where a known
   filter forbids it. */
static inline long
cab_system_call (long number, long a, long b, long c, long d, long e, long f)
{
  if (__builtin_expect (cab_libc_may_call != 0, 0)
      && cab_libc_may_call (number, (const long[]) { a, b, c, d, e, f }) == CAB_CALL_FORBIDDEN)
    return -EPERM;
  register long r10 __asm__ ("r10") = d;
  register long r8 __asm__ ("r8") = e;
  register long r9 __asm__ ("r9") = f;
  __asm__ volatile ("syscall" : "+a" (number)
		    : "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9)
		    : "rcx", "r11", "memory");
  return number;
}

/* Record that the process has started without a filter of system calls: from here on, in a thread
   that has one, opening a file fails with EPERM, unless that filter is known and allows it.  Where
   the process has started with a filter, only known ones count. */
extern void cab_libc_watch_sandbox (void) __attribute__ ((visibility ("hidden")));
/* Return true if the calling thread has a filter that the process did not start with. */
extern int cab_libc_is_confined (void) __attribute__ ((visibility ("hidden")));

/* The offset of the runtime's errno from the thread pointer; while it is 0, threads share one. */
extern int64_t cab_libc_errno_at __attribute__ ((visibility ("hidden")));
extern int *cab_libc_errno (void) __attribute__ ((visibility ("hidden")));

#endif
