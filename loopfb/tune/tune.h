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
 * Units:      seconds of CPU time; weights of samples as in samples.h.
 * Ownership:  all belongs to the struct cab_tune.
 * Errors:     functions return 0, or negative after they have reported why (cab_say);
 *             CAB_INTERRUPTED is for the caller to report.
 *
 * DIR/loops.json, schema 1:
 *   { "schema", "format": "cabprof loops", "program", "run", "columns": [ { "name", "unroll",
 *   perhaps "vectorize", "registers", "align", "prefetch" } ],
 *     "loops": [ { key: "function", "name", "file", "line", "column", "ordinal", "checksum";
 *     "flags", "share" of the default's samples,
 *                  "trip": { "entries", "iterations", "mean" } or null,
 *                  "outcome": [ words or null, per column ], "stalls": [ { "mean", "low", "high",
 *                  "n" } or null, per column ] or null, "trial": { "decided", "why", "rounds",
 *                  "iterations", "equal", "placed", "ratio": each { "ratio", "low", "high", "n" }
 *                  or null; "unroll" and others as above } or null, "choice": factor or null;
 *                  "vectorize", "registers", "align", "prefetch" where that was chosen; "reason",
 *                  "predicted": ratio of the loop or null, "measured": ratio in the confirming runs
 *                  or null, "by_place": the default's least and greatest time over its median, at
 *                  N places: { "low", "high", "n" } or null } ],
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
#define CAB_TUNE_RUNS_ALL 50     /* default with `--try=all', which has five columns more, in at
				    least two rounds */
#define CAB_TUNE_RUNS_PROFILE 12 /* more by default with `--try=profile', for the proof of that */
#define CAB_TUNE_DEFAULTS 2      /* measurements of the default before the matrix */
#define CAB_TUNE_MOST_COLUMNS 11 /* of the matrix */
#define CAB_TUNE_FACTORS 6       /* columns of the matrix that are factors, with the default */
#define CAB_TUNE_SHARE 0.01      /* loops with a smaller part of the time are left alone */
#define CAB_TUNE_WIDTH 0.005     /* differences of less than this part of the program's time are not
				    looked for */
#define CAB_TUNE_LOOPS 64        /* at most, the hottest ones */
#define CAB_TUNE_SAMPLES 5000    /* wanted from each measurement */
#define CAB_TUNE_TRIED 0.95      /* part of the sampled loops' time whose loops are tried */
#define CAB_TUNE_TRIALS_LEAST 2  /* measurements of a build with trials */
#define CAB_TUNE_TRIALS_MOST 3
#define CAB_TUNE_BESIDE 0.03     /* part of the program's time: if loops that were too short take as
				    much, they are tried again by themselves */
#define CAB_TUNE_SLOW 0.15       /* part of the program's time: if loops that trials do not decide
				    take as much, separate builds measure them */
#define CAB_TUNE_AIM 25          /* measurements after which the proof of what trials chose ends, if
				    no limit was given */
#define CAB_TUNE_TRY "factors"   /* default of `--try' */
#define CAB_TUNE_METHOD "trials" /* default of `--method' */
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
  const char *try;               /* a list, with commas: "factors"; "prefetch" in place of them;
				    "all" for these, vectorising, registers and alignment; "profile"
				    for the compiler's own profile as well; null if not given */
  const char *method;            /* "trials" or "builds"; null if not given */
  bool resume, keep;
};

/* The hint that a loop is to be given. */
#define CAB_TUNE_NO_ROW -1
struct cab_tune_request
{
  int unroll;                    /* 0 .. 64, where 0 leaves the choice to the compiler;
				    CAB_TUNE_NO_ROW: no hint at all */
  enum cab_hint_vectorize vectorize;
  bool registers;                /* rename those of its function; the same for all loops of the
				    function */
  unsigned align;                /* of the loop's head, in bytes; 0: the compiler's */
  unsigned prefetch;             /* how many iterations ahead; 0: not at all */
  bool alone;                    /* the loops inside it do not get it, as in trials */
};
#define CAB_TUNE_NO_WISH \
  ((struct cab_tune_request) { CAB_TUNE_NO_ROW, CAB_VECTORIZE_AS_IS, false, 0, 0, false })

