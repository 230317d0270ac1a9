/* arguments.h - what subcommands share that read a profile and write something: common options,
 * complaints, the file that is written.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     calls that return int give 0, or an exit status after they have said what is wrong.
 */
#ifndef CAB_ARGUMENTS_H
#define CAB_ARGUMENTS_H

#include <stdio.h>
#include "analyses/profile/model.h"
#include "analyses/base/table.h"

/* --wide: its line among a subcommand's options, and its case; tables have no limit of width
   then. */
#define CAB_OPT_WIDE 'W'
#define CAB_WIDE_OPTION { "wide", no_argument, NULL, CAB_OPT_WIDE }
#define CAB_WIDE_HELP \
  "  --wide                 tables as wide as they are, whatever the terminal is\n"

/* --format=NAME. */
int cab_arg_format (const char *subcommand, const char *name, enum cab_format *format);
/* A pattern (loopfb/formats/pattern.h), which goes to *PATTERN. */
int cab_arg_pattern (const char *subcommand, const char *text, const char **pattern);
/* A number of rows, as in --limit=N. */
int cab_arg_limit (const char *subcommand, const char *text, long *limit);
/* After getopt_long gave '?' or ':' (in C): say which option is wrong; the exit status. */
int cab_arg_wrong (const char *subcommand, char **argv, int c);

/* Open the profile in DIR as cab_model_open_program does, or say why not. */
int cab_arg_open (struct cab_model *model, const char *dir, bool by_thread, const char *program);
/* ... as cab_model_open_region does. */
int cab_arg_open_region (struct cab_model *model, const char *dir, bool by_thread,
			 const char *program, const char *region);
#define CAB_SNAPSHOTS_DIR "snapshots"
/* Put the names of the snapshots of DIR into NAMES, joined by commas, as far as they have room;
   nothing if there are none. */
void cab_arg_snapshots (const char *dir, char *names, size_t bytes);
/* The directory of the snapshot NAME of the profile DIR, which stays until the next call; of none
   (null) DIR itself.  Null: it has said that there is none. */
const char *cab_arg_snapshot (const char *dir, const char *name);
/* Say what is wrong with parts of the profile, which processes still run, and which programs were
   left out. */
int cab_arg_problems (const struct cab_model *model);
/* ... but for processes that still run, if that is what the user asked to see. */
extern bool cab_arg_running_is_known;

/* Text, TSV or JSON on standard output, as --format and --limit say; LIMIT 0: all rows. */
void cab_arg_write (struct cab_table *table, enum cab_format format, long limit,
		    const char *profile);

/* TABLE has no column NAME to sort by: say which it has; the exit status. */
int cab_arg_no_column (const struct cab_table *table, const char *name, enum cab_format format);

/* The one trace that is left in ARGV behind the options, *PATH; else what is wrong is said: the
   exit status. */
int cab_arg_trace (const char *subcommand, int argc, char **argv, const char **path);

/* A file that appears under its name when it is whole, or standard output. */
struct cab_output
{
  FILE *to;
  char *path, *temporary;   /* null: standard output; temporary null: written in place, as devices
			       and pipes are */
};
int cab_output_open (struct cab_output *output, const char *path);
/* Put the file in its place; where writing failed (or KEEP is false), nothing is left of it. */
int cab_output_close (struct cab_output *output, bool keep);

#endif
