/* struct_text.cc - members of structures as C declares them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A declaration is composed from the member outwards: pointers, arrays and functions are placed
   around its name, and before all that comes the type that has a name, in the compiler's own
   words.  A type that has no name in the source is written out: its members, or its
   enumerators. */
#include "plugin/memory/names/struct_text.h"
#include "plugin/memory/names/access_name.h"
#include "plugin/memory/names/struct_record.h"
#include "pretty-print.h"
#include "tree-pretty-print.h"

#define DEPTH 8            /* of types that are written out within each other */
#define LONG 4000          /* characters of a type that is written out */
#define NAMES 3            /* of an unnamed member's own members */

/* Return TEXT with BY instead of the N characters at AT; TEXT is freed. */
static char *
replaced (char *text, char *at, size_t n, const char *by)
{
  char *result = xasprintf ("%.*s%s%s", (int) (at - text), text, by, at + n);
  free (text);
  return result;
}

/* Return TEXT with C's names of Fortran's types; TEXT is freed. */
static char *
without_kinds (char *text)
{
  static const char *const names[][2] = { { "integer(kind=1)", "signed char" },
					  { "integer(kind=2)", "short" },
					  { "integer(kind=4)", "int" },
					  { "integer(kind=8)", "long" },
					  { "integer(kind=16)", "__int128" },
					  { "logical(kind=1)", "signed char" },
					  { "logical(kind=2)", "short" },
					  { "logical(kind=4)", "int" },
					  { "logical(kind=8)", "long" },
					  { "logical(kind=16)", "__int128" },
					  { "real(kind=4)", "float" },
					  { "real(kind=8)", "double" },
					  { "real(kind=10)", "long double" },
					  { "real(kind=16)", "__float128" },
					  { "complex(kind=4)", "_Complex float" },
					  { "complex(kind=8)", "_Complex double" },
					  { "complex(kind=10)", "_Complex long double" },
					  { "complex(kind=16)", "_Complex __float128" },
					  { "character(kind=1)", "char" },
					  { "character(kind=4)", "unsigned" } };
  for (const char *const *name : names)
    while (char *at = strstr (text, name[0]))
      text = replaced (text, at, strlen (name[0]), name[1]);
  return text;
}

/* Return TYPE in the compiler's own words; malloc'ed. */
static char *
words_for (tree type)
{
  pretty_printer pp;
  pp_needs_newline (&pp) = false;
  dump_generic_node (&pp, type, 0, TDF_SLIM, false);
  char *text = xstrdup (pp_formatted_text (&pp));
  for (char *p = text; *p; p++)
    if (*p == '\n')
      *p = ' ';
  return without_kinds (text);
}

/* Return the name that a typedef has given TYPE, or null. */
static tree
typedef_of (tree type)
{
  tree name = TYPE_NAME (type);
  return name && TREE_CODE (name) == TYPE_DECL && DECL_NAME (name) && DECL_ORIGINAL_TYPE (name)
	 ? name
	 : NULL_TREE;
}

static const char *
qualifiers (int which)
{
  static const char *const words[] = {
    "",		"const ",	  "volatile ",	       "const volatile ",
    "_Atomic ", "const _Atomic ", "volatile _Atomic ", "const volatile _Atomic "
  };
  return words[(which & TYPE_QUAL_CONST ? 1 : 0) | (which & TYPE_QUAL_VOLATILE ? 2 : 0)
	       | (which & TYPE_QUAL_ATOMIC ? 4 : 0)];
}

static char *declared (tree type, char *inner, unsigned depth);

/* Return the type that TYPE is an array of or a pointer to, applied repeatedly. */
static tree
innermost (tree type)
{
  while (POINTER_TYPE_P (type) || TREE_CODE (type) == ARRAY_TYPE)
    type = TREE_TYPE (type);
  return TYPE_MAIN_VARIANT (type);
}

