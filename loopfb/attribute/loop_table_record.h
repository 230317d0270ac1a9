/* loop_table_record.h - reads the lines of a record, for the loop table.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      `next' walks over the text of a record (include/cabprof/info.h); fields point into
 *             it and end without a NUL.
 * Errors:     false: the field is not what it must be.
 */
#ifndef CAB_LOOP_TABLE_RECORD_H
#define CAB_LOOP_TABLE_RECORD_H

#include "loopfb/attribute/loop_table.h"

#define CAB_LOOP_RECORD_FIELDS 8

/* A record that is being read, line by line. */
struct cab_loop_record
{
  const char *next;                           /* the line after the present one */
  const char *field[CAB_LOOP_RECORD_FIELDS];  /* of the present line */
  size_t length[CAB_LOOP_RECORD_FIELDS];
  int n_fields;
  const char **files;
  uint32_t n_files;
};

/* Go to the next line of R, and return false if there is none. */
bool cab_loop_record_next (struct cab_loop_record *r);
/* Return true if the line has this LETTER and at least N_FIELDS fields, the letter included. */
bool cab_loop_record_is (const struct cab_loop_record *r, char letter, int n_fields);
/* Read the record's f lines, which come first, into its `files'. */
void cab_loop_record_files (struct cab_names *names, struct cab_loop_record *r);
/* Return field I, which belongs to NAMES. */
const char *cab_loop_record_text (struct cab_names *names, const struct cab_loop_record *r, int i);
/* Read field I, which must be a number in base BASE and nothing else, into *TO. */
bool cab_loop_record_number (const struct cab_loop_record *r, int i, int base, uint32_t *to);
/* Read field I, which is "file:line:column", where file is the number of a file. */
bool cab_loop_record_place (const struct cab_loop_record *r, int i, const char **file,
			    uint32_t *line, uint32_t *column);

#endif
