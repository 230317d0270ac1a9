/* loop_table_facts.h - reads what records say of loops without running them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOP_TABLE_FACTS_H
#define CAB_LOOP_TABLE_FACTS_H

#include "loopfb/attribute/loop_table_record.h"

/* Read the c, v, d, k and u lines of R, the record of FUNCTION, into TABLE.  NUMBERS are the
   numbers in the table of the N loops of the record.  Return false if a line cannot be read. */
bool cab_loop_table_read_facts (struct cab_loop_table *table, struct cab_loop_record r,
				const char *function, const uint32_t *numbers, uint32_t n);

#endif