/* What trials say of a loop. */
enum cab_tune_tried
{
  CAB_TUNE_NOT_NAMED,            /* it was not part of the trials */
  CAB_TUNE_NOT_TRIED,            /* its function is not copied, or was not executed */
  CAB_TUNE_TOO_SHORT,
  CAB_TUNE_NOT_MEASURABLE,       /* equal copies differ */
  CAB_TUNE_NOISY,                /* whether they do is not known, and no copy is surely faster */
  CAB_TUNE_DECIDED
};

struct cab_tune_trial
{
  enum cab_tune_tried tried;
  const char *why;               /* CAB_TUNE_NOT_TRIED: the reason */
  bool crowded;                  /* it is that its function has too many loops */
  bool idle;                     /* it is one for which no hint changes the loop, or hardly */
  int holder;                    /* number of the function that was copied; -1: none */
  int n_rounds;
  double iterations;             /* of the loop in an execution of its function */
  struct cab_ratio same;         /* of a copy to an equal one; aligned, as the reference is */
  struct cab_ratio placed;       /* likewise, where the compiler places them: luck of place */
  struct cab_ratio ratio;        /* of the best copy to the reference */
  struct cab_tune_request request;   /* CAB_TUNE_DECIDED: of the best copy, or none */
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
  struct cab_tune_trial trial;
  bool misses;                   /* `has_misses': its loads miss the first level of the caches */
};

#define CAB_TUNE_PLACE_UNKNOWN -1
struct cab_tune_variant
{
  char *name, *dir, *hints;
  struct cab_tune_request *requests;  /* per loop; null if loops are not known */
  int every;                     /* one factor for all loops, where loops are not known */
  const char *flags[CAB_TREE_FLAGS];
  bool whole;                    /* all of the program is compiled for it, not only tuned loops, and
				    files beside outputs keep their names */
  bool built;
  int place;                     /* of its code (tune_places.h); 0: as the linker puts it */
  bool failed;                   /* it cannot be built, and is not tried again */
};

struct cab_tune_run
{
  char *variant;                 /* name of the variant */
  char *stage;
  int round;
  int place;                     /* of the variant's code */
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
  bool *all;                     /* the commands that make a variant that is `whole' */
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
  char *no_places;               /* why code is not moved; null: it can be */
  int n_places, n_links;         /* places drawn so far, of which the last is in use; links again */
  double links_s;                /* wall time of these links */
  struct cab_tune_race *races;
  int n_races;
  json_t *source;                /* describes what sampled; null if nothing did */
  double grain, weight;          /* of one sample; of all samples of a default run */
  uint64_t period;               /* for runs that are compared */
  char *source_problem, *no_trips;   /* why there are no samples, no trip counts; null if there
					are */
  bool has_misses;               /* a profile says which loops miss; the others get no prefetches */
  bool by_trials;                /* trials choose the hints */
  bool slow;                     /* loops that trials do not decide are measured by builds; so are
				    all loops if trials choose nothing */
  char *no_trials;               /* why trials choose nothing; null: they do, or were not wanted */
  char *trials_flags[2];         /* the options that name the loops that are tried: in copies of
				    their functions, and by themselves */
  int columns[CAB_TUNE_MOST_COLUMNS];   /* the variants that are the matrix's columns */
  struct cab_matrix matrix;
  struct cab_decision decision;
  bool has_decision;
  char *profile;                 /* the directory of the profile for the compiler; null: there is
				    none, `no_profile' says why */
  char *no_profile;
  int kept;                      /* the variant whose hints are kept; 0 if none */
  struct cab_ratio kept_ratio;
  double load[3];
  time_t began;                  /* when the first build began; 0 if none has */
};

/* Return true if WHAT is one of the words of TRY, the list of `--try'; null is the default. */
bool cab_tune_tries (const char *try, const char *what);
/* Set the defaults of what is not given. */
void cab_tune_defaults (struct cab_tune_options *options);

/* Free what TUNE holds. */
void cab_tune_fini (struct cab_tune *tune);

#endif
