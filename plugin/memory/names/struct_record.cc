/* struct_record.cc - which structure an access or an allocation belongs to, and the records of its
   members.
   SPDX-License-Identifier: GPL-3.0-or-later

   The structure that counts is the one whose layout can be changed: the outermost one around
   the operand, up to an array of structures, whose elements have a layout of their own. */
#include "plugin/memory/names/struct_record.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/memory/names/pointer_names.h"
#include "plugin/memory/names/access_name.h"
#include "plugin/memory/names/struct_text.h"
#include "plugin/paths/record.h"
#include "cabprof/info.h"

#define MOST_STEPS 12   /* back from a pointer to the operand that it is the address of */

static location_t
place_of_type (tree type)
{
  tree declared = TYPE_STUB_DECL (type) ? TYPE_STUB_DECL (type) : TYPE_NAME (type);
  return declared && DECL_P (declared) ? DECL_SOURCE_LOCATION (declared) : UNKNOWN_LOCATION;
}

/* Return true if TYPE is gfortran's description of a dimension of an array.  A structure of the
   user's of that name is not packed. */
static bool
is_dimension (tree type, const char *name)
{
  return cab_is_fortran () && TYPE_PACKED (type) && !strcmp (name, "descriptor_dimension");
}

/* Return true if the compiler has made TYPE from the source, with a name that no source can have:
   gfortran a CLASS, or a table of type-bound procedures; others the frame of a coroutine or of a
   function with nested ones, or what OpenMP's threads share. */
static bool
is_made (tree type)
{
  const char *name = cab_type_name (type);
  return name && *name
      && ((cab_is_fortran () && *name == '_') || strchr (name + 1, '.')
	  || is_dimension (type, name));
}

/* Return true if TYPE is the compiler's own, such as the types that describe Fortran's arrays.  At
   the link most types have no place; see struct_mark.cc. */
static bool
is_artificial (tree type)
{
  if (in_lto_p)
    return TYPE_ARTIFICIAL (TYPE_MAIN_VARIANT (type)) || is_made (type);
  return TYPE_NAMELESS (type) || place_of_type (TYPE_MAIN_VARIANT (type)) <= BUILTINS_LOCATION
      || is_made (type) || cab_type_is_closure (type);
}

bool
cab_struct_is_of_source (tree type)
{
  return !is_artificial (type) && !expand_location (place_of_type (TYPE_MAIN_VARIANT (type))).sysp;
}

/* Return true if TYPE has a name, or else a place that identifies it.  At the link it is unknown
   which structures without a name are the captures of lambda expressions. */
static bool
is_known (tree type)
{
  return cab_type_name (type)
      || (!in_lto_p && place_of_type (TYPE_MAIN_VARIANT (type)) > BUILTINS_LOCATION);
}

static bool
is_structure (tree type)
{
  return TREE_CODE (type) == RECORD_TYPE && is_known (type) && COMPLETE_TYPE_P (type)
      && tree_fits_uhwi_p (TYPE_SIZE_UNIT (type)) && !integer_zerop (TYPE_SIZE_UNIT (type))
      && !is_artificial (type);
}

/* Find the place of FIELD; a bit-field is where the bytes are that are set aside for it and its
   neighbours.  Return false if the place is not constant. */
static bool
place_of (tree field, unsigned HOST_WIDE_INT *offset, unsigned HOST_WIDE_INT *bytes)
{
  if (DECL_BIT_FIELD (field) && DECL_BIT_FIELD_REPRESENTATIVE (field))
    field = DECL_BIT_FIELD_REPRESENTATIVE (field);
  tree size = DECL_SIZE_UNIT (field);
  if (!tree_fits_shwi_p (bit_position (field)) || int_bit_position (field) < 0)
    return false;
  *offset = int_bit_position (field) / BITS_PER_UNIT;
  *bytes = size && tree_fits_uhwi_p (size) ? tree_to_uhwi (size) : 0;
  return true;
}

/* Return the structure that FIELD is an array of, to which accesses to it are attributed; null if
   it is none. */
static tree
structure_in (tree field)
{
  tree type = TREE_TYPE (field),
       element = TREE_CODE (type) == ARRAY_TYPE ? strip_array_types (type) : NULL_TREE;
  return element && is_structure (element) ? element : NULL_TREE;
}

