/* layout_pieces.h - where the bytes of an array of structures lie in structures of arrays.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units:      bytes.
 */
#ifndef CAB_LAYOUT_PIECES_H
#define CAB_LAYOUT_PIECES_H

#include "analyses/layout/layout.h"

/* Receive bytes [FROM, TO) of the array number ARRAY. */
typedef void cab_layout_put_piece (void *data, uint32_t array, uint64_t from, uint64_t to);

/* Call PUT for each place where [FROM, TO) of an array of LAYOUTs would be in ARRAYS, which are its
   own.  Each array gets at most one range for a partly covered instance and for each part of it
   that is a structure of arrays, and one range for all instances that are covered completely.
   Padding has no place. */
void cab_layout_pieces (const struct cab_layout *layout, const struct cab_layout_arrays *arrays,
			uint64_t from, uint64_t to, cab_layout_put_piece *put, void *data);

/* Return what N adjacent instances of LAYOUT become: its `arrays', or `whole', or null if they do
   not change. */
const struct cab_layout_arrays *cab_layout_becomes (const struct cab_layout *layout, uint64_t n);

/* Return true if unit U of LAYOUT becomes a structure of arrays in ARRAYS.  Even if it does not,
   the structures in it may have changed. */
bool cab_layout_is_nested (const struct cab_layout *layout, const struct cab_layout_arrays *arrays,
			   uint32_t u);

/* Return the size of unit U of LAYOUT in ARRAYS. */
uint32_t cab_layout_bytes_in (const struct cab_layout *layout,
			      const struct cab_layout_arrays *arrays, uint32_t u);

/* Return where array number ARRAY of ARRAYS begins if these lie one after another with N elements
   each. */
uint64_t cab_layout_begin_of (const struct cab_layout_arrays *arrays, uint32_t array, uint64_t n);

#endif
