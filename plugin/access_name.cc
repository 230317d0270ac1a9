/* access_name.cc - what the source calls the memory that is accessed.
   SPDX-License-Identifier: GPL-3.0-or-later

   A variable by its name; a member by its type and the way to it (node.hdr.next), since it is the type whose layout matters; an element by what
   it is an element of, and [].  What only a pointer leads to is named after the pointer: p[], or *p where nothing was added to it.  */
#include "memory.h"

#define MOST_STEPS 12   /* back from a pointer to where it comes from */

static void
put (struct obstack *ob, const char *text)
{
  obstack_grow (ob, text, strlen (text));
}

static bool put_ref (struct obstack *ob, tree ref);

static const char *
decl_name (tree decl)
{
  return DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl)) : NULL;
}

static const char *
type_name (tree type)
{
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (type));
  if (name && TREE_CODE (name) == TYPE_DECL)
    name = DECL_NAME (name);
  return name && TREE_CODE (name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER (name) : NULL;
}

/* A variable, by the name that it has in the source; one that the compiler has made of a part of another, by that part's.  */
static bool
put_decl (struct obstack *ob, tree decl)
{
  if (VAR_P (decl) && DECL_HAS_DEBUG_EXPR_P (decl))
    return put_ref (ob, DECL_DEBUG_EXPR (decl));
  if (TREE_CODE (decl) == RESULT_DECL)
    return put (ob, "<result>"), true;
  if (!DECL_P (decl) || !decl_name (decl) || (DECL_ARTIFICIAL (decl) && DECL_IGNORED_P (decl)))
    return false;
  put (ob, decl_name (decl));
  return true;
}

/* The member of Fortran's array descriptors that says where the array is: a matter of the compiler's.  */
static bool
is_descriptor_member (tree ref)
{
  if (TREE_CODE (ref) != COMPONENT_REF)
    return false;
  const char *type = type_name (TREE_TYPE (TREE_OPERAND (ref, 0)));
  const char *member = decl_name (TREE_OPERAND (ref, 1));
  return type && member && !strncmp (type, "array", 5) && (!strcmp (member, "data") || !strcmp (member, "base_addr"));
}

/* What the pointer that lies in REF leads to.  */
static bool
put_through (struct obstack *ob, tree ref, bool element)
{
  bool is_array = is_descriptor_member (ref);
  put (ob, element || is_array ? "" : "*");
  if (!put_ref (ob, is_array ? TREE_OPERAND (ref, 0) : ref))
    return false;
  put (ob, element || is_array ? "[]" : "");
  return true;
}

/* Where the program keeps POINTER, a call's result that has no name; null if it does not.  */
static tree
kept_in (tree pointer)
{
  use_operand_p use;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_FAST (use, it, pointer)
    if (gimple_store_p (USE_STMT (use)) && gimple_assign_single_p (USE_STMT (use)) && gimple_assign_rhs1 (USE_STMT (use)) == pointer)
      return gimple_assign_lhs (USE_STMT (use));
  return NULL_TREE;
}

/* What POINTER points to, as far as that says more than a type; ELEMENT: something was added to it on the way here.  */
static bool
put_pointed (struct obstack *ob, tree pointer, bool element, unsigned steps)
{
  if (TREE_CODE (pointer) == ADDR_EXPR)
    return put_ref (ob, TREE_OPERAND (pointer, 0));
  if (TREE_CODE (pointer) != SSA_NAME || !steps)
    return false;
  gimple *def = SSA_NAME_DEF_STMT (pointer);
  tree variable = SSA_NAME_VAR (pointer);
  if (variable && VAR_P (variable) && DECL_HAS_DEBUG_EXPR_P (variable))
    return put_through (ob, DECL_DEBUG_EXPR (variable), element);
  if (variable && decl_name (variable) && !DECL_IGNORED_P (variable))
    return put_through (ob, variable, element);
  if (is_gimple_assign (def))
    {
      tree from = gimple_assign_rhs1 (def);
      if (gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR)
	return put_pointed (ob, from, true, steps - 1);
      if (TREE_CODE (from) == ADDR_EXPR || gimple_assign_ssa_name_copy_p (def) || gimple_assign_cast_p (def))
	return put_pointed (ob, from, element, steps - 1);
      return gimple_assign_load_p (def) && put_through (ob, from, element);
    }
  tree kept = is_gimple_call (def) ? kept_in (pointer) : NULL_TREE;
  return kept && put_through (ob, kept, element);
}

static bool
put_memory (struct obstack *ob, tree ref)
{
  tree type = TREE_TYPE (ref), pointer = TREE_OPERAND (ref, 0);
  if (TREE_CODE (pointer) == ADDR_EXPR)
    return put_ref (ob, TREE_OPERAND (pointer, 0));
  if (RECORD_OR_UNION_TYPE_P (type) && type_name (type))
    return put (ob, type_name (type)), true;
  return put_pointed (ob, pointer, !integer_zerop (TREE_OPERAND (ref, 1)), MOST_STEPS);
}

static bool
put_member (struct obstack *ob, tree ref)
{
  tree around = TREE_OPERAND (ref, 0), field = TREE_OPERAND (ref, 1);
  const char *name = decl_name (field);
  if (!put_ref (ob, around))
    return false;
  if (name)   /* an unnamed member's own members are the outer type's */
    {
      put (ob, ".");
      put (ob, name);
    }
  return true;
}

/* False if nothing can be said.  */
static bool
put_ref (struct obstack *ob, tree ref)
{
  switch (TREE_CODE (ref))
    {
    case COMPONENT_REF:
      return put_member (ob, ref);
    case ARRAY_REF:
    case ARRAY_RANGE_REF:
      {
	size_t before = obstack_object_size (ob);
	if (!put_ref (ob, TREE_OPERAND (ref, 0)))
	  return false;
	/* An array that a pointer leads to is that pointer's: a[], not (*a)[].  */
	char *text = (char *) obstack_base (ob);
	size_t n = obstack_object_size (ob) - before;
	if (n && text[before] == '*')
	  {
	    memmove (text + before, text + before + 1, n - 1);
	    obstack_blank_fast (ob, -1);
	  }
	else if (n > 2 && TREE_CODE (TREE_OPERAND (ref, 0)) == MEM_REF && !strncmp (text + before + n - 2, "[]", 2))
	  return true;
	put (ob, "[]");
	return true;
      }
    case REALPART_EXPR:
    case IMAGPART_EXPR:
    case BIT_FIELD_REF:
    case VIEW_CONVERT_EXPR:
      return put_ref (ob, TREE_OPERAND (ref, 0));
    case MEM_REF:
    case TARGET_MEM_REF:
      return put_memory (ob, ref);
    default:
      return DECL_P (ref) && put_decl (ob, ref);
    }
}

char *
cab_access_name (tree ref, bool is_pointer)
{
  struct obstack ob;
  gcc_obstack_init (&ob);
  bool known = is_pointer ? put_pointed (&ob, ref, false, MOST_STEPS) : put_ref (&ob, ref);
  obstack_1grow (&ob, 0);
  const char *text = (char *) obstack_base (&ob);
  char *name = cab_escaped (known && *text ? text : "?");
  obstack_free (&ob, NULL);
  return name;
}
