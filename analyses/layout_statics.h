/* layout_statics.h - variables that are arrays of structures, and where they would be as structures of arrays; for layout_try.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a variable is an array of a structure if its size is that of two or more of it, and an access to a member lies in it where that member
 *             of an element is.  It is one from that access on.  Each of its arrays has memory of its own, aligned to 32 bytes, one behind the other.
 * Ownership:  what is found lives as long as the set.
 */
#ifndef CAB_LAYOUT_STATICS_H
#define CAB_LAYOUT_STATICS_H

#include "analyses/layout.h"

/* Which variable is ADDRESS in?  False: in none that is known. */
struct cab_layout_variables
{
  bool (*find) (void *data, uint64_t address, uint64_t *start, uint64_t *bytes);
  void *data;
};

struct cab_layout_static
{
  uint64_t start, bytes;
  const struct cab_layout *layout;
  uint64_t *arrays;                 /* layout->arrays.n of them */
};

struct cab_layout_statics;
struct cab_layout_statics *cab_layout_statics_new (const struct cab_layout_variables *variables);
void cab_layout_statics_free (struct cab_layout_statics *statics);

/* The array that ADDRESS is in, or null.  LAYOUT, or null: of what the access is a member, at OFFSET; with IS_ELEMENT, somewhere in the array at OFFSET. */
const struct cab_layout_static *cab_layout_statics_find (struct cab_layout_statics *statics, uint64_t address, const struct cab_layout *layout,
							 uint64_t offset, bool is_element);

#endif
