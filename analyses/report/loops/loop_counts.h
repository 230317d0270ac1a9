/* loop_counts.h - what loop probes counted, by source loop.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a source loop may have several copies (its function was inlined, compiled in several
 *             units, built twice); their counts are added up.  A loop whose source loop is not
 *             known stands for itself, by the place of its code.  Loops that were compiled with
 *             probes in a function that ran, but were never entered, have counts of zero.
 * Units:      iterations: executions of the body; see info.h for what that is where the test is at
 *             the end.  Cycles: of the time stamp counter, with all that ran inside, calls and
 *             inner loops included.
 * Ownership:  rows belong to the counts, until fini; names to the model.
 */
#ifndef CAB_LOOP_COUNTS_H
#define CAB_LOOP_COUNTS_H

#include "analyses/profile/model.h"
#include "analyses/live/an_loops.h"

struct cab_loop_count
{
  const char *origin;       /* assembler name of the function that the loop is in in the source */
  const char *display;      /* the same as people read it */
  const char *file;
  uint32_t line, column, ordinal;
  bool has_key;             /* these are the key of the source loop (cabprof/loops.h); else where
			       its code stands */
  uint32_t n_copies;        /* with probes */
  const struct cab_function *holder;   /* that has the first copy */
  const char *skipped;      /* why a copy has no probes, or null */
  bool timed;               /* long executions are timed */
  bool tests_at_top, tests_at_end;     /* where the loop's test stands; copies may differ */
  uint64_t entries;         /* how often it was entered, as far as is known: see `not_left' */
  uint64_t not_left;        /* entered, and not left over an edge of the function: exceptions,
			       longjmp, exit, or it still runs.  Known only of loops in which the
			       compiler saw that this may happen */
  uint64_t iterations, most;           /* of executions that ended; the most in one */
  uint64_t finished;                   /* how many those were: iterations / finished is the mean */
  uint64_t n_timed, timed_iterations, cycles;
  uint64_t log2[CAB_LOOP_BUCKETS];     /* as in struct cab_loops_row */
};

struct cab_loop_counts
{
  struct cab_loop_count *row;          /* by iterations, most first */
  size_t n;
};

/* Of the whole profile.  */
void cab_loop_counts_of (struct cab_model *model, struct cab_loop_counts *counts);
/* Each copy by itself. */
void cab_loop_copies_of (struct cab_model *model, struct cab_loop_counts *counts);
void cab_loop_counts_fini (struct cab_loop_counts *counts);

/* The row of the source loop with this key (FILE: compared from its end); null: there is none. */
const struct cab_loop_count *cab_loop_counts_find (const struct cab_loop_counts *counts,
						   const char *origin, const char *file,
						   uint32_t line, uint32_t column,
						   uint32_t ordinal);

/* Iterations of an execution in the mean; 0 where none ended. */
double cab_loop_mean (const struct cab_loop_count *count);
/* Cycles of an iteration in the mean, over executions that were timed; 0 where none was. */
double cab_loop_cycles (const struct cab_loop_count *count);
/* "0:5 1:2 4-7:1": executions by how many iterations they had. */
const char *cab_loop_histogram (struct cab_model *model, const struct cab_loop_count *count);

#endif
