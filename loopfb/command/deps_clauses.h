/* deps_clauses.h - a judgement on a loop as a directive of OpenMP.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     OpenMP 5.0: 2.9.2 (worksharing-loop), 2.19.4 (data-sharing clauses), 2.19.5
 *             (reductions); GCC's manual, "Loop-Specific Pragmas" (ivdep).
 * Model:      names in clauses are those that the source has where the loop begins.  What cannot be
 *             named there, or is used in functions that the loop calls, gets no directive.
 * Errors:     null with the reason.
 */
#ifndef CAB_DEPS_CLAUSES_H
#define CAB_DEPS_CLAUSES_H

#include "analyses/report/deps/deps_judge.h"
#include "loopfb/command/patch_file.h"
#include "loopfb/source/counted.h"
#include "loopfb/source/patch.h"

/* A loop that is to have a directive. */
struct cab_deps_target
{
  const struct cab_deps_facts *facts;
  uint32_t loop;
  const struct cab_deps_judgement *judgement;
  enum cab_language language;
  const struct cab_patch_file *file;
  const struct cab_counted *counted;
};

/* Return the directive of TARGET, as struct cab_edit has it; to be freed.  Return null with the
   reason in *WHY, which lives as long as the model. */
char *cab_deps_directive (const struct cab_deps_target *target, const char **why);

#endif