static bool
is_bit_field (tree field)
{
  return DECL_BIT_FIELD (field) && DECL_BIT_FIELD_TYPE (field);
}

/* Return the type of FIELD as the source has it. */
static tree
type_of (tree field)
{
  return is_bit_field (field) ? DECL_BIT_FIELD_TYPE (field) : TREE_TYPE (field);
}

/* Return the enum of FIELD's type if a member before FIELD has the same enum and so writes its
   enumerators out, else null. */
static tree
enum_before (tree field)
{
  tree type = innermost (type_of (field));
  if (TREE_CODE (type) == ENUMERAL_TYPE)
    for (tree other = TYPE_FIELDS (DECL_CONTEXT (field)); other && other != field;
	 other = DECL_CHAIN (other))
      if (TREE_CODE (other) == FIELD_DECL && innermost (type_of (other)) == type)
	return type;
  return NULL_TREE;
}

/* The enum_before of the present member, where it is written as a number. */
static tree told_enum;

/* Return the declaration of FIELD, at DEPTH.  An array without a size that is the last member of
   the structure itself is declared as such. */
static char *
declared_field (tree field, unsigned depth)
{
  tree type = TREE_TYPE (field), next = DECL_CHAIN (field);
  const char *name = DECL_NAME (field) ? IDENTIFIER_POINTER (DECL_NAME (field)) : "";
  while (next && TREE_CODE (next) != FIELD_DECL)
    next = DECL_CHAIN (next);
  told_enum = enum_before (field);
  if (is_bit_field (field))
    return declared (
      type_of (field),
      xasprintf ("%s%s: %d", name, *name ? " " : "", (int) tree_to_uhwi (DECL_SIZE (field))),
      depth);
  bool endless = depth == 0 && !next && TREE_CODE (type) == ARRAY_TYPE && !typedef_of (type)
	      && TYPE_SIZE_UNIT (type) && integer_zerop (TYPE_SIZE_UNIT (type));
  return endless ? declared (TREE_TYPE (type), concat (name, "[]", NULL), depth)
		 : declared (type, xstrdup (name), depth);
}

/* Return the enumerators of TYPE; null if they do not fit an int, or are unknown. */
static char *
enumerators (tree type)
{
  char *text = NULL;
  HOST_WIDE_INT next = 0;
  if (TYPE_PRECISION (type) != TYPE_PRECISION (integer_type_node))
    return NULL;
  for (tree e = TYPE_VALUES (type); e; e = TREE_CHAIN (e), next++)
    {
      tree value = TREE_CODE (TREE_VALUE (e)) == CONST_DECL ? DECL_INITIAL (TREE_VALUE (e))
							    : TREE_VALUE (e);
      if (!tree_fits_shwi_p (value))
	{
	  free (text);
	  return NULL;
	}
      const char *comma = text ? ", " : "", *before = text ? text : "",
		 *name = IDENTIFIER_POINTER (TREE_PURPOSE (e));
      char *more = tree_to_shwi (value) == next
		   ? concat (before, comma, name, NULL)
		   : xasprintf ("%s%s%s = " HOST_WIDE_INT_PRINT_DEC, before, comma, name,
				tree_to_shwi (value));
      next = tree_to_shwi (value);
      free (text);
      text = more;
    }
  return text;
}

/* Return a number type of as many bytes as the enum TYPE. */
static const char *
number_like (tree type)
{
  bool positive = TYPE_UNSIGNED (type);
  switch (TYPE_PRECISION (type))
    {
    case 8: return positive ? "unsigned char" : "signed char";
    case 16: return positive ? "unsigned short" : "short";
    case 64: return positive ? "unsigned long" : "long";
    default: return positive ? "unsigned int" : "int";
    }
}

/* Return TYPE, an enum without a name, written out. */
static char *
written_enum (tree type)
{
  char *inside = TYPE_MAIN_VARIANT (type) == told_enum ? NULL : enumerators (type);
  char *text = inside ? concat (qualifiers (TYPE_QUALS (type)), "enum { ", inside, " }", NULL)
		      : concat (qualifiers (TYPE_QUALS (type)), number_like (type), NULL);
  free (inside);
  return text;
}

