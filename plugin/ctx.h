/* ctx.h - what those share that write assembly for the thread's context (ctx.cc) and its ring (enqueue.cc, enqueue_words.cc).
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the text of assembly each @ stands for what a register operand needs in front, for the dialect in force.
 */
#ifndef CABPROF_CTX_H
#define CABPROF_CTX_H

#include "probe.h"

/* Is the context found by an offset, not as a variable? */
extern bool cab_ctx_by_offset (void);
extern tree cab_asm_operand (const char *constraint, tree value);
/* Append assembly TEXT to SEQ.  OUTPUTS and INPUTS are operands; the flags are always lost. */
extern void cab_asm_add (gimple_seq *seq, const char *text, vec<tree, va_gc> *outputs, vec<tree, va_gc> *inputs, bool is_volatile);

/* enqueue.cc: the register operand 0 gets the address of the ring's cursor, or control goes to label 2, or 9 where there is no context. */
extern const char *cab_cursor_text (void);

/* The chunk ring's enqueue up to the stores of the event: operand 1 gets where these go, and the cursor is busy.  AGAIN: a handler came between the look at the
   cursor and the mark.  */
#define CAB_RESERVE \
  "4:\tmovq\t(@%0), @%1\n\tcmpq\t8(@%0), @%1\n\tjae\t2f\n\tmovb\t$0x80, 7(@%0)\n\tcmpl\t@%k1, (@%0)\n\tjne\t3f\n\t"
#define CAB_RESERVE_AGAIN "3:\tmovb\t$0, 7(@%0)\n\tjmp\t4b\n"

#endif
