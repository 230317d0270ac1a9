/* trace_rows_names.h - the names in a trace of rows; for trace_rows_read.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      lines as trace_rows.h says; of accesses and allocations, which are numbered together,
 *             both are found as 'A'.  A line of a letter that is not known is skipped; of two for
 *             the same number the first holds.
 * Ownership:  what is found lives in the memory that was given.
 * Errors:     negative: a line is none.
 */
#ifndef CAB_TRACE_ROWS_NAMES_H
#define CAB_TRACE_ROWS_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <ansidecl.h>
#include <libiberty/hashtab.h>
#include "analyses/base/names.h"
#include "analyses/trace/trace_rows.h"

struct htab *cab_rows_names_new (void);
int cab_rows_names_take (struct htab *places, struct cab_names *memory, const char *text, size_t n);
/* A reader of IN with nothing read yet; for trace_source.c, too. */
void cab_rows_prepare (struct cab_rows_reader *reader, struct cab_trace_input in);

/* struct cab_row_place of 'A', 'C', or struct cab_row_function of 'F'.  Of 'S' and 'L', process 0,
   number 0, a place whose offset is the rate, and how many caches there are. */
const void *cab_rows_names_find (struct htab *places, char letter, uint32_t process,
				 uint32_t number);

#endif
