/* loop_held.cc - header PHIs of optimised loops; see loop_held.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/loop_held.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/header_phi.h"
#include "tree-ssa-alias.h"

#define DEEPEST 8      /* operations from a value to the loads that it is made of */
#define MOVED "_lsm"   /* in names of registers that stand for memory */

/* Append the loads that VALUE is made of to LOADS.  Return false if it is made of anything but
   loads, constants, what is the same in all iterations of LOOP, and its counters. */
static bool
find_loads (class loop *loop, tree value, vec<gimple *> *loads, unsigned depth)
{
  if (TREE_CODE (value) != SSA_NAME)
    return is_gimple_min_invariant (value);
  gimple *stmt = SSA_NAME_DEF_STMT (value);
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    return !cab_phi_within (loop, phi)
	|| (gimple_bb (phi) == loop->header && cab_phi_step (loop, phi).known);
  if (!is_gimple_assign (stmt))
    return !cab_phi_within (loop, stmt);
  if (!depth || gimple_has_volatile_ops (stmt))
    return false;
  if (gimple_vuse (stmt))
    {
      loads->safe_push (stmt);
      return gimple_assign_load_p (stmt);
    }
  tree use;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (use, stmt, iter, SSA_OP_USE)
    if (!find_loads (loop, use, loads, depth - 1))
      return false;
  return true;
}

/* Return true if a statement of LOOP may write where LOAD reads. */
static bool
is_written (class loop *loop, gimple *load)
{
  bool written = false;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes && !written; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !written && !gsi_end_p (gsi);
	 gsi_next (&gsi))
      written = gimple_vdef (gsi_stmt (gsi))
	     && stmt_may_clobber_ref_p (gsi_stmt (gsi), gimple_assign_rhs1 (load));
  free (body);
  return written;
}

/* Return the variable, or the pointer, that LOAD reads at. */
static tree
base_of (gimple *load)
{
  tree base = get_base_address (gimple_assign_rhs1 (load));
  if (!base || TREE_CODE (base) != MEM_REF)
    return base;
  tree pointer = TREE_OPERAND (base, 0);
  while (TREE_CODE (pointer) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (pointer))
	 && gimple_assign_rhs_code (SSA_NAME_DEF_STMT (pointer)) == POINTER_PLUS_EXPR)
    pointer = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (pointer));
  return pointer;
}

/* Return true if each iteration could read what PHI of LOOP is made of by itself: it was read from
   memory, from the same variable before the loop and in it.  LOADS gets those in the loop that read
   where the loop may write. */
static bool
is_read (class loop *loop, gphi *phi, vec<gimple *> *loads)
{
  auto_vec<gimple *> all;
  if (SSA_NAME_VAR (gimple_phi_result (phi)))
    return false;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      unsigned before = all.length ();
      if (!find_loads (loop, gimple_phi_arg_def (phi, i), &all, DEEPEST)
	  || all.length () == before)
	return false;
    }
  for (gimple *load : all)
    {
      if (base_of (load) != base_of (all[0]))
	return false;
      if (cab_phi_within (loop, load) && is_written (loop, load))
	loads->safe_push (load);
    }
  return true;
}

/* Return what VALUE is called, to be freed; *IS_SOURCE becomes true if that is a variable of the
   source. */
static char *
name_of (tree value, bool *is_source)
{
  tree decl = SSA_NAME_VAR (value);
  *is_source = decl && DECL_NAME (decl) && !DECL_ARTIFICIAL (decl) && !DECL_IGNORED_P (decl);
  const char *text = decl && DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl)) : "";
  char *name = xstrdup (text), *moved = strstr (name, MOVED);
  bool is_member = false;
  if (moved)
    *moved = 0;
  for (char *c = name; *c; c++)
    if (*c == '$')
      {
	*c = '.';
	is_member = true;
      }
  if (!*name || (!*is_source && !moved && !is_member))
    {
      free (name);
      return xstrdup ("<temporary>");
    }
  return name;
}

/* Return true if PHI has before LOOP what was loaded from where STORE stores. */
static bool
begins_with (class loop *loop, gphi *phi, gimple *store)
{
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (!flow_bb_inside_loop_p (loop, gimple_phi_arg_edge (phi, i)->src))
      {
	tree value = gimple_phi_arg_def (phi, i);
	gimple *load = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
	if (!load || !gimple_assign_load_p (load)
	    || !operand_equal_p (gimple_assign_rhs1 (load), gimple_assign_lhs (store), 0))
	  return false;
      }
  return true;
}

/* Return the operator by which each iteration combines PHI with other values, if it does nothing
   else with it but to store the result where PHI was loaded from before the loop; else null. */
