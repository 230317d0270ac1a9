/* layout_text.h - layouts for people: in sentences, and as declarations.
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

/* Declare the members of UNIT, which is at OFFSET, each on a line that begins with INDENT. */
void cab_layout_put_members (const struct cab_layout *layout, uint32_t unit, uint32_t offset,
			     const char *indent, FILE *to);

/* Write a heading and up to MOST pairs of members that are used together, the strongest first.
   Write nothing if there are none. */
void cab_layout_pairs (const struct cab_layout *layout, unsigned most, FILE *to);

#endif
