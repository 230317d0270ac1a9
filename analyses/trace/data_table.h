/* data_table.h - the objects of a data map as a table: how each is called, and how often it was
 * accessed; for cmd_data.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a row for each variable and each allocation; of what is elsewhere, one for each name
 *             and function.  The most accessed first.
 * Ownership:  texts are the reader's.
 */
#ifndef CAB_DATA_TABLE_H
#define CAB_DATA_TABLE_H

#include "analyses/trace/data_map.h"
#include "analyses/base/table.h"
#include "analyses/trace/trace_source.h"

struct cab_data_known
{
  struct cab_rows_reader *reader;   /* it has read what MAP was made of */
  uint32_t process;                 /* that was looked at */
  bool by_context;                  /* blocks have their calling context */
};

/* All of MAP, which is settled then; TABLE is the caller's to end. */
void cab_data_table (struct cab_table *table, struct cab_data_map *map,
		     const struct cab_data_known *known);

#endif
