/* direct.S - the gates of placement=direct: see rt/engine/ring/direct.h.
 *
 * In, out:    as trampoline.S, but for the arithmetic flags, which probes do not keep.
 * Frame:      %r15 points to its own old value; below it are the argument (which is the result),
 *             %rcx, %rdx, %rsi, %rdi, %r8 to %r11, %rbx, %rbp, %r12 to %r14, flags, and 0, or 1
 *             before the mask of signals, if these are blocked.  All C code that is called here
 *             leaves %r15 alone, so this is the frame wherever that code is left.
 * Sequences:  two restartable ones, which all code between cab_direct_begin and cab_direct_end
 *             belongs to: up to the store of the cursor, and up to the end of feeding.  The kernel
 *             sends a thread that is interrupted in the first one to the gate with its event, as
 *             nothing has happened; in the second one to where the event is finished.  The thread's
 *             pointer to its sequence is not cleared: it has no effect elsewhere.
 * Sections:   rt/direct.lds puts them in order around the C code.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <asm/unistd.h>
#include "rt/base/gate_stack.h"

#define ARGUMENT -8
#define LAST -72            /* of what a gate restores in any case */
#define RBX -80             /* to %r14: what C code restores, unless it is left midway */
#define RBP -88
#define R12 -96
#define R13 -104
#define R14 -112
#define FLAGS -120
#define BLOCKED -128
#define MASK -136
#define ODD_FLAGS 0x40500   /* AC, DF, TF: C runs without these */
#define RSEQ_CPU 4          /* offsets in struct rseq */
#define RSEQ_SEQUENCE 8
#define RSEQ_SIGNATURE 0x53053053

/* Set REGISTER to the thread's context. */
#define CONTEXT(register) movq %fs:0, register; addq cab_rt+CAB_RT_CTX_OFFSET(%rip), register

.macro GLOBAL name
	.globl	\name
	.hidden	\name
.endm

.macro GATE name
	GLOBAL	\name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	endbr64
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r15, 0
	movq	%rsp, %r15
	.cfi_def_cfa_register %r15
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushfq
	pushq	$0
	testl	$ODD_FLAGS, FLAGS(%r15)
.endm

.macro END name
	.cfi_endproc
	.size	\name, .-\name
.endm

/* Unwind information of code that has the frame. */
.macro FRAME
	.cfi_startproc
	.cfi_def_cfa %r15, 16
	.cfi_offset %r15, -16
	.cfi_offset %rcx, -32
	.cfi_offset %rdx, -40
	.cfi_offset %rsi, -48
	.cfi_offset %rdi, -56
.endm

.macro FRAME_MIDWAY
	FRAME
	.cfi_offset %rbx, RBX-16
	.cfi_offset %rbp, RBP-16
	.cfi_offset %r12, R12-16
	.cfi_offset %r13, R13-16
	.cfi_offset %r14, R14-16
.endm

/* Restore what C code has not, where it was left midway. */
.macro MIDWAY
	movq	RBX(%r15), %rbx
	movq	RBP(%r15), %rbp
	movq	R12(%r15), %r12
	movq	R13(%r15), %r13
	movq	R14(%r15), %r14
.endm

.macro RESTORE
	leaq	LAST(%r15), %rsp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	popq	%r15
	.cfi_def_cfa %rsp, 8
	.cfi_restore %r15
.endm

/* Block all signals, or put the old mask back.  2 is SIG_SETMASK. */
.macro BLOCK
	movq	$1, BLOCKED(%r15)
	pushq	$-1
	movl	$__NR_rt_sigprocmask, %eax
	movl	$2, %edi
	movq	%rsp, %rsi
	movq	%rsp, %rdx
	movl	$8, %r10d
	syscall
.endm
.macro UNBLOCK
	movl	$__NR_rt_sigprocmask, %eax
	movl	$2, %edi
	leaq	MASK(%r15), %rsi
	xorl	%edx, %edx
	movl	$8, %r10d
	syscall
.endm

/* Store the event and feed it, or go to SLOW.  LOAD sets %rdi to the event's address.  The code
   before SEQUENCE begins it. */
.macro QUICK sequence slow load:vararg
	jnz	\slow
	\load
	CONTEXT (%rsi)
	movq	cab_direct_rseq(%rip), %rax
	testq	%rax, %rax
	jz	4f
	cmpl	$0, %fs:RSEQ_CPU(%rax)
	jl	\slow
	leaq	\sequence(%rip), %rcx
	movq	%rcx, %fs:RSEQ_SEQUENCE(%rax)
	jmp	\sequence\()_store
4:	BLOCK
	\load
	CONTEXT (%rsi)
	call	cab_direct_log
	testq	%rax, %rax
	jz	\slow
	movq	%rdx, (%rax)
	CONTEXT (%rdi)
	call	cab_direct_feed
	UNBLOCK
	jmp	done
.endm

/* The two sequences of QUICK. */
.macro STORE sequence slow
	.type	\sequence\()_store, @function
\sequence\()_store:
	FRAME
	call	cab_direct_log
	testq	%rax, %rax
	jz	\slow
	movq	%rdx, (%rax)
	GLOBAL	\sequence\()_stored
\sequence\()_stored:
	movq	cab_direct_rseq(%rip), %rax
	CONTEXT (%rdi)
	leaq	cab_direct_feeding(%rip), %rcx
	movq	%rcx, %fs:RSEQ_SEQUENCE(%rax)
	call	cab_direct_feed
	jmp	done
	END	\sequence\()_store
.endm

/* Not in the sequences: %r15 is not the frame's everywhere. */
	.section cab_direct_first, "ax", @progbits

	GATE	cab_direct_event
	QUICK	cab_direct_one, cab_direct_slow_event, leaq ARGUMENT(%r15), %rdi
	END	cab_direct_event

	GATE	cab_direct_words
	QUICK	cab_direct_many, cab_direct_slow_words, movq ARGUMENT(%r15), %rdi
	END	cab_direct_words

	.type	done, @function
done:
	FRAME
	RESTORE
	ret
	END	done

	.section cab_direct_last, "ax", @progbits
	STORE	cab_direct_one, cab_direct_slow_event
	STORE	cab_direct_many, cab_direct_slow_words
	GLOBAL	cab_direct_end
cab_direct_end:

/* What follows is no part of a sequence. */
	.section cab_direct_abort, "ax", @progbits

/* NAME: leave the sequence, and go the slow way by GATE. */
	.macro	SLOW name, gate
	GLOBAL	\name
	.type	\name, @function
	.long	RSEQ_SIGNATURE
\name:
	FRAME_MIDWAY
	MIDWAY
	cmpq	$0, BLOCKED(%r15)
	je	1f
	UNBLOCK
1:	RESTORE
	jmp	\gate
	END	\name
	.endm
	SLOW	cab_direct_slow_event, cab_tramp_event
	SLOW	cab_direct_slow_words, cab_tramp_words

/* Finish what was stored, with signals blocked. */
	GLOBAL	cab_direct_escape
	.type	cab_direct_escape, @function
	.long	RSEQ_SIGNATURE
cab_direct_escape:
	FRAME_MIDWAY
	MIDWAY
	leaq	MASK(%r15), %rsp
	leaq	cab_direct_go_on(%rip), %rdi
	xorl	%esi, %esi
	call	cab_gate_call
	cmpq	$0, BLOCKED(%r15)
	je	1f
	UNBLOCK
1:	RESTORE
	ret
	END	cab_direct_escape

	.section .note.GNU-stack, "", @progbits
