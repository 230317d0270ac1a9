/* tune.h - `cabprof tune`: build a program with hints for its loops, measure, decide, race, keep
 * what pays.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a variant is a build of the program with hints of its own, in a private tree. Variant
 *             0 is the compiler's default.  What is done next depends only on the options and the
 *             runs so far.  So the runs are a journal, and `--resume' repeats the same steps, with
 *             the journal in place of the first runs (tune_state.c). DIR/tune/ holds the work:
 *             build.log (build_log.h), state.json, v/NN (trees), output of commands. DIR/loops.json
 *             is the result.
 * Units:      seconds of CPU time; weights of samples as in sample.h.
 * Ownership:  all belongs to the struct cab_tune.
 * Errors:     functions return 0, or negative after they have reported why (cab_say);
 *             CAB_INTERRUPTED is for the caller to report.
 *
 * DIR/loops.json, schema 1:
 *   { "schema", "format": "cabprof loops", "program", "run", "columns": [ { "name", "unroll",
 *   perhaps "vectorize", "registers" } ],
 *     "loops": [ { key: "function", "name", "file", "line", "column", "ordinal", "checksum";
 *     "flags", "share" of the default's samples,
 *                  "trip": { "entries", "iterations", "mean" } or null,
 *                  "outcome": [ words or null, per column ], "stalls": [ { "mean", "low", "high",
 *                  "n" } or null, per column ], "choice": factor or null; "vectorize", "registers"
 *                  where that was chosen; "reason", "predicted": ratio of the loop or null,
 *                  "measured": ratio in the confirming runs or null } ],
 *     "application": { "S": [ per column ], "S_opt", "best_factor": { "name", "predicted",
 *     "measured", "low", "high" }, "per_loop": {...} }, "races": [ { "name", "ratio", "low",
 *     "high", "n", "kept", "reason" } ], "measured_with": {...} }
 */
#ifndef CAB_TUNE_H
#define CAB_TUNE_H

#include <jansson.h>
#include <time.h>
#include "loopfb/decide/decide.h"
#include "loopfb/build/replay.h"
#include "loopfb/formats/hints.h"

#define CAB_TUNE_RUNS 40         /* default number of measurements */
#define CAB_TUNE_RUNS_ALL 46     /* default with `--try=all', which has three columns more, in at
				    least two rounds */
#define CAB_TUNE_DEFAULTS 2      /* measurements of the default before the matrix */
#define CAB_TUNE_FACTORS 6       /* columns of the matrix that are factors, with the default */
#define CAB_TUNE_SHARE 0.01      /* loops with a smaller part of the time are left alone */
#define CAB_TUNE_WIDTH 0.005     /* differences of less than this part of the program's time are not
				    looked for */
#define CAB_TUNE_LOOPS 64        /* at most, the hottest ones */
#define CAB_TUNE_SAMPLES 5000    /* wanted from each measurement */
#define CAB_TUNE_TRY "factors"   /* default of `--try': "factors" or "all" */
#define CAB_TUNE_SCHEMA 1

struct cab_tune_options
{
  const char *build, *rebuild, *run;
  const char *hints;             /* file to write */
  const char *dir;               /* directory of the profile */
  const char *program, *check, *source;
  int jobs, max_runs;            /* max_runs is 0 if not given */
  double budget_s;               /* 0 if not given */
  double share;                  /* negative if not given */
  const char *try;               /* "factors", or "all" for vectorising and registers as well; null
				    if not given */
  bool resume, keep;
};

struct cab_tune_loop
{
  char *function, *name, *file, *flags;
  uint32_t line, column, ordinal, checksum;
  uint64_t key;
  double share;
  bool skip;                     /* it gets no hint */
  bool outer;                    /* it takes no share itself, but encloses a tuned loop: what
				    remains of that loop is attributed to it where that loop
				    vanishes */
  int owner;                     /* of an inner loop: the tuned loop whose hint it shares */
  int around;                    /* of a tuned loop: the tuned loop that encloses it, or -1 */
  int leader;                    /* the loop whose row of the matrix includes this one's figures:
				    itself, except in nests (tune_nest.c) */
  struct cab_ratio slower;       /* with a hint that was taken back because it made this loop
				    slower; n is 0 if none was */
  struct cab_ratio measured;     /* with the hints that were confirmed; n is 0 if none were */
  bool has_trips;                /* the next three members are valid */
  uint64_t entries, iterations;  /* of one run */
  double trips;                  /* mean number of iterations of an execution that ended */
};