static unsigned
align_of (tree field)
{
  tree type = DECL_BIT_FIELD (field) ? DECL_BIT_FIELD_TYPE (field) : NULL_TREE;
  return type ? MIN (TYPE_ALIGN_UNIT (type), TYPE_ALIGN_UNIT (DECL_CONTEXT (field)))
	      : MAX (1, DECL_ALIGN_UNIT (field));
}

static unsigned key_of (tree type);

/* Return TEXT, escaped; TEXT is freed. */
static char *
escaped (char *text)
{
  char *result = cab_escaped (text);
  free (text);
  return result;
}

static void
put_member (struct obstack *ob, tree field)
{
  unsigned HOST_WIDE_INT offset, bytes;
  if (!place_of (field, &offset, &bytes))
    return;
  bool unnamed = !DECL_NAME (field)
	      && (!DECL_ARTIFICIAL (field) || TREE_CODE (TREE_TYPE (field)) == UNION_TYPE);
  bool fixed = !unnamed && (DECL_ARTIFICIAL (field) || !DECL_NAME (field));
  char *name = escaped (
    unnamed ? cab_struct_unnamed (field)
	    : xstrdup (DECL_NAME (field) ? IDENTIFIER_POINTER (DECL_NAME (field)) : "?"));
  char *text = escaped (fixed ? xstrdup ("?") : cab_struct_member (field));
  tree element = unnamed || DECL_BIT_FIELD (field) || fixed ? NULL_TREE : structure_in (field);
  const char *flags = unnamed ? "u"
		    : DECL_BIT_FIELD (field) ? "b"
		    : fixed ? "f"
		    : element ? "s"
		    : "-";
  cab_record_put (
    ob, "m\t" HOST_WIDE_INT_PRINT_UNSIGNED "\t" HOST_WIDE_INT_PRINT_UNSIGNED "\t%u\t%s\t%s\t%s",
    offset, bytes, align_of (field), flags, name, text);
  if (element)
    cab_record_put (ob, "\t%x", key_of (element));
  cab_record_put (ob, "\n");
  free (text);
  free (name);
}

/* Return the name of the structure TYPE, which is at X, or else its place in braces, which no name
   has. */
static char *
name_of (tree type, expanded_location x)
{
  const char *name = cab_type_name (type);
  return name ? xstrdup (name) : xasprintf ("{%s:%d}", lbasename (x.file ? x.file : ""), x.line);
}

/* Keys of structures that have their record, by 1 + the number of the type. */
static hash_map<int_hash<unsigned, 0, UINT_MAX>, unsigned> *keys;

/* Return the key of TYPE, and emit its record if it has none yet. */
static unsigned
key_of (tree type)
{
  struct obstack ob;
  auto_vec<const char *> files;
  type = TYPE_MAIN_VARIANT (type);
  if (!keys)
    keys = new hash_map<int_hash<unsigned, 0, UINT_MAX>, unsigned>;
  if (unsigned *known = keys->get (TYPE_UID (type) + 1))
    return *known;
  gcc_obstack_init (&ob);
  expanded_location x = expand_location (place_of_type (type));
  char *name = escaped (name_of (type, x));
  bool foreign = x.file ? x.sysp : !in_lto_p;   /* at the link types have no place */
  char *path = cab_source_name (x.file);
  cab_record_put (&ob, "\t%s\t" HOST_WIDE_INT_PRINT_UNSIGNED "\t%u\t%s%s\nf\t%s\nD\t0\t%d\t%d\n",
		  name, tree_to_uhwi (TYPE_SIZE_UNIT (type)), TYPE_ALIGN_UNIT (type),
		  TYPE_PACKED (type) ? "p"
		  : foreign ? "y"
		  : "-",
		  cab_struct_has_no_tag (type) ? "t" : "", path, x.line, x.column);
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    if (TREE_CODE (field) == FIELD_DECL)
      put_member (&ob, field);
  unsigned sum = cab_record_sum ((char *) obstack_base (&ob), obstack_object_size (&ob));
  char *text = xasprintf ("Y%c\t%x%.*s", CAB_INFO_VERSION, sum, (int) obstack_object_size (&ob),
			  (char *) obstack_base (&ob));
  cab_record_emit (text, strlen (text));
  keys->put (TYPE_UID (type) + 1, sum);
  free (text);
  free (path);
  free (name);
  obstack_free (&ob, NULL);
  return sum;
}

