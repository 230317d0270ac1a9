/* build.h - small pieces of GIMPLE.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads:    none.
 * Ownership:  statements belong to SEQ or to the function's body.
 */
#ifndef CABPROF_EMIT_BUILD_H
#define CABPROF_EMIT_BUILD_H

#include "plugin/emit/plugin.h"

/* Append "A CODE B" to SEQ, or "CODE A" if B is null; return the register of its value. */
extern tree cab_build_op (gimple_seq *seq, enum tree_code code, tree a, tree b);
/* Append a load of REFERENCE to SEQ; return the register. */
extern tree cab_build_load (gimple_seq *seq, tree reference);
/* Return VALUE as a constant of cab_word_type (). */
extern tree cab_u64 (unsigned HOST_WIDE_INT value);

/* Declare the stub's function NAME with N arguments that are words, and no result. */
extern tree cab_build_helper (const char *name, unsigned n);

/* End GSI's block before GSI with "if (A CODE B) goto cold".  The cold block holds SEQ and joins
   after the condition.  GSI stays on the same statement. */
extern void cab_build_cold (gimple_stmt_iterator *gsi, enum tree_code code, tree a, tree b,
			    gimple_seq seq);

/* Finish cfun after statements, blocks and edges have been added: insert what waits on edges, and
   discard what was known of the graph's shape.  update_ssa rebuilds the virtual operands. */
extern void cab_build_commit (void);

#endif
