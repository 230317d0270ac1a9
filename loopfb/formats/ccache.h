/* ccache.h - what a cache of compilations that may stand above this program knows.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      ccache looks objects up by the command line, the preprocessed text (it runs the
 *             compiler with -E first, and where that fails runs it without a cache), and the
 *             content of the files that the environment variable CCACHE_EXTRAFILES lists, separated
 *             by colons.  Other variables it does not see.
 * Errors:     none; where /proc does not tell, nobody is above us.
 */
#ifndef CABPROF_CCACHE_H
#define CABPROF_CCACHE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return true if the process GENERATIONS above this one (1: the one that started it) is ccache. */
extern bool cab_ccache_above (int generations);
/* Does CCACHE_EXTRAFILES list the file PATH?  Let it, in the environment of this process. */
extern bool cab_ccache_knows (const char *path);
extern void cab_ccache_tell (const char *path);

#ifdef __cplusplus
}
#endif

#endif
