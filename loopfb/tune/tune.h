/* tune.h - `cabprof tune`: build a program with hints for its loops, measure, decide, race, keep
 * what pays.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a variant is a build of the program with hints of its own, in a private tree.
 *             Variant 0 is the compiler's default.  What is done next follows from the options and
 *             the runs so far alone; so the runs are a journal, and `--resume' is the same way gone
 *             again, with the journal in the place of the first runs (tune_state.c). DIR/tune/
 *             holds the work: build.log (build_log.h), state.json, v/NN (trees), what was said.
 *             DIR/loops.json is the result.
 * Units:      seconds of CPU time; weights of samples as in sample.h.
 * Ownership:  all belongs to the struct cab_tune.
 * Errors:     functions return 0, or negative after they have said why (cab_say); CAB_INTERRUPTED
 *             is for the caller to say.
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

#define CAB_TUNE_RUNS 40         /* measurements, where nobody says otherwise ... */
#define CAB_TUNE_RUNS_ALL 46     /* ... and with `--try=all', which has three columns more, in two
				    rounds at least */
#define CAB_TUNE_DEFAULTS 2      /* measurements of the default before the matrix */
#define CAB_TUNE_FACTORS 6       /* columns of the matrix that are factors, with the default */
#define CAB_TUNE_SHARE 0.01      /* loops with less of the time are left alone */
#define CAB_TUNE_WIDTH 0.005     /* differences of less than this part of the program's time are not
				    looked for */
#define CAB_TUNE_LOOPS 64        /* of the hottest */
#define CAB_TUNE_SAMPLES 5000    /* wanted from each measurement */
#define CAB_TUNE_TRY "factors"   /* what `--try' is where nobody says otherwise: "factors" or
				    "all" */
#define CAB_TUNE_SCHEMA 1

struct cab_tune_options
{
  const char *build, *rebuild, *run;
  const char *hints;             /* file to write */
  const char *dir;               /* the profile */
  const char *program, *check, *source;
  int jobs, max_runs;            /* max_runs 0: not given */
  double budget_s;               /* 0: not given */
  double share;                  /* negative: not given */
  const char *try;               /* "factors", or "all": vectorising and registers as well; null:
				    not given */
  bool resume, keep;
};

struct cab_tune_loop
{
  char *function, *name, *file, *flags;
  uint32_t line, column, ordinal, checksum;
  uint64_t key;
  double share;
  bool skip;                     /* gets no hint */
  bool outer;                    /* takes no share itself, but lies around a tuned loop: it has what
				    is left of that where it vanishes */
  int owner;                     /* of an inner loop: the one that it goes with */
  int around;                    /* of a tuned loop: the tuned one that it lies in; -1: none */
  int leader;                    /* the loop whose row of the matrix has this one's figures too:
				    itself, but for nests (tune_nest.c) */
  struct cab_ratio slower;       /* with a hint that was taken back because it made this loop
				    slower; n 0: none was */
  struct cab_ratio measured;     /* with the hints that were confirmed; n 0: nothing was */
  bool has_trips;                /* these were counted: */
  uint64_t entries, iterations;  /* of one run */
  double trips;                  /* iterations of an execution that ended, in the mean */
};

/* What a loop is to be given. */
#define CAB_TUNE_NO_ROW -1
struct cab_tune_wish
{
  int unroll;                    /* 0 .. 64, 0: as the compiler likes; CAB_TUNE_NO_ROW: no hint at
				    all */
  enum cab_hint_vectorize vectorize;
  bool registers;                /* rename those of its function: of all loops there, or of none */
};
#define CAB_TUNE_NO_WISH ((struct cab_tune_wish) { CAB_TUNE_NO_ROW, CAB_VECTORIZE_AS_IS, false })

struct cab_tune_variant
{
  char *name, *dir, *hints;
  struct cab_tune_wish *wishes;  /* per loop; null: loops are not known */
  int every;                     /* where loops are not known: one factor for all */
  const char *flags[4];
  bool built;
};

struct cab_tune_run
{
  char *variant;                 /* its name */
  char *stage;
  int round;
  double cpu_s, wall_s, weight; /* of all its repetitions */
  json_int_t samples, lost;
  double overhead;               /* of sampling, over cpu_s; negative: not known */
  double *loops;                 /* weight of each; null: not sampled, or the loops were not yet
				    known */
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
  int target;                    /* command that made the program */
  int target_output;             /* which of its outputs */
  char *program;                 /* path, as the run names it */
  bool *hot, *need;
  struct cab_tune_loop *loops;
  struct cab_tune_loop *inner;   /* in tuned loops, and none themselves: the compiler's default
				    leaves nothing of them, or they never ran.  They get what their
				    loop gets, and what is sampled in them, where something is left
				    of them, is their loop's */
  int n_loops, n_inner, n_known; /* those tuned; in them; all that the loop tables have */
  struct cab_tune_variant *variants;
  int n_variants, n_builds;
  struct cab_tune_run *runs;     /* the journal */
  int n_runs, n_journal, next;   /* runs made or read; of these read; the next to be asked for */
  int repeat;                    /* program runs for one measurement */
  int n_program_runs;
  double spent_s;                /* of all runs, wall */
  struct cab_tune_race *races;
  int n_races;
  json_t *source;                /* what sampled; null: nothing */
  double grain, weight;          /* of one sample; of all samples of a default run */
  uint64_t period;               /* for runs that are compared */
  char *source_problem, *no_trips;   /* why there are no samples, no trip counts; null: there are */
  struct cab_matrix matrix;
  struct cab_decision decision;
  bool has_decision;
  int kept;                      /* the variant whose hints stay; 0: none */
  struct cab_ratio kept_ratio;
  double load[3];
  time_t began;                  /* when the first build began; 0: none has */
};

