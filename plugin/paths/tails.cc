/* tails.cc - which calls there are, and which of them are in tail position.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call in tail position may become a jump if nothing follows it.  So code for the end of the
   activation is put before it.  The compiler decides later, and with more knowledge; what is
   found here is a superset of what it can do. */
#include "plugin/paths/tails.h"
#include "plugin/paths/body.h"

/* Return true if CALL of DECL, a builtin, stays within libc or is expanded in place; an allocator
   does not count, because it may be the program's own. */
static bool
builtin_keeps_to_itself (gcall *call, tree decl)
{
  if (!fndecl_built_in_p (decl, BUILT_IN_NORMAL) || !(gimple_call_flags (call) & ECF_LEAF))
    return false;
  switch (DECL_FUNCTION_CODE (decl))
    {
    case BUILT_IN_MALLOC:
    case BUILT_IN_CALLOC:
    case BUILT_IN_REALLOC:
    case BUILT_IN_FREE:
    case BUILT_IN_ALIGNED_ALLOC:
    case BUILT_IN_POSIX_MEMALIGN:
      return false;
    default:
      return true;
    }
}

bool
cab_call_may_enter (gimple *stmt)
{
  gcall *call = dyn_cast<gcall *> (stmt);
  if (!call || gimple_call_internal_p (call))
    return false;
  tree decl = gimple_call_fndecl (call);
  if (!decl)
    return true;
  struct cgraph_node *node = cgraph_node::get (decl);
  return (node && node->definition) || !builtin_keeps_to_itself (call, decl);
}

bool
cab_call_must_jump (gimple *stmt)
{
  gcall *call = stmt ? dyn_cast<gcall *> (stmt) : NULL;
  return call && !gimple_call_internal_p (call) && gimple_call_must_tail_p (call);
}

bool
cab_has_call_that_must_jump (function *fn)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (cab_call_must_jump (gsi_stmt (gsi)))
	return true;
  return false;
}

static bool
says_nothing (gimple *stmt)
{
  return is_gimple_debug (stmt) || gimple_clobber_p (stmt) || gimple_code (stmt) == GIMPLE_LABEL
      || gimple_code (stmt) == GIMPLE_NOP || gimple_code (stmt) == GIMPLE_PREDICT;
}

/* Return true if BB, which has one predecessor, has no code, and no label that must begin a
   block. */
static bool
has_no_code (basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      glabel *label = dyn_cast<glabel *> (gsi_stmt (gsi));
      tree decl = label ? gimple_label_label (label) : NULL_TREE;
      if (!says_nothing (gsi_stmt (gsi))
	  || (decl && (FORCED_LABEL (decl) || DECL_NONLOCAL (decl))))
	return false;
    }
  return true;
}

void
cab_tails_join (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (cab_call_must_jump (cab_last_stmt (bb)))
      while (single_succ_p (bb) && !(single_succ_edge (bb)->flags & EDGE_COMPLEX)
	     && single_succ (bb) != EXIT_BLOCK_PTR_FOR_FN (cfun) && single_pred_p (single_succ (bb))
	     && has_no_code (single_succ (bb)))
	merge_blocks (bb, single_succ (bb));
}

/* Return true if CALL's result is VALUE, which the function returns. */
static bool
returns_its_value (gcall *call, tree value)
{
  tree lhs = gimple_call_lhs (call);
  return !value || (lhs && operand_equal_p (lhs, value, 0));
}

static bool
can_be_jump (gcall *call)
{
  return cab_call_may_enter (call) && !gimple_call_noreturn_p (call)
      && !stmt_can_throw_internal (cfun, call) && !(gimple_call_flags (call) & ECF_RETURNS_TWICE)
      && !stmt_can_make_abnormal_goto (call);
}

/* Return what STMT copies to VALUE without any code once the call's result is in place: a register
   as it is, perhaps under another type of the same size, or one local variable to another.  Return
   null if it does something else. */
static tree
copied_to (gimple *stmt, tree value)
{
  gassign *assign = dyn_cast<gassign *> (stmt);
  if (!assign || !value || !operand_equal_p (gimple_assign_lhs (assign), value, 0))
    return NULL_TREE;
  tree from = gimple_assign_rhs1 (assign);
  bool is_cast = gimple_assign_cast_p (assign)
	      && TYPE_MODE (TREE_TYPE (from)) == TYPE_MODE (TREE_TYPE (value));
  if (TREE_CODE (from) == SSA_NAME)
    return is_cast || gimple_assign_single_p (assign) ? from : NULL_TREE;
  bool is_local = DECL_P (from) && DECL_P (value) && auto_var_in_fn_p (from, cfun->decl)
	       && auto_var_in_fn_p (value, cfun->decl);
  /* With contexts such a copy belongs to this function, not to the one that was jumped to. */
  return is_local && !cab_opts.context && !gimple_has_volatile_ops (assign) ? from : NULL_TREE;
}

/* Return the call in tail position before GSI (exclusive), if VALUE is returned after it.  *EMPTY
   becomes true if nothing but the return is in the block.  A call that must be a jump is in tail
   position whatever the statements after it seem to do, since the compiler removes them. */
