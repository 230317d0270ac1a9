/* markup.h - text in SVG and HTML.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_MARKUP_H
#define CAB_MARKUP_H

#include <stdio.h>

/* TEXT, as content or in an attribute: what has a meaning there is escaped, control characters are
   blanks. */
void cab_markup_text (const char *text, FILE *to);

#endif
