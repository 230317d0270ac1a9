/* header_phi.cc - classes of a loop's header PHIs; see header_phi.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/header_phi.h"

#define MOST_VALUES 256   /* values of a web; a greater one is carried */

/* A web while it grows. */
struct growing
{
  class loop *loop;
  gphi *phi;
  cab_phi_web web;
  auto_vec<tree> todo;             /* values of the web whose uses have not been looked at */
  auto_vec<gphi *> joins;          /* where a value of the web meets others, the header aside */
  auto_vec<gphi *> known;          /* those of them that a choice explains */
  auto_vec<gimple *> combined;     /* operations with a value of the web */
  auto_vec<gcond *> tests;         /* that a value of the web decides */
  const char *op;                  /* of `combined' and choices; null: none yet */
  bool passes;                     /* a value of the web reaches a statement or PHI in the loop */
  bool read;                       /* it is used in the loop in a way that no class but `carried'
				      allows */
};

static void
take (struct growing *g, tree value)
{
  if (!g->web.add (value))
    g->todo.safe_push (value);
}

/* Return OP, which for truth values is that of truth values: compilations differ in which of both
   they use. */
static const char *
operator_on (tree type, const char *op)
{
  if (TREE_CODE (type) != BOOLEAN_TYPE)
    return op;
  return !strcmp (op, "&") ? "&&" : !strcmp (op, "|") ? "||" : op;
}

static void
use_op (struct growing *g, const char *op)
{
  op = operator_on (TREE_TYPE (gimple_phi_result (g->phi)), op);
  if (g->op && strcmp (g->op, op))
    g->read = true;
  g->op = op;
}

const char *
cab_phi_operator (gimple *stmt, tree value)
{
  switch (gimple_assign_rhs_code (stmt))
    {
    case PLUS_EXPR:
      return "+";
    case MINUS_EXPR:
      return gimple_assign_rhs1 (stmt) == value ? "+" : NULL;
    case MULT_EXPR:
      return "*";
    case BIT_AND_EXPR:
      return "&";
    case BIT_IOR_EXPR:
      return "|";
    case BIT_XOR_EXPR:
      return "^";
    case MIN_EXPR:
      return "min";
    case MAX_EXPR:
      return "max";
    default:
      return NULL;
    }
}

/* Return true if a conversion from FROM to TO lets the web of a register of type TYPE be what it
   is: integers keep the register's bits, other numbers may be rounded. */
static bool
is_harmless (tree type, tree from, tree to)
{
  if (INTEGRAL_TYPE_P (type))
    return INTEGRAL_TYPE_P (from) && INTEGRAL_TYPE_P (to)
	&& TYPE_PRECISION (to) >= TYPE_PRECISION (type);
  return useless_type_conversion_p (to, from)
      || (SCALAR_FLOAT_TYPE_P (from) && SCALAR_FLOAT_TYPE_P (to))
      || (COMPLEX_FLOAT_TYPE_P (from) && COMPLEX_FLOAT_TYPE_P (to));
}

/* Look at ASSIGN, which uses VALUE of the web. */
static void
look_at_assignment (struct growing *g, gimple *assign, tree value)
{
  tree to = gimple_assign_lhs (assign), type = TREE_TYPE (gimple_phi_result (g->phi));
  enum tree_code code = gimple_assign_rhs_code (assign);
  const char *op = cab_phi_operator (assign, value);
  bool is_truth = code == NE_EXPR && TREE_CODE (type) == BOOLEAN_TYPE
	       && integer_zerop (gimple_assign_rhs2 (assign));
  if (TREE_CODE (to) != SSA_NAME || POINTER_TYPE_P (type))
    g->read = true;
  else if (code == SSA_NAME || CONVERT_EXPR_CODE_P (code) || is_truth)
    {
      if (!is_truth && !is_harmless (type, TREE_TYPE (value), TREE_TYPE (to)))
	g->read = true;
      take (g, to);
    }
  else if (op && is_harmless (type, TREE_TYPE (value), TREE_TYPE (to)))
    {
      use_op (g, op);
      g->combined.safe_push (assign);
      take (g, to);
    }
  else
    g->read = true;
}

/* Look at CALL, which uses VALUE of the web: functions for the minimum and the maximum combine. */
static void
look_at_call (struct growing *g, gcall *call)
{
  tree to = gimple_call_lhs (call);
  const char *op = NULL;
  switch (gimple_call_combined_fn (call))
    {
    case CFN_BUILT_IN_FMIN:
    case CFN_BUILT_IN_FMINF:
    case CFN_BUILT_IN_FMINL:
    case CFN_FMIN:
      op = "min";
      break;
    case CFN_BUILT_IN_FMAX:
    case CFN_BUILT_IN_FMAXF:
    case CFN_BUILT_IN_FMAXL:
    case CFN_FMAX:
      op = "max";
      break;
    default:
      break;
    }
  if (!op || !to)
    {
      g->read = true;
      return;
    }
  use_op (g, op);
  g->combined.safe_push (call);
  take (g, to);
}

static void
look_at_use (struct growing *g, gimple *stmt, tree value)
{
  if (is_gimple_debug (stmt) || !cab_phi_within (g->loop, stmt) || stmt == g->phi)
    return;
  g->passes = true;
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    {
      if (gimple_bb (phi) == g->loop->header)
	g->read = true;
      else if (!g->web.contains (gimple_phi_result (phi)))
	{
	  g->joins.safe_push (phi);
	  take (g, gimple_phi_result (phi));
	}
    }
  else if (is_gimple_assign (stmt))
    look_at_assignment (g, stmt, value);
  else if (gcall *call = dyn_cast<gcall *> (stmt))
    look_at_call (g, call);
  else if (gcond *test = dyn_cast<gcond *> (stmt))
    g->tests.safe_push (test);
  else
    g->read = true;
}

