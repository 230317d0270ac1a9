/* access_evolution.cc - how a value evolves in a loop, where scalar evolutions do not say.
   SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/memory/access_evolution.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "tree-ssa-loop.h"
#include "tree-scalar-evolution.h"

#define MOST_OPERATIONS 20   /* that are looked at for one value */

/* Split EXPRESSION, which may be a name that is computed in LOOP, into CODE and the operands A and
   B; B is null if there is one. */
static bool
split (class loop *loop, tree expression, enum tree_code *code, tree *a, tree *b)
{
  gassign *assign;
  *code = TREE_CODE (expression);
  *b = NULL_TREE;
  if (*code != SSA_NAME)
    {
      if (!UNARY_CLASS_P (expression) && !BINARY_CLASS_P (expression))
	return false;
      *a = TREE_OPERAND (expression, 0);
      if (BINARY_CLASS_P (expression))
	*b = TREE_OPERAND (expression, 1);
      return true;
    }
  assign = safe_dyn_cast<gassign *> (SSA_NAME_DEF_STMT (expression));
  if (!assign || gimple_bb (assign)->loop_father != loop || gimple_num_ops (assign) > 3)
    return false;
  *code = gimple_assign_rhs_code (assign);
  *a = gimple_assign_rhs1 (assign);
  if (gimple_num_ops (assign) == 3)
    *b = gimple_assign_rhs2 (assign);
  return true;
}

/* Set RESULT to what the operation CODE of evolutions A and B is. */
static bool
combine (enum tree_code code, const struct cab_evolution *a, const struct cab_evolution *b,
	 struct cab_evolution *result)
{
  tree word = cab_word_type ();
  if (code == MULT_EXPR)
    {
      if (!integer_zerop (b->step))
	std::swap (a, b);
      if (!integer_zerop (b->step))
	return false;
      result->base = fold_build2 (MULT_EXPR, word, a->base, b->base);
      result->step = fold_build2 (MULT_EXPR, word, a->step, b->base);
      return true;
    }
  if (code == POINTER_PLUS_EXPR)
    code = PLUS_EXPR;
  if (code != PLUS_EXPR && code != MINUS_EXPR)
    return false;
  result->base = fold_build2 (code, word, a->base, b->base);
  result->step = fold_build2 (code, word, a->step, b->step);
  return true;
}

/* Find what cab_access_evolution does, and look at *BUDGET operations at most. */
static bool
find_evolution (class loop *loop, tree expression, struct cab_evolution *result, unsigned *budget)
{
  tree type = TREE_TYPE (expression), a, b, word = cab_word_type ();
  enum tree_code code;
  affine_iv iv;
  struct cab_evolution left, right;
  if (!*budget || !(INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) || TYPE_PRECISION (type) > 64)
    return false;
  --*budget;
  bool exact = TYPE_PRECISION (type) == 64 || TYPE_OVERFLOW_UNDEFINED (type);
  if (simple_iv (loop, loop, expression, &iv, true) && (exact || integer_zerop (iv.step)))
    {
      *result = { fold_convert (word, iv.base), fold_convert (word, iv.step) };
      return true;
    }
  if (!exact || !split (loop, expression, &code, &a, &b)
      || !find_evolution (loop, a, &left, budget))
    return false;
  if (CONVERT_EXPR_CODE_P (code))
    {
      *result = left;
      return TYPE_PRECISION (type) == 64 || TYPE_PRECISION (TREE_TYPE (a)) < TYPE_PRECISION (type);
    }
  return b && find_evolution (loop, b, &right, budget) && combine (code, &left, &right, result);
}

bool
cab_access_evolution (class loop *loop, tree expression, struct cab_evolution *result)
{
  unsigned budget = MOST_OPERATIONS;
  return find_evolution (loop, expression, result, &budget);
}
