/* gate_front.h - how a gate begins and ends: assembly text for the stub of each module
 * (plugin/stub/stub.c), and for the runtime itself (rt/engine/probe/trampoline.S).
 *
 * Model:      the general registers that C may change are saved, all signals are blocked by a
 *             system call, a function is called, and all of it is undone.  Signals that have waited
 *             arrive right after the second system call, in the module's own code, whose unwind
 *             tables the program's loader knows.
 * Frame:      from %rbp down: flags, the argument (which becomes the result), %rcx, %rdx, %rsi,
 *             %rdi, %r8 to %r11, the mask of signals: 96 bytes below the return address of 8.
 * Function:   C's convention for one that returns a word, except that it preserves the extended
 *             state.  Its argument is in %rdi; %rbp is the frame's.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CABPROF_GATE_FRONT_H
#define CABPROF_GATE_FRONT_H

#include <sys/syscall.h>

/* Offsets from %rbp. */
#define CAB_FRONT_ARGUMENT -16
#define CAB_FRONT_RDI -48
#define CAB_FRONT_MASK -88

/* Begin a gate whose function's address is at WORD.  CAB_FRONT_BODY follows, or a jump to it. */
#define CAB_FRONT_BEGIN(word) \
  endbr64; \
  pushq %rbp; .cfi_adjust_cfa_offset 8; .cfi_rel_offset %rbp, 0; \
  movq %rsp, %rbp; .cfi_def_cfa_register %rbp; \
  pushfq; \
  pushq %rax; .cfi_offset %rax, -32; \
  pushq %rcx; .cfi_offset %rcx, -40; \
  leaq word(%rip), %rcx

/* Unwind information at a CAB_FRONT_BODY that is jumped to. */
#define CAB_FRONT_STATE \
  .cfi_def_cfa %rbp, 16; .cfi_offset %rbp, -16; .cfi_offset %rax, -32; .cfi_offset %rcx, -40

/* Save, block, call, unblock and restore.  C runs without the program's flags DF, TF (a program
   that steps through itself would be killed by a trap that is blocked) and AC.  2 is
   SIG_SETMASK.  The kernel reads the new mask, all signals, before it writes the old one in its
   place. */
#define CAB_FRONT_BODY \
  CAB_FRONT_SAVE; CAB_FRONT_BLOCK; CAB_FRONT_CALL; CAB_FRONT_UNBLOCK; CAB_FRONT_RESTORE

/* Save the other registers, load the function into %r8, and set the slot of the mask to -1. */
#define CAB_FRONT_SAVE \
  pushq %rdx; .cfi_offset %rdx, -48; \
  pushq %rsi; .cfi_offset %rsi, -56; \
  pushq %rdi; .cfi_offset %rdi, -64; \
  pushq %r8; .cfi_offset %r8, -72; \
  pushq %r9; .cfi_offset %r9, -80; \
  pushq %r10; .cfi_offset %r10, -88; \
  pushq %r11; .cfi_offset %r11, -96; \
  movq (%rcx), %r8; \
  pushq $2; \
  popfq; \
  pushq $-1

#define CAB_FRONT_BLOCK \
  movl $(__NR_rt_sigprocmask), %eax; \
  movl $2, %edi; \
  movq %rsp, %rsi; \
  movq %rsp, %rdx; \
  movl $8, %r10d; \
  syscall

#define CAB_FRONT_CALL \
  movq CAB_FRONT_ARGUMENT(%rbp), %rdi; \
  call *%r8; \
  movq %rax, CAB_FRONT_ARGUMENT(%rbp)

#define CAB_FRONT_UNBLOCK \
  movl $(__NR_rt_sigprocmask), %eax; \
  movl $2, %edi; \
  movq %rsp, %rsi; \
  xorl %edx, %edx; \
  movl $8, %r10d; \
  syscall

#define CAB_FRONT_RESTORE \
  popq %r11; \
  popq %r11; .cfi_restore %r11; \
  popq %r10; .cfi_restore %r10; \
  popq %r9; .cfi_restore %r9; \
  popq %r8; .cfi_restore %r8; \
  popq %rdi; .cfi_restore %rdi; \
  popq %rsi; .cfi_restore %rsi; \
  popq %rdx; .cfi_restore %rdx; \
  popq %rcx; .cfi_restore %rcx; \
  popq %rax; .cfi_restore %rax; \
  popfq; \
  popq %rbp; .cfi_def_cfa %rsp, 8; .cfi_restore %rbp; \
  ret

#endif
