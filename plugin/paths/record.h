/* record.h - the record of a function, as text.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/info.h.
 */
#ifndef CABPROF_PATHS_RECORD_H
#define CABPROF_PATHS_RECORD_H

#include "plugin/paths/body.h"

/* Write the function's record into OB; return the checksum of the function's shape. */
extern unsigned cab_record_write (struct cab_body *body, struct obstack *ob);
/* Append all lines of a record of cfun that precede its body.  DECLARED is the number in FILES of
   the file that cfun is declared in. */
extern void cab_record_head (struct obstack *ob, const vec<const char *> &files, unsigned declared,
			     unsigned sum, const char *flags, unsigned n_counters,
			     unsigned n_sites);
/* Return the checksum of the N bytes of a record's body at TEXT. */
extern unsigned cab_record_sum (const char *text, size_t n);

#endif
