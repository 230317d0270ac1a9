/* layout_arrays.h - an array of structures as a structure of arrays: one array for each group of
 * members that are used together.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     groups by affinity as Hundt, Mannarswamy and Chakrabarti (CGO 2006) measure it.
 * Model:      two units belong together if TOGETHER of them (layout.h) is at least half of the
 *             accesses of that one of the two which has more; two without accesses do.  Groups are
 *             joined, those first that belong together most, as long as each unit of the one
 *             belongs together with each of the other.  An array of structures in a structure is a
 *             group by itself: its accesses are told as theirs. In the array of a group, element I
 *             has the group's members of instance I, those of the largest alignment first. What
 *             becomes of arrays of structures in structures is layout_nested.h's. From counts alone
 *             it is not known whether instances are in arrays, nor whether these are passed through
 *             in order.
 * Units:      bytes.
 * Ownership:  plans live in the names that are given.
 */
#ifndef CAB_LAYOUT_ARRAYS_H
#define CAB_LAYOUT_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>
#include "analyses/base/names.h"

#define CAB_ARRAYS_TOGETHER 0.5

struct cab_layout;

/* One array: units order[first .. first + n - 1] of its plan. */
struct cab_layout_array
{
  uint32_t first, n;
  uint32_t bytes, align;            /* of an element */
};

struct cab_layout_arrays
{
  const char *why;                  /* there are none, for this reason; else null */
  uint32_t n;
  struct cab_layout_array *items;   /* in order of their first units */
  uint32_t *order;                  /* units, by array */
  uint32_t *array;                  /* by unit: which array it is in, */
  uint32_t *offset;                 /* ... and where in an element */
  const struct cab_layout **within; /* by unit: the layout of its elements, of which it is a
				       structure of arrays, or null; null: no unit is one */
};

/* Make LAYOUT->arrays of its units' counts and `together'. */
void cab_layout_make_arrays (struct cab_layout *layout, struct cab_names *names);

/* Place the units of the array ITEM one behind the other, as large as they are there; ITEM has its
   units and its alignment. */
void cab_layout_place_units (const struct cab_layout *layout, struct cab_layout_arrays *arrays,
			     struct cab_layout_array *item);

/* Bytes [FROM, TO) of the array number ARRAY. */
typedef void cab_layout_put_piece (void *data, uint32_t array, uint64_t from, uint64_t to);

/* Where [FROM, TO) of an array of LAYOUTs would be in ARRAYS, its own: of each array at most one
   range for what is of one instance, and of each part of it that is a structure of arrays; and one
   for all the instances that are touched from their beginning to their end.  Padding is nowhere. */
void cab_layout_pieces (const struct cab_layout *layout, const struct cab_layout_arrays *arrays,
			uint64_t from, uint64_t to, cab_layout_put_piece *put, void *data);

#endif
