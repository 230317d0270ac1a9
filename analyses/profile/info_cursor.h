/* info_cursor.h - a record of .cabprof_info, line by line and field by field; for info.c and
 * info_record.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     0, or negative with words in the cursor's diagnostic: where in the section, and what
 *             is wrong.
 * Ownership:  fields lie in the section's text; cab_info_text's are the info's.
 */
#ifndef CAB_INFO_CURSOR_H
#define CAB_INFO_CURSOR_H

#include "analyses/profile/info.h"

#define CAB_INFO_FIELDS 14

/* Where in a record a parser is.  The counts of each kind of line are known from a first pass, so
   that arrays have their size. */
struct cab_info_cursor
{
  struct cab_info *info;
  struct cab_diag *diag;
  const char *line, *end;      /* of the present line */
  const char *field[CAB_INFO_FIELDS];
  size_t length[CAB_INFO_FIELDS];
  int n_fields;
};

/* To the first line of the record at OFFSET, which has to be of a kind whose letter is in KIND, and
   of this version. */
int cab_info_begin (struct cab_info_cursor *c, struct cab_info *info, uint64_t offset,
		    const char *kind, struct cab_diag *diag);
/* Step to the next line and split it; false at the record's end. */
bool cab_info_next_line (struct cab_info_cursor *c);

/* Field I as a number below LIMIT; LIMIT itself where it is none. */
uint64_t cab_info_number (const struct cab_info_cursor *c, int i, uint64_t limit);
/* Is LETTER one of field I? */
bool cab_info_has_letter (const struct cab_info_cursor *c, int i, char letter);
/* Field I, unescaped; "" where there is none. */
const char *cab_info_text (const struct cab_info_cursor *c, int i);

/* Negative: in the present line WHAT is wrong. */
int cab_info_refuse (const struct cab_info_cursor *c, const char *what);

#endif
