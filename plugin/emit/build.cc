/* build.cc - builds small pieces of GIMPLE.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/root.h"

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

/* A phi's argument on an edge that is being moved. */
struct moved_argument
{
  tree result, value;
  location_t place;
};

/* Let what the phis of FALL->src define be defined in FALL->dest, with another name before. */
static void
hand_phis_on (edge fall)
{
  for (gphi_iterator i = gsi_start_phis (fall->src); !gsi_end_p (i); gsi_next (&i))
    {
      gphi *phi = i.phi ();
      tree result = gimple_phi_result (phi), before = copy_ssa_name (result);
      gimple_phi_set_result (phi, before);
      add_phi_arg (create_phi_node (result, fall->dest), before, fall, UNKNOWN_LOCATION);
      for (gimple_stmt_iterator s = gsi_start_bb (fall->src); !gsi_end_p (s); gsi_next (&s))
	{
	  use_operand_p use;
	  ssa_op_iter uses;
	  FOR_EACH_SSA_USE_OPERAND (use, gsi_stmt (s), uses, SSA_OP_USE)
	    if (USE_FROM_PTR (use) == result)
	      SET_USE (use, before);
	}
    }
}

/* Move E, which leads to FALL->src, to FALL->dest; hand_phis_on was called. */
static void
move_edge (edge e, edge fall)
{
  auto_vec<moved_argument> arguments;
  gphi_iterator before = gsi_start_phis (fall->src), after = gsi_start_phis (fall->dest);
  for (; !gsi_end_p (before); gsi_next (&before), gsi_next (&after))
    {
      moved_argument argument = { gimple_phi_result (after.phi ()),
				  gimple_phi_arg_def (before.phi (), e->dest_idx),
				  gimple_phi_arg_location (before.phi (), e->dest_idx) };
      arguments.safe_push (argument);
    }
  redirect_edge_succ (e, fall->dest);
  for (moved_argument &argument : arguments)
    add_phi_arg (as_a<gphi *> (SSA_NAME_DEF_STMT (argument.result)), argument.value, e,
		 argument.place);
}

/* Give CALL, before which code has been inserted, a block of its own, and let abnormal edges lead
   there. */
static void
begin_block (gcall *call)
{
  edge e;
  edge_iterator ei;
  auto_vec<edge> back;
  basic_block bb = gimple_bb (call);
  FOR_EACH_EDGE (e, ei, bb->preds)
    if ((e->flags & (EDGE_ABNORMAL | EDGE_EH)) == EDGE_ABNORMAL)
      back.safe_push (e);
  if (back.is_empty () || back.length () == EDGE_COUNT (bb->preds))
    return;
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  gsi_prev (&gsi);
  edge fall = split_block (bb, gsi_stmt (gsi));
  hand_phis_on (fall);
  for (edge moved : back)
    move_edge (moved, fall);
}

/* Return the call in BB that returns twice and that a statement precedes, or null. */
static gcall *
late_call (basic_block bb)
{
  bool late = false;
  for (gimple_stmt_iterator gsi = gsi_after_labels (bb); !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (late && is_gimple_call (stmt) && gimple_call_flags (stmt) & ECF_RETURNS_TWICE
	  && !gimple_call_builtin_p (stmt, BUILT_IN_TM_START))
	return as_a<gcall *> (stmt);
      late |= !is_gimple_debug (stmt);
    }
  return NULL;
}

/* Control returns a second time to a call such as setjmp, and not to the probe before it: let the
   edges by which it does so lead to the call, as GCC 14 and later verify. */
static void
separate_calls_that_return_twice (void)
{
  basic_block bb;
  if (cfun->calls_setjmp)
    FOR_EACH_BB_FN (bb, cfun)
      if (gcall *call = late_call (bb))
	begin_block (call);
}

tree
cab_build_helper (const char *name, unsigned n)
{
  tree types = void_list_node;
  for (unsigned i = 0; i < n; i++)
    types = tree_cons (NULL_TREE, cab_word_type (), types);
  tree decl = build_fn_decl (name, build_function_type (void_type_node, types));
  TREE_NOTHROW (decl) = 1;
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("leaf"), NULL_TREE, NULL_TREE);
  DECL_VISIBILITY (decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  return cab_root (decl);
}

void
cab_build_commit (void)
{
  separate_calls_that_return_twice ();
  gsi_commit_edge_inserts ();
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  if (current_loops)
    loops_state_set (LOOPS_NEED_FIXUP);
  mark_virtual_operands_for_renaming (cfun);
}
