/* trial_dispatch.cc - the code that trials add: the dispatcher, and counters of iterations.
   SPDX-License-Identifier: GPL-3.0-or-later

   The compiler turns a function into a thunk that passes all arguments on, as they are, to another
   function; here that call then gets the address of a copy as its target.  The dispatcher knows
   nothing else of the copies, so the compiler cannot compile them with regard to each other. */
#include "plugin/loops/trial_dispatch.h"
#include "plugin/loops/loops_find.h"
#include "plugin/emit/root.h"
#include "cabprof/trials.h"
#include "tree-ssa-loop-manip.h"

/* Return a hidden variable of this unit that trial_text.cc defines, with NAME and number N. */
static tree
hidden_variable (const char *name, unsigned n, tree type, bool by_thread)
{
  char text[40];
  sprintf (text, "%s%u", name, n);
  tree decl = cab_root_hidden (text, type);
  SET_DECL_ASSEMBLER_NAME (decl, get_identifier (text));
  if (by_thread)
    set_decl_tls_model (decl, decl_default_tls_model (decl));
  return decl;
}

static tree
turns_of (const struct cab_tried *tried)
{
  return hidden_variable (".Lcab_turns_", tried->number,
			  build_array_type_nelts (long_unsigned_type_node, 4096), true);
}

/* Return the function NAME of the trials' text. */
static tree
runtime_function (const char *name, tree type)
{
  tree decl = build_fn_decl (name, type);
  DECL_VISIBILITY (decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  TREE_NOTHROW (decl) = 1;
  return cab_root (decl);
}

/* Insert a call of FUNCTION with the three arguments of __cab_trial_enter before or after *GSI.
   Return the call. */
static gcall *
insert_call (gimple_stmt_iterator *gsi, tree function, const struct cab_tried *tried, tree frame,
	     bool after)
{
  tree trial = hidden_variable (".Lcab_trial_", tried->number, long_unsigned_type_node, false);
  gcall *call = gimple_build_call (function, 3, build_fold_addr_expr (trial),
				   build_fold_addr_expr (turns_of (tried)), frame);
  if (after)
    gsi_insert_after (gsi, call, GSI_SAME_STMT);
  else
    gsi_insert_before (gsi, call, GSI_SAME_STMT);
  return call;
}

static tree
enter_function (void)
{
  return runtime_function ("__cab_trial_enter",
			   build_function_type_list (ptr_type_node, ptr_type_node, ptr_type_node,
						     ptr_type_node, NULL_TREE));
}

static tree
leave_function (void)
{
  return runtime_function ("__cab_trial_leave",
			   build_function_type_list (void_type_node, ptr_type_node, ptr_type_node,
						     ptr_type_node, NULL_TREE));
}

/* Return the one call in cfun. */
static gcall *
the_call (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi)))
	return call;
  gcc_unreachable ();
}

