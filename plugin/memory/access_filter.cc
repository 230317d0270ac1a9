/* access_filter.cc - which accesses are recorded, and why the others are not: accesses=,
   variables=, types=, heap-only.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/memory/access_filter.h"
#include "plugin/emit/options.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/row.h"
#include "plugin/memory/access_find.h"
#include "plugin/memory/access_strings.h"
#include "plugin/memory/plan.h"
#include "plugin/memory/names/access_name.h"
#include "cabprof/info.h"

#define MOST_POINTERS 40   /* number of pointers that are looked at, back from one to the variables
			      that it may point to */

static bool
is_unwanted_direction (const struct cab_memory_access *access)
{
  return (cab_opts.accesses == CAB_MEMORY_READS && !strchr (access->flags, 'r'))
	 || (cab_opts.accesses == CAB_MEMORY_WRITES && !strchr (access->flags, 'w'));
}

static bool
is_wanted_type (tree type)
{
  const char *name = cab_type_name (type);
  return name && cab_globs_match (&cab_opts.types, name);
}

/* Return the type that POINTER points to, as far back as that is not void. */
static tree
pointed_type (tree pointer)
{
  while (TREE_CODE (pointer) == SSA_NAME && VOID_TYPE_P (TREE_TYPE (TREE_TYPE (pointer))))
    {
      gimple *def = SSA_NAME_DEF_STMT (pointer);
      if (!gimple_assign_cast_p (def) || !POINTER_TYPE_P (TREE_TYPE (gimple_assign_rhs1 (def))))
	break;
      pointer = gimple_assign_rhs1 (def);
    }
  return TREE_CODE (pointer) == ADDR_EXPR ? TREE_TYPE (TREE_OPERAND (pointer, 0))
					  : TREE_TYPE (TREE_TYPE (pointer));
}

/* Return true if the operand of ACCESS, or an object that it is a part of, has a requested type. */
static bool
has_wanted_type (const struct cab_memory_access *access)
{
  if (!access->ref)
    return is_wanted_type (strip_array_types (pointed_type (access->pointer)));
  tree ref = access->ref;
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (is_wanted_type (TREE_TYPE (ref)))
      return true;
  if (is_wanted_type (strip_array_types (TREE_TYPE (ref))))
    return true;
  if (TREE_CODE (ref) != MEM_REF)
    return false;
  tree whole = cab_access_whole (ref);
  return whole && is_wanted_type (whole);
}

/* Return true if POINTER can point only to variables, because the function makes it of their
   addresses alone.  SEEN has the pointers that were looked at. */
static bool
is_of_variables (tree pointer, hash_set<tree> *seen)
{
  if (TREE_CODE (pointer) == ADDR_EXPR)
    {
      tree base = get_base_address (TREE_OPERAND (pointer, 0));
      return base
	  && (DECL_P (base) || CONSTANT_CLASS_P (base)
	      || (TREE_CODE (base) == MEM_REF && is_of_variables (TREE_OPERAND (base, 0), seen)));
    }
  if (TREE_CODE (pointer) != SSA_NAME || seen->elements () >= MOST_POINTERS)
    return false;
  if (seen->add (pointer))
    return true;
  gimple *def = SSA_NAME_DEF_STMT (pointer);
  if (gphi *phi = dyn_cast<gphi *> (def))
    {
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	if (!is_of_variables (gimple_phi_arg_def (phi, i), seen))
	  return false;
      return true;
    }
  if (is_gimple_call (def))
    return gimple_call_builtin_p (def, BUILT_IN_NORMAL)
	&& ALLOCA_FUNCTION_CODE_P (DECL_FUNCTION_CODE (gimple_call_fndecl (def)));
  if (!is_gimple_assign (def))
    return false;
  bool goes_on = gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR
	      || gimple_assign_rhs_code (def) == ADDR_EXPR || gimple_assign_ssa_name_copy_p (def)
	      || gimple_assign_cast_p (def);
  return goes_on && is_of_variables (gimple_assign_rhs1 (def), seen);
}

static bool
is_variable (const struct cab_memory_access *access)
{
  hash_set<tree> seen;
  if (!access->ref)
    return is_of_variables (access->pointer, &seen);
  tree base = get_base_address (access->ref);
  if (!base)
    return false;
  if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == TARGET_MEM_REF)
    return is_of_variables (TREE_OPERAND (base, 0), &seen);
  return DECL_P (base) || CONSTANT_CLASS_P (base);
}

const char *
cab_access_unwanted (const struct cab_memory_access *access)
{
  if (is_unwanted_direction (access))
    return cab_opts.accesses == CAB_MEMORY_READS ? "not read: accesses=read"
						 : "not written: accesses=write";
  if (cab_opts.variables.n && !cab_globs_match (&cab_opts.variables, access->name))
    return "not among variables=";
  if (cab_opts.types.n && !has_wanted_type (access))
    return "not among types=";
  if (cab_opts.heap_only && is_variable (access))
    return "a variable: heap-only";
  return NULL;
}

/* The number of cfun's accesses that one reason keeps from being recorded, or of calls of one
   callee. */
struct left_out
{
  const char *kind, *reason;
  unsigned n;
};

static void
count (vec<struct left_out> *counts, const char *kind, const char *reason)
{
  for (struct left_out &entry : *counts)
    if (entry.kind == kind && entry.reason == reason)
      {
	entry.n++;
	return;
      }
  counts->safe_push ({ kind, reason, 1 });
}

static void
record (function *fn, const struct left_out *left_out)
{
  expanded_location place = expand_location (DECL_SOURCE_LOCATION (fn->decl));
  char *name = cab_escaped (
    targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fn->decl))));
  char *source = cab_escaped (lang_hooks.decl_printable_name (fn->decl, 1));
  char *file = cab_source_name (place.file);
  char *text = xasprintf ("X%c\t%s\t%s\t%s\t%d\t%s%s\t%u\n", CAB_INFO_VERSION, name, source, file,
			  place.line, left_out->kind, left_out->reason, left_out->n);
  cab_record_emit (text, strlen (text));
  free (text);
  free (file);
  free (source);
  free (name);
}

void
cab_accesses_record_left_out (function *fn)
{
  auto_vec<struct left_out> counts;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	if (const char *callee = cab_strings_unseen (gsi_stmt (gsi)))
	  count (&counts, CAB_INFO_UNSEEN, callee);
	if (!cab_opts.accesses && !cab_opts.variables.n && !cab_opts.types.n && !cab_opts.heap_only)
	  continue;
	auto_vec<struct cab_memory_access> found;
	cab_access_all_of (gsi_stmt (gsi), &found);
	for (struct cab_memory_access &access : found)
	  {
	    if (const char *reason = cab_access_unwanted (&access))
	      count (&counts, "", reason);
	    free (access.name);
	  }
      }
  for (struct left_out &entry : counts)
    record (fn, &entry);
}
