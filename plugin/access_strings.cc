/* access_strings.cc - calls of the C library that copy strings, as calls that tell how much they copied; and calls whose accesses nobody sees.
   SPDX-License-Identifier: GPL-3.0-or-later

   strcpy returns what it was given, stpcpy where the copy ends, and nothing else is different: so one becomes the other, as strncpy becomes stpncpy, and strcat
   strlen and stpcpy.  A program that defines such a function keeps it.  */
#include "memory.h"
#include "cabprof/info.h"

/* What CODE becomes, or END_BUILTINS.  */
static enum built_in_function
telling (enum built_in_function code)
{
  switch (code)
    {
    case BUILT_IN_STRCPY:
    case BUILT_IN_STPCPY:
    case BUILT_IN_STRCAT: return BUILT_IN_STPCPY;
    case BUILT_IN_STRCPY_CHK:
    case BUILT_IN_STPCPY_CHK: return BUILT_IN_STPCPY_CHK;
    case BUILT_IN_STRNCPY:
    case BUILT_IN_STPNCPY: return BUILT_IN_STPNCPY;
    case BUILT_IN_STRNCPY_CHK:
    case BUILT_IN_STPNCPY_CHK: return BUILT_IN_STPNCPY_CHK;
    default: return END_BUILTINS;
    }
}

static bool
is_defined_here (tree fndecl)
{
  struct cgraph_node *node = cgraph_node::get (fndecl);
  return node && node->definition;
}

/* Where the string that CALL appends to ends, before it.  */
static void
go_to_end (gimple_stmt_iterator *gsi, gcall *call)
{
  tree to = gimple_call_arg (call, 0);
  gcall *strlen_call = gimple_build_call (builtin_decl_explicit (BUILT_IN_STRLEN), 1, to);
  tree length = make_ssa_name (size_type_node), end = make_ssa_name (TREE_TYPE (to));
  gimple_call_set_lhs (strlen_call, length);
  gimple_set_location (strlen_call, gimple_location (call));
  gsi_insert_before (gsi, strlen_call, GSI_SAME_STMT);
  gsi_insert_before (gsi, gimple_build_assign (end, POINTER_PLUS_EXPR, to, length), GSI_SAME_STMT);
  gimple_call_set_arg (call, 0, end);
}

/* CALL, which copies a string, says where the copy ends; false: it does already, or it cannot.  */
static bool
tell_end (gimple_stmt_iterator *gsi, gcall *call)
{
  tree fndecl = gimple_call_fndecl (call), lhs = gimple_call_lhs (call), to = gimple_call_arg (call, 0);
  enum built_in_function code = DECL_FUNCTION_CODE (fndecl), by = telling (code);
  tree with = by == END_BUILTINS ? NULL_TREE : builtin_decl_explicit (by);
  if (!with || is_defined_here (fndecl) || stmt_ends_bb_p (call) || (code == by && lhs) || (lhs && TREE_CODE (lhs) != SSA_NAME)
      || !POINTER_TYPE_P (TREE_TYPE (to)) || (code == BUILT_IN_STRCAT && !builtin_decl_explicit (BUILT_IN_STRLEN)))
    return false;
  if (code == BUILT_IN_STRCAT)
    go_to_end (gsi, call);
  gimple_call_set_fndecl (call, with);
  gimple_call_set_fntype (call, TREE_TYPE (with));
  gimple_call_set_lhs (call, make_ssa_name (TREE_TYPE (TREE_TYPE (with))));
  update_stmt (call);
  if (lhs)
    gsi_insert_after (gsi, gimple_build_assign (lhs, NOP_EXPR, to), GSI_NEW_STMT);
  return true;
}

void
cab_strings_tell (function *fn)
{
  bool any = false;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gimple_call_builtin_p (gsi_stmt (gsi), BUILT_IN_NORMAL))
	any |= tell_end (&gsi, as_a<gcall *> (gsi_stmt (gsi)));
  if (!any)
    return;
  update_ssa (TODO_update_ssa);
  cgraph_edge::rebuild_edges ();
}

/* Does CALL go to a function of a library that is given an address to read or write at?  */
static bool
takes_address (gcall *call)
{
  tree fndecl = gimple_call_fndecl (call);
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl));
  if (!strncmp (name + (*name == '*'), "__builtin_", 10) || is_defined_here (fndecl))
    return false;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, i))))
      return !(gimple_call_flags (call) & ECF_CONST);
  return false;
}

const char *
cab_strings_unseen (gimple *stmt)
{
  if (!gimple_call_builtin_p (stmt, BUILT_IN_NORMAL) || !takes_address (as_a<gcall *> (stmt)))
    return NULL;
  switch (DECL_FUNCTION_CODE (gimple_call_fndecl (stmt)))
    {
    case BUILT_IN_FREE:
    case BUILT_IN_REALLOC:
      return NULL;
    default:
      break;
    }
  auto_vec<struct cab_access> found;
  cab_access_all_of (stmt, &found);
  for (struct cab_access &access : found)
    free (access.name);
  return found.is_empty () ? IDENTIFIER_POINTER (DECL_NAME (gimple_call_fndecl (stmt))) : NULL;
}
