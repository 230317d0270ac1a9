/* layout_text.h - layouts for people: as declarations, as charts, as a page.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  the caller frees the texts that are returned as char *.
 */
#ifndef CAB_LAYOUT_TEXT_H
#define CAB_LAYOUT_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include "analyses/layout/layout.h"

/* Return the names of the unit's members: "next", or "a, b" of bit-fields. */
char *cab_layout_unit_name (const struct cab_layout *layout, uint32_t unit);

/* Return how the declaration of S begins: "struct node"; "typedef struct" where a typedef names it;
   "struct" where it has no name. */
char *cab_layout_opening (const struct cab_structure *s);
/* Return how the declaration of S ends: "};", or "} node;" where a typedef names it. */
char *cab_layout_closing (const struct cab_structure *s);
/* Return the name of a structure made from S, with WORD for what it is: "node_cold". */
char *cab_layout_made_of (const struct cab_structure *s, const char *word);

/* Return what the counts do not say about unseen members; null if there are none. */
const char *cab_layout_note (const struct cab_layout *layout);

/* Return how often UNIT was accessed, in digits, which are stored in TEXT, or in words. */
const char *cab_layout_accesses (const struct cab_layout_unit *unit, char text[32]);

/* Return the proposal in a sentence. */
char *cab_layout_words (const struct cab_layout *layout);

/* Write the structure as it should be declared, in C even if the source is C++ or Fortran. */
void cab_layout_declare (const struct cab_layout *layout, FILE *to);

/* Return the proposal for LAYOUT as a structure of arrays in a sentence (layout_arrays_text.c). */
char *cab_layout_arrays_words (const struct cab_layout *layout);
/* Write LAYOUT as a structure of arrays, and how an access changes (layout_arrays_text.c). */
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

/* Write unit U of LAYOUT, an array of structures, as the structure of arrays that it becomes, with
   NAME, which may have an asterisk or dimensions (layout_nested_text.c). */
void cab_layout_put_nested (const struct cab_layout *layout, const struct cab_layout_arrays *arrays,
			    uint32_t u, const char *name, unsigned indent, FILE *to);
/* Write how the structures that hold arrays of LAYOUTs change, and how an access changes. */
void cab_layout_declare_holders (const struct cab_layout *layout, FILE *to);

/* Declare the members of UNIT, which is at OFFSET, each on a line that begins with INDENT. */
void cab_layout_put_members (const struct cab_layout *layout, uint32_t unit, uint32_t offset,
			     const char *indent, FILE *to);

/* Write a heading and up to MOST pairs of members that are used together, the strongest first.
   Write nothing if there are none. */
void cab_layout_pairs (const struct cab_layout *layout, unsigned most, FILE *to);

/* What charts and pages show. */
struct cab_layout_show
{
  bool alone;                       /* the chart is a document of its own */
  bool arrays;                      /* show structures of arrays, too */
};
/* Write a chart of N layouts, unchanged and as proposed, with each cache line in a row. */
void cab_layout_svg (const struct cab_layout *layouts, uint32_t n,
		     const struct cab_layout_show *show, FILE *to);

/* Write a page that needs no other file. */
void cab_layout_html (const struct cab_layout *layouts, uint32_t n,
		      const struct cab_layout_show *show, FILE *to);

#endif