/* Return a structure of bytes in place of TYPE, a structure that C does not know, or whose text
   would be too long. */
static char *
bytes_like (tree type)
{
  unsigned HOST_WIDE_INT n = TYPE_SIZE_UNIT (type) && tree_fits_uhwi_p (TYPE_SIZE_UNIT (type))
			     ? tree_to_uhwi (TYPE_SIZE_UNIT (type))
			     : 0;
  return xasprintf ("%sstruct { char bytes[" HOST_WIDE_INT_PRINT_UNSIGNED
		    "]; } __attribute__ ((aligned (%u)))",
		    qualifiers (TYPE_QUALS (type)), n, (unsigned) TYPE_ALIGN_UNIT (type));
}

/* Return the attributes that the source gives TYPE for its layout. */
static char *
attributes (tree type)
{
  if (TYPE_USER_ALIGN (type))
    return xasprintf (" __attribute__ ((%saligned (%u)))", TYPE_PACKED (type) ? "packed, " : "",
		      (unsigned) TYPE_ALIGN_UNIT (type));
  return xstrdup (TYPE_PACKED (type) ? " __attribute__ ((packed))" : "");
}

/* Return true if the compiler places FIELD, or the source says where. */
static bool
is_placed (tree field)
{
  return DECL_ARTIFICIAL (field)
      || (DECL_USER_ALIGN (field) && !TYPE_USER_ALIGN (TREE_TYPE (field)));
}

/* Return TYPE, which has no name, written out.  The link does not know types that are only pointed
   to. */
static char *
written_out (tree type, unsigned depth)
{
  if (TREE_CODE (type) == ENUMERAL_TYPE)
    return written_enum (type);
  if (!COMPLETE_TYPE_P (type))
    return concat (qualifiers (TYPE_QUALS (type)), "void", NULL);
  char *text = concat (qualifiers (TYPE_QUALS (type)),
		       TREE_CODE (type) == UNION_TYPE ? "union {" : "struct {", NULL);
  bool good = depth < DEPTH;
  for (tree field = TYPE_FIELDS (type); field && good; field = DECL_CHAIN (field))
    if (TREE_CODE (field) == FIELD_DECL)
      {
	bool unnamed_member = !DECL_NAME (field) && RECORD_OR_UNION_TYPE_P (TREE_TYPE (field))
			   && !cab_type_name (TREE_TYPE (field));
	char *member = declared_field (field, depth + 1);
	text = reconcat (text, text, " ", member, ";", NULL);
	free (member);
	good = (unnamed_member || !is_placed (field)) && strlen (text) < LONG;
      }
  char *rest = good ? attributes (type) : bytes_like (type);
  text = good ? reconcat (text, text, " }", rest, NULL) : reconcat (text, rest, NULL);
  free (rest);
  return text;
}

/* Return true if TYPE is to be written out.  At the link a type that is only pointed to is a
   variant of any other. */
static bool
is_unnamed (tree type)
{
  return (RECORD_OR_UNION_TYPE_P (type) || TREE_CODE (type) == ENUMERAL_TYPE)
	 && (!cab_type_name (type) || (!TYPE_NAME (type) && !COMPLETE_TYPE_P (type)));
}

/* C++ has a typedef of its own for each tag. */
bool
cab_struct_has_no_tag (tree type)
{
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (type));
  return cab_type_name (type)
      && (!name || (TREE_CODE (name) == TYPE_DECL && !DECL_ARTIFICIAL (name)));
}

/* Return what precedes the declared name: TYPE, which is no pointer, array or function, or has a
   name. */
