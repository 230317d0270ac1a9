/* layout_nested.h - arrays of structures in structures, turned into structures of arrays there.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a member that is an array of structures, or an array of arrays of them, stays a
 *             member where it was and becomes a structure of arrays (layout_arrays.h): the arrays
 *             of its groups one after another, each with as many elements as the member had
 *             structures.  If padding makes that larger or smaller than the array was, what follows
 *             it lies as a compiler would place it.  A structure whose own members do not become
 *             arrays is then one array, `whole', with its members in their order.  Arrays in
 *             members that are structures themselves, and an array without a size, are ignored.
 * Units:      bytes.
 */
#ifndef CAB_LAYOUT_NESTED_H
#define CAB_LAYOUT_NESTED_H

#include "analyses/layout/layout.h"

/* Turn the structures of LAYOUTS that become arrays into arrays within other structures, too: set
   `whole', `holders', `within' and the places of `arrays'. */
void cab_layouts_nest (struct cab_layouts *layouts);

/* Return the structure of which an object of BYTES consists, one instance after another, if its
   byte at AT is the member at OFFSET of INNER or, with IS_ELEMENT, somewhere in that member: INNER,
   or another one of LAYOUTS that contains it.  Return null if nothing fits that becomes arrays.  A
   fit does not prove that the object is of that structure. */
const struct cab_layout *cab_layouts_fitting (const struct cab_layouts *layouts, uint64_t bytes,
					      uint64_t at, const struct cab_layout *inner,
					      uint64_t offset, bool is_element);

#endif
