/* trampoline.S - from the probes' calling convention to C's, on a stack of the runtime's.
 *
 * In:         argument in %rax, %rsp of any alignment and past the red zone.  Out: result in %rax,
 *             everything else unchanged.
 * Order:      save general registers and block all signals (gate_front.h), in the module's stub, or
 *             here for modules whose stub has no such code and for cab_gate_call; take the thread's
 *             stack; save the extended state there; call C; undo all of it in reverse.  So no
 *             handler runs on the runtime's stack, and the program's stack needs 136 bytes for a
 *             gate, whatever C does.
 * The stack:  ctx.stack is where it begins, with the id of the thread that made it; 0: not made
 *             yet; 1: none could be had.  A gate that finds 0 makes it, in assembly, as C might
 *             need more room than is left.  A word beside the id shows whether a thread is on it.
 * Nesting:    a gate whose %rsp shows that it is on the stack already stays there: code of the
 *             program that libc calls back.  If it is not on the stack, and finds that word set,
 *             there are two cases.  Either the thread that made the stack has left it by a jump or
 *             a switch of contexts, and makes another one, as the first may still be in use; or
 *             another thread shares the thread-local memory (a bare clone), and stays where it is.
 * Filters:    once a filter of system calls is known (filters.h) modules enter here, and C says
 *             whether the thread may block signals, and make a stack.  A blind thread does without,
 *             on its own stack if it has no other.
 * Unwinding:  by %rbp, which is the gate's, through one frame that is marked as a signal's:
 *             debuggers then expect that the stack changes.
 * Extended state: cab_gate_save_kind, which gate.c sets for the processor: 0 = fxsave, 1 = xsave,
 *             2 = xsavec.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <asm/unistd.h>
#include "cabprof/gate_front.h"
#include "rt/base/gate_stack.h"

#define PROT_READ_WRITE 3
#define NOT_BLOCKED -1   /* in place of the mask of signals: SIGKILL is in none */

/* Offset from %rbp of the program's %rsp while a C function runs: two registers below the return
   address to the gate. */
#define SAVED CAB_FRONT_MASK - 24

	.section .rodata
	.balign 8
default_mxcsr:
	.long	0x1f80

	.text

.macro FUNCTION name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
.endm

.macro END name
	.cfi_endproc
	.size	\name, .-\name
.endm

.macro GLOBAL name
	.globl	\name
	.hidden	\name
	FUNCTION \name
.endm

/* Define cab_inner_NAME, which a gate's front calls, and cab_tramp_NAME, a whole gate. */
.macro TRAMPOLINE name
	GLOBAL	cab_inner_\name
	endbr64
	leaq	cab_gate_\name\()_c(%rip), %rax
	jmp	inner
	END	cab_inner_\name
	.section .data.rel.ro, "aw"
	.balign	8
word_\name:
	.quad	cab_inner_\name
	.text
	GLOBAL	cab_tramp_\name
	CAB_FRONT_BEGIN (word_\name)
	jmp	front
	END	cab_tramp_\name
.endm

	TRAMPOLINE count
	TRAMPOLINE id
	TRAMPOLINE event
	TRAMPOLINE cab
	TRAMPOLINE words

/* cab_gate_call: call the function %rdi, which has C's own convention, with the argument %rsi. */
	FUNCTION inner_call
	movq	CAB_FRONT_RDI(%rbp), %rax
	jmp	inner
	END	inner_call
	.section .data.rel.ro, "aw"
	.balign	8
word_call:
	.quad	inner_call
	.text
	GLOBAL	cab_gate_call
	movq	%rsi, %rax
	CAB_FRONT_BEGIN (word_call)
	jmp	front
	END	cab_gate_call

	FUNCTION front
	CAB_FRONT_STATE
	CAB_FRONT_SAVE
	cmpl	$0, cab_filters(%rip)
	jne	3f
1:	CAB_FRONT_BLOCK
2:	CAB_FRONT_CALL
	cmpq	$NOT_BLOCKED, (%rsp)
	je	4f
	CAB_FRONT_UNBLOCK
	jmp	4f
