/* trampoline.S - trampolines from the probes' calling convention to C's.
 *
 * In: argument in %rax, stack pointer anyhow aligned, already past the red zone.  Out: result in %rax, all else as it was.
 * The extended state is saved as gate.c found the processor: cab_gate_save_kind 0 = fxsave, 1 = xsave, 2 = xsavec.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
	.text


.macro TRAMPOLINE name
	.globl	cab_tramp_\name
	.hidden	cab_tramp_\name
	.type	cab_tramp_\name, @function
	.p2align 4
cab_tramp_\name:
	.cfi_startproc
	endbr64
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushfq
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	cld
	movq	%rax, %rdi
	leaq	cab_gate_\name\()_c(%rip), %r11
	call	call_c
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popfq
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size	cab_tramp_\name, .-cab_tramp_\name
.endm

/* Call %r11 with the extended state kept.  %rbp, %rbx are the caller's; %rbx keeps the stack pointer. */
	.type	call_c, @function
	.p2align 4
call_c:
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	movq	%rsp, %rbx
	.cfi_def_cfa_register %rbx
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
3:	call	*%r11
	movq	%rax, %rcx
	xorl	%edx, %edx
	movl	cab_gate_save_mask(%rip), %eax
	cmpl	$1, cab_gate_save_kind(%rip)
	jb	4f
	xrstor	(%rsp)
	jmp	5f
4:	fxrstor	(%rsp)
5:	movq	%rcx, %rax
	movq	%rbx, %rsp
	.cfi_def_cfa_register %rsp
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_endproc
	.size	call_c, .-call_c

	TRAMPOLINE count
	TRAMPOLINE id
	TRAMPOLINE event
	TRAMPOLINE cab
	TRAMPOLINE words

	.section .note.GNU-stack, "", @progbits
