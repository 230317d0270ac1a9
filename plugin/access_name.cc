/* access_name.cc - what the source calls the memory that is accessed.
   SPDX-License-Identifier: GPL-3.0-or-later

   A variable by its name; a member by its type and the way to it (node.hdr.next), since it is the type whose layout matters; an element by what
   it is an element of, and [].  What only a pointer leads to is named after the pointer: p[], or *p where nothing was added to it; after the call
   that has returned it: *f(); or after the type: *(int *).  Where the compiler keeps no more than an offset into a structure, the member is the one that
   lies there.  Its own variables are called by their type, or <temporary>.  */
#include "memory.h"

#define MOST_STEPS 12   /* back from a pointer to where it comes from */

static void
put (struct obstack *ob, const char *text)
{
  obstack_grow (ob, text, strlen (text));
}

static bool put_ref (struct obstack *ob, tree ref);

/* Take back what was put since the name had N bytes.  */
static bool
retract (struct obstack *ob, size_t n)
{
  obstack_blank_fast (ob, -(int) (obstack_object_size (ob) - n));
  return false;
}

static const char *
decl_name (tree decl)
{
  return DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl)) : NULL;
}

/* A structure without a tag has its name from a typedef: that is a variant.  */
const char *
cab_type_name (tree type)
{
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (type));
  for (tree variant = TYPE_MAIN_VARIANT (type); !name && variant; variant = TYPE_NEXT_VARIANT (variant))
    name = TYPE_NAME (variant);
  if (name && TREE_CODE (name) == TYPE_DECL)
    name = DECL_NAME (name);
  return name && TREE_CODE (name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER (name) : NULL;
}

static bool put_part (struct obstack *ob, tree type, unsigned HOST_WIDE_INT offset, unsigned HOST_WIDE_INT bytes);

static bool
put_field (struct obstack *ob, tree field, unsigned HOST_WIDE_INT offset, unsigned HOST_WIDE_INT bytes)
{
  tree size = DECL_SIZE_UNIT (field);
  if (!size || !tree_fits_uhwi_p (size) || !tree_fits_uhwi_p (DECL_FIELD_OFFSET (field)) || DECL_BIT_FIELD (field))
    return false;
  unsigned HOST_WIDE_INT begin = int_byte_position (field);
  if (offset < begin || offset + bytes > begin + tree_to_uhwi (size))
    return false;
  size_t before = obstack_object_size (ob);
  if (decl_name (field))
    {
      put (ob, ".");
      put (ob, decl_name (field));
    }
  return put_part (ob, TREE_TYPE (field), offset - begin, bytes) || retract (ob, before);
}

/* The field of TYPE that has BYTES at OFFSET.  Of a union's members several may; then it is the union that is accessed.  */
static bool
put_some_field (struct obstack *ob, tree type, unsigned HOST_WIDE_INT offset, unsigned HOST_WIDE_INT bytes)
{
  size_t before = obstack_object_size (ob);
  int n = 0;
  for (tree field = TYPE_FIELDS (type); field && n < 2; field = DECL_CHAIN (field))
    if (TREE_CODE (field) == FIELD_DECL && put_field (ob, field, offset, bytes))
      {
	n++;
	if (TREE_CODE (type) == RECORD_TYPE)
	  return true;
      }
  if (n > 1)
    retract (ob, before);
  return n != 0;
}

/* The way to that part of an object of TYPE that has BYTES at OFFSET; false if there is no such part.  */
static bool
put_part (struct obstack *ob, tree type, unsigned HOST_WIDE_INT offset, unsigned HOST_WIDE_INT bytes)
{
  tree size = TYPE_SIZE_UNIT (type);
  if (!size || !tree_fits_uhwi_p (size) || offset + bytes > tree_to_uhwi (size))
    return false;
  if (offset == 0 && tree_to_uhwi (size) == bytes && !RECORD_OR_UNION_TYPE_P (type))
    return true;
  if (TREE_CODE (type) == ARRAY_TYPE)
    {
      tree element = TYPE_SIZE_UNIT (TREE_TYPE (type));
      if (!element || !tree_fits_uhwi_p (element) || integer_zerop (element))
	return false;
      size_t before = obstack_object_size (ob);
      put (ob, "[]");
      return put_part (ob, TREE_TYPE (type), offset % tree_to_uhwi (element), bytes) || retract (ob, before);
    }
  if (RECORD_OR_UNION_TYPE_P (type) && put_some_field (ob, type, offset, bytes))
    return true;
  return (offset == 0 && tree_to_uhwi (size) == bytes) || (COMPLEX_FLOAT_TYPE_P (type) && offset % bytes == 0);
}

/* The part of an object of TYPE, whose own name is there, that REF accesses at its offset; nothing more if it is not known.  */
static void
put_part_of (struct obstack *ob, tree type, tree ref)
{
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (ref)), offset = TREE_OPERAND (ref, 1);
  if (size && tree_fits_uhwi_p (size) && tree_fits_uhwi_p (offset))
    put_part (ob, type, tree_to_uhwi (offset), tree_to_uhwi (size));
}

