/* layout_statics.h - variables that are or have arrays of structures, and where they would be as
 * structures of arrays; for layout_try.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a variable with static memory consists of what fits its size and an access
 *             (layout_nested.h), from that access on.  Each of its arrays has memory of its own,
 *             aligned to 32 bytes, one after another.  The type, the beginning and the end of a
 *             local variable are recorded.  Its arrays lie in its memory, one after another; if
 *             padding makes that too small, they lie in memory with twice as much room for every
 *             byte of the stack.
 * Ownership:  what is found lives as long as the set.
 */
#ifndef CAB_LAYOUT_STATICS_H
#define CAB_LAYOUT_STATICS_H

#include "analyses/layout/layout.h"

/* How to find the variable with static memory that ADDRESS is in.  `find' returns false if none is
   known. */
struct cab_layout_variables
{
  const struct cab_layouts *layouts;
  bool (*find) (void *data, uint64_t address, uint64_t *start, uint64_t *bytes);
  void *data;
};

/* A variable that becomes arrays. */
struct cab_layout_static
{
  uint64_t start, bytes;
  bool is_local;
  const struct cab_layout *layout;
  const struct cab_layout_arrays *becomes;
  uint64_t *arrays;                 /* the addresses of its becomes->n arrays */
};

struct cab_layout_statics;
/* Return an empty set that finds variables with static memory by VARIABLES. */
struct cab_layout_statics *cab_layout_statics_new (const struct cab_layout_variables *variables);
/* Free STATICS, which may be null. */
void cab_layout_statics_free (struct cab_layout_statics *statics);

/* Record that a local variable of LAYOUTs begins to exist.  It replaces recorded local variables
   that it overlaps. */
void cab_layout_statics_begin (struct cab_layout_statics *statics, uint64_t start, uint64_t bytes,
			       const struct cab_layout *layout);
/* Record the end of the local variable at START, if there is one. */
void cab_layout_statics_end (struct cab_layout_statics *statics, uint64_t start);

/* Return the variable that ADDRESS is in, or null.  LAYOUT is the structure of which the access is
   a member, at OFFSET or, with IS_ELEMENT, somewhere in the array at OFFSET; it may be null. */
const struct cab_layout_static *cab_layout_statics_find (struct cab_layout_statics *statics,
							 uint64_t address,
							 const struct cab_layout *layout,
							 uint64_t offset, bool is_element);

#endif
