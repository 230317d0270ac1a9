/* tune_build.h - record the user's build, and build variants of it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_BUILD_H
#define CAB_TUNE_BUILD_H

#include "loopfb/tune/tune.h"

/* Run the build once, recorded. */
int cab_tune_build (struct cab_tune *tune);
/* Find the program that the run command runs, and the command that made it. */
int cab_tune_find_program (struct cab_tune *tune);
/* Find the commands that compile loops that are tuned. */
int cab_tune_find_hot (struct cab_tune *tune);
/* Build those variants that are not built yet. */
int cab_tune_build_variants (struct cab_tune *tune);
/* Build variant V, which is `whole', unless it is built.  Return 0, negative after saying why not,
   or CAB_INTERRUPTED. */
int cab_tune_build_whole (struct cab_tune *tune, int v);
/* Build variant V by the commands that compile tuned loops, unless it is built.  One that cannot be
   built is not tried again.  Return 0, negative after saying why not, or CAB_INTERRUPTED. */
int cab_tune_build_one (struct cab_tune *tune, int v);
/* Return true if a command that compiles tuned loops leaves them to the link (-flto). */
bool cab_tune_is_lto (const struct cab_tune *tune);
/* Return the tree of VARIANT, whose flags are those of its compilations. */
struct cab_tree cab_tune_tree_of (const struct cab_tune_variant *variant);
/* Return the path of VARIANT's program (-1: as the build left it); to be freed. */
char *cab_tune_program (const struct cab_tune *tune, int variant);
/* Replace what the build has made by VARIANT, without padding. */
int cab_tune_install (struct cab_tune *tune, int variant);

#endif
