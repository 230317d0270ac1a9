/* header_phi_step.cc - what iterations add to a register, and which values they leave alone.
   SPDX-License-Identifier: GPL-3.0-or-later

   The compiler's analysis of scalar evolutions needs loops with preheaders and single latches.
   Where loops are named there are neither, and the code must stay as it is.  So this follows the
   chain of definitions from the latches to the header itself, and asks the compiler's analysis
   besides where that runs. */
#include "plugin/loops/header_phi.h"
#include "tree-ssa-loop.h"
#include "tree-scalar-evolution.h"

#define DEEPEST 16      /* definitions that lie one behind the other */
#define MOST_NAMES 64   /* definitions in all */

bool
cab_phi_within (class loop *loop, gimple *stmt)
{
  return gimple_bb (stmt) && flow_bb_inside_loop_p (loop, gimple_bb (stmt));
}

static enum cab_variance variance (class loop *, tree, gimple **, unsigned);

/* Return the greatest variance of the operands of STMT. */
static enum cab_variance
variance_of_uses (class loop *loop, gimple *stmt, gimple **because, unsigned depth)
{
  enum cab_variance most = CAB_SAME;
  tree use;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (use, stmt, iter, SSA_OP_USE)
    {
      enum cab_variance one = variance (loop, use, because, depth - 1);
      most = MAX (most, one);
    }
  return most;
}

static enum cab_variance
variance (class loop *loop, tree value, gimple **because, unsigned depth)
{
  if (TREE_CODE (value) != SSA_NAME)
    return is_gimple_min_invariant (value) ? CAB_SAME : CAB_VARIES;
  gimple *stmt = SSA_NAME_DEF_STMT (value);
  if (!cab_phi_within (loop, stmt))
    return CAB_SAME;
  gcall *call = dyn_cast<gcall *> (stmt);
  if (!depth || (!call && !is_gimple_assign (stmt)) || gimple_has_volatile_ops (stmt))
    {
      *because = stmt;
      return CAB_VARIES;
    }
  enum cab_variance own = call && !(gimple_call_flags (call) & ECF_CONST) ? CAB_CALLED
			: !call && gimple_vuse (stmt)			  ? CAB_READ
									  : CAB_SAME;
  enum cab_variance uses = variance_of_uses (loop, stmt, because, depth);
  if (own > uses)
    *because = stmt;
  return MAX (own, uses);
}

enum cab_variance
cab_phi_variance (class loop *loop, tree value, gimple **because)
{
  *because = NULL;
  return variance (loop, value, because, DEEPEST);
}

/* A walk from the latches of LOOP to its header. */
struct walk
{
  class loop *loop;
  tree result;           /* of the header's PHI */
  hash_map<tree, struct cab_phi_step> seen;
};

static const struct cab_phi_step unknown = { false, 0, NULL_TREE, false };

static struct cab_phi_step step_of (struct walk *w, tree name);

static bool
same_step (const struct cab_phi_step &a, const struct cab_phi_step &b)
{
  return a.known && b.known && a.constant == b.constant && a.symbol == b.symbol
      && a.minus == b.minus;
}

static bool
is_counter (tree type)
{
  return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) && TYPE_PRECISION (type) <= 64;
}

/* Return STEP with VALUE, the same in all iterations, added or, if MINUS, subtracted. */
static struct cab_phi_step
add (struct walk *w, struct cab_phi_step step, tree value, bool minus)
{
  gimple *because;
  if (!step.known)
    return unknown;
  if (TREE_CODE (value) == INTEGER_CST && is_counter (TREE_TYPE (value)))
    {
      HOST_WIDE_INT n = int_cst_value (value);
      step.constant = (unsigned HOST_WIDE_INT) step.constant
		    + (minus ? -(unsigned HOST_WIDE_INT) n : (unsigned HOST_WIDE_INT) n);
      return step;
    }
  if (step.symbol || cab_phi_variance (w->loop, value, &because) != CAB_SAME)
    return unknown;
  step.symbol = value;
  step.minus = minus;
  return step;
}

/* Return true if TO, the type of a converted value, keeps all bits that the register has. */
static bool
keeps (struct walk *w, tree to)
{
  return is_counter (to) && TYPE_PRECISION (to) >= TYPE_PRECISION (TREE_TYPE (w->result));
}

