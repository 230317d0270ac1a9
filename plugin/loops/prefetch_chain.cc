/* prefetch_chain.cc - see prefetch_chain.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/prefetch_chain.h"
#include "tree-ssa-loop.h"
#include "tree-scalar-evolution.h"
#include "gimple-fold.h"

#define MOST_STATEMENTS 32   /* in a chain */

/* What is known of a chain while it is followed. */
struct search
{
  const struct cab_ahead *ahead;
  unsigned n_statements, n_loads;
};

static bool can_uses (struct search *s, gimple *stmt, bool exact);

/* Return true if VALUE is a counter of LOOP, and describe it in *IV. */
static bool
is_counter (class loop *loop, tree value, affine_iv *iv)
{
  tree type = TREE_TYPE (value);
  return (TREE_CODE (type) == INTEGER_TYPE || POINTER_TYPE_P (type))
      && simple_iv (loop, loop, value, iv, true);
}

/* Return true if VALUE is computed in LOOP, so may change in it. */
static bool
is_of_loop (class loop *loop, tree value)
{
  basic_block bb = gimple_bb (SSA_NAME_DEF_STMT (value));
  return bb && flow_bb_inside_loop_p (loop, bb);
}

/* Return true if STMT uses a value that is computed in LOOP. */
static bool
uses_loop (class loop *loop, gimple *stmt)
{
  tree value;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (value, stmt, iter, SSA_OP_USE)
    if (is_of_loop (loop, value))
      return true;
  return false;
}

/* Return true if memory at BASE, of a reference, and memory at OTHER may be the same, in whatever
   iterations. */
static bool
may_overlap (tree base, tree other)
{
  if (TREE_CODE (base) != MEM_REF)
    std::swap (base, other);
  if (TREE_CODE (base) != MEM_REF)
    return !DECL_P (base) || !DECL_P (other) || base == other;
  tree pointer = TREE_OPERAND (base, 0);
  if (TREE_CODE (pointer) == ADDR_EXPR)
    return may_overlap (other, get_base_address (TREE_OPERAND (pointer, 0)));
  if (TREE_CODE (other) == MEM_REF)
    return ptr_derefs_may_alias_p (pointer, TREE_OPERAND (other, 0));
  return !DECL_P (other) || may_be_aliased (other);
}

/* Return true if the store STMT may change what the load LOADED reads, in any iteration. */
static bool
may_change (gimple *stmt, gimple *loaded)
{
  if (!gimple_assign_single_p (stmt))
    return true;
  tree store = gimple_assign_lhs (stmt), load = gimple_assign_rhs1 (loaded);
  if (flag_strict_aliasing
      && !alias_sets_conflict_p (get_alias_set (store), get_alias_set (load)))
    return false;
  return may_overlap (get_base_address (load), get_base_address (store));
}

/* Return true if LOOP stores to what STMT loads. */
static bool
is_stored_to (class loop *loop, gimple *stmt)
{
  basic_block *body = get_loop_body (loop);
  bool found = false;
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi) && !found;
	 gsi_next (&gsi))
      found = gimple_vdef (gsi_stmt (gsi)) && may_change (gsi_stmt (gsi), stmt);
  free (body);
  return found;
}

/* Return true if STMT loads one value from ordinary memory. */
static bool
is_plain_load (gimple *stmt)
{
  return gimple_assign_load_p (stmt) && TREE_CODE (gimple_assign_lhs (stmt)) == SSA_NAME
      && !gimple_has_volatile_ops (stmt) && !stmt_could_throw_p (cfun, stmt)
      && TREE_CODE (get_base_address (gimple_assign_rhs1 (stmt))) != TARGET_MEM_REF;
}

/* Return true if STMT, a part of a chain, can be done ahead.  EXACT says that its value must be
   that of the later iteration. */
static bool
can_load (struct search *s, gimple *stmt, bool exact)
{
  class loop *loop = s->ahead->loop;
  if (!is_plain_load (stmt) || !dominated_by_p (CDI_DOMINATORS, s->ahead->sure, gimple_bb (stmt))
      || (exact && is_stored_to (loop, stmt)))
    return false;
  s->n_loads += uses_loop (loop, stmt);
  return can_uses (s, stmt, true);
}

static bool
can_value (struct search *s, tree value, bool exact)
{
  affine_iv iv;
  class loop *loop = s->ahead->loop;
  if (!is_of_loop (loop, value))
    return true;
  gimple *stmt = SSA_NAME_DEF_STMT (value);
  if (gimple_bb (stmt)->loop_father != loop || s->n_statements++ == MOST_STATEMENTS)
    return false;
  if (gimple_code (stmt) == GIMPLE_PHI)
    return gimple_bb (stmt) == loop->header && is_counter (loop, value, &iv);
  if (!is_gimple_assign (stmt) || gimple_vdef (stmt))
    return false;
  if (gimple_vuse (stmt))
    return can_load (s, stmt, exact);
  return !gimple_could_trap_p (stmt) && can_uses (s, stmt, exact);
}

