/* loop_view.h - all that is known of the loops of a profile, side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a row per source loop, from whatever exists: loops.json of `cabprof tune' (the
 *             matrix, choices, races), samples.json of `cabprof record' (shares of time), the loop
 *             tables and outcomes in the modules' records, counts of loop probes.  Rows are joined
 *             by the loop's key; files are compared from their ends.
 * Shapes:     stalls and outcomes of a loop have n_columns elements; column 0 is the compiler's
 *             default.
 * Units:      shares 0 .. 1, of all samples.  Ratios are to the default build: 0.9 is a tenth
 *             faster.  Unknown values are NaN, null or -1.
 * Ownership:  all of it belongs to the view until cab_loop_view_close.
 * Errors:     negative with words: a file exists and cannot be read.  What affects only parts of
 *             the view is in `problems'.
 */
#ifndef CAB_LOOP_VIEW_H
#define CAB_LOOP_VIEW_H

#include "analyses/profile/model.h"
#include "analyses/report/loops/loop_trials.h"

/* The file of `cabprof tune', with the schema and the format that it must name. */
#define CAB_TUNED_FILE "loops.json"
#define CAB_TUNED_SCHEMA 1
#define CAB_TUNED_FORMAT "cabprof loops"

/* A hint. */
struct cab_view_hint
{
  int unroll;               /* factor; 0: the compiler's; -1: no hint, or not decided */
  int vectorize;            /* -1: as the compiler decides, 0: never, 1: if possible */
  bool registers;           /* rename registers in the loop's function */
  unsigned align;           /* of the loop's head, in bytes; 0: the compiler's */
  unsigned prefetch;        /* how many iterations ahead; 0: not at all */
};

/* A build of the matrix. */
struct cab_view_column
{
  const char *name;
  struct cab_view_hint hint;
};

/* A mean with its interval: 95 % for stalls, 90 % for races. */
struct cab_view_figure
{
  double mean, low, high;   /* NaN: not measured */
  uint32_t n;               /* number of runs */
};

/* A loop. */
struct cab_view_loop
{
  const char *function;     /* assembler name */
  const char *display, *file;
  uint32_t line, column, ordinal, last_line;   /* last_line 0: unknown */
  uint32_t checksum;
  const char *flags;        /* of its record, or "" */
  double share, share_all;  /* share: in the loop itself; share_all: with inner loops */
  double entries, iterations, mean;
  const char *outcome;      /* in the build that was profiled, or the default; null: unknown */
  const char **outcomes;    /* [n_columns], or null */
  struct cab_view_figure *stalls;   /* [n_columns], or null */
  struct cab_view_hint hint;
  const char *reason;
  double predicted, measured;
};

/* The predicted and measured effect of one way to choose hints on the whole application. */
struct cab_view_heuristic
{
  const char *name;         /* the column with the best factor */
  double predicted;
  struct cab_view_figure measured;
};

/* A race of a build against the default. */
struct cab_view_race
{
  const char *name;
  struct cab_view_figure ratio;
  bool kept;
  const char *reason;
};

/* A circumstance of the measurement, in words. */
struct cab_view_fact
{
  const char *name, *value;
};

/* The loops of a profile, and what is known of the whole program. */
struct cab_loop_view
{
  struct cab_names names;
  const char *dir;
  bool has_matrix, has_samples, has_trips;
  uint64_t n_samples;               /* on which shares are based; 0: those of a matrix, or none */
  const char *program, *run;
  uint32_t n_columns, n_loops, n_races, n_facts, n_problems;
  struct cab_view_column *columns;
  struct cab_view_loop *loops;      /* by share, largest first; then by place */
  double *sums;                     /* [n_columns], or null */
  double sum_best;
  struct cab_view_heuristic best_factor, per_loop;
  struct cab_view_race *races;
  struct cab_view_fact *facts;      /* circumstances of the measurement */
  const char **problems;
  struct cab_loop_trials trials;    /* n 0: none */
};

/* Fill VIEW from MODEL, which may have no process. */
int cab_loop_view_open (struct cab_loop_view *view, struct cab_model *model, struct cab_diag *diag);
/* Free all memory of VIEW. */
void cab_loop_view_close (struct cab_loop_view *view);

/* Return true if the view has more about LOOP than its place. */
bool cab_loop_view_tells (const struct cab_view_loop *loop);

/* Return a new loop of VIEW with all values unknown; for the files that fill a view. */
struct cab_view_loop *cab_loop_view_add (struct cab_loop_view *view);
/* Add the fact NAME to VIEW, its value in the words of FORMAT. */
void cab_loop_view_fact (struct cab_loop_view *view, const char *name, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
/* Read loops.json at PATH, which exists, into VIEW (loop_view_json.c). */
int cab_loop_view_tuned (struct cab_loop_view *view, const char *path, struct cab_diag *diag);

#endif
