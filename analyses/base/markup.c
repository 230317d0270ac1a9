/* markup.c - see markup.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/markup.h"

void
cab_markup_text (const char *text, FILE *to)
{
  for (; *text; text++)
    switch (*text)
      {
      case '<': fputs ("&lt;", to); break;
      case '>': fputs ("&gt;", to); break;
      case '&': fputs ("&amp;", to); break;
      case '"': fputs ("&quot;", to); break;
      default: fputc ((unsigned char) *text < ' ' ? ' ' : *text, to);
      }
}
