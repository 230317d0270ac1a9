/* access_name.cc - the name in the source of the memory that is accessed.
   SPDX-License-Identifier: GPL-3.0-or-later

   A variable is called by its name; a member by its type and the path to it (node.hdr.next),
   since it is the type whose layout matters; an element by what it is an element of, and [].
   Memory that only a pointer leads to is named after the pointer: p[], or *p where nothing was
   added to it; after the call that has returned it: *f(); or after the type: *(int *).  Where
   the compiler keeps only an offset into a structure, the member is the one that lies there.
   The compiler's own variables are called by their type, or <temporary>. */
#include "plugin/memory/names/access_name.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/row.h"
#include "plugin/memory/names/pointer_names.h"
#include "plugin/memory/names/struct_record.h"
#include "plugin/memory/names/access_text.h"
#include "plugin/memory/names/access_origin.h"

/* Put TEXT, the name of DECL, which is a system header's or the user's; if DECL is null that is
   unknown, so the name counts as the user's. */
static void
put_name (struct cab_name *to, const char *text, tree decl)
{
  cab_name_put (to, text);
  if (!decl || !DECL_IN_SYSTEM_HEADER (decl))
    to->users = cab_name_size (to);
}

/* Return the compiler's name of TYPE, or null.  A structure without a tag has its name from a
   typedef, which is a variant. */
static const char *
compilers_name (tree type)
{
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (type));
  for (tree variant = TYPE_MAIN_VARIANT (type); !name && variant;
       variant = TYPE_NEXT_VARIANT (variant))
    name = TYPE_NAME (variant);
  if (name && TREE_CODE (name) == TYPE_DECL)
    name = DECL_NAME (name);
  return name && TREE_CODE (name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER (name) : NULL;
}

bool
cab_type_is_closure (tree type)
{
  const char *name = compilers_name (type);
  bool is_called = false;
  /* a function, or a template of functions */
  for (tree member = TYPE_FIELDS (type); name && *name == '.' && !is_called && member;
       member = DECL_CHAIN (member))
    is_called = TREE_CODE (member) != FIELD_DECL && DECL_NAME (member)
	     && !strcmp (IDENTIFIER_POINTER (DECL_NAME (member)), "operator()");
  return is_called;
}

/* C++ gives a number as name to types that have none in the source. */
const char *
cab_type_name (tree type)
{
  static const char anonymous[] = "._anon_";
  const char *name = compilers_name (type);
  bool is_numbered = name && !strncmp (name, anonymous, sizeof anonymous - 1)
		  && !(RECORD_OR_UNION_TYPE_P (type) && cab_type_is_closure (type));
  return is_numbered ? NULL : name;
}

/* Return the name of TYPE in reports: GCC numbers the captures of lambda expressions over the whole
   unit, and these numbers are left out. */
static const char *
spoken_name (tree type)
{
  return RECORD_OR_UNION_TYPE_P (type) && cab_type_is_closure (type) ? "{lambda}"
								     : cab_type_name (type);
}

bool
cab_type_is_descriptor (tree type)
{
  static const char *const members[] = { "offset", "dtype" };
  const char *name = RECORD_OR_UNION_TYPE_P (type) ? cab_type_name (type) : NULL;
  tree member = name && !strncmp (name, "array", strlen ("array")) ? TYPE_FIELDS (type) : NULL_TREE;
  for (unsigned i = 0; i < ARRAY_SIZE (members) && member; i++)
    {
      member = DECL_CHAIN (member);
      if (!member || !cab_name_of (member) || strcmp (cab_name_of (member), members[i]))
	return false;
    }
  return member != NULL_TREE;
}

