/* access_address.cc - addresses of variables, and their decomposition for comparison.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/memory/access_address.h"
#include "plugin/emit/ctx.h"

/* Return true if a conversion makes a signed number of an unsigned one of the same width, which may
   have wrapped.  The compiler assumes that such a number has not wrapped when it analyses an
   address: for (long) (signed char) (k + 1) it says (long) (signed char) k + 1. */
static bool
may_have_wrapped (tree to, tree from)
{
  return INTEGRAL_TYPE_P (to) && INTEGRAL_TYPE_P (from) && !TYPE_UNSIGNED (to)
      && TYPE_UNSIGNED (from) && TYPE_PRECISION (to) == TYPE_PRECISION (from)
      && TYPE_PRECISION (to) < TYPE_PRECISION (cab_word_type ());
}

/* Return such a number in *T, or in what its names are computed from; null if there is none. */
static tree
find_wrapped (tree *t, int *, void *seen)
{
  if (CONVERT_EXPR_P (*t) && may_have_wrapped (TREE_TYPE (*t), TREE_TYPE (TREE_OPERAND (*t, 0))))
    return *t;
  gassign *def = TREE_CODE (*t) == SSA_NAME ? dyn_cast<gassign *> (SSA_NAME_DEF_STMT (*t)) : NULL;
  if (!def || gimple_vuse (def) || ((hash_set<tree> *) seen)->add (*t))
    return NULL_TREE;
  if (CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (def))
      && may_have_wrapped (TREE_TYPE (*t), TREE_TYPE (gimple_assign_rhs1 (def))))
    return *t;
  for (unsigned i = 1; i < gimple_num_ops (def); i++)
    {
      tree operand = gimple_op (def, i),
	   found = operand ? walk_tree (&operand, find_wrapped, seen, NULL) : NULL_TREE;
      if (found)
	return found;
    }
  return NULL_TREE;
}

void
cab_access_combine (tree address, aff_tree *combination,
		    hash_map<tree, name_expansion *> **expansions)
{
  hash_set<tree> seen;
  if (walk_tree (&address, find_wrapped, &seen, NULL))
    tree_to_aff_combination (address, cab_word_type (), combination);
  else
    tree_to_aff_combination_expand (address, cab_word_type (), combination, expansions);
}

/* Variables of the unit whose address only probes of the present function have taken.  The
   optimisers of this function must know that; those of later functions may not: a variable that no
   pointer of the program leads to is treated otherwise, and so are calls around it. */
static vec<tree> lent;

tree
cab_access_address (tree variable)
{
  if (VAR_P (variable) && is_global_var (variable) && !TREE_ADDRESSABLE (variable))
    lent.safe_push (variable);
  return build_fold_addr_expr (variable);
}

void
cab_access_give_back (void *, void *)
{
  for (tree variable : lent)
    TREE_ADDRESSABLE (variable) = 0;
  lent.truncate (0);
}
