/* output.h - what a subcommand writes: a table on standard output, or a file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     calls that return int return 0, or an exit status after printing what is wrong.
 */
#ifndef CAB_OUTPUT_H
#define CAB_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include "analyses/base/table.h"

#define CAB_TEXT_ROWS 50    /* rows of a table in text, unless --limit says otherwise */

/* Return how many rows to print; 0 means all.  GIVEN is the value of --limit, negative if that is
   not given: then TEXT in text, and all in other formats. */
long cab_arg_limit (long given, enum cab_format format, long text);

/* Write TABLE to standard output as text, TSV or JSON, as --format and --limit say.  LIMIT 0 means
   all rows.  PROFILE is what JSON names as the source. */
void cab_arg_write (struct cab_table *table, enum cab_format format, long limit,
		    const char *profile);

/* Print that TABLE has no column NAME to sort by, and which columns it has.  Return the exit
   status. */
int cab_arg_no_column (const struct cab_table *table, const char *name, enum cab_format format);

/* An output file that appears under its name only when it is complete, or standard output. */
struct cab_output
{
  FILE *to;
  char *path, *temporary;   /* path null: standard output; temporary null: written in place, as
			       devices and pipes are */
};
/* Open OUTPUT for PATH. */
int cab_output_open (struct cab_output *output, const char *path);
/* Move the file to its place.  If writing failed or KEEP is false, remove it without a trace. */
int cab_output_close (struct cab_output *output, bool keep);

#endif