static const char *
update_of (class loop *loop, gphi *phi)
{
  tree value = gimple_phi_result (phi), next = NULL_TREE;
  use_operand_p use;
  gimple *made;
  imm_use_iterator iter;
  if (SSA_NAME_VAR (value) || !single_imm_use (value, &use, &made) || !is_gimple_assign (made)
      || !cab_phi_within (loop, made)
      || !useless_type_conversion_p (TREE_TYPE (value), TREE_TYPE (gimple_get_lhs (made))))
    return NULL;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (flow_bb_inside_loop_p (loop, gimple_phi_arg_edge (phi, i)->src))
      {
	if (next && next != gimple_phi_arg_def (phi, i))
	  return NULL;
	next = gimple_phi_arg_def (phi, i);
      }
  if (next != gimple_get_lhs (made))
    return NULL;
  FOR_EACH_IMM_USE_FAST (use, iter, next)
    {
      gimple *stmt = USE_STMT (use);
      bool stored = gimple_assign_single_p (stmt) && gimple_store_p (stmt)
		 && gimple_assign_rhs1 (stmt) == next;
      if (!is_gimple_debug (stmt) && stmt != phi && !(stored && begins_with (loop, phi, stmt)))
	return NULL;
    }
  return cab_phi_operator (made, value);
}

/* Return true if PHI only tells whether something was stored to memory that is in a register. */
static bool
is_flag (gphi *phi)
{
  tree decl = SSA_NAME_VAR (gimple_phi_result (phi));
  return decl && DECL_NAME (decl) && strstr (IDENTIFIER_POINTER (DECL_NAME (decl)), MOVED "_flag");
}

const char *
cab_held_update_of (gimple *store)
{
  class loop *loop = gimple_bb (store)->loop_father;
  tree value = gimple_assign_single_p (store) && gimple_store_p (store)
	       ? gimple_assign_rhs1 (store)
	       : NULL_TREE;
  gimple *made = value && TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  if (!made || !is_gimple_assign (made) || gimple_num_ops (made) < 3)
    return NULL;
  for (unsigned i = 1; i < 3; i++)
    {
      tree use = gimple_op (made, i);
      gphi *phi = TREE_CODE (use) == SSA_NAME ? dyn_cast<gphi *> (SSA_NAME_DEF_STMT (use)) : NULL;
      if (phi && gimple_bb (phi) == loop->header && cab_phi_operator (made, use))
	return update_of (loop, phi);
    }
  return NULL;
}

/* Return what LOOP does with PHI; LOADS: as is_read. */
static struct cab_phi_kind
kind_of (class loop *loop, gphi *phi, vec<gimple *> *loads)
{
  struct cab_phi_kind kind = cab_phi_classify (loop, phi);
  const char *op = kind.is == CAB_PHI_CARRIED ? update_of (loop, phi) : NULL;
  if (op)
    {
      kind.is = CAB_PHI_REDUCTION;
      kind.op = op;
      kind.ordered = cab_phi_is_ordered (TREE_TYPE (gimple_phi_result (phi)), op);
    }
  else if (kind.is == CAB_PHI_CARRIED && is_read (loop, phi, loads))
    kind.is = CAB_PHI_UNCHANGED;
  return kind;
}

/* Write a line for each of LOADS; if one is no access, that a value is carried. */
static void
put_loads (struct obstack *ob, unsigned number, const vec<gimple *> &loads, cab_held_find *find,
	   void *host)
{
  for (gimple *load : loads)
    {
      int access = find (host, load), line = expand_location (gimple_location (load)).line;
      cab_record_put (ob, access < 0 ? "H\t%u\tcarried\t<temporary>\t%d\t-\t-\n"
				     : "H\t%u\tloaded\t<temporary>\t%d\t%d\t-\n",
		      number, line, access);
    }
}

static void
put_held (struct obstack *ob, class loop *loop, unsigned number, gphi *phi, cab_held_find *find,
	  void *host)
{
  static const char *const names[] = { "induction",   "reduction", "lastprivate",
				       "conditional", NULL,	   "carried" };
  auto_vec<gimple *> loads;
  struct cab_phi_kind kind = kind_of (loop, phi, &loads);
  bool is_source;
  char *name = name_of (gimple_phi_result (phi), &is_source), *escaped = cab_escaped (name);
  int line = kind.writes ? expand_location (gimple_location (kind.writes)).line : 0;
  const char *flags = is_source ? (kind.ordered ? "so" : "s") : kind.ordered ? "o" : "-";
  if (names[kind.is] && !(kind.is == CAB_PHI_INDUCTION && *name == '<'))
    cab_record_put (ob, "H\t%u\t%s\t%s\t%d\t%s\t%s\n", number, names[kind.is], escaped, line,
		    kind.op ? kind.op : "-", flags);
  put_loads (ob, number, loads, find, host);
  free (escaped);
  free (name);
}

void
cab_loop_held (struct obstack *ob, class loop *loop, unsigned number, cab_held_find *find,
	       void *host)
{
  for (gphi_iterator gsi = gsi_start_phis (loop->header); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!virtual_operand_p (gimple_phi_result (gsi.phi ())) && !is_flag (gsi.phi ()))
      put_held (ob, loop, number, gsi.phi (), find, host);
}
