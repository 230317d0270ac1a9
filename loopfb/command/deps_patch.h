/* deps_patch.h - directives of OpenMP for the loops of a profile that could run in parallel, as a
 * patch of the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      of a nest the outermost loop that can have one gets a directive.  The diff's names
 *             are relative to the working directory, so `patch -p1' applies it there.  Loops that
 *             could run in parallel and get none are listed with the reason.
 * Errors:     reported on stderr.
 */
#ifndef CAB_DEPS_PATCH_H
#define CAB_DEPS_PATCH_H

#include <stdio.h>
#include "analyses/profile/model.h"

struct cab_deps_patch_options
{
  char **dirs;                /* further directories to look for sources in */
  int n_dirs;
  const char *function, *file;   /* patterns, or null */
  double share;               /* loops with less of the accesses are left alone */
  int only;                   /* write only this directive, from 0; negative: all */
  bool quiet;                 /* do not list loops without a directive */
};

/* Write the patch of MODEL to TO; *N becomes the number of directives.  Return an exit status. */
int cab_deps_patch (struct cab_model *model, const struct cab_deps_patch_options *options, FILE *to,
		    uint32_t *n);

#endif