/* The hint that a loop is to be given. */
#define CAB_TUNE_NO_ROW -1
struct cab_tune_wish
{
  int unroll;                    /* 0 .. 64, where 0 leaves the choice to the compiler;
				    CAB_TUNE_NO_ROW: no hint at all */
  enum cab_hint_vectorize vectorize;
  bool registers;                /* rename those of its function; the same for all loops of the
				    function */
};
#define CAB_TUNE_NO_WISH ((struct cab_tune_wish) { CAB_TUNE_NO_ROW, CAB_VECTORIZE_AS_IS, false })

struct cab_tune_variant
{
  char *name, *dir, *hints;
  struct cab_tune_wish *wishes;  /* per loop; null if loops are not known */
  int every;                     /* one factor for all loops, where loops are not known */
  const char *flags[4];
  bool built;
};

struct cab_tune_run
{
  char *variant;                 /* name of the variant */
  char *stage;
  int round;
  double cpu_s, wall_s, weight; /* sums over all its repetitions */
  json_int_t samples, lost;
  double overhead;               /* of sampling, over cpu_s; negative if not known */
  double *loops;                 /* weight of each loop; null if not sampled, or if the loops were
				    not known yet */
};

struct cab_tune_race
{
  char *name, *reason;
  struct cab_ratio ratio;
  bool kept;
};

struct cab_tune
{
  struct cab_tune_options options;
  char *work, *own_path, *cwd;
  struct cab_build_log log;
  struct cab_build_graph graph;
  int target;                    /* the command that made the program */
  int target_output;             /* the number of that command's output */
  char *program;                 /* path, as the run names it */
  bool *hot, *need;
  struct cab_tune_loop *loops;
  struct cab_tune_loop *inner;   /* Loops inside tuned loops that are not tuned themselves: the
				    compiler's default leaves nothing of them, or they never ran.
				    They get the hint of their loop, and what is sampled in them,
				    where something is left of them, counts for their loop. */
  int n_loops, n_inner, n_known; /* tuned loops; loops inside them; all that the loop tables have */
  struct cab_tune_variant *variants;
  int n_variants, n_builds;
  struct cab_tune_run *runs;     /* the journal */
  int n_runs, n_journal, next;   /* runs made or read; the read ones among them; the next to be
				    requested */
  int repeat;                    /* runs of the program in one measurement */
  int n_program_runs;
  double spent_s;                /* wall time of all runs */
  struct cab_tune_race *races;
  int n_races;
  json_t *source;                /* describes what sampled; null if nothing did */
  double grain, weight;          /* of one sample; of all samples of a default run */
  uint64_t period;               /* for runs that are compared */
  char *source_problem, *no_trips;   /* why there are no samples, no trip counts; null if there
					are */
  struct cab_matrix matrix;
  struct cab_decision decision;
  bool has_decision;
  int kept;                      /* the variant whose hints are kept; 0 if none */
  struct cab_ratio kept_ratio;
  double load[3];
  time_t began;                  /* when the first build began; 0 if none has */
};

/* Set the defaults of what is not given (cmd_tune.c). */
void cab_tune_defaults (struct cab_tune_options *options);

/* Run the build once, recorded (tune_build.c). */
int cab_tune_build (struct cab_tune *tune);
/* Find the program that the run command runs, and the command that made it. */
int cab_tune_find_program (struct cab_tune *tune);
/* Find the commands that compile loops that are tuned. */
int cab_tune_find_hot (struct cab_tune *tune);
/* Build those variants that are not built yet. */
int cab_tune_build_variants (struct cab_tune *tune);
/* Return the path of VARIANT's program (-1: as the build left it); to be freed. */
char *cab_tune_program (const struct cab_tune *tune, int variant);
/* Replace what the build has made by VARIANT. */
int cab_tune_install (struct cab_tune *tune, int variant);

/* Run the user's COMMAND with the wrappers in the compilers' place and HINTS for them, recording to
   LOG unless that is null. */
int cab_tune_shell (const struct cab_tune *tune, const char *command, const char *hints,
		    const char *log);

/* Make files that the build has written, and that name our wrappers, name the real tools again
   (tune_restore.c). */
void cab_tune_restore (const struct cab_tune *tune);