/* What is known of where an operand is, on the way out of the structures around it. */
struct position
{
  unsigned HOST_WIDE_INT offset;  /* offset of the operand from here; if not exact, of the member
				     that it is an element of */
  bool exact;
  tree type;                      /* the last structure on the way, or null if there is none yet;
				     the next two are its values of OFFSET and EXACT */
  unsigned HOST_WIDE_INT type_offset;
  bool type_exact;
};

static void
note_structure (struct position *at, tree type)
{
  if (!is_structure (type))
    return;
  at->type = type;
  at->type_offset = at->offset;
  at->type_exact = at->exact;
}

static void
step_element (tree ref, struct position *at)
{
  tree index = TREE_OPERAND (ref, 1), size = array_ref_element_size (ref),
       low = array_ref_low_bound (ref);
  bool constant = tree_fits_uhwi_p (index) && tree_fits_uhwi_p (size) && integer_zerop (low);
  if (constant && at->exact)
    at->offset += tree_to_uhwi (index) * tree_to_uhwi (size);
  else if (!constant)
    {
      at->exact = false;
      at->offset = 0;
    }
}

/* Go one step out of REF; return false if the way ends. */
static bool
step_out (tree ref, struct position *at)
{
  unsigned HOST_WIDE_INT offset, bytes;
  switch (TREE_CODE (ref))
    {
    case COMPONENT_REF:
      if (!place_of (TREE_OPERAND (ref, 1), &offset, &bytes))
	return false;
      at->offset += offset;
      note_structure (at, TREE_TYPE (TREE_OPERAND (ref, 0)));
      return true;
    case ARRAY_REF:
      if (at->type && RECORD_OR_UNION_TYPE_P (TREE_TYPE (ref)))
	return false;
      step_element (ref, at);
      return true;
    case IMAGPART_EXPR:
      at->offset += tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (ref)));
      return true;
    default:
      return TREE_CODE (ref) == REALPART_EXPR || TREE_CODE (ref) == VIEW_CONVERT_EXPR;
    }
}

/* Note the structure that the pointer of REF points to, where the compiler keeps only an offset
   from it. */
static void
note_whole (struct position *at, tree ref)
{
  tree whole = cab_access_whole (ref), offset = TREE_OPERAND (ref, 1);
  if (!whole || !is_structure (whole) || !tree_fits_uhwi_p (offset) || !at->exact)
    return;
  at->offset = (at->offset + tree_to_uhwi (offset)) % tree_to_uhwi (TYPE_SIZE_UNIT (whole));
  note_structure (at, whole);
}

/* Emit the records of the structures around REF, an element of an array of structures of which
   something else is accessed, because such arrays in them may be laid out differently. */
static void
record_around (tree ref)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == COMPONENT_REF && is_structure (TREE_TYPE (TREE_OPERAND (ref, 0))))
      key_of (TREE_TYPE (TREE_OPERAND (ref, 0)));
}

/* Go out of REF as far as the way is known; return where it ends. */
static tree
walk_out (struct position *at, tree ref)
{
  while (handled_component_p (ref) && step_out (ref, at))
    ref = TREE_OPERAND (ref, 0);
  if (at->type)
    record_around (ref);
  return ref;
}

/* Return the operand whose address POINTER is, of which BYTES are accessed (0: unknown), or null if
   it is unknown.  A constant that is added goes to *OFFSET; *EXACT becomes false if something else
   is added, too. */
static tree
operand_at (tree pointer, unsigned HOST_WIDE_INT bytes, unsigned HOST_WIDE_INT *offset, bool *exact)
{
  for (unsigned steps = MOST_STEPS; steps && TREE_CODE (pointer) == SSA_NAME; steps--)
    {
      if (tree operand = cab_kept_operand (pointer, bytes))
	return operand;
      gimple *def = SSA_NAME_DEF_STMT (pointer);
      bool adds = is_gimple_assign (def) && gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR;
      bool is_address = gimple_assign_single_p (def)
		     && TREE_CODE (gimple_assign_rhs1 (def)) == ADDR_EXPR;
      if (!is_gimple_assign (def)
	  || (!adds && !is_address && !gimple_assign_ssa_name_copy_p (def)
	      && !gimple_assign_cast_p (def)))
	return NULL_TREE;
      if (adds && TREE_CODE (gimple_assign_rhs2 (def)) == INTEGER_CST)
	*offset += TREE_INT_CST_LOW (gimple_assign_rhs2 (def));
      else if (adds)
	*exact = false;
      pointer = gimple_assign_rhs1 (def);
    }
  return TREE_CODE (pointer) == ADDR_EXPR ? TREE_OPERAND (pointer, 0) : NULL_TREE;
}

