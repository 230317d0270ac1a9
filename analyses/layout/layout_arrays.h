/* layout_arrays.h - an array of structures as a structure of arrays: one array for each group of
 * members that are used together.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     groups by affinity as Hundt, Mannarswamy and Chakrabarti (CGO 2006) measure it.
 * Model:      two units belong together if TOGETHER of them (layout.h) is at least half of the
 *             accesses of the more accessed one; two units without accesses belong together.
 *             Groups are joined, starting with those that belong together most, as long as each
 *             unit of the one belongs together with each of the other.  An array of structures in a
 *             structure is a group by itself, since its accesses are recorded as those structures'.
 *             In the array of a group, element I has the group's members of instance I, those of
 *             the largest alignment first.  Arrays of structures in structures are treated in
 *             layout_nested.h.  Counts alone do not say whether instances are in arrays, nor
 *             whether these are passed through in order.
 * Units:      bytes.
 * Ownership:  plans live in the names that are given.
 */
#ifndef CAB_LAYOUT_ARRAYS_H
#define CAB_LAYOUT_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>
#include "analyses/base/names.h"

/* The least share of accesses for which two units belong together. */
#define CAB_ARRAYS_TOGETHER 0.5

struct cab_layout;

/* One array: units order[first .. first + n - 1] of its plan. */
struct cab_layout_array
{
  uint32_t first, n;
  uint32_t bytes, align;            /* of one element */
};

/* A structure as a structure of arrays. */
struct cab_layout_arrays
{
  const char *why;                  /* why there are no arrays; null if there are */
  uint32_t n;
  struct cab_layout_array *items;   /* in the order of their first units */
  uint32_t *order;                  /* units, by array */
  uint32_t *array;                  /* by unit: the array it is in */
  uint32_t *offset;                 /* by unit: its offset in an element of that array */
  const struct cab_layout **within; /* by unit: the layout of its elements if it becomes a structure
				       of arrays itself, or null; the pointer is null if no unit
				       does */
};

/* Make LAYOUT->arrays from its units' counts and `together'. */
void cab_layout_make_arrays (struct cab_layout *layout, struct cab_names *names);

/* Place the units of the array ITEM one after another, each with the size that it has in ARRAYS.
   ITEM must have its units and its alignment. */
void cab_layout_place_units (const struct cab_layout *layout, struct cab_layout_arrays *arrays,
			     struct cab_layout_array *item);

#endif