bool
cab_type_is_captured_vla (tree type)
{
  tree pointer = TREE_CODE (type) == RECORD_TYPE && !cab_type_name (type) ? TYPE_FIELDS (type)
									  : NULL_TREE;
  while (pointer && TREE_CODE (pointer) != FIELD_DECL)
    pointer = DECL_CHAIN (pointer);
  tree most = pointer ? DECL_CHAIN (pointer) : NULL_TREE;
  return most && TREE_CODE (most) == FIELD_DECL && TREE_TYPE (most) == sizetype
      && cab_name_of (most) && !strcmp (cab_name_of (most), "max") && cab_name_of (pointer)
      && !strcmp (cab_name_of (pointer), "ptr") && POINTER_TYPE_P (TREE_TYPE (pointer));
}

static void
put_type_name (struct cab_name *to, tree type)
{
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (type));
  put_name (to, spoken_name (type),
	    name && TREE_CODE (name) == TYPE_DECL ? name
						  : TYPE_STUB_DECL (TYPE_MAIN_VARIANT (type)));
}

/* Return true if the part MEMBER, a library's, of SIZE (a tree, or null) is everything in an object
   of TYPE, and the text ends with a name of the user's.  For instance the atomic counter that a
   std::atomic consists of is the user's counter. */
static bool
is_all_of (const struct cab_name *to, tree type, tree size, tree member)
{
  return to->users && to->users == cab_name_size (to) && DECL_IN_SYSTEM_HEADER (member) && size
      && TYPE_SIZE (type) && operand_equal_p (size, TYPE_SIZE (type));
}

/* Put the name of FIELD.  An unnamed member's own members belong to the outer type.  The capture of
   a lambda expression has the variable's name after two underscores. */
static void
put_member_name (struct cab_name *to, tree field)
{
  const char *name = cab_name_of (field);
  if (!name || cab_type_is_captured_vla (DECL_FIELD_CONTEXT (field)))
    return;
  cab_name_put (to, ".");
  put_name (to,
	    !strncmp (name, "__", 2) && name[2] && cab_type_is_closure (DECL_FIELD_CONTEXT (field))
	      ? name + 2
	      : name,
	    field);
}

static bool put_part (struct cab_name *to, tree type, tree whole, unsigned HOST_WIDE_INT offset,
		      unsigned HOST_WIDE_INT bytes);

static bool
put_field (struct cab_name *to, tree field, tree whole, unsigned HOST_WIDE_INT offset,
	   unsigned HOST_WIDE_INT bytes)
{
  tree size = DECL_SIZE_UNIT (field);
  if (!size || !tree_fits_uhwi_p (size) || !tree_fits_uhwi_p (DECL_FIELD_OFFSET (field))
      || DECL_BIT_FIELD (field))
    return false;
  unsigned HOST_WIDE_INT begin = int_byte_position (field);
  if (offset < begin || offset + bytes > begin + tree_to_uhwi (size))
    return false;
  struct cab_name_mark before = cab_name_mark (to);
  if (!is_all_of (to, DECL_FIELD_CONTEXT (field), DECL_SIZE (field), field))
    put_member_name (to, field);
  return put_part (to, TREE_TYPE (field), whole, offset - begin, bytes)
      || cab_name_retract (to, before);
}

/* Put the field of TYPE that has BYTES at OFFSET.  If several members of a union have them, the
   union itself is accessed. */
static bool
put_some_field (struct cab_name *to, tree type, tree whole, unsigned HOST_WIDE_INT offset,
		unsigned HOST_WIDE_INT bytes)
{
  struct cab_name_mark before = cab_name_mark (to);
  int n = 0;
  for (tree field = TYPE_FIELDS (type); field && n < 2; field = DECL_CHAIN (field))
    if (TREE_CODE (field) == FIELD_DECL && put_field (to, field, whole, offset, bytes))
      {
	n++;
	if (TREE_CODE (type) == RECORD_TYPE)
	  return true;
      }
  if (n > 1)
    cab_name_retract (to, before);
  return n != 0;
}

/* Put the path to the part of an object of TYPE that has BYTES at OFFSET, and is a WHOLE of that
   type if that is not null.  Return false if there is no such part. */
