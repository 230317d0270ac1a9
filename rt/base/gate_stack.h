/* gate_stack.h - the stacks that the slow paths run on, one for each thread: what trampoline.S and
 * C agree on.
 *
 * Model:      trampoline.S.  A thread's first gate makes its stack by mmap; its end gives it back
 *             (cab_gate_leave_stack).  A thread for which none can be had runs the slow paths on
 *             its own stack, which must then have some 20 KB left.
 * Units:      bytes.
 * Threads:    a stack belongs to the thread whose context points to it.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_GATE_STACK_H
#define CAB_RT_GATE_STACK_H

/* Address space of each stack.  Only the pages in use take memory: two or three, more where
   analyses are placed inline. */
#define CAB_STACK_BYTES 0x40000
#define CAB_STACK_GUARD_BYTES 0x1000
#define CAB_GUARD_INSTALL 102     /* MADV_GUARD_INSTALL, which the headers of older kernels lack */
#define CAB_STACK_HEAD_BYTES 64   /* at its upper end: struct cab_stack_head */
#define CAB_STACK_TAKEN 8
#define CAB_MAP_OF_STACK 0x24022   /* private, anonymous, noreserve, stack */
#define CAB_STACK_REQUEST 16

/* Requests to valgrind, which otherwise takes a switch to a nearby stack for growth, and the bytes
   in between for undefined. */
#define CAB_VALGRIND_STACK_REGISTER 0x1501
#define CAB_VALGRIND_STACK_DEREGISTER 0x1502

/* Value of a context's `stack' where none could be had. */
#define CAB_NO_STACK 1

/* Offsets in struct cab_ctx and in struct cab_rt. */
#define CAB_CTX_INSIDE 64
#define CAB_CTX_STACK 112
#define CAB_RT_CTX_OFFSET 8

#ifndef __ASSEMBLER__

#include <stdint.h>

struct cab_ctx;

/* Number of mappings of each stack: 1, or 2 where the kernel (before Linux 6.13) has no guard other
   than a mapping. */
extern uint32_t cab_gate_stack_maps;

struct cab_stack_head
{
  uint32_t tid;           /* of the thread that made it */
  uint64_t taken;         /* nonzero while a thread is on it */
  uint64_t request[6];    /* to valgrind; once the stack is made, [1] is its number there */
};

/* Call FUNCTION (ARGUMENT) on this thread's stack of the runtime, with all signals blocked, and
   return its value.  Keeps all registers. */
uint64_t cab_gate_call (uint64_t (*function) (void *argument), void *argument);

/* Give back the stack of CTX, whose thread ends, is the calling one, and is not on the stack.
   Signals are blocked. */
void cab_gate_leave_stack (struct cab_ctx *ctx);

/* Make the client request REQUEST of valgrind.  Return its answer, or 0 where there is no
   valgrind. */
uint64_t cab_gate_valgrind (uint64_t request[6]);

/* Record the new id of this thread in its stack, in a forked child, on the stack. */
void cab_gate_fork (void);

#endif

#endif
