/* layout_text.h - layouts for people: as declarations, as charts, as a page.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  texts that are returned are the caller's to free.
 */
#ifndef CAB_LAYOUT_TEXT_H
#define CAB_LAYOUT_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include "analyses/layout/layout.h"

/* The unit's members: "next", or "a, b" of bit-fields. */
char *cab_layout_unit_name (const struct cab_layout *layout, uint32_t unit);

/* How the declaration of S begins and ends: "struct node" and "};", but "typedef struct" and "}
   node;" where it has its name from that, and "struct" where it has none. */
char *cab_layout_opening (const struct cab_structure *s);
char *cab_layout_closing (const struct cab_structure *s);
/* What a structure made of S is called, WORD being what it is: "node_cold". */
char *cab_layout_made_of (const struct cab_structure *s, const char *word);

/* What the counts do not say of members that are unseen; null: there are none. */
const char *cab_layout_note (const struct cab_layout *layout);

/* How often UNIT was accessed, in digits, which TEXT takes, or in words. */
const char *cab_layout_accesses (const struct cab_layout_unit *unit, char text[32]);

/* What is proposed, in a sentence. */
char *cab_layout_words (const struct cab_layout *layout);

/* The structure as it had better be declared; as C, also where the source is C++ or Fortran. */
void cab_layout_declare (const struct cab_layout *layout, FILE *to);

/* layout_arrays_text.c: the same of LAYOUT as a structure of arrays; what becomes of an access is
   said, too. */
char *cab_layout_arrays_words (const struct cab_layout *layout);
void cab_layout_declare_arrays (const struct cab_layout *layout, FILE *to);
/* What array number ARRAY is called: its members; an identifier of C that no other one has. */
char *cab_layout_array_name (const struct cab_layout *layout, uint32_t array);
/* DECLARATION of member NAME as that of a pointer to such, called the same; null: it is no such
   declaration. */
char *cab_layout_pointer_to (const char *declaration, const char *name);

/* The member that ARRAY has alone; null: it has several, or bit-fields, or one without a name. */
const struct cab_member *cab_layout_array_alone (const struct cab_layout *layout,
						 const struct cab_layout_array *array);
/* DECLARATION of member NAME as that of an array of such, DIMENSIONS being "[3]" or the like; null:
   as above. */
char *cab_layout_array_of (const char *declaration, const char *name, const char *dimensions);

/* layout_nested_text.c: unit U of LAYOUT, an array of structures, as the structure of arrays that
   it becomes, with NAME, which may have an asterisk or dimensions. */
void cab_layout_put_nested (const struct cab_layout *layout, const struct cab_layout_arrays *arrays,
			    uint32_t u, const char *name, unsigned indent, FILE *to);
/* The structures that hold arrays of LAYOUTs, as these become; and what becomes of an access. */
void cab_layout_declare_holders (const struct cab_layout *layout, FILE *to);

/* Declare the members of a unit, which is at OFFSET, each on a line that begins with INDENT. */
void cab_layout_put_members (const struct cab_layout *layout, uint32_t unit, uint32_t offset,
			     const char *indent, FILE *to);

/* Members that are used together: a heading, and pairs, the strongest first, up to MOST of them;
   nothing if there are none. */
void cab_layout_pairs (const struct cab_layout *layout, unsigned most, FILE *to);

/* What charts and pages have. */
struct cab_layout_show
{
  bool alone;                       /* a document of its own */
  bool arrays;                      /* structures of arrays, too */
};
/* A chart of N layouts as they are and as proposed, lines of the cache below each other. */
void cab_layout_svg (const struct cab_layout *layouts, uint32_t n,
		     const struct cab_layout_show *show, FILE *to);

/* A page that needs nothing else. */
void cab_layout_html (const struct cab_layout *layouts, uint32_t n,
		      const struct cab_layout_show *show, FILE *to);

#endif
