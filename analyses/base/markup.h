/* markup.h - text in SVG and HTML.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_MARKUP_H
#define CAB_MARKUP_H

#include <stdio.h>

/* Write TEXT to TO as content or as the value of an attribute: characters with a meaning there are
   escaped, control characters become blanks. */
void cab_markup_text (const char *text, FILE *to);

#endif
