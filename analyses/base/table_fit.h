/* table_fit.h - what the cells of a table look like in text, and how wide its columns are where
 * there is little room.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units:      widths are characters.
 * Shapes:     widths: one for each column of the table.
 */
#ifndef CAB_TABLE_FIT_H
#define CAB_TABLE_FIT_H

#include "analyses/base/table.h"

#define CAB_FIT_GAP 2       /* between columns */

/* Widths of columns that are not shown in the line. */
enum { CAB_FIT_NOWHERE = -1, CAB_FIT_BELOW = -2, CAB_FIT_NO_ROOM = -3 };

/* Fewer samples than these make a share that is marked. */
#define CAB_FIT_SAMPLES 30

/* CELL of COLUMN as text, its own or in BUFFER. */
const char *cab_fit_cell (const struct cab_table *table, int column, const union cab_cell *cell,
			  char buffer[32]);
/* Return true if the share of CELL is of so few samples that it is marked. */
bool cab_fit_is_rough (const struct cab_table *table, int column, const union cab_cell *cell);

/* The widths that the contents want; how wide the table is then. */
int cab_fit_natural (const struct cab_table *table, int *width);
/* Those that fit into ROOM characters, 0: any. */
void cab_fit_widths (const struct cab_table *table, int *width, int room);

/* The heads of columns that are wider than their contents go on at underscores: how many lines
   heads take, and how many bytes of NAME, of a column of WIDTH, stand on the line at its
   beginning. */
int cab_fit_head_lines (const struct cab_table *table, const int *width);
int cab_fit_head_bytes (const char *name, int width);

#endif
