/* replay.h - run recorded commands of a build again, into private trees.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each command runs in its own directory with its own arguments and environment, but
 *             what it writes goes to the tree of a variant, and what other replayed commands have
 *             written is read from there.  Files beside the output (dependencies, maps, dumps) are
 *             not requested.  So the user's files stay as they are, and the variants do not see
 *             each other.
 * Shapes:     TREE/N/out/PATH is what command N writes in the place of PATH, TREE/N/in/PATH stands
 *             for an input, TREE/N/log is its output; TREE/lib has the shared libraries by the
 *             names under which the loader looks for them.  Trees whose names are equally long give
 *             programs whose paths are equally long, so that the stack is placed the same in all of
 *             them.
 * Threads:    commands run in parallel, each as soon as its inputs exist.
 * Errors:     the first command that fails ends the replay; DIAG has its command line and the end
 *             of its output.
 */
#ifndef CAB_REPLAY_H
#define CAB_REPLAY_H

#include <signal.h>
#include "loopfb/build/build_graph.h"

#define CAB_TREE_FLAGS 6

struct cab_tree
{
  const char *dir;          /* absolute */
  const char *hints;        /* absolute path of the file that is CABPROF_FEEDBACK in its
			       compilations */
  const char *flags[CAB_TREE_FLAGS];   /* additional options of its compilations; ends with null */
  bool keeps_names;         /* files beside an output (profiles) have the names that the recorded
			       command gives them, so they are the same for all trees */
  int place;                /* of its code: links get padding (replay_pad.h) that it determines; 0:
			       they get none */
};

struct cab_replay
{
  const struct cab_build_graph *graph;
  const bool *need;         /* commands to run again */
  const char *own_path;     /* a directory to leave out of PATH: that of the wrappers; may be
			       null */
  int jobs;
  void (*progress) (void *host, int done, int of);   /* may be null */
  void *host;
  const bool *only;         /* the commands of NEED that are run, others have been; null: all */
  const bool *hot;          /* commands whose objects get padding of their own in a link; null:
			       none */
};

#define CAB_INTERRUPTED -2

/* Make the N trees TREES.  Return 0, negative with words, or CAB_INTERRUPTED. */
int cab_replay_run (const struct cab_replay *replay, const struct cab_tree *trees, int n,
		    struct cab_diag *diag);

/* Return the file that stands for output I of command C in TREE; the caller frees it. */
char *cab_replay_output (const struct cab_build_graph *graph, const struct cab_tree *tree, int c,
			 int i);

/* Replace the build's files by what TREE holds: each output, wherever a file with the recorded
   contents still is.  The replaced files are kept in the directory BACKUP, and are put back if
   anything fails.  Return the number of files, or negative with words. */
int cab_replay_install (const struct cab_replay *replay, const struct cab_tree *tree,
			const char *backup, struct cab_diag *diag);

/* Set by the handlers of cab_interrupt_init to the number of the signal that asked to stop. */
extern volatile sig_atomic_t cab_interrupted;
/* Install handlers of SIGINT, SIGTERM and SIGHUP that set cab_interrupted. */
void cab_interrupt_init (void);

#endif
