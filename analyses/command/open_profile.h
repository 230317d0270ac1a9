/* open_profile.h - opening the profile that a subcommand was given, and what is said about it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     calls that return int return 0, or an exit status after printing what is wrong.
 */
#ifndef CAB_OPEN_PROFILE_H
#define CAB_OPEN_PROFILE_H

#include "analyses/profile/model.h"

/* Open the profile in DIR as cab_model_open_program does, or print why that fails, or that it lacks
   events because only some were read. */
int cab_arg_open (struct cab_model *model, const char *dir, bool by_thread, const char *program);
/* Open the profile in DIR as cab_model_open_region does, or print why that fails. */
int cab_arg_open_region (struct cab_model *model, const char *dir, bool by_thread,
			 const char *program, const char *region);
/* Return 0 if MODEL, of the profile in DIR, has all events; else an exit status after printing that
   only some were read. */
int cab_arg_has_all (struct cab_model *model, const char *dir);
/* Open the profile in DIR beside OTHER, which is open.  Without PROGRAM, take the program that has
   the name of OTHER's, if there is one. */
int cab_arg_open_beside (struct cab_model *model, const char *dir, const char *program,
			 const struct cab_model *other);
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

#endif
