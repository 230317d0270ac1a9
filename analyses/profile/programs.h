/* programs.h - choose one program where a profile holds processes of several.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a program is the path of an executable.  Unless the user names one, the program that
 *             did most is chosen: the one with the largest sum, over its processes, of counts in
 *             place, words in rings and accesses.  So the tests of a configure script, which share
 *             a directory with the program, do not appear in its report.
 * Errors:     0, or negative with words in a diagnostic.
 */
#ifndef CAB_PROGRAMS_H
#define CAB_PROGRAMS_H

#include <stddef.h>
#include "cabprof/analysis.h"

/* The name that stands for all programs. */
#define CAB_ALL_PROGRAMS "all"

/* Of the *N parts in LIST, paths that the caller frees, keep those of the program WANTED, which is
   a path, its end or a pattern (loopfb/formats/pattern.h); null: of the program that did most.
   Free the others.  Parts that cannot be read stay, so that whoever reads the list reports what is
   wrong with them.  Set *PROGRAM to the program, or to null if there is only one, and *OTHERS to
   the names of those left out, or to null if the user named the program.  The caller frees both. */
int cab_programs_choose (char **list, size_t *n, const char *wanted, char **program, char **others,
			 struct cab_diag *diag);

#endif
