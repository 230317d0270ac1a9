/* build_graph.h - which command of a recorded build made which input of which other.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      files are known by their contents (hash), since builds rename, copy, link and extract
 *             them by commands that are not recorded: the producer of an input is the last command
 *             before it that wrote a file with the same contents, of the same path if there is one.
 *             What an unrecorded tool has changed in between has no producer: it stays as the build
 *             left it.
 * Shapes:     numbers of commands are indices in the log.
 * Ownership:  the log must outlive the graph.
 */
#ifndef CAB_BUILD_GRAPH_H
#define CAB_BUILD_GRAPH_H

#include "loopfb/formats/build_log.h"

struct cab_build_graph
{
  const struct cab_build_log *log;
  int **producer;       /* [command][input]: the number of a command, or -1 */
  void *disk;           /* cached hashes of files on disk */
};

/* Find the producer of each input of each command in LOG. */
void cab_graph_init (struct cab_build_graph *graph, const struct cab_build_log *log);
/* Free GRAPH; one that is all zero is left alone. */
void cab_graph_fini (struct cab_build_graph *graph);

/* Return the command that made the program at PATH, which may have been stripped and copied since
   it was linked, or -1 if none did. */
int cab_graph_program (const struct cab_build_graph *graph, const char *path);

/* Follow C back through commands that only change a file (strip), and return the command that made
   the file, which may be C itself, or -1 if it was not recorded. */
int cab_graph_link (const struct cab_build_graph *graph, int c);

/* Return a file on disk that has the contents of FILE: its own path, or another that the build has
   named.  Null if there is none. */
const char *cab_graph_on_disk (const struct cab_build_graph *graph, const struct cab_file *file);

/* Set NEED[c] for each command that has to run again so that TARGET is made again from the commands
   in HOT: those on the paths from HOT to TARGET, and those whose output is needed but no longer on
   the disk.  Return how many there are; 0 if no hot command reaches TARGET. */
int cab_graph_need (const struct cab_build_graph *graph, const bool *hot, int target, bool *need);

/* Return true if command C takes part in making TARGET. */
bool cab_graph_reaches (const struct cab_build_graph *graph, int c, int target);

#endif
