/* layout_arrays_text.h - structures of arrays for people: in a sentence, as declarations.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  the caller frees the texts that are returned as char *.
 */
#ifndef CAB_LAYOUT_ARRAYS_TEXT_H
#define CAB_LAYOUT_ARRAYS_TEXT_H

#include <stdio.h>
#include "analyses/layout/layout.h"

/* Return the proposal for LAYOUT as a structure of arrays in a sentence. */
char *cab_layout_arrays_words (const struct cab_layout *layout);

/* Write LAYOUT as a structure of arrays, and how an access changes. */
void cab_layout_declare_arrays (const struct cab_layout *layout, FILE *to);

/* Return the name of array number ARRAY, made from its members: an identifier of C that no other
   array has. */
char *cab_layout_array_name (const struct cab_layout *layout, uint32_t array);

/* Return DECLARATION of member NAME as that of a pointer to its type, with the same name; null if
   it is no such declaration. */
char *cab_layout_pointer_to (const char *declaration, const char *name);

/* Return the only member of ARRAY; null if it has several, bit-fields, or one without a name. */
const struct cab_member *cab_layout_array_alone (const struct cab_layout *layout,
						 const struct cab_layout_array *array);

/* Return DECLARATION of member NAME as that of an array of its type with DIMENSIONS, such as "[3]";
   null if it is no such declaration. */
char *cab_layout_array_of (const char *declaration, const char *name, const char *dimensions);

#endif
