/* style.h - what the reader's terminal can show, and prose that fits it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_STYLE_H
#define CAB_STYLE_H

#include <stdbool.h>
#include <stdio.h>

/* How wide and how beautiful text may be. */
struct cab_style
{
  int width;              /* columns, of prose; 0: no limit */
  int table_width;        /* the same of tables: in a pipe, where nothing is known, CAB_STYLE_PIPE,
			     unless --wide was given */
  bool bold, utf8;
};
#define CAB_STYLE_PIPE 160
/* --wide was given: tables have no limit. */
void cab_style_be_wide (void);
void cab_style_of (struct cab_style *style, FILE *to);
/* One line of prose, its end included; what does not fit goes on in further lines, which begin with
   HANG spaces. */
void cab_style_line (const struct cab_style *style, int hang, FILE *to, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));
/* Characters of TEXT: every byte that does not continue one begins one. */
int cab_style_width (const char *text);
/* How many bytes of TEXT go into ROOM columns, up to a space: all, or as many words as fit, but at
   least one. */
int cab_style_fitting (const char *text, int room);
#define CAB_STYLE_PROSE 20  /* the fewest columns for lines that go on; else they go on further to
			       the left */

#endif
