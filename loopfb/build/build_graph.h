/* build_graph.h - which command of a recorded build made which input of which other.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      files are known by their contents (hash), since builds rename, copy, link and extract
 *             them behind our back: the producer of an input is the last command before it that
 *             wrote a file with the same contents, of the same path if there is one.  What another
 *             tool has changed in between has no producer: it stays as the build left it.
 * Shapes:     numbers of commands are indices in the log.
 * Ownership:  the log must outlive the graph.
 */
#ifndef CAB_BUILD_GRAPH_H
#define CAB_BUILD_GRAPH_H

#include "loopfb/formats/build_log.h"

struct cab_build_graph
{
  const struct cab_build_log *log;
  int **producer;       /* [command][input]: a command, or -1 */
  void *disk;           /* hashes of files as they are now */
};

void cab_graph_init (struct cab_build_graph *graph, const struct cab_build_log *log);
void cab_graph_fini (struct cab_build_graph *graph);

/* The command that made the program at PATH, linked and perhaps stripped and copied since; -1: none
   did. */
int cab_graph_program (const struct cab_build_graph *graph, const char *path);

/* The command before C, or C itself, that is no mere change of a file (strip); -1: it was not
   seen. */
int cab_graph_link (const struct cab_build_graph *graph, int c);

/* A file on disk that has the contents of FILE: its own path, or another that the build has named;
   null if there is none. */
const char *cab_graph_on_disk (const struct cab_build_graph *graph, const struct cab_file *file);
/* Forget what is known of the disk. */
void cab_graph_forget (struct cab_build_graph *graph);

/* Set NEED[c] for each command that has to run again so that TARGET is made anew from the commands
   in HOT: those on the ways from HOT to TARGET, and those whose output is wanted but no longer on
   the disk.  Returns how many; 0: no hot command reaches TARGET. */
int cab_graph_need (const struct cab_build_graph *graph, const bool *hot, int target, bool *need);

/* Does command C take part in making TARGET? */
bool cab_graph_reaches (const struct cab_build_graph *graph, int c, int target);

#endif
