/* trace_rows_names.h - the names in a trace of rows; for trace_rows_read.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      lines as in trace_rows.h; accesses and allocations, which are numbered together, are
 *             both found as 'A'.  A line with an unknown letter is skipped; of two for the same
 *             number the first holds.
 * Ownership:  what is found lives in the memory that was passed.
 * Errors:     negative: a line is malformed.
 */
#ifndef CAB_TRACE_ROWS_NAMES_H
#define CAB_TRACE_ROWS_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <ansidecl.h>
#include <libiberty/hashtab.h>
#include "analyses/base/names.h"
#include "analyses/trace/trace_rows.h"

/* Return an empty table of places (htab_delete). */
struct htab *cab_rows_names_new (void);
/* Add the lines in the N bytes at TEXT to PLACES. */
int cab_rows_names_take (struct htab *places, struct cab_names *memory, const char *text, size_t n);

/* Return the struct cab_row_place of 'A' or 'C', or the struct cab_row_function of 'F'.  For 'S'
   and 'L', with process 0 and number 0, return a place whose offset is the rate, or the number of
   caches. */
const void *cab_rows_names_find (struct htab *places, char letter, uint32_t process,
				 uint32_t number);

#endif