/* A variable, by the name that it has in the source; one that the compiler has made of a part of another, by that part's.  */
static bool
put_decl (struct obstack *ob, tree decl)
{
  if (VAR_P (decl) && DECL_HAS_DEBUG_EXPR_P (decl))
    return put_ref (ob, DECL_DEBUG_EXPR (decl));
  if (TREE_CODE (decl) == RESULT_DECL)
    return put (ob, "<result>"), true;
  if (TREE_CODE (decl) == CONST_DECL)
    return put (ob, "<constant>"), true;
  const char *type = cab_type_name (TREE_TYPE (decl));
  if (decl_name (decl) && !(DECL_ARTIFICIAL (decl) && DECL_IGNORED_P (decl)))
    put (ob, decl_name (decl));
  else
    put (ob, RECORD_OR_UNION_TYPE_P (TREE_TYPE (decl)) && type ? type : "<temporary>");
  return true;
}

/* The member of Fortran's array descriptors that says where the array is: a matter of the compiler's.  */
static bool
is_descriptor_member (tree ref)
{
  if (TREE_CODE (ref) != COMPONENT_REF)
    return false;
  const char *type = cab_type_name (TREE_TYPE (TREE_OPERAND (ref, 0)));
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

static bool put_merged (struct obstack *ob, gphi *phi, bool element, unsigned steps);

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
  if (gphi *phi = dyn_cast<gphi *> (def))
    return put_merged (ob, phi, element, steps);
  if (!is_gimple_call (def))
    return false;
  tree kept = kept_in (pointer), callee = gimple_call_fndecl (def);
  if (kept)
    return put_through (ob, kept, element);
  if (!callee || !decl_name (callee))
    return false;
  const char *name = lang_hooks.decl_printable_name (callee, 0);
  put (ob, element ? "" : "*");
  put (ob, !strncmp (name, "__builtin_", strlen ("__builtin_")) ? name + strlen ("__builtin_") : name);
  put (ob, element ? "()[]" : "()");
  return true;
}

/* The name of what PHI may point to, if all that has one agrees.  */
static bool
put_merged (struct obstack *ob, gphi *phi, bool element, unsigned steps)
{
  size_t before = obstack_object_size (ob), n = 0;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      size_t at = obstack_object_size (ob);
      if (!put_pointed (ob, gimple_phi_arg_def (phi, i), element, steps / 2))
	retract (ob, at);
      else if (!n)
	n = obstack_object_size (ob) - before;
      else
	{
	  const char *text = (char *) obstack_base (ob);
	  bool same = obstack_object_size (ob) - at == n && !memcmp (text + before, text + at, n);
	  retract (ob, at);
	  if (!same)
	    return retract (ob, before);
	}
    }
  return n != 0;
}

tree
cab_access_whole (tree ref)
{
  tree own = TREE_TYPE (TREE_TYPE (TREE_OPERAND (ref, 0))), origin = TREE_TYPE (TREE_TYPE (TREE_OPERAND (ref, 1)));
  if (RECORD_OR_UNION_TYPE_P (own) && COMPLETE_TYPE_P (own))
    return own;
  return RECORD_OR_UNION_TYPE_P (origin) && COMPLETE_TYPE_P (origin) ? origin : NULL_TREE;
}

/* A part of the structure that the pointer of REF leads to, by its offset.  */
static bool
put_member_at (struct obstack *ob, tree ref)
{
  size_t before = obstack_object_size (ob);
  tree whole = TREE_CODE (ref) == MEM_REF ? cab_access_whole (ref) : NULL_TREE;
  if (!whole || !cab_type_name (whole))
    return false;
  put (ob, cab_type_name (whole));
  size_t n = obstack_object_size (ob);
  put_part_of (ob, whole, ref);
  return obstack_object_size (ob) > n || retract (ob, before);
}

static bool
put_type (struct obstack *ob, tree type)
{
  const char *name = cab_type_name (type);
  if (!name && POINTER_TYPE_P (type) && put_type (ob, TREE_TYPE (type)))
    return put (ob, " *"), true;
  return name && (put (ob, name), true);
}

static bool
put_memory (struct obstack *ob, tree ref)
{
  tree type = TREE_TYPE (ref), pointer = TREE_OPERAND (ref, 0);
  size_t before = obstack_object_size (ob);
  if (TREE_CODE (pointer) == ADDR_EXPR)
    {
      if (!put_ref (ob, TREE_OPERAND (pointer, 0)))
	return false;
      put_part_of (ob, TREE_TYPE (TREE_OPERAND (pointer, 0)), ref);
      return true;
    }
  if (RECORD_OR_UNION_TYPE_P (type) && cab_type_name (type))
    return put (ob, cab_type_name (type)), true;
  if (put_member_at (ob, ref) || put_pointed (ob, pointer, !integer_zerop (TREE_OPERAND (ref, 1)), MOST_STEPS))
    return true;
  retract (ob, before);
  put (ob, "*(");
  if (!put_type (ob, type))
    return retract (ob, before);
  put (ob, " *)");
  return true;
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
    case STRING_CST:
      return put (ob, "<constant>"), true;
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
