/* export.h - a profile in the formats of other programs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a format is one file, export_NAME.c, and one line in cmd_export.c's table.
 *     lcov       a tracefile: functions, lines and branches.  A branch is an edge out of a block
 *                with several; exceptions and abnormal edges do not count.  Functions carry their
 *                assembler names (genhtml --demangle-cpp).
 *     callgrind  lines with two events: Executions, and Calls at the function's first line.  A
 *                call's inclusive counts are of the calling-context tree: Calls are exact;
 *                Executions take each function's mean per call, since lines are not counted by
 *                context.  A call of a function that is already active carries none: they are
 *                within the outer call's.
 *     folded     a stack and its count per line, frames separated by semicolons.  [f] stands for
 *                uninstrumented code that was called by the name of f and called back.
 *     speedscope stacks in JSON, a profile for each measure of contexts (context_measures.h), as
 *                https://www.speedscope.app/file-format-schema.json describes it.
 *     pprof      the same in one profile with a value for each measure: the protocol buffer of
 *                pprof's profile.proto, compressed by gzip.  A location is a function.
 *     chrome     activations of functions with their times, in Chrome's trace event format: an
 *                event "X" each, in microseconds of CLOCK_MONOTONIC.
 *     perfetto   the same as TrackEvents, a begin and an end each, in nanoseconds.
 *     flamegraph one measure of contexts as a picture in SVG, without a script.
 * Errors:     0, or -1 with words in DIAG; a failed write sticks to the stream.
 */
#ifndef CAB_EXPORT_H
#define CAB_EXPORT_H

#include <stdio.h>
#include "analyses/profile/model.h"

/* What the user asked for. */
struct cab_export_options
{
  char **dirs;           /* directories in which to look for sources */
  int n_dirs;
  bool fold_recursion;   /* folded: merge a function below itself into its outer activation */
  uint64_t longer_ns;    /* chrome, perfetto: leave out activations that took less */
  const char *measure;   /* flamegraph: the key of a measure of contexts; null: time, else calls */
};

/* Write TEXT in one line, whatever characters it has. */
void cab_export_text (const char *text, FILE *to);

/* Write MODEL as a tracefile of lcov. */
int cab_export_lcov (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		     struct cab_diag *diag);
/* Write MODEL in callgrind's format. */
int cab_export_callgrind (struct cab_model *model, const struct cab_export_options *options,
			  FILE *to, struct cab_diag *diag);
/* Write MODEL as folded stacks. */
int cab_export_folded (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		       struct cab_diag *diag);

/* Write MODEL in speedscope's JSON. */
int cab_export_speedscope (struct cab_model *model, const struct cab_export_options *options,
			   FILE *to, struct cab_diag *diag);
/* Write MODEL in pprof's format. */
int cab_export_pprof (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		      struct cab_diag *diag);
/* Write MODEL's timeline in Chrome's trace event format. */
int cab_export_chrome (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		       struct cab_diag *diag);
/* Write MODEL's timeline as Perfetto's TrackEvents. */
int cab_export_perfetto (struct cab_model *model, const struct cab_export_options *options,
			 FILE *to, struct cab_diag *diag);
/* Write a measure of MODEL's contexts as a flame graph in SVG. */
int cab_export_flamegraph (struct cab_model *model, const struct cab_export_options *options,
			   FILE *to, struct cab_diag *diag);

#endif