3:	movq	%fs:0, %rdi
	addq	cab_rt+CAB_RT_CTX_OFFSET(%rip), %rdi
	movq	%rsp, %rax
	andq	$-16, %rsp
	pushq	%rax
	pushq	%r8
	call	cab_filters_blind
	popq	%r8
	popq	%rsp
	testb	%al, %al
	jz	1b
	jmp	2b
4:
	.globl	cab_gate_restore
	.hidden	cab_gate_restore
cab_gate_restore:
	CAB_FRONT_RESTORE
	END	front

/* Call the C function %rax from the frame %rbp of a gate. */
	FUNCTION inner
	.cfi_signal_frame
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	.cfi_def_cfa %rbp, CAB_FRONT_MASK
	movq	%rax, %r12
	movq	%fs:0, %rbx
	addq	cab_rt+CAB_RT_CTX_OFFSET(%rip), %rbx
	movq	CAB_CTX_STACK(%rbx), %r8
	testq	%r8, %r8
	jnz	1f
	cmpq	$NOT_BLOCKED, CAB_FRONT_MASK(%rbp)
	je	here
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
taken:	cmpl	$0, cab_filters(%rip)
	jne	here
	movl	$__NR_gettid, %eax
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

/* %rbx is the stack that was taken, or 0. */
with_state:
	movq	CAB_FRONT_ARGUMENT(%rbp), %rdi
	movl	cab_gate_save_bytes(%rip), %eax
	subq	%rax, %rsp
	andq	$-64, %rsp
	xorl	%edx, %edx
	movl	cab_gate_save_mask(%rip), %eax
	cmpl	$1, cab_gate_save_kind(%rip)
	jb	1f
	/* xsave leaves parts of its header unchanged, and xrstor requires them to be zero. */
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
	/* C's arithmetic must not trap, whatever the program has enabled. */
3:	ldmxcsr	default_mxcsr(%rip)
	call	*%r12
	movq	%rax, %r12
	xorl	%edx, %edx
	movl	cab_gate_save_mask(%rip), %eax
	cmpl	$1, cab_gate_save_kind(%rip)
	jb	4f
	xrstor	(%rsp)
	jmp	5f
4:	fxrstor	(%rsp)

/* Back on the program's stack. */
5:	leaq	SAVED(%rbp), %rsp
	testq	%rbx, %rbx
	jz	6f
	movq	$0, CAB_STACK_TAKEN(%rbx)
6:	movq	%r12, %rax
	popq	%r12
	.cfi_restore %r12
	popq	%rbx
	.cfi_restore %rbx
	.cfi_def_cfa %rsp, 8
	ret
	END	inner

/* Make a stack for the thread whose context is %rbx, and store its begin in %r8 and in the context.
   Its last page is a guard, by a mark in the page's entry if the kernel supports that, since a
   separate mapping would be one more for each thread. */
	FUNCTION make_stack
	movl	$__NR_mmap, %eax
	xorl	%edi, %edi
	movl	$CAB_STACK_BYTES + CAB_STACK_GUARD_BYTES, %esi
	movl	$PROT_READ_WRITE, %edx
	movl	$CAB_MAP_OF_STACK, %r10d
	movq	$-1, %r8
	xorl	%r9d, %r9d
	syscall
	movl	$CAB_NO_STACK, %r8d
	cmpq	$-4096, %rax
	ja	1f
	leaq	CAB_STACK_BYTES + CAB_STACK_GUARD_BYTES - CAB_STACK_HEAD_BYTES(%rax), %r8
	movq	%rax, %rdi
	movl	$CAB_STACK_GUARD_BYTES, %esi
	movl	$CAB_GUARD_INSTALL, %edx
	movl	$__NR_madvise, %eax
	syscall
	testq	%rax, %rax
	jz	2f
	movl	$2, cab_gate_stack_maps(%rip)
	xorl	%edx, %edx
	movl	$__NR_mprotect, %eax
	syscall
2:	movl	$__NR_gettid, %eax
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
	END	make_stack

/* Make a client request of valgrind, by rotations by 128 bits in all and an exchange of a register
   with itself: on a processor they do nothing. */
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
