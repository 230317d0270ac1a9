/* access_name.h - names of memory that are being put together: access_name.cc, access_origin.cc.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      text grows at its end; of what turns out to be no name, or not the best, as much is
 *             taken back.
 * Ownership:  who begins a name ends it.
 */
#ifndef CABPROF_ACCESS_NAME_H
#define CABPROF_ACCESS_NAME_H

#include "plugin/memory/memory.h"

struct cab_name
{
  struct obstack text;
  size_t users;      /* so much of it ends with a name of the user's: what follows is a matter of a
			system header's; 0: none has come yet */
  unsigned left;     /* registers that may yet be looked at */
  unsigned HOST_WIDE_INT bytes;   /* that are accessed; 0: unknown */
};

/* Where it stood.  */
struct cab_name_mark
{
  size_t n, users;
};

extern void cab_name_begin (struct cab_name *to);
extern void cab_name_end (struct cab_name *to);
extern void cab_name_put (struct cab_name *to, const char *text);
/* An element of what it says.  */
extern void cab_name_put_element (struct cab_name *to);
/* A * before what was put since it stood at SINCE, or none before it any more.  */
extern void cab_name_star (struct cab_name *to, struct cab_name_mark since, bool star);
/* Take back what was put since; false.  */
extern bool cab_name_retract (struct cab_name *to, struct cab_name_mark since);

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

/* Has any name of the user's come since?  */
static inline bool
cab_name_is_users (const struct cab_name *to, struct cab_name_mark since)
{
  return to->users > since.n;
}

/* Its text from SINCE on, not ended, until it grows.  */
static inline char *
cab_name_text (const struct cab_name *to, struct cab_name_mark since)
{
  return (char *) obstack_base (&to->text) + since.n;
}

/* The name of DECL in the source, or null.  */
static inline const char *
cab_name_of (tree decl)
{
  return DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl)) : NULL;
}

/* access_name.cc: is DECL, if it is a variable or member, what the compiler has made of an array of
   variable length: a pointer to it, or an array of another type?  Put the name of the array that
   REF is such a pointer to; false: it is none, and nothing was put. */
extern bool cab_name_is_vla (tree decl);
extern bool cab_name_put_vla (struct cab_name *to, tree ref);
/* access_kept.cc: return the argument that CALL returns in a register, as memcpy does, if that is a
   pointer; else null. */
extern tree cab_argument_returned (gcall *call);
/* access_name.cc: return true if TYPE is the pair of address and last index by which a lambda
   expression captures an array of variable length. */
extern bool cab_type_is_captured_vla (tree type);
/* access_name.cc: what is accessed by REF.  access_origin.cc: what POINTER leads to, as far as that
   says more than a type; ELEMENT: something was added to it.  False: nothing can be said, and
   nothing was put. */
extern bool cab_name_put_ref (struct cab_name *to, tree ref);
extern bool cab_name_put_pointed (struct cab_name *to, tree pointer, bool element);
/* access_origin.cc: the name of REF, in which a pointer lies; or, IS_WHOLE is set then, of the
   array or container that REF is a part of, if that is what the source speaks of. */
extern bool cab_name_put_place (struct cab_name *to, tree ref, bool *is_whole);

/* Return what the source calls REF, of which BYTES are accessed (0: unknown); or, where IS_POINTER,
   what the pointer REF leads to.  Malloc'ed, escaped. */
extern char *cab_access_name (tree ref, bool is_pointer, unsigned HOST_WIDE_INT bytes);
/* Return the source's name of TYPE, or null. */
extern const char *cab_type_name (tree type);
/* Return true if TYPE, a structure, is what a lambda expression of C++ has captured.  Its function
   is a member. */
extern bool cab_type_is_closure (tree type);
/* Return true if TYPE is one of those that describe Fortran's arrays. */
extern bool cab_type_is_descriptor (tree type);
/* Return the structure that REF, a MEM_REF, is a part of by what the compiler remembers of its
   origin; or null. */
extern tree cab_access_whole (tree ref);
/* Return the user's structure that REF, a structure of a library's at an offset from a pointer, is
   a member of; or null. */
extern tree cab_access_holder (tree ref);

#endif
