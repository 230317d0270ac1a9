/* command.h - the cabprof command: its table of subcommands, and what they share.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a subcommand is one file cmd_NAME.c with one function, and one line in main.c's
 *             table.
 * Errors:     the command is the only one that prints and exits: 0 good, 1 failed, 2 wrong usage.
 *             Messages read "cabprof: what was given: what is wrong: what to do".
 */
#ifndef CAB_COMMAND_H
#define CAB_COMMAND_H

#include "analyses/base/say.h"

/* The directory of a profile if none is named. */
#define CAB_DEFAULT_DIR "cabprof.data"

/* The subcommands.  argv[0] is the subcommand's name.  Each returns the exit status. */
int cab_cmd_ctl (int argc, char **argv);
int cab_cmd_top (int argc, char **argv);
int cab_cmd_record (int argc, char **argv);
int cab_cmd_tune (int argc, char **argv);
int cab_cmd_report (int argc, char **argv);
int cab_cmd_annotate (int argc, char **argv);
int cab_cmd_diff (int argc, char **argv);
int cab_cmd_merge (int argc, char **argv);
int cab_cmd_hints (int argc, char **argv);
int cab_cmd_trials (int argc, char **argv);
int cab_cmd_export (int argc, char **argv);
int cab_cmd_cache (int argc, char **argv);
int cab_cmd_offenders (int argc, char **argv);
int cab_cmd_data (int argc, char **argv);
int cab_cmd_deps (int argc, char **argv);
int cab_cmd_layout (int argc, char **argv);
int cab_cmd_timeline (int argc, char **argv);
int cab_cmd_trace (int argc, char **argv);
int cab_cmd_info (int argc, char **argv);
int cab_cmd_doctor (int argc, char **argv);

/* Print what makes gcc use the plugin with the N_OPTIONS plugin OPTIONS that follow `cabprof
   --cflags'.  Return the exit status. */
int cab_print_cflags (int n_options, char **options);
/* Print what a link needs besides, for `cabprof --libs [--static]'; OPTIONS are the N_OPTIONS words
   after --libs.  Return the exit status. */
int cab_print_libs (int n_options, char **options);

/* Print that WHAT, which was given to SUBCOMMAND, is wrong as WRONG says, and point to --help.
   Return CAB_EXIT_USAGE. */
int cab_usage (const char *subcommand, const char *what, const char *wrong);

#endif
