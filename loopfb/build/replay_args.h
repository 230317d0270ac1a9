/* replay_args.h - a recorded command's arguments, as they have to be in a private tree.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_REPLAY_ARGS_H
#define CAB_REPLAY_ARGS_H

#include "loopfb/build/replay.h"

/* Arguments for command C of REPLAY in TREE, to be freed by freeargv; files that stand for inputs
   are put in place.  SOURCE: compile only the source of that number, or -1.  Null with words if
   something is missing. */
char **cab_replay_args (const struct cab_replay *replay, const struct cab_tree *tree, int c,
			int source, struct cab_diag *diag);

/* The environment for it: that of this process, with what was recorded; to be freed by freeargv. */
char **cab_replay_environment (const struct cab_replay *replay, const struct cab_tree *tree, int c);

/* Make the directories that lead to PATH. */
void cab_make_parents (const char *path);
/* Copy the file FROM to TO, by a temporary name beside it, mode included.  0, or negative with
   words. */
int cab_copy_file (const char *from, const char *to, struct cab_diag *diag);

#endif
