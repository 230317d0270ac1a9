/* style.h - what the reader's terminal can show, and prose that fits into it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_STYLE_H
#define CAB_STYLE_H

#include <stdbool.h>
#include <stdio.h>

/* The width and the decoration that text may have. */
struct cab_style
{
  int width;              /* columns of prose; 0: no limit */
  int table_width;        /* columns of tables, 0: no limit; CAB_STYLE_PIPE in a pipe, whose width
			     is unknown, unless --wide was given */
  bool bold, utf8;
};
#define CAB_STYLE_PIPE 160
/* Lift the limit of tables, because --wide was given. */
void cab_style_be_wide (void);
/* Set STYLE to what TO can show. */
void cab_style_of (struct cab_style *style, FILE *to);
/* Write one line of prose with its newline; what does not fit continues on further lines, which
   begin with HANG spaces. */
void cab_style_line (const struct cab_style *style, int hang, FILE *to, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));
/* Return the number of characters of TEXT: each byte that is no UTF-8 continuation begins one. */
int cab_style_width (const char *text);
/* Return how many bytes of TEXT fit into ROOM columns, cut at a space: all of them, or as many
   words as fit, but at least one word. */
int cab_style_fitting (const char *text, int room);
#define CAB_STYLE_PROSE 20  /* the fewest columns for continuation lines; where there are fewer,
			       they are indented less */

#endif