static char *
base_of (tree type, unsigned depth)
{
  int quals = TYPE_QUALS (strip_array_types (type));
  if (tree name = typedef_of (type))
    return concat (qualifiers (quals & ~TYPE_QUALS (strip_array_types (TREE_TYPE (name)))),
		   IDENTIFIER_POINTER (DECL_NAME (name)), NULL);
  if (is_unnamed (type))
    return written_out (type, depth);
  bool tagged = RECORD_OR_UNION_TYPE_P (type) || TREE_CODE (type) == ENUMERAL_TYPE;
  if (TREE_CODE (type) == RECORD_TYPE && cab_type_is_closure (type))
    return bytes_like (type);
  if (tagged && cab_struct_has_no_tag (type))
    return concat (qualifiers (quals), cab_type_name (type), NULL);
  char *words = TREE_CODE (type) == COMPLEX_TYPE || TREE_CODE (type) == VECTOR_TYPE
		? declared (TREE_TYPE (type), xstrdup (""), depth)
	      : TREE_CODE (type) == NULLPTR_TYPE ? xstrdup ("void *")
	      : words_for (TYPE_MAIN_VARIANT (type));
  if (TREE_CODE (type) == VECTOR_TYPE)
    {
      char *rest = xasprintf (" __attribute__ ((vector_size (%u)))",
			      (unsigned) tree_to_uhwi (TYPE_SIZE_UNIT (type)));
      words = reconcat (words, words, rest, NULL);
      free (rest);
    }
  return reconcat (words, qualifiers (quals),
		   TREE_CODE (type) == COMPLEX_TYPE ? "_Complex "
		   : TREE_CODE (type) == ENUMERAL_TYPE ? "enum "
		   : "",
		   words, NULL);
}

/* Return the type of the functions that TYPE leads to, a C++ pointer to member functions, which is
   a structure to the compiler; null if it is none. */
static tree
methods_of (tree type)
{
  tree field = TREE_CODE (type) == RECORD_TYPE && !cab_type_name (type) ? TYPE_FIELDS (type)
									: NULL_TREE;
  bool is_one = field && TREE_CODE (field) == FIELD_DECL && DECL_NAME (field)
	     && !strcmp (IDENTIFIER_POINTER (DECL_NAME (field)), "__pfn")
	     && POINTER_TYPE_P (TREE_TYPE (field))
	     && TREE_CODE (TREE_TYPE (TREE_TYPE (field))) == METHOD_TYPE;
  return is_one ? TREE_TYPE (TREE_TYPE (field)) : NULL_TREE;
}

/* Return the parameters of a function of TYPE, as the source has them. */
static char *
parameters (tree type, unsigned depth)
{
  char *text = xstrdup ("");
  tree t = TYPE_ARG_TYPES (type);
  t = t && TREE_CODE (type) == METHOD_TYPE ? TREE_CHAIN (t) : t;
  for (; t && !VOID_TYPE_P (TREE_VALUE (t)); t = TREE_CHAIN (t))
    {
      char *one = declared (TREE_VALUE (t), xstrdup (""), depth + 1);
      text = reconcat (text, text, *text ? ", " : "", one, NULL);
      free (one);
    }
  if (t && !*text)
    return reconcat (text, "void", NULL);
  return !t && *text ? reconcat (text, text, ", ...", NULL) : text;
}

/* Return the sign of a pointer or reference.  Fortran's pass by reference is C's by pointer. */
static const char *
sign_of (tree type)
{
  return TREE_CODE (type) == POINTER_TYPE || cab_is_fortran () ? "*"
       : TYPE_REF_IS_RVALUE (type) ? "&&"
       : "&";
}

/* Return "[N]", as far as N is known. */
static char *
dimension (tree type)
{
  tree whole = TYPE_SIZE_UNIT (type), element = TYPE_SIZE_UNIT (TREE_TYPE (type));
  if (!whole || !element || !tree_fits_uhwi_p (whole) || !tree_fits_uhwi_p (element))
    return xstrdup ("[]");
  return xasprintf ("[" HOST_WIDE_INT_PRINT_UNSIGNED "]",
		    integer_zerop (element) ? 0 : tree_to_uhwi (whole) / tree_to_uhwi (element));
}