/* Return true if REF is a structure, or an array of such, with a layout of its own.  A range that
   begins there covers it as a whole. */
static bool
is_whole (tree ref)
{
  tree type = strip_array_types (TREE_TYPE (ref));
  return is_structure (type) && (TREE_CODE (ref) != COMPONENT_REF || type != TREE_TYPE (ref));
}

static bool
has_open_end (tree type)
{
  tree last = NULL_TREE;
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    last = TREE_CODE (field) == FIELD_DECL ? field : last;
  return last && (!DECL_SIZE_UNIT (last) || integer_zerop (DECL_SIZE_UNIT (last)));
}

/* Return true if BYTES (0: unknown) at AT are in its structure, and not all of it. */
static bool
is_part (const struct position *at, unsigned HOST_WIDE_INT bytes)
{
  unsigned HOST_WIDE_INT size = tree_to_uhwi (TYPE_SIZE_UNIT (at->type));
  if (has_open_end (at->type))
    return at->type_offset <= INT_MAX;
  return at->type_offset < size && (!at->type_exact || bytes <= size - at->type_offset)
      && (at->type_offset || bytes < size);
}

/* Note the structure of BYTES at OFFSET from POINTER: the one whose member's address that is. */
static void
note_address (struct position *at, tree pointer, unsigned HOST_WIDE_INT offset,
	      unsigned HOST_WIDE_INT bytes)
{
  bool exact = true;
  tree ref = operand_at (pointer, bytes, &offset, &exact);
  if (!ref || is_whole (ref))
    return;
  at->offset = exact ? at->offset + offset : 0;
  at->exact &= exact;
  ref = walk_out (at, ref);
  if (TREE_CODE (ref) == MEM_REF && (!at->type || cab_access_holder (ref)))
    note_whole (at, ref);
  if (at->type && !is_part (at, bytes))
    at->type = NULL_TREE;
}

/* Return true if MEM, which a pointer leads to, is in a member that is a structure itself. */
static bool
is_in_member (tree mem)
{
  unsigned HOST_WIDE_INT offset = 0;
  bool exact = true;
  tree ref = operand_at (TREE_OPERAND (mem, 0), 1, &offset, &exact);
  return ref && TREE_CODE (ref) == COMPONENT_REF && RECORD_OR_UNION_TYPE_P (TREE_TYPE (ref));
}

static void
note_memory (struct position *at, tree mem, unsigned HOST_WIDE_INT bytes)
{
  unsigned HOST_WIDE_INT offset = TREE_INT_CST_LOW (TREE_OPERAND (mem, 1));
  if (!is_in_member (mem))
    note_whole (at, mem);
  if (!at->type)
    note_address (at, TREE_OPERAND (mem, 0), offset, bytes);
}

/* Write to TO the field for the structure at AT, if there is one. */
static void
put_position (const struct position *at, char to[CAB_STRUCT_BYTES])
{
  strcpy (to, "-");
  if (at->type)
    sprintf (to, "%x:" HOST_WIDE_INT_PRINT_UNSIGNED "%s", key_of (at->type), at->type_offset,
	     at->type_exact ? "" : "+");
}

void
cab_struct_of_ref (tree ref, unsigned HOST_WIDE_INT bytes, char to[CAB_STRUCT_BYTES])
{
  struct position at = { 0, true, NULL_TREE, 0, true };
  note_structure (&at, TREE_TYPE (ref));
  ref = walk_out (&at, ref);
  if (TREE_CODE (ref) == MEM_REF && (!at.type || cab_access_holder (ref)))
    note_memory (&at, ref, bytes);
  put_position (&at, to);
}

void
cab_struct_of_pointer (tree pointer, unsigned HOST_WIDE_INT bytes, char to[CAB_STRUCT_BYTES])
{
  struct position at = { 0, true, NULL_TREE, 0, true };
  if (pointer)
    note_address (&at, pointer, 0, bytes);
  put_position (&at, to);
}

void
cab_struct_of_type (tree type, char to[CAB_STRUCT_BYTES])
{
  strcpy (to, "-");
  if (type && is_structure (type))
    sprintf (to, "%x", key_of (type));
}
