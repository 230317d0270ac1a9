/* ctx.h - statements that reach the thread's context and counters.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      in code that is not for a DSO the context is a thread-local variable of the
 *             executable.  Elsewhere it lies at an offset that the runtime fills in, and inline
 *             assembly adds it to the thread pointer.
 * Source:     include/cabprof/abi.h, struct cab_ctx and struct cab_row.
 */
#ifndef CABPROF_EMIT_CTX_H
#define CABPROF_EMIT_CTX_H

#include "cabprof/abi.h"
#include "plugin/emit/row.h"

/* Return the type uint64_t. */
extern tree cab_word_type (void);
/* Return a uint64_t in an alias set of its own, for counters. */
extern tree cab_counter_type (void);

/* Append a load of the word at OFFSET of the context; it is 0 if the thread has none. */
extern tree cab_ctx_load (gimple_seq *seq, unsigned offset);
/* Append a store of VALUE to the word at OFFSET of the context. */
extern void cab_ctx_store (gimple_seq *seq, unsigned offset, tree value);
/* Begins the assembly of probes whose place among the events of accesses means nothing: those of
   loops, and those that get a function its number. */
#define CAB_QUIET_MARK "/* quiet */"
/* Append a read of the time stamp counter; return its value. */
extern tree cab_clock (gimple_seq *seq);

/* Append a call of GATE, a slow path of the runtime, with ARGUMENT; return its value. */
extern tree cab_gate_value (gimple_seq *seq, const char *gate, tree argument);
/* Append a call of the gate of calls in tail position with WORD, and return the event.  FRAME, BACK
   and TARGET say where the call goes and returns to.  *FOUND becomes the call word that the
   function had found. */
extern tree cab_gate_tail (gimple_seq *seq, tree word, tree target, tree back, tree frame,
			   tree *found);

/* Append a countdown for the pieces of an activation that begin where the pair of counters AT of
   COUNTERS counts (abi.h); return a boolean that is true if it is time to decide whether the piece
   is recorded. */
extern tree cab_piece_is_due (gimple_seq *seq, tree counters, unsigned at);
/* Append the countdown and the restart in one statement, without a branch in the function's graph;
   return a word that is 0 if the piece is not recorded. */
extern tree cab_piece_decides (gimple_seq *seq, tree counters, unsigned at);
/* Append the restart of the pair AT for a piece that is due; return a word that is 0 if the piece
   is not recorded. */
extern tree cab_piece_begins (gimple_seq *seq, tree counters, unsigned at);

/* Insert code before ANCHOR that sets VARIABLE, a register variable for a pointer, to the address
   of this thread's counters of ROW's function. */
extern void cab_counters_emit (gimple *anchor, struct cab_row_desc *row, tree variable);
/* Insert code before *GSI, which stays on its statement, that makes sure that ROW's function has a
   number.  It must precede the function's first event. */
extern void cab_number_ensure (gimple_stmt_iterator *gsi, struct cab_row_desc *row);

/* Return true if the context is found by an offset, not as a variable. */
extern bool cab_ctx_by_offset (void);
/* Return an operand of assembly: VALUE under CONSTRAINT. */
extern tree cab_asm_operand (const char *constraint, tree value);
/* Append assembly TEXT to SEQ.  In it each @ stands for the prefix that a register operand needs in
   the dialect in force.  OUTPUTS and INPUTS are operands; the flags are always clobbered. */
extern void cab_asm_add (gimple_seq *seq, const char *text, vec<tree, va_gc> *outputs,
			 vec<tree, va_gc> *inputs, bool is_volatile);

/* Begin code that is aside, in subsection 1, up to CAB_ASIDE_END.  Labels from here on lead back
   into the function, BACK among them.  The function's unwind table does not reach this code, so it
   has one of its own: a frame whose caller is the function, at BACK, with the %rsp of the
   beginning.  BACK is found from %rip without its last BITS bits, so the code takes at most 1 <<
   BITS bytes.  Code that moves %rsp says so by CAB_MOVED, in bytes that are pushed.  Lines of .cfi
   and .p2align are left out where the function has no unwind table either.  The expression is
   DW_CFA_val_expression 16: breg16 0, const2s MASK, and, const4s BACK - BEGIN, plus. */
#define CAB_ASIDE(back, bits) \
  "\t.subsection 1\n\t.p2align " #bits "\n10:\t.cfi_startproc simple\n\t.cfi_def_cfa %%rsp, " \
				       "0\n\t.cfi_escape 0x16, 16, 12, 0x80, 0, 0x0b, " \
  "-(1<<" #bits ")&255, 255, 0x1a, 0x0d, (" #back "b-10b)&255, ((" #back \
  "b-10b)>>8)&255, ((" #back "b-10b)>>16)&255, ((" #back "b-10b)>>24)&255, 0x22\n"
#define CAB_ASIDE_END "\t.cfi_endproc\n\t.previous"
#define CAB_MOVED(bytes) "\n\t.cfi_adjust_cfa_offset " #bytes "\n\t"

#endif
