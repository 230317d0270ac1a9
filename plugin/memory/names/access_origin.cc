/* access_origin.cc - names of what pointers lead to: after the place where a pointer lies, or what
   it has been computed from.
   SPDX-License-Identifier: GPL-3.0-or-later

   The source of an inlined library has variables that mean nothing to the reader of a report,
   and members such as _M_start: after a name of the user's they are left out, v[] and not
   v._M_impl._M_start[], and a pointer of the library's is followed further back.  Where there
   is nothing else they count. */
#include "plugin/memory/names/pointer_names.h"
#include "plugin/memory/names/access_origin.h"
#include "plugin/memory/names/access_text.h"

#define MOST_STEPS 12   /* back from a pointer to where it comes from */

/* Return true if REF holds the address of an array in a structure that the compiler makes for it:
   in Fortran's descriptors, and in a lambda expression for an array of variable length. */
static bool
is_descriptor_member (tree ref)
{
  if (TREE_CODE (ref) != COMPONENT_REF)
    return false;
  tree type = TREE_TYPE (TREE_OPERAND (ref, 0));
  const char *member = cab_name_of (TREE_OPERAND (ref, 1));
  if (!cab_type_is_descriptor (type))
    return member && cab_type_is_captured_vla (type) && !strcmp (member, "ptr");
  return member && (!strcmp (member, "data") || !strcmp (member, "base_addr"));
}

/* Change the name from BEFORE on, of a pointer or (IS_WHOLE) of an array or container, into the
   name of what it leads to. */
static void
put_lead (struct cab_name *to, struct cab_name_mark before, bool is_whole, bool element)
{
  if (element || is_whole)
    cab_name_put_element (to);
  else
    cab_name_star (to, before, true);
}

/* Which names count on the way back from a pointer: all, or only the user's. */
enum whose { ANYBODYS, USERS };

static bool put_origin (struct cab_name *to, tree pointer, enum whose whose, bool element,
			unsigned steps);

/* Name the library's container that REF is a part of after the pointer that leads to it. */
static bool
put_container (struct cab_name *to, tree ref, unsigned steps)
{
  struct cab_name_mark before = cab_name_mark (to);
  tree base = get_base_address (ref);
  if (base == ref || !base || TREE_CODE (base) != MEM_REF
      || !put_origin (to, TREE_OPERAND (base, 0), USERS, false, steps))
    return cab_name_retract (to, before);
  if (*cab_name_text (to, before) == '*')
    cab_name_star (to, before, false);
  return true;
}

/* Do the work of cab_name_put_place, with STEPS left to go back. */
static bool
put_place (struct cab_name *to, tree ref, unsigned steps, bool *is_whole)
{
  struct cab_name_mark before = cab_name_mark (to);
  *is_whole = cab_name_put_vla (to, ref);
  if (*is_whole)
    return true;
  *is_whole = is_descriptor_member (ref);
  if (!cab_name_put_ref (to, *is_whole ? TREE_OPERAND (ref, 0) : ref))
    return cab_name_retract (to, before);
  if (*is_whole)
    return true;
  if (cab_name_is_users (to, before))
    {
      *is_whole = to->users < cab_name_size (to);
      cab_name_retract (to, { to->users, to->users });
      return true;
    }
  cab_name_retract (to, before);
  *is_whole = steps && put_container (to, ref, steps - 1);
  return *is_whole || cab_name_put_ref (to, ref);
}

/* Put the name of what the pointer that lies in REF leads to. */
static bool
put_through (struct cab_name *to, tree ref, enum whose whose, bool element, unsigned steps)
{
  bool is_whole;
  struct cab_name_mark before = cab_name_mark (to);
  if (!put_place (to, ref, steps, &is_whole) || (whose == USERS && !cab_name_is_users (to, before)))
    return cab_name_retract (to, before);
  put_lead (to, before, is_whole, element);
  return true;
}

/* Put the name of what a pointer leads to that pointer_names.cc has named: a call's result, or an
   address of a part. */
static void
put_kept (struct cab_name *to, const char *kept, bool element)
{
  struct cab_name_mark before = cab_name_mark (to);
  cab_name_put (to, kept + 1);
  to->users = cab_name_size (to);
  if (*kept != '=')
    put_lead (to, before, *kept == '[', element);
}

static bool put_merged (struct cab_name *to, gphi *phi, enum whose whose, bool element,
			unsigned steps);

/* Return where POINTER, a register, lies according to the source: a variable, or a part of one;
   null if that says nothing. */
static tree
place_of (tree pointer)
{
  tree variable = SSA_NAME_VAR (pointer);
  if (variable && VAR_P (variable) && DECL_HAS_DEBUG_EXPR_P (variable))
    return DECL_DEBUG_EXPR (variable);
  if (variable && cab_name_is_vla (variable))
    return variable;
  return variable && cab_name_of (variable) && !DECL_IGNORED_P (variable)
	  && !DECL_NAMELESS (variable)
	 ? variable
	 : NULL_TREE;
}

