/* data_table.h - the objects of a data map as a table, with their names and counts of accesses; for
 * cmd_data.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a row for each variable and each allocation; accesses elsewhere have one for each
 *             name and function.  The most accessed come first.
 * Ownership:  texts belong to the reader.
 */
#ifndef CAB_DATA_TABLE_H
#define CAB_DATA_TABLE_H

#include "analyses/trace/data_map.h"
#include "analyses/base/table.h"
#include "analyses/trace/trace_source.h"

struct cab_data_known
{
  struct cab_rows_reader *reader;   /* the one that has read what MAP was made of */
  uint32_t process;                 /* the process that was examined */
  bool by_context;                  /* blocks are distinguished by their calling context */
};

/* Fill TABLE with all objects of MAP, and settle MAP.  The caller calls cab_table_fini. */
void cab_data_table (struct cab_table *table, struct cab_data_map *map,
		     const struct cab_data_known *known);

#endif