/* Return true if all that STMT uses can be computed ahead. */
static bool
can_uses (struct search *s, gimple *stmt, bool exact)
{
  tree value;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (value, stmt, iter, SSA_OP_USE)
    if (!can_value (s, value, exact))
      return false;
  return true;
}

bool
cab_ahead_can (const struct cab_ahead *ahead, gimple *stmt, unsigned *n_loads, bool *changes)
{
  struct search s = { ahead, 0, 0 };
  *changes = uses_loop (ahead->loop, stmt);
  bool can = is_plain_load (stmt) && can_uses (&s, stmt, false);
  *n_loads = s.n_loads;
  return can;
}

/* Append what computes EXPRESSION.  Return its value. */
static tree
compute (struct cab_ahead *ahead, tree expression)
{
  gimple_seq seq = NULL;
  tree value = force_gimple_operand (expression, &seq, true, NULL_TREE);
  gimple_seq_add_seq (&ahead->made, seq);
  return value;
}

/* Return the counter VALUE as it is in the later iteration. */
static tree
advance (struct cab_ahead *ahead, tree value)
{
  affine_iv iv;
  tree type = TREE_TYPE (value);
  if (!is_counter (ahead->loop, value, &iv))
    gcc_unreachable ();
  bool is_pointer = POINTER_TYPE_P (type);
  tree number = is_pointer ? sizetype : unsigned_type_for (type);
  tree by = fold_build2 (MULT_EXPR, number, fold_convert (number, ahead->left),
			 fold_convert (number, unshare_expr (iv.step)));
  if (is_pointer)
    return compute (ahead, fold_build_pointer_plus (value, by));
  tree sum = fold_build2 (PLUS_EXPR, number, fold_convert (number, value), by);
  return compute (ahead, fold_convert (type, sum));
}

static tree copy_of (struct cab_ahead *ahead, tree value);

static tree
replace_name (tree *at, int *walk_subtrees, void *data)
{
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  else if (TREE_CODE (*at) == SSA_NAME)
    {
      *at = copy_of ((struct cab_ahead *) data, *at);
      *walk_subtrees = 0;
    }
  return NULL_TREE;
}

/* Append a copy of STMT, a part of a chain.  Return its value. */
static tree
copy_stmt (struct cab_ahead *ahead, gimple *stmt)
{
  gimple *copy = gimple_copy (stmt);
  tree value = make_ssa_name (TREE_TYPE (gimple_assign_lhs (stmt)));
  for (unsigned i = 1; i < gimple_num_ops (copy); i++)
    walk_tree (gimple_op_ptr (copy, i), replace_name, ahead, NULL);
  gimple_assign_set_lhs (copy, value);
  if (gimple_vuse (stmt))
    gimple_set_vuse (copy, NULL_TREE);
  tree type = TREE_TYPE (value);
  if (INTEGRAL_TYPE_P (type) && TYPE_OVERFLOW_UNDEFINED (type)
      && arith_code_with_undefined_signed_overflow (gimple_assign_rhs_code (copy)))
    gimple_seq_add_seq (&ahead->made, cab_rewrite_to_defined (copy));
  else
    gimple_seq_add_stmt (&ahead->made, copy);
  return value;
}

/* Return VALUE as it is in the later iteration. */
static tree
copy_of (struct cab_ahead *ahead, tree value)
{
  if (!is_of_loop (ahead->loop, value))
    return value;
  if (tree *known = ahead->copy->get (value))
    return *known;
  gimple *stmt = SSA_NAME_DEF_STMT (value);
  tree made = gimple_code (stmt) == GIMPLE_PHI ? advance (ahead, value) : copy_stmt (ahead, stmt);
  ahead->copy->put (value, made);
  return made;
}

/* Return the part of the reference REF that has an address. */
static tree
addressable_part (tree ref)
{
  tree whole = ref;
  for (tree at = ref; handled_component_p (at); at = TREE_OPERAND (at, 0))
    if (TREE_CODE (at) == BIT_FIELD_REF || TREE_CODE (at) == VIEW_CONVERT_EXPR
	|| TREE_CODE (at) == REALPART_EXPR || TREE_CODE (at) == IMAGPART_EXPR
	|| (TREE_CODE (at) == COMPONENT_REF && DECL_BIT_FIELD (TREE_OPERAND (at, 1))))
      whole = TREE_OPERAND (at, 0);
  return whole;
}

tree
cab_ahead_make (struct cab_ahead *ahead, gimple *stmt)
{
  tree ref = unshare_expr (addressable_part (gimple_assign_rhs1 (stmt)));
  walk_tree (&ref, replace_name, ahead, NULL);
  tree base = get_base_address (ref);
  if (DECL_P (base))
    mark_addressable (base);
  return compute (ahead, build_fold_addr_expr_with_type (ref, ptr_type_node));
}
