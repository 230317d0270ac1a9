/* deps_judge.h - whether a loop's iterations could run at the same time, and what must be done for
 * that: memory, scalars and calls together.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a dependence that was seen is certain.  That there is none is said only if everything
 *             in the loop was looked at: else the verdict is CAB_DEPS_UNKNOWN.  All of it is of the
 *             run.
 * Ownership:  texts are the model's; lists belong to the judgement until cab_deps_judgement_fini.
 */
#ifndef CAB_DEPS_JUDGE_H
#define CAB_DEPS_JUDGE_H

#include "analyses/report/deps/deps_facts.h"

enum cab_deps_verdict
{
  CAB_DEPS_PARALLEL,
  CAB_DEPS_AFTER,           /* parallel, after the remedies */
  CAB_DEPS_PIPELINE,        /* values flow to later iterations, and forward in the text only */
  CAB_DEPS_VECTOR,          /* so many iterations at once as the distance is */
  CAB_DEPS_CARRIED,
  CAB_DEPS_SERIAL,          /* only an iteration tells whether there is a next one */
  CAB_DEPS_UNKNOWN
};

#define CAB_DEPS_VECTOR_LEAST 4   /* distance of CAB_DEPS_VECTOR */

enum cab_deps_remedy_kind
{
  CAB_DEPS_REDUCTION,
  CAB_DEPS_PRIVATE,
  CAB_DEPS_LAST,            /* private, and its value of the last iteration is used */
  CAB_DEPS_LAST_WRITTEN,    /* private, and what was written last is used */
  CAB_DEPS_INDUCTION,       /* each iteration adds the same: to be computed from its number */
  CAB_DEPS_PRIVATISE,       /* memory: each iteration writes it before it reads it */
  CAB_DEPS_COPY             /* memory: iterations overwrite what earlier ones have read */
};

struct cab_deps_remedy
{
  enum cab_deps_remedy_kind kind;
  const char *name;         /* as the source, or the access, has it */
  const char *how;          /* operator of a reduction, step of an induction; else "" */
  bool ordered;             /* rounding makes the result of the reduction depend on the order */
  bool memory;              /* it is in memory */
  bool first, last;         /* of PRIVATISE: as struct cab_deps_variable */
};

struct cab_deps_judgement
{
  enum cab_deps_verdict verdict;
  unsigned distance;        /* PIPELINE, VECTOR, CARRIED */
  bool or_more;             /* CARRIED: some distances are longer */
  struct cab_deps_remedy *remedies;
  const char **ways;        /* what else is in the way, in words */
  const char **unseen;      /* what was not looked at */
  const char *why;          /* UNKNOWN: in words */
  uint32_t n_remedies, n_ways, n_unseen;
};

/* Judge LOOP, an index. */
void cab_deps_judge (const struct cab_deps_facts *facts, uint32_t loop,
		     struct cab_deps_judgement *judgement);
void cab_deps_judgement_fini (struct cab_deps_judgement *judgement);

/* Return true if VARIABLE, whose dependences a loop carries, is only updated there, by one
   operator: *OP, and *ORDERED if rounding makes the order matter. */
bool cab_deps_is_reduction (const struct cab_deps_view *view,
			    const struct cab_deps_variable *variable, const char **op,
			    bool *ordered);
/* Return the place of access NUMBER, or of what it is a copy of, if it is a part of an update; else
   null. */
const struct cab_access_place *cab_deps_update (const struct cab_deps_view *view, uint32_t number);
/* Write the name of the variable in NAME, that of an access, to TO, of BYTES: "a" of "a[].x", "p"
   of "*p". */
void cab_deps_base (const char *name, char *to, size_t bytes);

#endif