static bool
put_part (struct cab_name *to, tree type, tree whole, unsigned HOST_WIDE_INT offset,
	  unsigned HOST_WIDE_INT bytes)
{
  tree size = TYPE_SIZE_UNIT (type);
  if (offset == 0 && TYPE_MAIN_VARIANT (type) == whole)
    return true;
  if (!size || !tree_fits_uhwi_p (size) || offset + bytes > tree_to_uhwi (size))
    return false;
  if (offset == 0 && tree_to_uhwi (size) == bytes && !RECORD_OR_UNION_TYPE_P (type))
    return true;
  if (TREE_CODE (type) == ARRAY_TYPE)
    {
      tree element = TYPE_SIZE_UNIT (TREE_TYPE (type));
      if (!element || !tree_fits_uhwi_p (element) || integer_zerop (element))
	return false;
      struct cab_name_mark before = cab_name_mark (to);
      cab_name_put_element (to);
      return put_part (to, TREE_TYPE (type), whole, offset % tree_to_uhwi (element), bytes)
	  || cab_name_retract (to, before);
    }
  if (RECORD_OR_UNION_TYPE_P (type) && put_some_field (to, type, whole, offset, bytes))
    return true;
  return (offset == 0 && tree_to_uhwi (size) == bytes)
      || (COMPLEX_FLOAT_TYPE_P (type) && offset % bytes == 0);
}

/* Put the part of an object of TYPE, whose own name is put already, that REF accesses at its
   offset; put nothing if it is unknown. */
static void
put_part_of (struct cab_name *to, tree type, tree ref)
{
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (ref)), offset = TREE_OPERAND (ref, 1);
  tree whole = RECORD_OR_UNION_TYPE_P (TREE_TYPE (ref)) ? TYPE_MAIN_VARIANT (TREE_TYPE (ref))
							: NULL_TREE;
  if (size && tree_fits_uhwi_p (size) && tree_fits_uhwi_p (offset))
    put_part (to, type, whole, tree_to_uhwi (offset), tree_to_uhwi (size));
}

/* Return true if TYPE is what gfortran makes of a CLASS: a pointer to an object and to the table of
   its type. */
static bool
is_class (tree type)
{
  const char *name = cab_is_fortran () && RECORD_OR_UNION_TYPE_P (type) ? cab_type_name (type)
									: NULL;
  return name && !strncmp (name, "__class_", strlen ("__class_"));
}

/* Return true if DECL is what gfortran puts a function's result into.  The variable's own name is
   not available. */
static bool
is_fortrans_result (tree decl)
{
  return cab_is_fortran () && cab_name_of (decl)
      && !strncmp (cab_name_of (decl), "__result", strlen ("__result"));
}

/* Return the length of NAME without the numbers that the compiler has appended; 0 if it has
   none. */
static size_t
unnumbered (const char *name)
{
  size_t n = strlen (name), end = n;
  for (;;)
    {
      size_t dot = end;
      while (dot && ISDIGIT (name[dot - 1]))
	dot--;
      if (dot == end || dot < 2 || name[dot - 1] != '.')
	return end < n ? end : 0;
      end = dot - 1;
    }
}

static bool
leads_to_vla (tree type)
{
  tree size = POINTER_TYPE_P (type) ? TYPE_SIZE (TREE_TYPE (type)) : NULL_TREE;
  return POINTER_TYPE_P (type)
      && (TREE_CODE (TREE_TYPE (type)) == ARRAY_TYPE || (size && !poly_int_tree_p (size)));
}

/* The pointer bears the array's name and a number.  So does a member of the structures by which the
   compiler passes local variables to functions that it has made, or that are nested; and the array
   that it puts in the pointer's place where the length turns out to be constant, one of bytes.
   What gfortran puts on the stack for an array is called A, and is held by that array. */
