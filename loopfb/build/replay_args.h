/* replay_args.h - a recorded command's arguments, adapted to a private tree.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_REPLAY_ARGS_H
#define CAB_REPLAY_ARGS_H

#include "loopfb/build/replay.h"

/* Return the arguments for command C of REPLAY in TREE, to be freed by freeargv, and create the
   files that stand for inputs.  SOURCE is the number of the only source to compile, or -1 for all.
   Return null with words if something is missing. */
char **cab_replay_args (const struct cab_replay *replay, const struct cab_tree *tree, int c,
			int source, struct cab_diag *diag);

/* Return the environment for command C: that of this process, changed by what was recorded.  To be
   freed by freeargv. */
char **cab_replay_environment (const struct cab_replay *replay, const struct cab_tree *tree, int c);

/* Make the directories that lead to PATH. */
void cab_make_parents (const char *path);
/* Copy the file FROM, with its mode, to TO by a temporary name beside it.  Return 0, or negative
   with words. */
int cab_copy_file (const char *from, const char *to, struct cab_diag *diag);

#endif
