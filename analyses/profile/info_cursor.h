/* info_cursor.h - a record of .cabprof_info, line by line and field by field; for info.c and
 * info_record.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     0, or negative with words in the cursor's diagnostic: where in the section, and what
 *             is wrong.
 * Ownership:  fields point into the section's text; texts of cab_info_text belong to the info.
 */
#ifndef CAB_INFO_CURSOR_H
#define CAB_INFO_CURSOR_H

#include "analyses/profile/info.h"

#define CAB_INFO_FIELDS 14

/* The position of a parser in a record.  A first pass counts the lines of each kind, so that arrays
   can be allocated. */
struct cab_info_cursor
{
  struct cab_info *info;
  struct cab_diag *diag;
  const char *line, *end;      /* of the current line */
  const char *field[CAB_INFO_FIELDS];
  size_t length[CAB_INFO_FIELDS];
  int n_fields;
};

/* Set C to the first line of the record at OFFSET, whose kind must be a letter in KIND, and whose
   version must be this one. */
int cab_info_begin (struct cab_info_cursor *c, struct cab_info *info, uint64_t offset,
		    const char *kind, struct cab_diag *diag);
/* Advance to the next line and split it.  Return false at the record's end. */
bool cab_info_next_line (struct cab_info_cursor *c);

/* Return field I as a number below LIMIT, or LIMIT if it is none. */
uint64_t cab_info_number (const struct cab_info_cursor *c, int i, uint64_t limit);
/* Return true if field I contains LETTER. */
bool cab_info_has_letter (const struct cab_info_cursor *c, int i, char letter);
/* Return field I, unescaped, or "" if there is none. */
const char *cab_info_text (const struct cab_info_cursor *c, int i);

/* Set *N to field I, a hexadecimal number of 32 bits.  Return false if it is none. */
bool cab_info_hexadecimal (const struct cab_info_cursor *c, int i, uint32_t *n);
/* Parse the fields of a function from a G or p line into GCOV, without its counters. */
int cab_info_gcov (const struct cab_info_cursor *c, struct cab_gcov *gcov);
/* Parse field I, numbers below LIMIT separated by commas, into *LIST, and their number into *N. */
int cab_info_gcov_list (const struct cab_info_cursor *c, int i, uint32_t limit, uint32_t **list,
			uint32_t *n);

/* Return a negative value, with words that WHAT is wrong in the current line. */
int cab_info_refuse (const struct cab_info_cursor *c, const char *what);

#endif