static gcall *
tail_call_before (struct cab_body *body, gimple_stmt_iterator gsi, tree value, bool *empty)
{
  bool may_jump = body->may_jump;
  *empty = false;
  for (; !gsi_end_p (gsi); gsi_prev (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (says_nothing (stmt))
	continue;
      gcall *call = dyn_cast<gcall *> (stmt);
      if (cab_call_must_jump (stmt))
	return call;
      if (call)
	return may_jump && can_be_jump (call) && returns_its_value (call, value) ? call : NULL;
      value = copied_to (stmt, value);
      may_jump &= value != NULL_TREE;
      if (!value && !(body->must_jump && gimple_code (stmt) == GIMPLE_ASSIGN))
	return NULL;
    }
  *empty = true;
  return NULL;
}

/* Return the value that block RET returns when control reaches it over edge IN. */
static tree
value_over_edge (basic_block ret, edge in, tree value)
{
  if (value && TREE_CODE (value) == SSA_NAME)
    {
      gphi *phi = dyn_cast<gphi *> (SSA_NAME_DEF_STMT (value));
      if (phi && gimple_bb (phi) == ret)
	return PHI_ARG_DEF_FROM_EDGE (phi, in);
    }
  return value;
}

static gcall *
tail_call_of_edge (struct cab_body *body, basic_block ret, edge in, tree value)
{
  bool empty;
  if (!single_succ_p (in->src) || in->src == ENTRY_BLOCK_PTR_FOR_FN (cfun))
    return NULL;
  return tail_call_before (body, gsi_last_bb (in->src), value_over_edge (ret, in, value), &empty);
}

/* Return CALL, or null if it enters no code with probes, which would restore the call word. */
static gcall *
entering (gcall *call)
{
  return call && cab_call_may_enter (call) ? call : NULL;
}

/* If a call in tail position precedes RET, which holds nothing but a return, write its end once per
   edge into it, and return true. */
static bool
ends_of_edges (struct cab_body *body, basic_block ret, edge out, tree value)
{
  edge in;
  edge_iterator ei;
  bool found = false;
  FOR_EACH_EDGE (in, ei, ret->preds)
    {
      if (in->flags & (EDGE_COMPLEX | EDGE_EH))
	return false;
      found |= tail_call_of_edge (body, ret, in, value) != NULL;
    }
  if (!found)
    return false;
  FOR_EACH_EDGE (in, ei, ret->preds)
    {
      gcall *call = tail_call_of_edge (body, ret, in, value);
      struct cab_end end = { call, call ? NULL : in, in, out, entering (call) };
      body->ends.safe_push (end);
    }
  return true;
}

/* Return true if the C library, and nothing of the program, calls the function.  What such a
   function then calls may lie deeper in the stack than the function did, and would be attached to
   foreign code that the function jumped to: `main' below a constructor of static data that ends
   with __cxa_atexit.  So it gets no jumps; it is called once, so the stack does not grow by that.
   LEVELS is the number of callers to look at, since such constructors have parts. */
static bool
begins_by_itself (struct cgraph_node *node, int levels)
{
  tree decl = node->decl;
  if (DECL_STATIC_CONSTRUCTOR (decl) || DECL_STATIC_DESTRUCTOR (decl))
    return true;
  if (MAIN_NAME_P (DECL_NAME (decl)) && DECL_FILE_SCOPE_P (decl))
    return !node->callers && !node->address_taken;
  if (!levels || TREE_PUBLIC (decl) || node->address_taken || !node->callers)
    return false;
  for (struct cgraph_edge *e = node->callers; e; e = e->next_caller)
    if (!begins_by_itself (e->caller, levels - 1))
      return false;
  return true;
}

static void
ends_of_return (struct cab_body *body, edge out, greturn *ret)
{
  bool empty = false;
  gcall *call = NULL;
  tree value = gimple_return_retval (ret);
  if (body->may_jump || body->must_jump)
    {
      gimple_stmt_iterator gsi = gsi_for_stmt (ret);
      gsi_prev (&gsi);
      call = tail_call_before (body, gsi, value, &empty);
      if (empty && ends_of_edges (body, out->src, out, value))
	return;
    }
  struct cab_end end = { call ? (gimple *) call : ret, NULL, NULL, out, entering (call) };
  body->ends.safe_push (end);
}

void
cab_tails_find (struct cab_body *body)
{
  edge out;
  edge_iterator ei;
  body->must_jump = cab_has_call_that_must_jump (cfun);
  body->may_jump = flag_optimize_sibling_calls && !cab_opts.cut_at_calls
		   && !begins_by_itself (cgraph_node::get (cfun->decl), 2);
  FOR_EACH_EDGE (out, ei, EXIT_BLOCK_PTR_FOR_FN (cfun)->preds)
    {
      gimple *last = cab_last_stmt (out->src);
      greturn *ret = last ? dyn_cast<greturn *> (last) : NULL;
      if (ret && !(out->flags & EDGE_FAKE))
	ends_of_return (body, out, ret);
    }
  unsigned i;
  struct cab_end *end;
  FOR_EACH_VEC_ELT (body->ends, i, end)
    body->has_tail |= end->tail != NULL;
}

bool
cab_is_tail (struct cab_body *body, gimple *call)
{
  if (!body->has_tail)
    return false;
  unsigned i;
  struct cab_end *end;
  FOR_EACH_VEC_ELT (body->ends, i, end)
    if (end->tail == call)
      return true;
  return false;
}

void
cab_calls_find (struct cab_body *body)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (cab_call_may_enter (gsi_stmt (gsi)))
	{
	  gcall *call = as_a<gcall *> (gsi_stmt (gsi));
	  struct cab_call site = { call, cab_is_tail (body, call) };
	  body->calls.safe_push (site);
	}
}
