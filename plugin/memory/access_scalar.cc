/* access_scalar.cc - values that are not accesses, with events=values:all: arguments and results
   of calls, and values assigned to variables in registers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Recorded are numbers and pointers of at most 64 bits:
   - each argument of a call, constants too, before the call; and what a call returns, where the
   program uses it.  Calls of functions with names of the compiler's own
   (__builtin_...), and of internal functions, are left out;
   - what a statement assigns to a register that stands for a variable of the source.  A load is an
   access already, and is recorded as that; where values of several paths meet (PHI) nothing is
   computed.  Values in inlined copies are recorded at their places, like everything else. */
#include "plugin/memory/access_scalar.h"
#include "plugin/emit/build.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/row.h"
#include "plugin/memory/access_value.h"
#include "plugin/memory/plan.h"
#include "plugin/paths/tails.h"
#include "langhooks.h"
#include <libiberty/demangle.h>

/* Return true if VALUE fits a word and may be recorded. */
static bool
is_told (tree value)
{
  tree type = TREE_TYPE (value);
  if (!is_gimple_val (value) || !is_gimple_reg_type (type) || TREE_CODE (type) == COMPLEX_TYPE
      || TREE_CODE (type) == VECTOR_TYPE)
    return false;
  return cab_value_is_told (type) && tree_to_uhwi (TYPE_SIZE_UNIT (type)) <= 8;
}

/* Append VALUE to FOUND.  NAME is malloc'ed, and the access takes it over. */
static void
add (vec<struct cab_memory_access> *found, gimple *stmt, tree value, const char *flags, char *name,
     bool after)
{
  struct cab_memory_access access = {};
  access.stmt = stmt;
  access.address = cab_u64 (0);
  access.bytes = tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (value)));
  access.flags = flags;
  access.name = name;
  access.word = access.length_word = access.step_word = -1;
  access.value = value;
  access.value_after = after;
  found->safe_push (access);
}

/* Return the readable name of the function that CALL calls, malloc'ed.  At the link a compiler
   knows of a C++ function only the linker's name. */
static char *
callee_of (gcall *call)
{
  tree decl = gimple_call_fndecl (call);
  if (!decl)
    return xstrdup ("(indirect)");
  char *name = in_lto_p ? cplus_demangle (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)),
					  DMGL_ANSI | DMGL_GNU_V3)
			: NULL;
  return name ? name : xstrdup (lang_hooks.decl_printable_name (decl, 1));
}

static bool
is_left_out (gcall *call)
{
  tree decl = gimple_call_fndecl (call);
  return gimple_call_internal_p (call)
      || (decl && DECL_NAME (decl)
	  && !strncmp (IDENTIFIER_POINTER (DECL_NAME (decl)), "__builtin_", 10));
}

/* Return TEXT, malloc'ed, escaped; TEXT is freed. */
static char *
escaped (char *text)
{
  char *name = cab_escaped (text);
  free (text);
  return name;
}

void
cab_scalars_before (gimple *stmt, vec<struct cab_memory_access> *found)
{
  gcall *call = dyn_cast<gcall *> (stmt);
  if (!call || is_left_out (call))
    return;
  char *callee = callee_of (call);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (is_told (gimple_call_arg (call, i)))
      add (found, stmt, gimple_call_arg (call, i), "i",
	   escaped (xasprintf ("argument %u of %s", i + 1, callee)), false);
  free (callee);
}

/* Return the variable of the source that NAME, in SSA form, stands for, or null. */
static tree
variable_of (tree name)
{
  tree variable = SSA_NAME_VAR (name);
  return variable && DECL_NAME (variable) && !DECL_ARTIFICIAL (variable)
	  && !DECL_IGNORED_P (variable)
	 ? variable
	 : NULL_TREE;
}

void
cab_scalars_after (gimple *stmt, vec<struct cab_memory_access> *found)
{
  gcall *call = dyn_cast<gcall *> (stmt);
  tree lhs = gimple_get_lhs (stmt);
  if (!lhs || TREE_CODE (lhs) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (lhs)
      || !is_told (lhs))
    return;
  if (call && !is_left_out (call) && !cab_call_must_jump (call))
    {
      char *callee = callee_of (call);
      add (found, stmt, lhs, "o", escaped (xasprintf ("returned by %s", callee)), true);
      free (callee);
    }
  else if (is_gimple_assign (stmt) && !gimple_assign_load_p (stmt) && variable_of (lhs))
    add (found, stmt, lhs, "n", cab_escaped (IDENTIFIER_POINTER (DECL_NAME (variable_of (lhs)))),
	 true);
}