/* Make VARIANT (-1: the default, in place) by the user's own command (tune_rebuild.c). */
int cab_tune_rebuild (struct cab_tune *tune, int variant);

/* Take one measurement of VARIANT (-1: as the build left it), from the journal or by a run.  Return
   null after the reason was reported (tune_run.c). */
const struct cab_tune_run *cab_tune_measure (struct cab_tune *tune, int variant, const char *stage,
					     int round, bool sampled);
/* Return how many more measurements the budget has room for; not negative (tune_budget.c). */
int cab_tune_room (const struct cab_tune *tune);
/* Return the fewest measurements of a whole tune that can find and prove a hint, with TRY as in the
   options.  It is an upper bound before the loops are known. */
int cab_tune_least (const char *try, bool has_loops);
/* Announce, once the default has run, how long the tune takes at least and at most.  Return
   negative, having said what to do, if the budget is too small for it. */
int cab_tune_announce (const struct cab_tune *tune);
/* Return the seconds that the measurements take for which the budget has room; negative if not
   known yet. */
double cab_tune_left_s (const struct cab_tune *tune);

/* Return the run command's LINE with PROGRAM in place of the words that name WAS; to be freed
   (tune_line.c). */
char *cab_tune_line (const char *line, const char *was, const char *program);
/* Return the file of the first word of LINE that IS_PROGRAM accepts, to be freed, or null. */
char *cab_tune_line_program (const char *line, bool (*is_program) (void *host, const char *path),
			     void *host);

/* Measure the matrix, and decide from it (tune_matrix.c). */
int cab_tune_matrix (struct cab_tune *tune);
/* Race the candidates, and keep the hints that are proved (tune_race.c). */
int cab_tune_races (struct cab_tune *tune);

/* Return true if the wishes A and B are the same. */
bool cab_tune_wish_same (struct cab_tune_wish a, struct cab_tune_wish b);
/* Return a variant with WISHES (copied; null: EVERY), an existing one if there is one. */
int cab_tune_variant_add (struct cab_tune *tune, const char *name,
			  const struct cab_tune_wish *wishes, int every);
/* Return a variant of the compiler's default with one more FLAG (not copied) for the commands that
   compile the tuned loops. */
int cab_tune_variant_with (struct cab_tune *tune, const char *name, const char *flag);
/* Return the number of the first loop that is in the same function as LOOP. */
int cab_tune_function_of (const struct cab_tune *tune, int loop);
/* Return the number of loops that have a hint in VARIANT. */
int cab_tune_n_hints (const struct cab_tune *tune, int variant);

/* Count how often loops iterate, if there is room for it (tune_trips.c). */
int cab_tune_trips (struct cab_tune *tune);

/* Write a hints file with the factors of VARIANT to PATH (tune_hints.c). */
int cab_tune_hints_write (const struct cab_tune *tune, int variant, const char *path,
			  bool with_reasons);
/* Return RATIO with its interval as an object. */
json_t *cab_tune_ratio_json (const struct cab_ratio *ratio);
/* Set the member "unroll" of OBJECT and, where they are wished for, "vectorize" and "registers". */
void cab_tune_wish_json (json_t *object, struct cab_tune_wish wish);
/* Write ROOT, whose reference is taken, to PATH by a temporary name. */
int cab_tune_json_write (json_t *root, const char *path);

/* Save the journal as state.json (tune_state.c). */
int cab_tune_state_save (const struct cab_tune *tune);
/* Load the journal and the options of an interrupted tune. */
int cab_tune_state_load (struct cab_tune *tune);
/* Return the members that identify LOOP. */
json_t *cab_tune_loop_json (const struct cab_tune_loop *loop);

/* Write DIR/loops.json (tune_report.c). */
int cab_tune_report (struct cab_tune *tune);
/* Return every race, with its figures and its outcome. */
json_t *cab_tune_races_json (const struct cab_tune *tune);
/* Print what was measured and what was kept. */
void cab_tune_summary (const struct cab_tune *tune);
/* Write why LOOP has its hint or none into TEXT of BYTES bytes, unless that is a constant text;
   return the reason. */
const char *cab_tune_reason (const struct cab_tune *tune, int loop, char *text, size_t bytes);

/* Report progress on stderr. */
void cab_tune_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* Free what TUNE holds. */
void cab_tune_fini (struct cab_tune *tune);

#endif
