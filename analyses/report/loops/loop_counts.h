/* loop_counts.h - the counts of loop probes, by source loop.
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

/* What is known of a source loop, or of one copy of it. */
struct cab_loop_count
{
  const char *origin;       /* assembler name of the function that has the loop in the source */
  const char *display;      /* that function's name for people */
  const char *file;
  uint32_t line, column, ordinal;
  bool has_key;             /* the place above is the key of the source loop (cabprof/loops.h); else
			       it is where the loop's code stands */
  uint32_t n_copies;        /* copies with probes */
  const struct cab_function *holder;   /* the function with the first copy */
  const char *skipped;      /* why a copy has no probes; null: all have */
  bool timed;               /* long executions are timed */
  bool tests_at_top, tests_at_end;     /* where the loop's test stands; copies may differ */
  uint64_t entries;         /* how often it was entered, as far as is known: see `not_left' */
  uint64_t not_left;        /* entered, but not left over an edge of the function: exceptions,
			       longjmp, exit, or it still runs.  Known only for loops in which the
			       compiler saw that this may happen */
  uint64_t iterations, most;           /* of executions that ended; most: the maximum of one */
  uint64_t finished;                   /* executions that ended: iterations / finished is the
					  mean */
  uint64_t n_timed, timed_iterations, cycles;
  uint64_t log2[CAB_LOOP_BUCKETS];     /* as in struct cab_loops_row */
};

/* The loops of a profile. */
struct cab_loop_counts
{
  struct cab_loop_count *row;          /* by iterations, most first */
  size_t n;
};

/* Fill COUNTS with the source loops of the whole profile. */
void cab_loop_counts_of (struct cab_model *model, struct cab_loop_counts *counts);
/* Fill COUNTS with each copy of a loop by itself. */
void cab_loop_copies_of (struct cab_model *model, struct cab_loop_counts *counts);
/* Free the rows of COUNTS. */
void cab_loop_counts_fini (struct cab_loop_counts *counts);

/* Return the row of the source loop with this key, or null.  FILE is compared from its end. */
const struct cab_loop_count *cab_loop_counts_find (const struct cab_loop_counts *counts,
						   const char *origin, const char *file,
						   uint32_t line, uint32_t column,
						   uint32_t ordinal);

/* Return the mean number of iterations of an execution; 0 if none ended. */
double cab_loop_mean (const struct cab_loop_count *count);
/* Return the mean cycles of an iteration, over executions that were timed; 0 if none was. */
double cab_loop_cycles (const struct cab_loop_count *count);
/* Return executions by their number of iterations: "0:5 1:2 4-7:1". */
const char *cab_loop_histogram (struct cab_model *model, const struct cab_loop_count *count);

#endif