/* Return INNER with SIGN, a * or another sign, before it, in parentheses if POINTED would otherwise
   be placed after it.  INNER is freed. */
static char *
pointing (const char *sign, char *inner, tree pointed)
{
  bool apart = !typedef_of (pointed)
	    && (TREE_CODE (pointed) == ARRAY_TYPE || FUNC_OR_METHOD_TYPE_P (pointed));
  return reconcat (inner, apart ? "(" : "", sign, inner, apart ? ")" : "", NULL);
}

/* Return INNER as a pointer to POINTED in the class OWNER.  INNER is freed. */
static char *
pointing_into (tree owner, char *inner, tree pointed)
{
  const char *name = owner ? cab_type_name (owner) : NULL;
  char *sign = concat (name ? name : "", "::*", NULL);
  inner = pointing (sign, inner, pointed);
  free (sign);
  return inner;
}

/* Return the declaration of INNER with TYPE.  INNER is freed. */
static char *
declared (tree type, char *inner, unsigned depth)
{
  bool named = typedef_of (type);
  if (!named && POINTER_TYPE_P (type))
    {
      char *sign = concat (sign_of (type), qualifiers (TYPE_QUALS (type)),
			   TYPE_RESTRICT (type) ? "__restrict " : "", NULL);
      inner = pointing (sign, inner, TREE_TYPE (type));
      free (sign);
      return declared (TREE_TYPE (type), inner, depth);
    }
  if (!named && TREE_CODE (type) == ARRAY_TYPE)
    {
      char *count = dimension (type);
      inner = reconcat (inner, inner, count, NULL);
      free (count);
      return declared (TREE_TYPE (type), inner, depth);
    }
  if (!named && FUNC_OR_METHOD_TYPE_P (type))
    {
      char *list = parameters (type, depth);
      inner = reconcat (inner, inner, " (", list, ")", NULL);
      free (list);
      return declared (TREE_TYPE (type), inner, depth);
    }
  if (tree method = named ? NULL_TREE : methods_of (type))
    return declared (method, pointing_into (TYPE_METHOD_BASETYPE (method), inner, method), depth);
  if (!named && TREE_CODE (type) == OFFSET_TYPE)
    return declared (TREE_TYPE (type),
		     pointing_into (TYPE_OFFSET_BASETYPE (type), inner, TREE_TYPE (type)), depth);
  char *base = base_of (type, depth);
  char *text = concat (base, *inner ? " " : "", inner, NULL);
  free (base);
  free (inner);
  return text;
}

char *
cab_struct_member (tree field)
{
  return declared_field (field, 0);
}

/* Append the names of TYPE's members to TEXT, which is freed; members without a name contribute
   those of their members.  *N is the number of names so far. */
static char *
put_names (char *text, tree type, unsigned *n)
{
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    {
      const char *name = TREE_CODE (field) == FIELD_DECL && DECL_NAME (field)
			 ? IDENTIFIER_POINTER (DECL_NAME (field))
			 : NULL;
      if (TREE_CODE (field) == FIELD_DECL && !name && RECORD_OR_UNION_TYPE_P (TREE_TYPE (field)))
	text = put_names (text, TREE_TYPE (field), n);
      else if (name && ++*n <= NAMES)
	text = reconcat (text, text, *text ? ", " : "", name, NULL);
    }
  return text;
}

char *
cab_struct_unnamed (tree field)
{
  unsigned n = 0;
  char *names = RECORD_OR_UNION_TYPE_P (TREE_TYPE (field))
		? put_names (xstrdup (""), TREE_TYPE (field), &n)
		: xstrdup ("");
  char *text = concat ("{", names, n > NAMES ? ", ..." : "", "}", NULL);
  free (names);
  return text;
}
