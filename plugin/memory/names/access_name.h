/* access_name.h - names of memory while they are composed: access_name.cc, access_origin.cc.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      text is appended at the end; the part that turns out to be no name, or not the best
 *             one, is taken back.
 * Ownership:  the caller of cab_name_begin calls cab_name_end.
 */
#ifndef CABPROF_ACCESS_NAME_H
#define CABPROF_ACCESS_NAME_H

#include "plugin/emit/plugin.h"

struct cab_name
{
  struct obstack text;
  size_t users;      /* length of the text up to the last name of the user's, the rest being
			internal to a system header; 0: there is no such name yet */
  unsigned left;     /* number of registers that may still be looked at */
  unsigned HOST_WIDE_INT bytes;   /* that are accessed; 0: unknown */
};

/* A position in a name. */
struct cab_name_mark
{
  size_t n, users;
};

static inline size_t
cab_name_size (const struct cab_name *to)
{
  return obstack_object_size (&to->text);
}

static inline struct cab_name_mark
cab_name_mark (const struct cab_name *to)
{
  return { cab_name_size (to), to->users };
}

/* Return true if a name of the user's was put since SINCE. */
static inline bool
cab_name_is_users (const struct cab_name *to, struct cab_name_mark since)
{
  return to->users > since.n;
}

/* Return the text from SINCE on, which is not terminated and valid until it grows. */
static inline char *
cab_name_text (const struct cab_name *to, struct cab_name_mark since)
{
  return (char *) obstack_base (&to->text) + since.n;
}

/* Return the name of DECL in the source, or null. */
static inline const char *
cab_name_of (tree decl)
{
  return DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl)) : NULL;
}

/* Return true if DECL is a variable or member that the compiler has made of an
   array of variable length: a pointer to it, or an array of another type. */
extern bool cab_name_is_vla (tree decl);
/* Put the name of the array that REF is such a pointer to.  Return false if it is
   none, and put nothing. */
extern bool cab_name_put_vla (struct cab_name *to, tree ref);
/* Return true if TYPE is the pair of address and last index by which a lambda
   expression captures an array of variable length. */
extern bool cab_type_is_captured_vla (tree type);
/* Put the name of what REF accesses.  Return false if there is none, and put
   nothing. */
extern bool cab_name_put_ref (struct cab_name *to, tree ref);

/* Return the name of REF in the source, of which BYTES are accessed (0: unknown), or, if
   IS_POINTER, the name of what the pointer REF leads to.  Malloc'ed, escaped. */
extern char *cab_access_name (tree ref, bool is_pointer, unsigned HOST_WIDE_INT bytes);
/* Return the name of TYPE in the source, or null. */
extern const char *cab_type_name (tree type);
/* Return true if TYPE, a structure, is the capture of a C++ lambda expression.  Its function is a
   member. */
extern bool cab_type_is_closure (tree type);
/* Return true if TYPE is one of the types that describe Fortran's arrays. */
extern bool cab_type_is_descriptor (tree type);
/* Return the structure that REF, a MEM_REF, is a part of according to what the compiler remembers
   of its origin; or null. */
extern tree cab_access_whole (tree ref);
/* Return the user's structure that REF, a library's structure at an offset from a pointer, is a
   member of; or null. */
extern tree cab_access_holder (tree ref);

#endif
