/* record.h - the text that tells of a function: its record.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/info.h.
 */
#ifndef CABPROF_PATHS_RECORD_H
#define CABPROF_PATHS_RECORD_H

#include "plugin/paths/body.h"

/* Write the function's record into OB; return the checksum of the function's shape. */
extern unsigned cab_record_write (struct cab_body *body, struct obstack *ob);
/* Parts of it for other records of cfun: all lines before its body, and the checksum of the N bytes
   of a body. */
extern void cab_record_head (struct obstack *ob, const vec<const char *> &files, unsigned declared,
			     unsigned sum, const char *flags, unsigned n_counters,
			     unsigned n_sites);
extern unsigned cab_record_sum (const char *text, size_t n);

#endif