static void
grow (struct growing *g)
{
  while (!g->todo.is_empty () && !g->read)
    {
      tree value = g->todo.pop ();
      use_operand_p use;
      imm_use_iterator iter;
      if (g->web.elements () > MOST_VALUES || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value))
	g->read = true;
      FOR_EACH_IMM_USE_FAST (use, iter, value)
	look_at_use (g, USE_STMT (use), value);
    }
}

/* Explain TEST by a choice, of which the loop uses the result alone.  Return false if there is
   none. */
static bool
explain (struct growing *g, gcond *test)
{
  const char *op;
  for (gphi *join : g->joins)
    if ((op = cab_phi_extreme (g->web, join, test)))
      {
	use_op (g, op);
	g->known.safe_push (join);
	return true;
      }
  gphi *join = cab_phi_shortcut (g->web, test, &op);
  if (!join)
    return false;
  use_op (g, op);
  g->known.safe_push (join);
  take (g, gimple_phi_result (join));
  return true;
}

/* Explain all tests, and let the web grow by what they decide. */
static void
explain_tests (struct growing *g)
{
  for (unsigned i = 0; i < g->tests.length () && !g->read; i++)
    {
      if (!explain (g, g->tests[i]))
	g->read = true;
      grow (g);
    }
}

/* Return how many of the arguments of PHI that come from the loop are not of the web. */
static unsigned
n_others (struct growing *g, gphi *phi)
{
  unsigned n = 0;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      tree value = gimple_phi_arg_def (phi, i);
      if (flow_bb_inside_loop_p (g->loop, gimple_phi_arg_edge (phi, i)->src)
	  && !(TREE_CODE (value) == SSA_NAME && g->web.contains (value)))
	n++;
    }
  return n;
}

/* Return true if all that meets the web in the loop is of the web, except for choices. */
static bool
is_closed (struct growing *g)
{
  for (gphi *join : g->joins)
    if (!g->known.contains (join) && n_others (g, join))
      return false;
  return !n_others (g, g->phi);
}

/* Return true if each operation combines one value of the web with one of others. */
static bool
combines_others (struct growing *g)
{
  for (gimple *stmt : g->combined)
    {
      unsigned n = 0;
      tree use;
      ssa_op_iter iter;
      FOR_EACH_SSA_TREE_OPERAND (use, stmt, iter, SSA_OP_USE)
	n += g->web.contains (use);
      if (n != 1)
	return false;
    }
  return true;
}

bool
cab_phi_is_ordered (tree type, const char *op)
{
  return (SCALAR_FLOAT_TYPE_P (type) || COMPLEX_FLOAT_TYPE_P (type))
      && (!strcmp (op, "+") || !strcmp (op, "*"));
}

static void
decide (struct growing *g, struct cab_phi_kind *kind)
{
  kind->is = CAB_PHI_CARRIED;
  if (g->read)
    return;
  if (g->op)
    {
      if (is_closed (g) && combines_others (g))
	{
	  kind->is = CAB_PHI_REDUCTION;
	  kind->op = g->op;
	  kind->ordered = cab_phi_is_ordered (TREE_TYPE (gimple_phi_result (g->phi)), g->op);
	}
    }
  else if (!g->passes)
    kind->is = n_others (g, g->phi) ? CAB_PHI_LAST : CAB_PHI_UNCHANGED;
  else
    kind->is = is_closed (g) ? CAB_PHI_UNCHANGED : CAB_PHI_CONDITIONAL;
}

/* Return a statement or PHI in LOOP that makes the value that an iteration leaves to PHI. */
static gimple *
writer (class loop *loop, gphi *phi)
{
  hash_set<gimple *> seen;
  auto_vec<gphi *> todo;
  todo.safe_push (phi);
  while (!todo.is_empty ())
    {
      gphi *join = todo.pop ();
      for (unsigned i = 0; i < gimple_phi_num_args (join); i++)
	{
	  tree value = gimple_phi_arg_def (join, i);
	  gimple *stmt = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
	  if (!stmt || !cab_phi_within (loop, stmt) || seen.add (stmt))
	    continue;
	  if (!is_a<gphi *> (stmt))
	    return stmt;
	  todo.safe_push (as_a<gphi *> (stmt));
	}
    }
  return NULL;
}

struct cab_phi_kind
cab_phi_classify (class loop *loop, gphi *phi)
{
  struct cab_phi_kind kind = {};
  struct growing g;
  g.loop = loop;
  g.phi = phi;
  g.op = NULL;
  g.passes = g.read = false;
  take (&g, gimple_phi_result (phi));
  grow (&g);
  explain_tests (&g);
  kind.writes = writer (loop, phi);
  kind.step = cab_phi_step (loop, phi);
  if (!kind.step.known)
    decide (&g, &kind);
  else if (!kind.step.constant && !kind.step.symbol)
    kind.is = CAB_PHI_UNCHANGED;
  else
    kind.is = CAB_PHI_INDUCTION;
  if (kind.is == CAB_PHI_CARRIED && !SSA_NAME_VAR (gimple_phi_result (phi))
      && cab_phi_follows (loop, phi))
    kind.is = CAB_PHI_INDUCTION;
  return kind;
}
