/* header_phi_choice.cc - reductions that the source writes as branches: minimum and maximum, and
   truth values with a short cut.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/header_phi.h"

#define DEEPEST 12   /* levels of an expression that are compared */

tree
cab_phi_unconverted (tree value)
{
  while (TREE_CODE (value) == SSA_NAME)
    {
      gimple *stmt = SSA_NAME_DEF_STMT (value);
      if (!is_gimple_assign (stmt) || gimple_num_ops (stmt) != 2)
	break;
      tree from = gimple_assign_rhs1 (stmt);
      bool copies = is_gimple_val (from) && gimple_assign_single_p (stmt);
      if (!copies
	  && !(CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (stmt))
	       && INTEGRAL_TYPE_P (TREE_TYPE (value)) && INTEGRAL_TYPE_P (TREE_TYPE (from))))
	break;
      value = from;
    }
  return value;
}

/* Return the comparison that has made VALUE, or null. */
static gimple *
comparison_of (tree value)
{
  tree made = cab_phi_unconverted (value);
  gimple *stmt = TREE_CODE (made) == SSA_NAME ? SSA_NAME_DEF_STMT (made) : NULL;
  return stmt && is_gimple_assign (stmt)
	  && TREE_CODE_CLASS (gimple_assign_rhs_code (stmt)) == tcc_comparison
	 ? stmt
	 : NULL;
}

struct cab_phi_test
cab_phi_test_of (gcond *test)
{
  struct cab_phi_test is = { gimple_cond_lhs (test), gimple_cond_rhs (test),
			     gimple_cond_code (test) };
  if ((is.code == NE_EXPR || is.code == EQ_EXPR) && integer_zerop (is.right))
    if (gimple *stmt = comparison_of (is.left))
      {
	tree left = gimple_assign_rhs1 (stmt), right = gimple_assign_rhs2 (stmt);
	enum tree_code code = gimple_assign_rhs_code (stmt);
	if (is.code == EQ_EXPR)
	  code = invert_tree_comparison (code, HONOR_NANS (left));
	if (code != ERROR_MARK)
	  is = { left, right, code };
      }
  return is;
}

static bool same_tree (tree a, tree b, unsigned depth);

/* Return true if the statements A and B compute one value: the same operation on the same values,
   and the same state of memory. */
static bool
same_statement (gimple *a, gimple *b, unsigned depth)
{
  if (gimple_code (a) != gimple_code (b) || gimple_vuse (a) != gimple_vuse (b)
      || gimple_num_ops (a) != gimple_num_ops (b))
    return false;
  if (gcall *call = dyn_cast<gcall *> (a))
    {
      if (!(gimple_call_flags (call) & (ECF_CONST | ECF_PURE)))
	return false;
    }
  else if (!is_gimple_assign (a) || gimple_assign_rhs_code (a) != gimple_assign_rhs_code (b))
    return false;
  for (unsigned i = 1; i < gimple_num_ops (a); i++)
    if (!same_tree (gimple_op (a, i), gimple_op (b, i), depth))
      return false;
  return true;
}

/* Return true if A and B are one value. */
static bool
same_tree (tree a, tree b, unsigned depth)
{
  if (a == b)
    return true;
  if (!a || !b || !depth || TREE_CODE (a) != TREE_CODE (b))
    return false;
  if (TREE_CODE (a) == SSA_NAME)
    return !SSA_NAME_IS_DEFAULT_DEF (a) && !SSA_NAME_IS_DEFAULT_DEF (b)
	&& same_statement (SSA_NAME_DEF_STMT (a), SSA_NAME_DEF_STMT (b), depth - 1);
  if (!EXPR_P (a))
    return CONSTANT_CLASS_P (a) && operand_equal_p (a, b, 0);
  if (TREE_OPERAND_LENGTH (a) != TREE_OPERAND_LENGTH (b) || TREE_THIS_VOLATILE (a))
    return false;
  for (int i = 0; i < TREE_OPERAND_LENGTH (a); i++)
    if (!same_tree (TREE_OPERAND (a, i), TREE_OPERAND (b, i), depth - 1))
      return false;
  return true;
}

bool
cab_phi_same (tree a, tree b)
{
  return same_tree (cab_phi_unconverted (a), cab_phi_unconverted (b), DEEPEST);
}

/* Return true if BB stores nothing.  Calls count as stores unless CALLS. */
static bool
is_quiet (basic_block bb, bool calls)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (!is_gimple_debug (stmt) && (gimple_vdef (stmt) || gimple_code (stmt) == GIMPLE_ASM)
	  && !(calls && is_gimple_call (stmt)))
	return false;
    }
  return true;
}

/* Follow E through quiet blocks to AT, and return the edge that enters it, or null.  If SHARED,
   the blocks may be reached from elsewhere too. */
static edge
arrives (edge e, basic_block at, bool shared)
{
  for (int i = 0; e->dest != at; i++)
    {
      if (i == 4 || !single_succ_p (e->dest) || (!shared && !single_pred_p (e->dest))
	  || !gimple_seq_empty_p (phi_nodes (e->dest)) || !is_quiet (e->dest, false))
	return NULL;
      e = single_succ_edge (e->dest);
    }
  return e;
}

/* Return true if the registers that meet in the block of JOIN, JOIN itself left out, get the same
   over A and over B. */
