/* build.cc - builds small pieces of GIMPLE.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"

tree
cab_u64 (unsigned HOST_WIDE_INT value)
{
  return build_int_cst (cab_word_type (), value);
}

/* The result has the type of A. */
tree
cab_build_op (gimple_seq *seq, enum tree_code code, tree a, tree b)
{
  tree result = make_ssa_name (TREE_TYPE (a));
  gimple_seq_add_stmt (seq, gimple_build_assign (result, code, a, b));
  return result;
}

tree
cab_build_load (gimple_seq *seq, tree reference)
{
  tree result = make_ssa_name (TYPE_MAIN_VARIANT (TREE_TYPE (reference)));
  gimple_seq_add_stmt (seq, gimple_build_assign (result, reference));
  return result;
}

void
cab_build_cold (gimple_stmt_iterator *gsi, enum tree_code code, tree a, tree b, gimple_seq seq)
{
  gimple *stay = gsi_stmt (*gsi);
  gimple *mark = gimple_build_nop ();
  gsi_insert_before (gsi, mark, GSI_SAME_STMT);
  edge skip = split_block (gimple_bb (mark), mark);
  basic_block head = skip->src, join = skip->dest;

  gimple_stmt_iterator last = gsi_last_bb (head);
  gsi_insert_after (&last, gimple_build_cond (code, a, b, NULL_TREE, NULL_TREE), GSI_NEW_STMT);
  gimple_stmt_iterator nop = gsi_for_stmt (mark);
  gsi_remove (&nop, true);

  basic_block cold = create_empty_bb (head);
  if (current_loops && head->loop_father)
    add_bb_to_loop (cold, head->loop_father);
  skip->flags = (skip->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  skip->probability = profile_probability::very_likely ();
  edge enter = make_edge (head, cold, EDGE_TRUE_VALUE);
  enter->probability = profile_probability::very_unlikely ();
  cold->count = head->count.apply_probability (enter->probability);
  make_single_succ_edge (cold, join, EDGE_FALLTHRU);

  gimple_stmt_iterator in = gsi_start_bb (cold);
  gsi_insert_seq_after (&in, seq, GSI_CONTINUE_LINKING);
  *gsi = gsi_for_stmt (stay);
}

void
cab_build_commit (void)
{
  gsi_commit_edge_inserts ();
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  if (current_loops)
    loops_state_set (LOOPS_NEED_FIXUP);
  mark_virtual_operands_for_renaming (cfun);
}
