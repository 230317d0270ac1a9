/* arguments.h - what the subcommands that read a profile and write something share: common options,
 * complaints, the output file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     calls that return int return 0, or an exit status after printing what is wrong.
 */
#ifndef CAB_ARGUMENTS_H
#define CAB_ARGUMENTS_H

#include <stdio.h>
#include "analyses/profile/model.h"
#include "analyses/base/table.h"

/* --wide: the letter, the line of a subcommand's option table, and the help.  With it, tables have
   no limit of width. */
#define CAB_OPT_WIDE 'W'
#define CAB_WIDE_OPTION { "wide", no_argument, NULL, CAB_OPT_WIDE }
#define CAB_WIDE_HELP \
  "  --wide                 tables as wide as they are, whatever the terminal is\n"

/* Parse NAME of --format=NAME into *FORMAT. */
int cab_arg_format (const char *subcommand, const char *name, enum cab_format *format);
/* Check the pattern TEXT (loopfb/formats/pattern.h) and store it in *PATTERN. */
int cab_arg_pattern (const char *subcommand, const char *text, const char **pattern);
/* Parse TEXT, a number of rows as in --limit=N, into *LIMIT. */
int cab_arg_limit (const char *subcommand, const char *text, long *limit);
/* Print which option is wrong, after getopt_long returned C, '?' or ':'.  Return the exit
   status. */
int cab_arg_wrong (const char *subcommand, char **argv, int c);

/* Open the profile in DIR as cab_model_open_program does, or print why that fails. */
int cab_arg_open (struct cab_model *model, const char *dir, bool by_thread, const char *program);
/* Open the profile in DIR as cab_model_open_region does, or print why that fails. */
int cab_arg_open_region (struct cab_model *model, const char *dir, bool by_thread,
			 const char *program, const char *region);
/* The directory of a profile that holds its snapshots. */
#define CAB_SNAPSHOTS_DIR "snapshots"
/* Put the names of the snapshots of DIR into NAMES, joined by commas, as far as they fit into
   BYTES.  NAMES becomes empty if there are none. */
void cab_arg_snapshots (const char *dir, char *names, size_t bytes);
/* Return the directory of the snapshot NAME of the profile DIR, or DIR itself if NAME is null.  The
   result is valid until the next call.  Return null after printing that there is no such
   snapshot. */
const char *cab_arg_snapshot (const char *dir, const char *name);
/* Print what is wrong with parts of the profile, which processes still run, and which programs were
   left out. */
int cab_arg_problems (const struct cab_model *model);
/* If true, cab_arg_problems does not mention processes that still run, because the user asked to
   see them. */
extern bool cab_arg_running_is_known;

/* Write TABLE to standard output as text, TSV or JSON, as --format and --limit say.  LIMIT 0 means
   all rows. */
void cab_arg_write (struct cab_table *table, enum cab_format format, long limit,
		    const char *profile);

/* Print that TABLE has no column NAME to sort by, and which columns it has.  Return the exit
   status. */
int cab_arg_no_column (const struct cab_table *table, const char *name, enum cab_format format);

/* Set *PATH to the one trace that is left in ARGV after the options.  Otherwise print what is wrong
   and return the exit status. */
int cab_arg_trace (const char *subcommand, int argc, char **argv, const char **path);

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
