/* trampoline.S - from the probes' calling convention to C's, on a stack of the runtime's.
 *
 * In:         argument in %rax, %rsp aligned anyhow and past the red zone.  Out: result in %rax, all else as it was.
 * Order:      block all signals, by a system call of our own; take the thread's stack; save the extended
 *             state there; call C; and back.  So no handler runs on the runtime's stack, and the program's
 *             stack needs 128 bytes here, whatever C does.
 * The stack:  ctx.stack is where it begins, with the id of the thread that made it; 0: not made yet; 1: none
 *             could be had.  Who finds 0 makes it, in assembly, as C might need more room than there is.
 *             Beside the id a word says whether somebody is on it.
 * Nesting:    who is on it already, by %rsp, stays on it: code of the program that libc calls back.  Who is
 *             not, and finds that word set, is one of two.  The thread that made the stack has left it by a
 *             jump or a switch of contexts, and makes another one, as somebody may yet be on the first.
 *             Another thread shares the thread-local memory (a bare clone): it stays where it is.
 * Unwinding:  by %rbp, through one frame, which is marked as a signal's: debuggers then expect a stack that
 *             changes.  The caller's %rsp is above the return address by the red zone and what the probe has
 *             pushed; the tables have that from the slot `past'.
 * Extended state: as gate.c found the processor: cab_gate_save_kind 0 = fxsave, 1 = xsave, 2 = xsavec.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <asm/unistd.h>
#include "rt/gate_stack.h"

#define SIG_SETMASK 2
#define PROT_READ_WRITE 3
#define MAP_OF_STACK 0x24022   /* private, anonymous, noreserve, stack */

/* The frame, from %rbp down: flags, the argument, %rcx, past, eight registers, the mask of signals. */
#define ARGUMENT -16
#define MASK -112

	.section .rodata
	.balign 8
all_signals:
	.quad	-1
default_mxcsr:
	.long	0x1f80

	.text

/* How unwinders find the caller's %rsp: DW_CFA_val_expression, whose stack begins with the CFA.  Valgrind knows no
   DW_OP_dup. */

/* CFA + past: breg6 (%rbp) -32, deref, plus; at the return breg7 (%rsp) -40. */
#define CALLER_BY_SLOT .cfi_escape 0x16, 7, 4, 0x76, 0x60, 0x06, 0x22
#define CALLER_AT_RETURN .cfi_escape 0x16, 7, 4, 0x77, 0x58, 0x06, 0x22

/* Of gate `words' before there is a slot: CFA + 136, and if the argument, %rax, is the CFA, as the event has been
   pushed there, 8 bytes for each of its words.  BREG, OFFSET: how to find the CFA.
   plus_uconst 136, breg0, BREG, eq, breg0, deref, lit4, shr, const2u, and, plus_uconst 1, lit3, shl, mul, plus. */
#define CALLER_OF_WORDS(breg, offset) .cfi_escape 0x16, 7, 23, 0x23, 0x88, 0x01, 0x70, 0, breg, offset, 0x29, \
  0x70, 0, 0x06, 0x34, 0x25, 0x0a, 0xff, 0x0f, 0x1a, 0x23, 1, 0x33, 0x24, 0x1e, 0x22

/* The begin of a gate.  Behind it `past' is to be pushed. */
.macro BEGIN name
	.globl	\name
	.hidden	\name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	.cfi_signal_frame
.endm

.macro PUSH_REST
	pushfq
	pushq	%rax
	pushq	%rcx
	.cfi_offset %rcx, -40
.endm

.macro PUSH_FRAME
	endbr64
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	PUSH_REST
.endm

/* %rax: the C function. */
.macro GO name
	CALLER_BY_SLOT
	leaq	cab_gate_\name\()_c(%rip), %rax
	jmp	gate
	.cfi_endproc
	.size	cab_tramp_\name, .-cab_tramp_\name
.endm

.macro TRAMPOLINE name
	BEGIN	cab_tramp_\name
	.cfi_val_offset %rsp, 128
	PUSH_FRAME
	pushq	$128
	GO	\name
.endm

	TRAMPOLINE count
	TRAMPOLINE id
	TRAMPOLINE event
	TRAMPOLINE cab