/* Put the name of what the result of a call of CALLEE leads to. */
static bool
put_result (struct cab_name *to, tree callee, bool element)
{
  if (!callee || !cab_name_of (callee))
    return false;
  bool is_alloca = fndecl_built_in_p (callee, BUILT_IN_NORMAL)
		&& ALLOCA_FUNCTION_CODE_P (DECL_FUNCTION_CODE (callee));
  const char *name = is_alloca ? "alloca" : lang_hooks.decl_printable_name (callee, 0);
  cab_name_put (to, element ? "" : "*");
  cab_name_put (
    to, !strncmp (name, "__builtin_", strlen ("__builtin_")) ? name + strlen ("__builtin_") : name);
  cab_name_put (to, element ? "()[]" : "()");
  return true;
}

/* Return true if VARIABLE, or null, leads to the capture of a lambda expression: at the link its
   type does not say so. */
static bool
is_closure (tree variable)
{
  return variable && TREE_CODE (variable) == PARM_DECL && DECL_ARTIFICIAL (variable)
      && cab_name_of (variable) && !strcmp (cab_name_of (variable), "__closure");
}

/* Put the name of what POINTER points to, as far as that says more than a type.  ELEMENT is true if
   something was added to it on the way here. */
static bool
put_origin (struct cab_name *to, tree pointer, enum whose whose, bool element, unsigned steps)
{
  if (TREE_CODE (pointer) == ADDR_EXPR)
    return cab_name_put_ref (to, TREE_OPERAND (pointer, 0));
  if (TREE_CODE (pointer) != SSA_NAME || !steps || !to->left)
    return false;
  to->left--;
  gimple *def = SSA_NAME_DEF_STMT (pointer);
  if (is_closure (SSA_NAME_VAR (pointer)))
    return cab_name_put (to, "{lambda}"), true;
  tree place = place_of (pointer);
  if (place && put_through (to, place, whose, element, steps))
    return true;
  const char *kept = cab_kept_in (pointer);
  /* with something added it is no longer that part */
  if (kept && (*kept != '=' || (!element && cab_kept_operand (pointer, to->bytes))))
    return put_kept (to, kept, element), true;
  if (is_gimple_assign (def))
    {
      tree from = gimple_assign_rhs1 (def);
      if (gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR)
	return put_origin (to, from, whose, true, steps - 1);
      if (TREE_CODE (from) == ADDR_EXPR || gimple_assign_ssa_name_copy_p (def)
	  || gimple_assign_cast_p (def))
	return put_origin (to, from, whose, element, steps - 1);
      return gimple_assign_load_p (def) && put_through (to, from, whose, element, steps);
    }
  if (gphi *phi = dyn_cast<gphi *> (def))
    return put_merged (to, phi, whose, element, steps);
  gcall *call = dyn_cast<gcall *> (def);
  tree returned = call ? cab_argument_returned (call) : NULL_TREE;
  struct cab_name_mark before = cab_name_mark (to);
  if (returned
      && (put_origin (to, returned, whose, element, steps - 1) || cab_name_retract (to, before)))
    return true;
  return call && put_result (to, gimple_call_fndecl (call), element);
}

/* Return true if one of the pointers that meet in PHI is another with something added.  Then it
   goes through an array. */
static bool
moves (gphi *phi)
{
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      tree from = gimple_phi_arg_def (phi, i);
      gimple *def = TREE_CODE (from) == SSA_NAME ? SSA_NAME_DEF_STMT (from) : NULL;
      if (def && is_gimple_assign (def) && gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR)
	return true;
    }
  return false;
}

/* Put the name of what PHI may point to, if all arguments that have one agree. */
static bool
put_merged (struct cab_name *to, gphi *phi, enum whose whose, bool element, unsigned steps)
{
  struct cab_name_mark before = cab_name_mark (to);
  size_t n = 0;
  element |= moves (phi);
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      struct cab_name_mark at = cab_name_mark (to);
      if (!put_origin (to, gimple_phi_arg_def (phi, i), whose, element, steps / 2))
	cab_name_retract (to, at);
      else if (!n)
	n = cab_name_size (to) - before.n;
      else
	{
	  bool same = cab_name_size (to) - at.n == n
		   && !memcmp (cab_name_text (to, before), cab_name_text (to, at), n);
	  cab_name_retract (to, at);
	  if (!same)
	    return cab_name_retract (to, before);
	}
    }
  return n != 0;
}

bool
cab_name_put_pointed (struct cab_name *to, tree pointer, bool element)
{
  struct cab_name_mark before = cab_name_mark (to);
  if (put_origin (to, pointer, USERS, element, MOST_STEPS))
    return true;
  cab_name_retract (to, before);
  return put_origin (to, pointer, ANYBODYS, element, MOST_STEPS);
}

bool
cab_name_put_place (struct cab_name *to, tree ref, bool *is_whole)
{
  return put_place (to, ref, MOST_STEPS, is_whole);
}
