/* layout_statics.h - variables that are or have arrays of structures, and where they would be as
 * structures of arrays; for layout_try.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a variable with static memory is of what fits to its size and an access
 *             (layout_nested.h), from that access on.  Each of its arrays has memory of its own,
 *             aligned to 32 bytes, one behind the other. Of a local variable it is told what it is
 *             of, when it comes to be and when it ends.  Its arrays are in its memory, one behind
 *             the other; if there is too little of it, because of padding, they are in memory that
 *             has twice as much for every byte of the stack.
 * Ownership:  what is found lives as long as the set.
 */
#ifndef CAB_LAYOUT_STATICS_H
#define CAB_LAYOUT_STATICS_H

#include "analyses/layout/layout.h"

/* Which variable with static memory is ADDRESS in?  False: in none that is known. */
struct cab_layout_variables
{
  const struct cab_layouts *layouts;
  bool (*find) (void *data, uint64_t address, uint64_t *start, uint64_t *bytes);
  void *data;
};

struct cab_layout_static
{
  uint64_t start, bytes;
  bool is_local;
  const struct cab_layout *layout;
  const struct cab_layout_arrays *becomes;
  uint64_t *arrays;                 /* becomes->n of them */
};

struct cab_layout_statics;
struct cab_layout_statics *cab_layout_statics_new (const struct cab_layout_variables *variables);
void cab_layout_statics_free (struct cab_layout_statics *statics);

/* A local variable of LAYOUTs comes to be; those that were told to be there are no more. */
void cab_layout_statics_begin (struct cab_layout_statics *statics, uint64_t start, uint64_t bytes,
			       const struct cab_layout *layout);
/* The local variable at START ends, if there is one. */
void cab_layout_statics_end (struct cab_layout_statics *statics, uint64_t start);

/* The variable that ADDRESS is in, or null.  LAYOUT, or null: of what the access is a member, at
   OFFSET; with IS_ELEMENT, somewhere in the array at OFFSET. */
const struct cab_layout_static *cab_layout_statics_find (struct cab_layout_statics *statics,
							 uint64_t address,
							 const struct cab_layout *layout,
							 uint64_t offset, bool is_element);

#endif