bool
cab_name_is_vla (tree decl)
{
  size_t n = DECL_P (decl) && cab_name_of (decl) ? unnumbered (cab_name_of (decl)) : 0;
  tree type = TREE_TYPE (decl);
  if (!n || (cab_is_fortran () && n == 1 && *cab_name_of (decl) == 'A'))
    return false;
  if (TREE_CODE (decl) == FIELD_DECL)
    return leads_to_vla (type);
  if (!VAR_P (decl) || !DECL_NAMELESS (decl) || DECL_HAS_DEBUG_EXPR_P (decl)
      || is_fortrans_result (decl))
    return false;
  if (POINTER_TYPE_P (type))
    return leads_to_vla (type) && !DECL_IGNORED_P (decl);
  return TREE_CODE (type) == ARRAY_TYPE && INTEGRAL_TYPE_P (TREE_TYPE (type))
      && TYPE_PRECISION (TREE_TYPE (type)) == BITS_PER_UNIT && !TYPE_NAME (TREE_TYPE (type));
}

static void
put_vla (struct cab_name *to, tree decl)
{
  const char *name = cab_name_of (decl), *kept = cab_kept_behind (name);
  size_t n = unnumbered (name);
  if (kept && *kept)
    n -= kept + 1 - name, name = kept + 1;   /* of a call's result, as pointer_names.cc has named
						it */
  obstack_grow (&to->text, name, n);
  if (TREE_CODE (decl) == FIELD_DECL || cab_kept_is_users (decl))
    to->users = cab_name_size (to);
}

/* Return true if DECL is what the compiler copies into an array to initialise it. */
static bool
is_initializer (tree decl)
{
  return VAR_P (decl) && TREE_STATIC (decl) && TREE_READONLY (decl) && DECL_ARTIFICIAL (decl)
      && DECL_IGNORED_P (decl) && TREE_CODE (TREE_TYPE (decl)) == ARRAY_TYPE;
}

/* Put the name of DECL in the source; for a variable that the compiler has made of a part of
   another, put the name of that part. */
static bool
put_decl (struct cab_name *to, tree decl)
{
  if (VAR_P (decl) && DECL_HAS_DEBUG_EXPR_P (decl))
    return cab_name_put_ref (to, DECL_DEBUG_EXPR (decl));
  if (TREE_CODE (decl) == RESULT_DECL || is_fortrans_result (decl))
    return cab_name_put (to, "<result>"), true;
  if (TREE_CODE (decl) == CONST_DECL || is_initializer (decl))
    return cab_name_put (to, "<constant>"), true;
  if (cab_name_is_vla (decl))
    return put_vla (to, decl), true;
  const char *type = cab_type_is_descriptor (TREE_TYPE (decl)) || is_class (TREE_TYPE (decl))
		     ? NULL
		     : spoken_name (TREE_TYPE (decl));
  if (cab_name_of (decl) && !(DECL_ARTIFICIAL (decl) && DECL_IGNORED_P (decl)))
    cab_name_put (to, cab_name_of (decl));
  else
    cab_name_put (to, RECORD_OR_UNION_TYPE_P (TREE_TYPE (decl)) && type ? type : "<temporary>");
  if (cab_kept_is_users (decl))
    to->users = cab_name_size (to);
  return true;
}

tree
cab_access_whole (tree ref)
{
  tree own = TREE_TYPE (TREE_TYPE (TREE_OPERAND (ref, 0))),
       origin = TREE_TYPE (TREE_TYPE (TREE_OPERAND (ref, 1)));
  if (RECORD_OR_UNION_TYPE_P (own) && COMPLETE_TYPE_P (own))
    return own;
  return RECORD_OR_UNION_TYPE_P (origin) && COMPLETE_TYPE_P (origin) ? origin : NULL_TREE;
}

static bool
is_librarys (tree type)
{
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (type));
  return name && TREE_CODE (name) == TYPE_DECL && DECL_IN_SYSTEM_HEADER (name);
}