static struct cab_phi_step
step_of_assignment (struct walk *w, gimple *stmt)
{
  if (!keeps (w, TREE_TYPE (gimple_assign_lhs (stmt))))
    return unknown;
  tree left = gimple_assign_rhs1 (stmt), right = gimple_assign_rhs2 (stmt);
  switch (gimple_assign_rhs_code (stmt))
    {
    case SSA_NAME:
    CASE_CONVERT:
      return step_of (w, left);
    case PLUS_EXPR:
      {
	struct cab_phi_step step = step_of (w, left);
	return step.known ? add (w, step, right, false) : add (w, step_of (w, right), left, false);
      }
    case POINTER_PLUS_EXPR:
      return add (w, step_of (w, left), right, false);
    case MINUS_EXPR:
      return add (w, step_of (w, left), right, true);
    default:
      return unknown;
    }
}

/* Return the step that all arguments of PHI have.  One that comes back from an inner loop must be
   what has entered that loop. */
static struct cab_phi_step
step_of_phi (struct walk *w, gphi *phi)
{
  struct cab_phi_step step = unknown;
  basic_block bb = gimple_bb (phi);
  for (unsigned i = 0; i < gimple_phi_num_args (phi) && !step.known; i++)
    if (!dominated_by_p (CDI_DOMINATORS, gimple_phi_arg_edge (phi, i)->src, bb))
      step = step_of (w, gimple_phi_arg_def (phi, i));
  w->seen.put (gimple_phi_result (phi), step);
  for (unsigned i = 0; i < gimple_phi_num_args (phi) && step.known; i++)
    if (!same_step (step, step_of (w, gimple_phi_arg_def (phi, i))))
      step = unknown;
  return step;
}

/* Return what has been added to the header's PHI where NAME is computed. */
static struct cab_phi_step
step_of (struct walk *w, tree name)
{
  static const struct cab_phi_step none = { true, 0, NULL_TREE, false };
  if (name == w->result)
    return none;
  if (TREE_CODE (name) != SSA_NAME)
    return unknown;
  if (struct cab_phi_step *seen = w->seen.get (name))
    return *seen;
  gimple *stmt = SSA_NAME_DEF_STMT (name);
  if (!cab_phi_within (w->loop, stmt) || w->seen.elements () >= MOST_NAMES)
    return unknown;
  w->seen.put (name, unknown);
  struct cab_phi_step step = unknown;
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    {
      if (gimple_bb (phi) != w->loop->header)
	step = step_of_phi (w, phi);
    }
  else if (is_gimple_assign (stmt))
    step = step_of_assignment (w, stmt);
  w->seen.put (name, step);
  return step;
}

/* Return the step of PHI by the compiler's own analysis, where that runs. */
static struct cab_phi_step
evolution (class loop *loop, tree result)
{
  struct cab_phi_step step = unknown;
  affine_iv iv;
  if (!scev_initialized_p () || !simple_iv (loop, loop, result, &iv, false))
    return unknown;
  step.known = true;
  if (TREE_CODE (iv.step) == INTEGER_CST)
    step.constant = int_cst_value (iv.step);
  else
    step.symbol = iv.step;
  return step;
}

struct cab_phi_step
cab_phi_step (class loop *loop, gphi *phi)
{
  struct walk w;
  struct cab_phi_step step = unknown;
  bool first = true;
  w.loop = loop;
  w.result = gimple_phi_result (phi);
  if (!is_counter (TREE_TYPE (w.result)))
    return unknown;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (flow_bb_inside_loop_p (loop, gimple_phi_arg_edge (phi, i)->src))
      {
	struct cab_phi_step one = step_of (&w, gimple_phi_arg_def (phi, i));
	step = first || same_step (step, one) ? one : unknown;
	first = false;
      }
  return step.known ? step : evolution (loop, w.result);
}

/* Return true if VALUE, in LOOP, follows from inductions, other than RESULT, and from values that
   are the same in all iterations. */
static bool
follows (class loop *loop, tree result, tree value, unsigned depth)
{
  if (TREE_CODE (value) != SSA_NAME)
    return is_gimple_min_invariant (value);
  gimple *stmt = SSA_NAME_DEF_STMT (value);
  if (!cab_phi_within (loop, stmt))
    return true;
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    return value != result && gimple_bb (phi) == loop->header && cab_phi_step (loop, phi).known;
  gcall *call = dyn_cast<gcall *> (stmt);
  if (!depth || gimple_vuse (stmt) || (call && !(gimple_call_flags (call) & ECF_CONST))
      || (!call && !is_gimple_assign (stmt)))
    return false;
  tree use;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (use, stmt, iter, SSA_OP_USE)
    if (!follows (loop, result, use, depth - 1))
      return false;
  return true;
}

bool
cab_phi_follows (class loop *loop, gphi *phi)
{
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (flow_bb_inside_loop_p (loop, gimple_phi_arg_edge (phi, i)->src)
	&& !follows (loop, gimple_phi_result (phi), gimple_phi_arg_def (phi, i), DEEPEST))
      return false;
  return true;
}
