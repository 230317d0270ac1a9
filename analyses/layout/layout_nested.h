/* layout_nested.h - arrays of structures in structures, as structures of arrays in these.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a member that is an array of structures, or an array of arrays of them, stays a
 *             member where it was: a structure of arrays (layout_arrays.h), those of its groups one
 *             behind the other, each with as many elements as the member had structures.  If that
 *             takes more or less room than the array did, which is padding, what follows it lies as
 *             a compiler would have it.  A structure whose own members do not become arrays is then
 *             one array, `whole', with its members in their order.  Arrays in members that are
 *             structures themselves, and an array without a size, are not looked into.
 * Units:      bytes.
 */
#ifndef CAB_LAYOUT_NESTED_H
#define CAB_LAYOUT_NESTED_H

#include "analyses/layout/layout.h"

/* Those structures of LAYOUTS that have arrays become such in others, too: `whole', `holders', and
   `within' and the places of `arrays'. */
void cab_layouts_nest (struct cab_layouts *layouts);

/* What becomes of N instances of LAYOUT that lie one behind the other: its arrays, or `whole';
   null: nothing does. */
const struct cab_layout_arrays *cab_layout_becomes (const struct cab_layout *layout, uint64_t n);

/* Does unit U of LAYOUT become a structure of arrays in ARRAYS?  If not, the structures in it may
   have changed all the same. */
bool cab_layout_is_nested (const struct cab_layout *layout, const struct cab_layout_arrays *arrays,
			   uint32_t u);

/* How large unit U of LAYOUT is in ARRAYS. */
uint32_t cab_layout_bytes_in (const struct cab_layout *layout,
			      const struct cab_layout_arrays *arrays, uint32_t u);

/* Where array number ARRAY of ARRAYS begins, where these lie one behind the other with N elements
   each. */
uint64_t cab_layout_begin_of (const struct cab_layout_arrays *arrays, uint32_t array, uint64_t n);

/* What an object of BYTES consists of, one instance behind the other, if the byte at AT of it is
   the member at OFFSET of INNER, or with IS_ELEMENT somewhere in it: INNERs, or others of LAYOUTs
   that have these in them; null: of nothing that becomes arrays.  So it fits; whether it is so is
   not known. */
const struct cab_layout *cab_layouts_fitting (const struct cab_layouts *layouts, uint64_t bytes,
					      uint64_t at, const struct cab_layout *inner,
					      uint64_t offset, bool is_element);

#endif