/* cmd_tune.c: what is not given. */
void cab_tune_defaults (struct cab_tune_options *options);

/* tune_build.c: the build, once, recorded; the program that the run command runs. */
int cab_tune_build (struct cab_tune *tune);
int cab_tune_find_program (struct cab_tune *tune);
/* Which commands compile loops that are tuned. */
int cab_tune_find_hot (struct cab_tune *tune);
/* Build those of the first N variants that are not. */
int cab_tune_build_variants (struct cab_tune *tune);
/* The program of VARIANT (-1: as the build left it); to be freed. */
char *cab_tune_program (const struct cab_tune *tune, int variant);
int cab_tune_install (struct cab_tune *tune, int variant);

/* Run the user's COMMAND with HINTS for the compilers in the wrappers' place, recording to LOG
   (null: not). */
int cab_tune_shell (const struct cab_tune *tune, const char *command, const char *hints,
		    const char *log);

/* tune_restore.c: files that the build has written and that name our wrappers name the real tools
   again. */
void cab_tune_restore (const struct cab_tune *tune);

/* tune_rebuild.c: VARIANT (-1: the default, in place) by the user's own command. */
int cab_tune_rebuild (struct cab_tune *tune, int variant);

/* tune_run.c: one measurement of VARIANT (-1: as the build left it), from the journal or made now.
   Null: it has been said why. */
const struct cab_tune_run *cab_tune_measure (struct cab_tune *tune, int variant, const char *stage,
					     int round, bool sampled);
/* tune_budget.c: how many more measurements the budget has room for; not negative. */
int cab_tune_room (const struct cab_tune *tune);
/* The fewest measurements of a whole tune that can find and prove a hint, with TRY as in the
   options; an upper bound before the loops are known. */
int cab_tune_least (const char *try, bool has_loops);
/* Say, once the default has run, how long the tune takes at least and at most; negative, and what
   to do, if the budget is too small for it. */
int cab_tune_announce (const struct cab_tune *tune);
/* Seconds that the measurements which the budget has room for take; negative: not known yet. */
double cab_tune_left_s (const struct cab_tune *tune);

/* tune_line.c: the run command's line with PROGRAM in the place of the words that name WAS; to be
   freed. */
char *cab_tune_line (const char *line, const char *was, const char *program);
/* The first word of LINE that IS_PROGRAM takes; to be freed, null: none. */
char *cab_tune_line_program (const char *line, bool (*is_program) (void *host, const char *path),
			     void *host);

/* tune_matrix.c, tune_race.c */
int cab_tune_matrix (struct cab_tune *tune);
int cab_tune_races (struct cab_tune *tune);

/* tune_variant.c */
bool cab_tune_wish_same (struct cab_tune_wish a, struct cab_tune_wish b);
/* A variant with these wishes (copied; null: EVERY), an existing one if there is. */
int cab_tune_variant_add (struct cab_tune *tune, const char *name,
			  const struct cab_tune_wish *wishes, int every);
/* The compiler's default with one more FLAG (not copied) for what compiles the tuned loops. */
int cab_tune_variant_with (struct cab_tune *tune, const char *name, const char *flag);
/* The number of the first loop that is in the same function as LOOP. */
int cab_tune_function_of (const struct cab_tune *tune, int loop);
/* Loops that got a hint in VARIANT. */
int cab_tune_n_hints (const struct cab_tune *tune, int variant);

/* tune_trips.c: count how often loops iterate, if there is room for it. */
int cab_tune_trips (struct cab_tune *tune);

/* tune_hints.c: a hints file with the factors of VARIANT. */
int cab_tune_hints_write (const struct cab_tune *tune, int variant, const char *path,
			  bool with_reasons);
json_t *cab_tune_ratio_json (const struct cab_ratio *ratio);
/* Members "unroll" and, where they are wished for, "vectorize" and "registers" of OBJECT. */
void cab_tune_wish_json (json_t *object, struct cab_tune_wish wish);
/* Dump ROOT to PATH by a temporary name; takes ROOT. */
int cab_tune_json_write (json_t *root, const char *path);

/* tune_state.c */
int cab_tune_state_save (const struct cab_tune *tune);
int cab_tune_state_load (struct cab_tune *tune);
json_t *cab_tune_loop_json (const struct cab_tune_loop *loop);

/* tune_report.c */
int cab_tune_report (struct cab_tune *tune);
/* Every race, with its figures and what was made of it. */
json_t *cab_tune_races_json (const struct cab_tune *tune);
void cab_tune_summary (const struct cab_tune *tune);
const char *cab_tune_reason (const struct cab_tune *tune, int loop, char *text, size_t bytes);

/* progress, on stderr */
void cab_tune_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
void cab_tune_fini (struct cab_tune *tune);

#endif