static bool
decides_alone (gphi *join, edge a, edge b)
{
  for (gphi_iterator gsi = gsi_start_phis (gimple_bb (join)); !gsi_end_p (gsi); gsi_next (&gsi))
    if (gsi.phi () != join
	&& PHI_ARG_DEF_FROM_EDGE (gsi.phi (), a) != PHI_ARG_DEF_FROM_EDGE (gsi.phi (), b))
      return false;
  return true;
}

static const char *
extreme_of (enum tree_code code)
{
  switch (code)
    {
    case GT_EXPR:
    case GE_EXPR:
    case UNGT_EXPR:
    case UNGE_EXPR:
      return "max";
    case LT_EXPR:
    case LE_EXPR:
    case UNLT_EXPR:
    case UNLE_EXPR:
      return "min";
    default:
      return NULL;
    }
}

static bool
in_web (const cab_phi_web &web, tree value)
{
  return TREE_CODE (value) == SSA_NAME && const_cast<cab_phi_web &> (web).contains (value);
}

const char *
cab_phi_extreme (const cab_phi_web &web, gphi *join, gcond *test)
{
  edge on_true, on_false;
  extract_true_false_edges_from_block (gimple_bb (test), &on_true, &on_false);
  on_true = arrives (on_true, gimple_bb (join), false);
  on_false = arrives (on_false, gimple_bb (join), false);
  if (!on_true || !on_false || on_true == on_false || gimple_phi_num_args (join) != 2
      || !decides_alone (join, on_true, on_false))
    return NULL;
  tree if_true = PHI_ARG_DEF_FROM_EDGE (join, on_true),
       if_false = PHI_ARG_DEF_FROM_EDGE (join, on_false);
  if (in_web (web, if_true) == in_web (web, if_false))
    return NULL;
  struct cab_phi_test is = cab_phi_test_of (test);
  if (cab_phi_same (is.left, if_false) && cab_phi_same (is.right, if_true))
    is.code = swap_tree_comparison (is.code);
  else if (!cab_phi_same (is.left, if_true) || !cab_phi_same (is.right, if_false))
    return NULL;
  return extreme_of (is.code);
}

/* Return the PHI in the block that E leads to, after quiet blocks at most, whose value over E is
   KNOWN, a truth value, or of WEB; else null. */
static gphi *
meets (const cab_phi_web &web, edge e, bool known, edge *enters)
{
  for (int i = 0; gimple_seq_empty_p (phi_nodes (e->dest)); i++)
    {
      if (i == 4 || !single_succ_p (e->dest) || !is_quiet (e->dest, false))
	return NULL;
      e = single_succ_edge (e->dest);
    }
  *enters = e;
  for (gphi_iterator gsi = gsi_start_phis (e->dest); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      if (virtual_operand_p (gimple_phi_result (gsi.phi ())))
	continue;
      tree value = cab_phi_unconverted (PHI_ARG_DEF_FROM_EDGE (gsi.phi (), e));
      if ((in_web (web, value) || (known ? integer_onep (value) : integer_zerop (value))))
	return gsi.phi ();
    }
  return NULL;
}

/* Return true if all blocks from E to the block AT store nothing, calls aside, and lie behind E. */
static bool
is_quiet_until (edge e, basic_block at, class loop *loop)
{
  auto_vec<basic_block> todo;
  hash_set<basic_block> seen;
  todo.safe_push (e->dest);
  while (!todo.is_empty ())
    {
      basic_block bb = todo.pop ();
      if (bb == at || seen.add (bb))
	continue;
      if (bb == loop->header || !flow_bb_inside_loop_p (loop, bb) || !is_quiet (bb, true)
	  || seen.elements () > 32)
	return false;
      edge out;
      edge_iterator ei;
      FOR_EACH_EDGE (out, ei, bb->succs)
	if (!(out->flags & EDGE_COMPLEX))
	  todo.safe_push (out->dest);
    }
  return true;
}

/* Return true if the other arguments of JOIN, and what else meets there, allow its value over E to
   be a short cut: no other register depends on the way. */
static bool
is_alone (gphi *join, edge e)
{
  edge other;
  edge_iterator ei;
  FOR_EACH_EDGE (other, ei, gimple_bb (join)->preds)
    for (gphi_iterator gsi = gsi_start_phis (gimple_bb (join)); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gsi.phi () != join && !virtual_operand_p (gimple_phi_result (gsi.phi ()))
	  && PHI_ARG_DEF_FROM_EDGE (gsi.phi (), e) != PHI_ARG_DEF_FROM_EDGE (gsi.phi (), other))
	return false;
  return true;
}

gphi *
cab_phi_shortcut (const cab_phi_web &web, gcond *test, const char **op)
{
  edge on_true, on_false, enters;
  bool is_ne = gimple_cond_code (test) == NE_EXPR;
  if ((!is_ne && gimple_cond_code (test) != EQ_EXPR) || !integer_zerop (gimple_cond_rhs (test))
      || !in_web (web, gimple_cond_lhs (test)))
    return NULL;
  extract_true_false_edges_from_block (gimple_bb (test), &on_true, &on_false);
  edge set = is_ne ? on_true : on_false, clear = is_ne ? on_false : on_true;
  for (bool known : { true, false })
    {
      edge cut = known ? set : clear, rest = known ? clear : set;
      gphi *join = meets (web, cut, known, &enters);
      if (join && is_alone (join, enters)
	  && is_quiet_until (rest, gimple_bb (join), gimple_bb (test)->loop_father))
	{
	  *op = known ? "||" : "&&";
	  return join;
	}
    }
  return NULL;
}
