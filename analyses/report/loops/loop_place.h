/* loop_place.h - the columns that say which loop a row is about, first in each table of loops.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOP_PLACE_H
#define CAB_LOOP_PLACE_H

#include "analyses/base/table.h"

enum
{
  CAB_LOOP_FUNCTION,
  CAB_LOOP_FILE,
  CAB_LOOP_LINE,
  CAB_LOOP_COLUMN,
  CAB_LOOP_ORDINAL,   /* among the function's loops of the same place, from 0 */
  CAB_LOOP_PLACE_N
};

#define CAB_LOOP_PLACE_COLUMNS \
  { "function", CAB_FUNCTION, 0 }, { "file", CAB_PATH, 0 }, { "line", CAB_LINE, 0 }, \
    { "column", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON }, \
    { "ordinal", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON }

/* Put a loop's place into ROW.  FUNCTION is as people read it; the texts are not copied. */
static inline void
cab_loop_put_place (union cab_cell *row, const char *function, const char *file, uint32_t line,
		    uint32_t column, uint32_t ordinal)
{
  row[CAB_LOOP_FUNCTION].text = function;
  row[CAB_LOOP_FILE].text = file;
  row[CAB_LOOP_LINE].count = line;
  row[CAB_LOOP_COLUMN].count = column;
  row[CAB_LOOP_ORDINAL].count = ordinal;
}

#endif
