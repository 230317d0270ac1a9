/* ccache.h - what ccache, which may have started this program, knows of a compilation.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      ccache looks objects up by the command line, the preprocessed text (it runs the
 *             compiler with -E first, and where that fails runs it without a cache), and the
 *             content of the files that the environment variable CCACHE_EXTRAFILES lists, separated
 *             by colons.  Other variables it does not see.
 * Errors:     none; where /proc cannot be read, no process is taken to be ccache.
 */
#ifndef CABPROF_CCACHE_H
#define CABPROF_CCACHE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return true if the process GENERATIONS above this one (1: the one that started it) is ccache. */
extern bool cab_ccache_above (int generations);
/* Return true if CCACHE_EXTRAFILES lists the file PATH. */
extern bool cab_ccache_knows (const char *path);
/* Add the file PATH to CCACHE_EXTRAFILES in the environment of this process, unless it is
   listed. */
extern void cab_ccache_tell (const char *path);

#ifdef __cplusplus
}
#endif

#endif
