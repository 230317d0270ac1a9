/* replay.h - give recorded commands of a build again, into private trees.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each command runs in its own directory with its own arguments and environment, but
 *             what it writes goes to the tree of a variant, and what other replayed commands have
 *             written is read from there.  Files beside the output (dependencies, maps, dumps) are
 *             not asked for.  So the user's files stay as they are, and the variants do not see
 *             each other.
 * Shapes:     TREE/N/out/PATH is what command N writes in the place of PATH, TREE/N/in/PATH stands
 *             for an input, TREE/N/log is what it said; TREE/lib has the shared libraries by the
 *             names under which the loader looks for them.  Trees whose names are equally long give
 *             programs whose paths are equally long, so that no stack is placed otherwise.
 * Threads:    commands run in parallel, each as soon as its inputs are there.
 * Errors:     the first command that fails ends the replay; DIAG has its command line and the end
 *             of what it said.
 */
#ifndef CAB_REPLAY_H
#define CAB_REPLAY_H

#include <signal.h>
#include "loopfb/build/build_graph.h"

struct cab_tree
{
  const char *dir;          /* absolute */
  const char *hints;        /* file, absolute: CABPROF_FEEDBACK of its compilations */
  const char *flags[4];     /* further options of its compilations; ends with null */
};

struct cab_replay
{
  const struct cab_build_graph *graph;
  const bool *need;         /* commands to be given */
  const char *own_path;     /* a directory to be left out of PATH: that of the wrappers; may be
			       null */
  int jobs;
  void (*progress) (void *host, int done, int of);   /* may be null */
  void *host;
};

#define CAB_INTERRUPTED -2

/* Make the N trees.  0; negative with words; CAB_INTERRUPTED. */
int cab_replay_run (const struct cab_replay *replay, const struct cab_tree *trees, int n,
		    struct cab_diag *diag);

/* The file that stands for output I of command C in TREE; to be freed. */
char *cab_replay_output (const struct cab_build_graph *graph, const struct cab_tree *tree, int c,
			 int i);

/* Put what TREE holds in the place of the build's files: each output, wherever a file with the
   recorded contents still is.  What was there is kept in BACKUP (a directory) and put back if
   anything fails.  The number of files, or negative with words. */
int cab_replay_install (const struct cab_replay *replay, const struct cab_tree *tree,
			const char *backup, struct cab_diag *diag);

/* Set by cab_interrupt_init's handlers: somebody wants us to stop. */
extern volatile sig_atomic_t cab_interrupted;
void cab_interrupt_init (void);

#endif