tree
cab_access_holder (tree ref)
{
  struct cab_name scratch;
  tree type = TREE_TYPE (ref),
       whole = TREE_CODE (ref) == MEM_REF && RECORD_OR_UNION_TYPE_P (type) && is_librarys (type)
	       ? cab_access_whole (ref)
	       : NULL_TREE;
  if (!whole || is_librarys (whole) || !cab_type_name (whole))
    return NULL_TREE;
  cab_name_begin (&scratch);
  put_part_of (&scratch, whole, ref);
  bool found = cab_name_size (&scratch) != 0;
  cab_name_end (&scratch);
  return found ? whole : NULL_TREE;
}

/* Put a part of the structure that the pointer of REF leads to, by its offset. */
static bool
put_member_at (struct cab_name *to, tree ref)
{
  struct cab_name_mark before = cab_name_mark (to);
  tree whole = TREE_CODE (ref) == MEM_REF ? cab_access_whole (ref) : NULL_TREE;
  if (!whole || !cab_type_name (whole))
    return false;
  put_type_name (to, whole);
  size_t n = cab_name_size (to);
  put_part_of (to, whole, ref);
  return cab_name_size (to) > n || cab_name_retract (to, before);
}

static bool
put_type (struct cab_name *to, tree type)
{
  const char *name = spoken_name (type);
  if (!name && POINTER_TYPE_P (type) && put_type (to, TREE_TYPE (type)))
    return cab_name_put (to, " *"), true;
  return name && (cab_name_put (to, name), true);
}

/* Put the name of POINTER, an argument that leads to a descriptor: the compiler's name of its type
   is unknown to users. */
static bool
put_descriptor (struct cab_name *to, tree pointer)
{
  struct cab_name_mark before = cab_name_mark (to);
  if (!cab_name_put_pointed (to, pointer, false))
    return cab_name_retract (to, before);
  if (*cab_name_text (to, before) == '*')
    cab_name_star (to, before, false);
  return true;
}

static bool
put_memory (struct cab_name *to, tree ref)
{
  tree type = TREE_TYPE (ref), pointer = TREE_OPERAND (ref, 0);
  struct cab_name_mark before = cab_name_mark (to);
  if (TREE_CODE (pointer) == ADDR_EXPR)
    {
      if (!cab_name_put_ref (to, TREE_OPERAND (pointer, 0)))
	return false;
      if (cab_name_is_vla (TREE_OPERAND (pointer, 0)))
	return cab_name_put_element (to), true;
      put_part_of (to, TREE_TYPE (TREE_OPERAND (pointer, 0)), ref);
      return true;
    }
  if (((cab_type_is_descriptor (type) || is_class (type)) && put_descriptor (to, pointer))
      || (cab_access_holder (ref) && put_member_at (to, ref)))
    return true;
  if (RECORD_OR_UNION_TYPE_P (type) && cab_type_name (type))
    return put_type_name (to, type), true;
  if (put_member_at (to, ref)
      || cab_name_put_pointed (to, pointer, !integer_zerop (TREE_OPERAND (ref, 1))))
    return true;
  cab_name_retract (to, before);
  cab_name_put (to, "*(");
  if (!put_type (to, type))
    return cab_name_retract (to, before);
  cab_name_put (to, " *)");
  return true;
}

/* Return true if types A and B have the same size. The size of an array of unknown length, and of
   what gfortran takes for a structure and is such an array, is NULL. */
static bool
are_same_size (tree a, tree b)
{
  return TYPE_SIZE (a) && TYPE_SIZE (b) && operand_equal_p (TYPE_SIZE (a), TYPE_SIZE (b));
}

/* Put REF, which is everything in a library's structure that a pointer of the user's leads to,
   after that pointer. */
