/* libc_system.h - a system call, by an instruction of the runtime's own.
 * Errors:     the kernel's: -errno.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_LIBC_SYSTEM_H
#define CAB_RT_LIBC_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

static inline long
cab_system_call (long number, long a, long b, long c, long d, long e, long f)
{
  register long r10 __asm__ ("r10") = d;
  register long r8 __asm__ ("r8") = e;
  register long r9 __asm__ ("r9") = f;
  __asm__ volatile ("syscall" : "+a" (number)
		    : "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9)
		    : "rcx", "r11", "memory");
  return number;
}

/* The process has started without a filter of system calls: from here on, in a thread that has one,
   files are not opened, which fails with EPERM.  Where it has started with one, nothing is known. */
extern void cab_libc_watch_sandbox (void) __attribute__ ((visibility ("hidden")));
/* Return true if that is so. */
extern int cab_libc_is_confined (void) __attribute__ ((visibility ("hidden")));

/* The offset of the runtime's errno from the thread pointer; while it is 0, threads share one. */
extern int64_t cab_libc_errno_at __attribute__ ((visibility ("hidden")));
extern int *cab_libc_errno (void) __attribute__ ((visibility ("hidden")));

#endif
