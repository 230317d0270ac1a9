/* deps_try.h - try directives of OpenMP: build the program with them, compare what it prints, and
 * race it by elapsed time.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      two copies of the working directory, one patched, are built in a directory of their
 *             own and run in pairs.  All directives are tried together; if that is not faster, or
 *             prints something else, each by itself.  What is significantly faster stays as a
 *             patch; the working directory is left as it is.
 * Units:      seconds of elapsed time.
 * Errors:     reported on stderr.
 */
#ifndef CAB_DEPS_TRY_H
#define CAB_DEPS_TRY_H

#include "loopfb/command/deps_patch.h"

#define CAB_DEPS_TOLERANCE 1e-6   /* relative difference of numbers that the program prints */
#define CAB_DEPS_PAIRS 12         /* runs of both builds, at most */

struct cab_deps_try_options
{
  const char *build, *run;    /* commands */
  const char *output;         /* file for the patch */
  double tolerance;
  long pairs;
};

/* Try the directives that MODEL allows.  Return an exit status; it is no failure if nothing is
   faster. */
int cab_deps_try (struct cab_model *model, const struct cab_deps_patch_options *patch,
		  const struct cab_deps_try_options *options);

/* Return true if the texts A and B are equal, but for numbers that differ by TOLERANCE, relative to
   the greater one, at most. */
bool cab_deps_same_output (const char *a, const char *b, double tolerance);

#endif
