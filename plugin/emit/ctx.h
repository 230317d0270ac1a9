/* ctx.h - what those share that write assembly for the thread's context (ctx.cc) and its ring (enqueue.cc, enqueue_words.cc).
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the text of assembly each @ stands for what a register operand needs in front, for the dialect in force.
 */
#ifndef CABPROF_CTX_H
#define CABPROF_CTX_H

#include "plugin/emit/probe.h"

/* Is the context found by an offset, not as a variable? */
extern bool cab_ctx_by_offset (void);
extern tree cab_asm_operand (const char *constraint, tree value);
/* Append assembly TEXT to SEQ.  OUTPUTS and INPUTS are operands; the flags are always lost. */
extern void cab_asm_add (gimple_seq *seq, const char *text, vec<tree, va_gc> *outputs, vec<tree, va_gc> *inputs, bool is_volatile);

/* enqueue.cc: the register operand 0 gets the address of the ring's cursor, or control goes to label 2, or 9 where there is no context. */
extern const char *cab_cursor_text (void);

/* Code that is aside, in subsection 1, up to CAB_ASIDE_END.  Labels from here on lead back into the function, BACK among them.  The function's unwind table
   does not reach this code, so it has one of its own: a frame whose caller is the function, at BACK, with the %rsp of the beginning.  BACK is found from %rip
   without its last BITS bits, so the code takes at most 1 << BITS bytes.  Code that moves %rsp says so by CAB_MOVED, in bytes that are pushed.  Lines of .cfi
   and .p2align are left out where the function has no unwind table either.
   The expression is DW_CFA_val_expression 16: breg16 0, const2s MASK, and, const4s BACK - BEGIN, plus.  */
#define CAB_ASIDE(back, bits) \
  "\t.subsection 1\n\t.p2align " #bits "\n10:\t.cfi_startproc simple\n\t.cfi_def_cfa %%rsp, 0\n\t.cfi_escape 0x16, 16, 12, 0x80, 0, 0x0b, " \
  "-(1<<" #bits ")&255, 255, 0x1a, 0x0d, (" #back "b-10b)&255, ((" #back "b-10b)>>8)&255, ((" #back "b-10b)>>16)&255, ((" #back "b-10b)>>24)&255, 0x22\n"
#define CAB_ASIDE_END "\t.cfi_endproc\n\t.previous"
#define CAB_MOVED(bytes) "\n\t.cfi_adjust_cfa_offset " #bytes "\n\t"

/* The chunk ring's enqueue up to the stores of the event: operand 1 gets where these go, and the cursor is busy.  AGAIN: a handler came between the look at the
   cursor and the mark.  */
#define CAB_RESERVE \
  "4:\tmovq\t(@%0), @%1\n\tcmpq\t8(@%0), @%1\n\tjae\t2f\n\tmovb\t$0x80, 7(@%0)\n\tcmpl\t@%k1, (@%0)\n\tjne\t3f\n\t"
#define CAB_RESERVE_AGAIN "3:\tmovb\t$0, 7(@%0)\n\tjmp\t4b\n"

#endif