/* The event has been pushed by the probe, below %rax and the red zone, or lies somewhere else. */
	BEGIN	cab_tramp_words
	CALLER_OF_WORDS (0x77, 8)
	endbr64
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	CALLER_OF_WORDS (0x77, 16)
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	CALLER_OF_WORDS (0x76, 16)
	PUSH_REST
	leaq	16(%rbp), %rcx
	cmpq	%rcx, %rax
	movl	$136, %ecx
	jne	1f
	movl	(%rax), %ecx
	shrl	$4, %ecx
	andl	$0xfff, %ecx
	leaq	144(,%rcx,8), %rcx
1:	pushq	%rcx
	GO	words

/* cab_gate_call: a function of C's own convention, %rdi, with the argument %rsi. */
	BEGIN	cab_gate_call
	PUSH_FRAME
	pushq	$0
	CALLER_BY_SLOT
	movq	%rsi, ARGUMENT(%rbp)
	movq	%rdi, %rax
	jmp	gate
	.cfi_endproc
	.size	cab_gate_call, .-cab_gate_call

/* Call the C function %rax. */
	.type	gate, @function
	.p2align 4
gate:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_def_cfa %rbp, 16
	.cfi_offset %rbp, -16
	.cfi_offset %rcx, -40
	CALLER_BY_SLOT
	pushq	%rdx
	.cfi_offset %rdx, -56
	pushq	%rsi
	.cfi_offset %rsi, -64
	pushq	%rdi
	.cfi_offset %rdi, -72
	pushq	%r8
	.cfi_offset %r8, -80
	pushq	%r9
	.cfi_offset %r9, -88
	pushq	%r10
	.cfi_offset %r10, -96
	pushq	%r11
	.cfi_offset %r11, -104
	pushq	%rbx
	.cfi_offset %rbx, -112
	pushq	%r12
	.cfi_offset %r12, -120
	subq	$8, %rsp
	/* No flag of the program's may hold in C: DF; TF, as what steps through itself would be killed by a trap that is blocked; AC. */
	pushq	$2
	popfq
	movq	%rax, %r12
	movl	$__NR_rt_sigprocmask, %eax
	movl	$SIG_SETMASK, %edi
	leaq	all_signals(%rip), %rsi
	leaq	MASK(%rbp), %rdx
	movl	$8, %r10d
	syscall
	movq	%fs:0, %rbx
	addq	cab_rt+CAB_RT_CTX_OFFSET(%rip), %rbx
	movq	CAB_CTX_STACK(%rbx), %r8
	testq	%r8, %r8
	jnz	1f
	call	make_stack
1:	cmpq	$CAB_NO_STACK, %r8
	je	here
	movq	%r8, %rax
	subq	%rsp, %rax
	cmpq	$CAB_STACK_BYTES, %rax
	jb	here
	xorl	%eax, %eax
	movl	$1, %edx
	lock cmpxchgq %rdx, CAB_STACK_TAKEN(%r8)
	jne	taken
take:	movq	%r8, %rsp
	movq	%r8, %rbx
	jmp	with_state
taken:	movl	$__NR_gettid, %eax
	syscall
	cmpl	%eax, (%r8)
	jne	here
	movq	$0, CAB_CTX_INSIDE(%rbx)
	call	make_stack
	cmpq	$CAB_NO_STACK, %r8
	je	here
	movq	$1, CAB_STACK_TAKEN(%r8)
	jmp	take
here:	xorl	%ebx, %ebx

/* %rbx: the stack that was taken, or 0. */
with_state:
	movq	ARGUMENT(%rbp), %rdi
	movl	cab_gate_save_bytes(%rip), %eax
	subq	%rax, %rsp
	andq	$-64, %rsp
	xorl	%edx, %edx
	movl	cab_gate_save_mask(%rip), %eax
	cmpl	$1, cab_gate_save_kind(%rip)
	jb	1f
	/* xsave leaves parts of its header as they are, and xrstor wants them zero. */
	movq	%rdx, 512(%rsp)
	movq	%rdx, 520(%rsp)
	movq	%rdx, 528(%rsp)
	movq	%rdx, 536(%rsp)
	movq	%rdx, 544(%rsp)
	movq	%rdx, 552(%rsp)
	movq	%rdx, 560(%rsp)
	movq	%rdx, 568(%rsp)
	je	2f
	xsavec	(%rsp)
	jmp	3f
