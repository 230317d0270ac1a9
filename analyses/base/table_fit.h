/* table_fit.h - the text of a table's cells, and the widths of its columns where there is little
 * room.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units:      widths are characters.
 * Shapes:     widths: one for each column of the table.
 */
#ifndef CAB_TABLE_FIT_H
#define CAB_TABLE_FIT_H

#include "analyses/base/table.h"

#define CAB_FIT_GAP 2       /* characters between columns */

/* Widths of columns that are not shown in the line of their row. */
enum { CAB_FIT_NOWHERE = -1, CAB_FIT_BELOW = -2, CAB_FIT_NO_ROOM = -3 };

/* A share of fewer samples than this is marked. */
#define CAB_FIT_SAMPLES 30

/* Return CELL of COLUMN as text: the cell's own text, or one written to BUFFER. */
const char *cab_fit_cell (const struct cab_table *table, int column, const union cab_cell *cell,
			  char buffer[32]);
/* Return true if the share in CELL is of so few samples that it is marked. */
bool cab_fit_is_rough (const struct cab_table *table, int column, const union cab_cell *cell);

/* Set WIDTH to the widths that the contents need.  Return the width of the whole table. */
int cab_fit_natural (const struct cab_table *table, int *width);
/* Set WIDTH to widths that fit into ROOM characters; 0: any width fits. */
void cab_fit_widths (const struct cab_table *table, int *width, int room);

/* Return how many lines the heads take: a head that is wider than its column continues after an
   underscore. */
int cab_fit_head_lines (const struct cab_table *table, const int *width);
/* Return how many bytes of NAME, the rest of the head of a column of WIDTH, go on its next line. */
int cab_fit_head_bytes (const char *name, int width);

#endif