static bool
put_users_pointed (struct cab_name *to, tree ref)
{
  struct cab_name_mark before = cab_name_mark (to);
  tree whole = ref;
  if (AGGREGATE_TYPE_P (TREE_TYPE (ref)))
    return false;
  while (TREE_CODE (whole) == COMPONENT_REF
	 && are_same_size (TREE_TYPE (whole), TREE_TYPE (TREE_OPERAND (whole, 0))))
    whole = TREE_OPERAND (whole, 0);
  if (TREE_CODE (whole) != MEM_REF || !integer_zerop (TREE_OPERAND (whole, 1))
      || !RECORD_OR_UNION_TYPE_P (TREE_TYPE (whole)) || !is_librarys (TREE_TYPE (whole)))
    return false;
  return (cab_name_put_pointed (to, TREE_OPERAND (whole, 0), false)
	  && cab_name_is_users (to, before))
      || cab_name_retract (to, before);
}

/* Return true if TYPE holds the local variables of a function that nested ones use. */
static bool
is_frame (tree type)
{
  const char *name = compilers_name (type);
  return name && !strncmp (name, "FRAME.", strlen ("FRAME."));
}

/* Put the name of FIELD of a frame: the variable's, or that it is one of the compiler's own. */
static bool
put_frame_member (struct cab_name *to, tree field)
{
  const char *name = cab_name_of (field);
  bool is_made = !name || strchr (name, '.') || !strcmp (name, "__chain");
  cab_name_put (to, is_made ? "<temporary>" : name);
  return true;
}

static bool
put_member (struct cab_name *to, tree ref)
{
  tree field = TREE_OPERAND (ref, 1);
  if (put_users_pointed (to, ref))
    return true;
  if (is_frame (DECL_FIELD_CONTEXT (field)) && !cab_name_is_vla (field))
    return put_frame_member (to, field);
  if (!cab_name_put_ref (to, TREE_OPERAND (ref, 0)))
    return false;
  if (!is_all_of (to, TREE_TYPE (TREE_OPERAND (ref, 0)), DECL_SIZE (field), field))
    put_member_name (to, field);
  return true;
}

static bool
put_element_of (struct cab_name *to, tree array)
{
  struct cab_name_mark before = cab_name_mark (to);
  if (!cab_name_put_ref (to, array))
    return false;
  /* An array that a pointer leads to is that pointer's: a[], not (*a)[]. */
  char *text = cab_name_text (to, before);
  size_t n = cab_name_size (to) - before.n;
  if (n && *text == '*')
    cab_name_star (to, before, false);
  else if (n > 2 && TREE_CODE (array) == MEM_REF && !strncmp (text + n - 2, "[]", 2))
    return true;
  cab_name_put_element (to);
  return true;
}

bool
cab_name_put_vla (struct cab_name *to, tree ref)
{
  tree decl = TREE_CODE (ref) == COMPONENT_REF ? TREE_OPERAND (ref, 1) : ref;
  if (!cab_name_is_vla (decl))
    return false;
  put_vla (to, decl);
  return true;
}

bool
cab_name_put_ref (struct cab_name *to, tree ref)
{
  switch (TREE_CODE (ref))
    {
    case COMPONENT_REF:
      return put_member (to, ref);
    case ARRAY_REF:
    case ARRAY_RANGE_REF:
      return put_element_of (to, TREE_OPERAND (ref, 0));
    case REALPART_EXPR:
    case IMAGPART_EXPR:
    case BIT_FIELD_REF:
    case VIEW_CONVERT_EXPR:
      return cab_name_put_ref (to, TREE_OPERAND (ref, 0));
    case MEM_REF:
    case TARGET_MEM_REF:
      return put_memory (to, ref);
    case STRING_CST:
      return cab_name_put (to, "<constant>"), true;
    default:
      return DECL_P (ref) && put_decl (to, ref);
    }
}

char *
cab_access_name (tree ref, bool is_pointer, unsigned HOST_WIDE_INT bytes)
{
  struct cab_name to;
  cab_name_begin (&to);
  to.bytes = bytes;
  bool known = is_pointer ? cab_name_put_pointed (&to, ref, false) : cab_name_put_ref (&to, ref);
  obstack_1grow (&to.text, 0);
  const char *text = (char *) obstack_base (&to.text);
  char *name = cab_escaped (known && *text ? text : "?");
  cab_name_end (&to);
  return name;
}
