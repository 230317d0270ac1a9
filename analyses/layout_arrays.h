/* layout_arrays.h - an array of structures as a structure of arrays: one array for each group of members that are used together.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     groups by affinity as Hundt, Mannarswamy and Chakrabarti (CGO 2006) measure it.
 * Model:      two units belong together if TOGETHER of them (layout.h) is at least half of the accesses of that one of the two which has more;
 *             two without accesses do.  Groups are joined, those first that belong together most, as long as each unit of the one belongs
 *             together with each of the other.  An array of structures in a structure is a group by itself: its accesses are told as theirs.
 *             In the array of a group, element I has the group's members of instance I, those of the largest alignment first.
 *             From counts alone it is not known whether instances are in arrays, nor whether these are passed through in order.
 * Units:      bytes.
 * Ownership:  plans live in the names that are given.
 */
#ifndef CAB_LAYOUT_ARRAYS_H
#define CAB_LAYOUT_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>
#include "analyses/names.h"

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
};

/* Make LAYOUT->arrays of its units' counts and `together'. */
void cab_layout_make_arrays (struct cab_layout *layout, struct cab_names *names);

/* Bytes [FROM, TO) of the array number ARRAY. */
struct cab_layout_piece
{
  uint32_t array;
  uint64_t from, to;
};

/* Where [FROM, TO) of an array of LAYOUTs, which has arrays, would be: of each array at most one range for what is of one instance, and one for all the instances
   that are touched from their beginning to their end.  PIECES has room for 3 * arrays.n; how many they are.  Padding is nowhere. */
uint32_t cab_layout_pieces (const struct cab_layout *layout, uint64_t from, uint64_t to, struct cab_layout_piece *pieces);

#endif
