/* loop_updates.cc - finds sum[k] += x and the like; see loop_updates.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/loop_updates.h"
#include "plugin/emit/record_text.h"
#include "plugin/loops/header_phi.h"

/* Return the statement that has made VALUE, conversions aside, for no other use; else null. */
static gimple *
maker_of (tree value)
{
  while (TREE_CODE (value) == SSA_NAME && has_single_use (value))
    {
      gimple *stmt = SSA_NAME_DEF_STMT (value);
      if (!is_gimple_assign (stmt) || !CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (stmt)))
	return stmt;
      value = gimple_assign_rhs1 (stmt);
    }
  return NULL;
}

/* Return the load that has read VALUE, an operand of what STORE stores, from the same place and
   state of memory; null if there is none. */
static gimple *
load_of (gimple *store, tree value)
{
  gimple *load = maker_of (value);
  return load && gimple_assign_load_p (load) && gimple_vuse (load) == gimple_vuse (store)
	  && cab_phi_same (gimple_assign_lhs (store), gimple_assign_rhs1 (load))
	 ? load
	 : NULL;
}

/* Return true if an operation on numbers of type IN, whose result is stored as TO, leaves the same
   in any order: no part of a sum is cut off. */
static bool
keeps (tree to, tree in)
{
  if (INTEGRAL_TYPE_P (to))
    return INTEGRAL_TYPE_P (in) && TYPE_PRECISION (in) >= TYPE_PRECISION (to);
  return useless_type_conversion_p (to, in)
      || (SCALAR_FLOAT_TYPE_P (to) && SCALAR_FLOAT_TYPE_P (in))
      || (COMPLEX_FLOAT_TYPE_P (to) && COMPLEX_FLOAT_TYPE_P (in));
}

const char *
cab_update_of (gimple *store, gimple **load)
{
  if (!gimple_store_p (store) || !gimple_assign_single_p (store)
      || TREE_CODE (gimple_assign_rhs1 (store)) != SSA_NAME)
    return NULL;
  gimple *made = maker_of (gimple_assign_rhs1 (store));
  if (!made || !is_gimple_assign (made) || gimple_num_ops (made) < 3
      || !keeps (TREE_TYPE (gimple_assign_lhs (store)), TREE_TYPE (gimple_assign_lhs (made))))
    return NULL;
  for (unsigned i = 1; i < 3; i++)
    if ((*load = load_of (store, gimple_op (made, i))))
      return cab_phi_operator (made, gimple_op (made, i));
  return NULL;
}

void
cab_loop_updates (struct obstack *ob, class loop *loop, unsigned number,
			      tree control)
{
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]);
	 body[i]->loop_father == loop && !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *load;
	const char *op = cab_update_of (gsi_stmt (gsi), &load);
	if (!op || gimple_assign_lhs (gsi_stmt (gsi)) == control)
	  continue;
	expanded_location to = expand_location (gimple_location (gsi_stmt (gsi))),
			  from = expand_location (gimple_location (load));
	bool ordered = cab_phi_is_ordered (TREE_TYPE (gimple_assign_lhs (gsi_stmt (gsi))), op);
	cab_record_put (ob, "u\t%u\t%s\t%d:%d\t%d:%d\t%s\n", number, op, to.line, to.column,
			from.line, from.column, ordered ? "o" : "-");
      }
  free (body);
}
