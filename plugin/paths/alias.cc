/* alias.cc - tells the optimisers that nothing in the program aliases a counter.
   SPDX-License-Identifier: GPL-3.0-or-later

   A counter in a loop stays in a register only if no store of the loop can change it.  Its type
   is one that no other access has (cab_counter_type), but an access by a character type may
   alias anything.  So counters and such accesses get the marks that `restrict' gives: one
   clique, different bases.  Accesses that have marks of restrict's own keep them.

   A counter that moves out of a loop takes along a copy of the loop's last store, since types do
   not free the order of stores.  From -O2 on GCC removes the copy, unless a counter may be in
   between: so, where accesses are recorded, those of every type get the marks. */
#include "plugin/paths/alias.h"
#include "plugin/emit/ctx.h"

struct marks
{
  unsigned short clique;
  bool all;   /* mark accesses of every type */
};

static tree *
base_of (tree *reference)
{
  while (handled_component_p (*reference))
    reference = &TREE_OPERAND (*reference, 0);
  return reference;
}

static void
mark (tree base, unsigned short clique, unsigned short number)
{
  MR_DEPENDENCE_CLIQUE (base) = clique;
  MR_DEPENDENCE_BASE (base) = number;
}

/* Replace the access to *BASE by name, an array of characters, with one by its address, which can
   bear a mark. */
static void
mark_variable (tree *base, unsigned short clique)
{
  tree address = build_fold_addr_expr (*base);
  *base = build2 (MEM_REF, TREE_TYPE (*base), address, build_int_cst (TREE_TYPE (address), 0));
  mark (*base, clique, 0);
}

static bool
visit (gimple *, tree, tree reference, void *data)
{
  struct marks *marks = (struct marks *) data;
  unsigned short clique = marks->clique;
  tree *base = base_of (&reference);
  bool is_memory = TREE_CODE (*base) == MEM_REF || TREE_CODE (*base) == TARGET_MEM_REF;
  if (TREE_TYPE (reference) == cab_counter_type ())
    mark (*base, clique, 1);
  else if (!marks->all && get_alias_set (reference) != 0)
    return false;
  else if (is_memory && MR_DEPENDENCE_CLIQUE (*base) == 0)
    mark (*base, clique, 0);
  else if (VAR_P (*base) && is_global_var (*base) && !DECL_THREAD_LOCAL_P (*base)
	   && base != &reference)
    mark_variable (base, clique);
  return false;
}

/* Return true if cfun has a restrict pointer.  The points-to analysis marks only accesses that
   have no mark yet. */
static bool
has_restrict (void)
{
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, cfun)
    if (POINTER_TYPE_P (TREE_TYPE (name)) && TYPE_RESTRICT (TREE_TYPE (name)))
      return true;
  return false;
}

void
cab_alias_mark (void)
{
  bool all = optimize && cab_opts.events & CAB_EVENTS_MEMORY && !has_restrict ();
  if (!optimize || (!flag_strict_aliasing && !all))
    return;
  if (cfun->last_clique == 0)
    cfun->last_clique = 1;   /* clique 1 belongs to the points-to analysis, which may take it back
				at any time */
  if (cfun->last_clique == USHRT_MAX)
    return;
  struct marks marks = { ++cfun->last_clique, all };
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (!current_loops || !bb->loop_father || loop_depth (bb->loop_father) > 0)
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
	walk_stmt_load_store_ops (gsi_stmt (gsi), &marks, visit, visit);
}
