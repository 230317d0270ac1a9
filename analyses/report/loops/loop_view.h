/* loop_view.h - all that is known of the loops of a profile, side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a row per source loop, from what is there: loops.json of `cabprof tune' (the matrix,
 *             choices, races), samples.json of `cabprof record' (shares of time), the loop tables
 *             and outcomes in the modules' records, counts of loop probes.  Rows are joined by the
 *             loop's key; files are compared from their ends.
 * Shapes:     stalls and outcomes of a loop have n_columns elements; column 0 is the compiler's
 *             default.
 * Units:      shares 0 .. 1, of all samples.  Ratios: to the default build, 0.9 is a tenth faster.
 *             What is not known is NaN, null or -1.
 * Ownership:  all of it belongs to the view until cab_loop_view_close.
 * Errors:     negative with words: a file is there and cannot be read.  What costs only parts of
 *             the view is in `problems'.
 */
#ifndef CAB_LOOP_VIEW_H
#define CAB_LOOP_VIEW_H

#include "analyses/profile/model.h"

#define CAB_TUNED_FILE "loops.json"
#define CAB_TUNED_SCHEMA 1
#define CAB_TUNED_FORMAT "cabprof loops"

struct cab_view_column
{
  const char *name;
  int unroll;               /* -1: no factor */
  int vectorize;            /* -1: as the compiler likes, 0: never, 1: if it can */
  bool registers;           /* those of the loops' functions are renamed */
};

/* Mean with its interval: of stalls 95 %, of races 90 %. */
struct cab_view_figure
{
  double mean, low, high;   /* NaN: not measured */
  uint32_t n;               /* runs */
};

struct cab_view_loop
{
  const char *function;     /* assembler name */
  const char *display, *file;
  uint32_t line, column, ordinal, last_line;   /* last_line 0: unknown */
  uint32_t checksum;
  const char *flags;        /* of its record; "" */
  double share, share_all;  /* in the loop itself; with the loops in it */
  double entries, iterations, mean;
  const char *outcome;      /* of the build that was profiled, or the default; null */
  const char **outcomes;    /* [n_columns], or null */
  struct cab_view_figure *stalls;   /* [n_columns], or null */
  int choice;               /* factor; 0: the compiler's; -1: no question was asked */
  int vectorize;            /* as of a column */
  bool registers;
  const char *reason;
  double predicted, measured;
};

struct cab_view_heuristic
{
  const char *name;         /* the column, of the best factor */
  double predicted;
  struct cab_view_figure measured;
};

struct cab_view_race
{
  const char *name;
  struct cab_view_figure ratio;
  bool kept;
  const char *reason;
};

struct cab_view_fact
{
  const char *name, *value;
};

struct cab_loop_view
{
  struct cab_names names;
  const char *dir;
  bool has_matrix, has_samples, has_trips;
  uint64_t n_samples;               /* that shares are of; 0: of a matrix, or none */
  const char *program, *run;
  uint32_t n_columns, n_loops, n_races, n_facts, n_problems;
  struct cab_view_column *columns;
  struct cab_view_loop *loops;      /* by share, largest first; then by place */
  double *sums;                     /* [n_columns], or null */
  double sum_best;
  struct cab_view_heuristic best_factor, per_loop;
  struct cab_view_race *races;
  struct cab_view_fact *facts;      /* what was measured with */
  const char **problems;
};

/* Of MODEL, which may be without a process. */
int cab_loop_view_open (struct cab_loop_view *view, struct cab_model *model, struct cab_diag *diag);
void cab_loop_view_close (struct cab_loop_view *view);

/* Does anything of LOOP but its place stand in the view? */
bool cab_loop_view_tells (const struct cab_view_loop *loop);

/* For the files that fill a view. */
struct cab_view_loop *cab_loop_view_add (struct cab_loop_view *view);
void cab_loop_view_fact (struct cab_loop_view *view, const char *name, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
/* loop_view_json.c: PATH is there; read it. */
int cab_loop_view_tuned (struct cab_loop_view *view, const char *path, struct cab_diag *diag);

#endif