/* Let the thunk that cfun is ask which copy it calls, and tell when that has returned. */
static void
ask (const struct cab_tried *tried)
{
  gcall *call = the_call ();
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  tree frame = make_ssa_name (ptr_type_node);
  gcall *where = gimple_build_call (builtin_decl_explicit (BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs (where, frame);
  gsi_insert_before (&gsi, where, GSI_SAME_STMT);
  gcall *asked = insert_call (&gsi, enter_function (), tried, frame, false);
  tree raw = make_ssa_name (ptr_type_node);
  gimple_call_set_lhs (asked, raw);
  update_stmt (asked);
  tree target = make_ssa_name (build_pointer_type (gimple_call_fntype (call)));
  gsi_insert_before (&gsi, gimple_build_assign (target, NOP_EXPR, raw), GSI_SAME_STMT);
  gimple_call_set_fn (call, target);
  gimple_call_set_tail (call, false);
  update_stmt (call);
  insert_call (&gsi, leave_function (), tried, frame, true);
}

void
cab_trial_dispatch (cgraph_node *node, cgraph_node *first, const struct cab_tried *tried)
{
  tree decl = node->decl, result = DECL_RESULT (decl);
  node->release_body (true);
  node->remove_callees ();
  node->remove_all_references ();
  DECL_RESULT (decl) = result;
  DECL_INITIAL (decl) = NULL;
  for (tree argument = DECL_ARGUMENTS (decl); argument; argument = DECL_CHAIN (argument))
    TREE_ADDRESSABLE (argument) = false;
  allocate_struct_function (decl, false);
  set_cfun (NULL);
  node->thunk = true;
  thunk_info::get_create (node);
  node->create_edge (first, NULL, node->count);
  expand_thunk (node, false, true);
  thunk_info::remove (node);
  push_cfun (DECL_STRUCT_FUNCTION (decl));
  ask (tried);
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa_only_virtuals);
  cgraph_edge::rebuild_edges ();
  pop_cfun ();
}

static tree
start_function (void)
{
  return runtime_function ("__cab_trial_start",
			   build_function_type_list (void_type_node, ptr_type_node, ptr_type_node,
						     ptr_type_node, NULL_TREE));
}

tree
cab_trial_ask (const struct cab_tried *tried, class loop *loop, const vec<edge> &exits,
	       tree *frame_name)
{
  basic_block before = split_edge (loop_preheader_edge (loop));
  gimple_stmt_iterator gsi = gsi_start_bb (before);
  tree frame = make_ssa_name (ptr_type_node), raw = make_ssa_name (ptr_type_node),
       chosen = make_ssa_name (long_unsigned_type_node);
  gcall *where = gimple_build_call (builtin_decl_explicit (BUILT_IN_DWARF_CFA), 0);
  gimple_call_set_lhs (where, frame);
  gsi_insert_before (&gsi, where, GSI_SAME_STMT);
  gcall *asked = insert_call (&gsi, enter_function (), tried, frame, false);
  gimple_call_set_lhs (asked, raw);
  update_stmt (asked);
  gsi_insert_before (&gsi, gimple_build_assign (chosen, NOP_EXPR, raw), GSI_SAME_STMT);
  *frame_name = frame;
  for (edge e : exits)
    if (!(e->flags & EDGE_COMPLEX))
      {
	gsi = gsi_after_labels (split_loop_exit_edge (e));
	insert_call (&gsi, leave_function (), tried, frame, false);
      }
  return chosen;
}

void
cab_trial_start (const struct cab_tried *tried, class loop *copy, tree frame)
{
  basic_block before = split_edge (loop_preheader_edge (copy));
  gimple_stmt_iterator gsi = gsi_start_bb (before);
  insert_call (&gsi, start_function (), tried, frame, false);
}

/* Return the count of loop INDEX in TURNS. */
static tree
count_of (tree turns, unsigned index)
{
  size_t at = offsetof (struct cab_turns, counts) + index * sizeof (uint64_t);
  return build4 (ARRAY_REF, long_unsigned_type_node, turns, size_int (at / sizeof (uint64_t)),
		 NULL_TREE, NULL_TREE);
}

/* Add 1 to COUNT on the edge E. */
static void
count_edge (edge e, tree count)
{
  gimple_seq seq = NULL;
  tree before = make_ssa_name (long_unsigned_type_node),
       after = make_ssa_name (long_unsigned_type_node);
  gimple_seq_add_stmt (&seq, gimple_build_assign (before, unshare_expr (count)));
  gimple_seq_add_stmt (&seq, gimple_build_assign (after, PLUS_EXPR, before,
						  build_one_cst (long_unsigned_type_node)));
  gimple_seq_add_stmt (&seq, gimple_build_assign (unshare_expr (count), after));
  gsi_insert_seq_on_edge (e, seq);
}

/* Add 1 to COUNT with each iteration of LOOP. */
static void
count_iterations (class loop *loop, tree count)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (flow_bb_inside_loop_p (loop, e->src) && !(e->flags & EDGE_COMPLEX))
      count_edge (e, count);
}

/* Passes before this one have put the test of most loops last, so that as many iterations begin as
   the head is executed. */
void
cab_trial_count_loop (const struct cab_tried *tried, class loop *loop)
{
  tree count = count_of (turns_of (tried), 0);
  count_edge (loop_preheader_edge (loop), count);
  count_iterations (loop, count);
  gsi_commit_edge_inserts ();
}

void
cab_trial_count (const struct cab_tried *tried)
{
  tree turns = turns_of (tried);
  CAB_EACH_LOOP (loop)
    {
      cab_loop_source source = cab_loops_identify (loop);
      for (unsigned i = 0; i < tried->loops.length (); i++)
	if (cab_trial_same (&source, &tried->loops[i]))
	  count_iterations (loop, count_of (turns, i));
    }
  gsi_commit_edge_inserts ();
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa_only_virtuals);
}