1:	fxsave	(%rsp)
	jmp	3f
2:	xsave	(%rsp)
	/* C's arithmetic traps nowhere, whatever the program has asked for. */
3:	ldmxcsr	default_mxcsr(%rip)
	call	*%r12
	movq	%rax, ARGUMENT(%rbp)
	xorl	%edx, %edx
	movl	cab_gate_save_mask(%rip), %eax
	cmpl	$1, cab_gate_save_kind(%rip)
	jb	4f
	xrstor	(%rsp)
	jmp	5f
4:	fxrstor	(%rsp)

/* Back on the program's stack. */
5:	leaq	MASK(%rbp), %rsp
	testq	%rbx, %rbx
	jz	6f
	movq	$0, CAB_STACK_TAKEN(%rbx)
	/* By an instruction of ours: signals that have waited come right behind it, and a sampler among them finds
	   the time that they waited spent in the runtime. */
6:	movl	$__NR_rt_sigprocmask, %eax
	movl	$SIG_SETMASK, %edi
	movq	%rsp, %rsi
	xorl	%edx, %edx
	movl	$8, %r10d
	syscall
	addq	$8, %rsp
	popq	%r12
	popq	%rbx
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	.cfi_restore %r12
	.cfi_restore %rbx
	.cfi_restore %r11
	.cfi_restore %r10
	.cfi_restore %r9
	.cfi_restore %r8
	.cfi_restore %rdi
	.cfi_restore %rsi
	.cfi_restore %rdx
	addq	$8, %rsp
	popq	%rcx
	.cfi_restore %rcx
	popq	%rax
	popfq
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	CALLER_AT_RETURN
	ret
	.cfi_endproc
	.size	gate, .-gate

/* Make a stack for the thread whose context is %rbx: its begin to %r8 and to the context.  Its last page is a guard. */
	.type	make_stack, @function
	.p2align 4
make_stack:
	.cfi_startproc
	movl	$__NR_mmap, %eax
	xorl	%edi, %edi
	movl	$CAB_STACK_BYTES + CAB_STACK_GUARD_BYTES, %esi
	movl	$PROT_READ_WRITE, %edx
	movl	$MAP_OF_STACK, %r10d
	movq	$-1, %r8
	xorl	%r9d, %r9d
	syscall
	movl	$CAB_NO_STACK, %r8d
	cmpq	$-4096, %rax
	ja	1f
	leaq	CAB_STACK_BYTES + CAB_STACK_GUARD_BYTES - CAB_STACK_HEAD_BYTES(%rax), %r8
	movq	%rax, %rdi
	movl	$CAB_STACK_GUARD_BYTES, %esi
	xorl	%edx, %edx
	movl	$__NR_mprotect, %eax
	syscall
	movl	$__NR_gettid, %eax
	syscall
	movl	%eax, (%r8)
	leaq	CAB_STACK_REQUEST(%r8), %rdi
	movq	$CAB_VALGRIND_STACK_REGISTER, (%rdi)
	leaq	CAB_STACK_HEAD_BYTES - CAB_STACK_BYTES(%r8), %rax
	movq	%rax, 8(%rdi)
	movq	%r8, 16(%rdi)
	call	cab_gate_valgrind
	movq	%rax, CAB_STACK_REQUEST + 8(%r8)
1:	movq	%r8, CAB_CTX_STACK(%rbx)
	ret
	.cfi_endproc
	.size	make_stack, .-make_stack

/* Rotations by 128 bits in all, and an exchange of a register with itself: a processor does nothing, valgrind takes the request. */
	.globl	cab_gate_valgrind
	.hidden	cab_gate_valgrind
	.type	cab_gate_valgrind, @function
	.p2align 4
cab_gate_valgrind:
	.cfi_startproc
	movq	%rdi, %rax
	xorl	%edx, %edx
	rolq	$3, %rdi
	rolq	$13, %rdi
	rolq	$61, %rdi
	rolq	$51, %rdi
	xchgq	%rbx, %rbx
	movq	%rdx, %rax
	ret
	.cfi_endproc
	.size	cab_gate_valgrind, .-cab_gate_valgrind

	.section .note.GNU-stack, "", @progbits
