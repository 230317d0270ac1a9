/* layout_text.h - layouts for people: as declarations, as charts, as a page.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  texts that are returned are the caller's to free.
 */
#ifndef CAB_LAYOUT_TEXT_H
#define CAB_LAYOUT_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include "analyses/layout.h"

/* The unit's members: "next", or "a, b" of bit-fields. */
char *cab_layout_unit_name (const struct cab_layout *layout, uint32_t unit);

/* What is proposed, in a sentence. */
char *cab_layout_words (const struct cab_layout *layout);

/* The structure as it had better be declared; as C, also where the source is C++ or Fortran. */
void cab_layout_declare (const struct cab_layout *layout, FILE *to);

/* Members that are used together: a heading, and pairs, the strongest first, up to MOST of them; nothing if there are none. */
void cab_layout_pairs (const struct cab_layout *layout, unsigned most, FILE *to);

/* A chart of N layouts as they are and as proposed, lines of the cache below each other; a document of its own if ALONE. */
void cab_layout_svg (const struct cab_layout *layouts, uint32_t n, bool alone, FILE *to);

/* A page that needs nothing else. */
void cab_layout_html (const struct cab_layout *layouts, uint32_t n, FILE *to);

#endif
