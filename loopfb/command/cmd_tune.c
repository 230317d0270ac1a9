/* cmd_tune.c - cabprof tune: find the unroll factors that make a program faster, and prove it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ftw.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/command.h"
#include "loopfb/command/tune_profile.h"
#include "loopfb/tune/tune.h"
#include "loopfb/tune/tune_build.h"
#include "loopfb/tune/tune_restore.h"
#include "loopfb/tune/tune_rebuild.h"
#include "loopfb/tune/tune_run.h"
#include "loopfb/tune/tune_budget.h"
#include "loopfb/tune/tune_matrix.h"
#include "loopfb/tune/tune_misses.h"
#include "loopfb/tune/tune_race.h"
#include "loopfb/tune/tune_trials.h"
#include "loopfb/tune/tune_trips.h"
#include "loopfb/tune/tune_variant.h"
#include "loopfb/tune/tune_hints.h"
#include "loopfb/tune/tune_state.h"
#include "loopfb/tune/tune_report.h"
#include "loopfb/tune/tune_say.h"
#include "loopfb/formats/hints.h"
#include "rt/common/directory.h"

static int
remove_one (const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
  (void) st, (void) kind, (void) ftw;
  return remove (path);
}

static void
remove_tree (const char *path)
{
  nftw (path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int
fail_place (const char *path, const char *wrong)
{
  cab_say ("%s: %s: choose another directory with -d", path, wrong);
  return -1;
}

/* Open the profile's directory GIVEN, which is created if there is none.  Return -1, after a
   message, if something else has its name or it belongs to another user. */
static int
open_place (const char *given)
{
  const char *name, *wrong = NULL;
  char dir[PATH_MAX];
  size_t n = snprintf (dir, sizeof dir, "%s", given);
  if (n >= sizeof dir)
    return fail_place (given, strerror (ENAMETOOLONG));
  while (n > 1 && dir[n - 1] == '/')
    dir[--n] = 0;
  cab_directory_start ();
  int parent = cab_directory_parent (dir, &name), fd = parent;
  if (parent >= 0)
    {
      fd = cab_directory_enter (parent, name, true, &wrong);
      close (parent);
    }
  return fd >= 0 ? fd : fail_place (dir, wrong ? wrong : strerror (-fd));
}

/* Return 1 if NAME in the directory PLACE, whose name is DIR, is a directory of ours, 0 if it does
   not exist, or -1, after a message, if it is anything else. */
static int
look_at_work (int place, const char *dir, const char *name)
{
  const char *wrong;
  int fd = cab_directory_enter (place, name, false, &wrong);
  if (fd >= 0)
    close (fd);
  if (fd >= 0 || fd == -ENOENT)
    return fd >= 0;
  char *path = concat (dir, "/", name, NULL);
  fail_place (path, wrong ? wrong : strerror (-fd));
  free (path);
  return -1;
}

/* Create DIR/tune, empty; what was there becomes DIR/tune.old. */
static int
make_work (struct cab_tune *tune)
{
  const char *given = tune->options.dir;
  int place = open_place (given), result = 0;
  char *dir = place < 0 ? NULL : realpath (given, NULL),
       *old = dir ? concat (dir, "/tune.old", NULL) : NULL;
  if (place >= 0 && !dir)
    fail_place (given, strerror (errno));
  if (!dir || look_at_work (place, given, "tune") < 0
      || (!tune->options.resume && look_at_work (place, given, "tune.old") < 0))
    result = -1;
  else
    {
      tune->work = concat (dir, "/tune", NULL);
      tune->own_path = concat (dir, "/tune/bin", NULL);
    }
  if (result == 0 && !tune->options.resume)
    {
      remove_tree (old);
      if ((renameat (place, "tune", place, "tune.old") < 0 && errno != ENOENT)
	  || mkdirat (place, "tune", 0777) < 0)
	result = fail_place (given, strerror (errno));
    }
  if (place >= 0)
    close (place);
  free (old);
  free (dir);
  return result;
}

/* Run what the build made twice, to find the hot loops and to see that the program's output is the
   same twice. */
static int
look_at_default (struct cab_tune *tune)
{
  cab_tune_say ("running the default: %s", tune->options.run);
  for (int round = 0; round < CAB_TUNE_DEFAULTS; round++)
    if (!cab_tune_measure (tune, -1, 0, "default", round, true))
      return -1;
  if (!tune->source)
    cab_tune_say (
      "no samples (%s): the time of the whole program decides, with one factor for all loops",
      tune->source_problem ? tune->source_problem : "--sample off");
  else if (!tune->n_loops && !tune->n_known)
    cab_tune_say ("samples cannot be attributed to loops, as the program is stripped or has no "
		  "tables of loops: one factor for all of them");
  return 0;
}

/* Leave the figures of the trials, and the profile that was kept, beside the result; remove the
   work. */
static void
clean (const struct cab_tune *tune)
{
  char *trials = cab_tune_trials_directory (tune), *profile = cab_tune_profile_directory (tune),
       *old = concat (tune->work, ".old", NULL);
  remove_tree (trials);
  cab_tune_trials_keep (tune);
  if (tune->profile && !(tune->kept && tune->variants[tune->kept].whole))
    remove_tree (profile);
  if (!tune->options.keep)
    {
      remove_tree (tune->work);
      remove_tree (old);
    }
  free (trials);
  free (profile);
  free (old);
}

/* Write the hints, loops.json, and last the program: whatever fails, what was measured is on
   disk. */
static int
finish (struct cab_tune *tune)
{
  if (cab_tune_hints_write (tune, tune->kept ? tune->kept : -1, tune->options.hints, true) < 0
      || cab_tune_report (tune) < 0)
    return -1;
  if (tune->kept && cab_tune_install (tune, tune->kept) < 0)
    return -1;
  if (!tune->kept && tune->options.rebuild && cab_tune_rebuild (tune, -1) < 0)
    return -1;
  if (isatty (2))
    fputs ("\r\033[K", stderr);
  cab_tune_summary (tune);
  bool has_hints = tune->kept && cab_tune_n_hints (tune, tune->kept);
  printf ("%s%s%s; `cabprof report loops -d %s' shows what was measured.\n",
	  has_hints ? "The hints are in " : "", tune->options.hints,
	  has_hints ? "" : " has none, with the reason for each loop", tune->options.dir);
  clean (tune);
  return 0;
}

/* Check that the hints can be written where they are wanted.  They are written last, but only now
   the user can still choose another place. */
static int
check_hints_place (const char *path)
{
  struct stat st;
  size_t n = lbasename (path) - path;
  char *dir = n ? xstrndup (path, n) : xstrdup (".");
  int bad = access (dir, W_OK | X_OK) < 0 ? errno
	  : stat (path, &st) == 0 && S_ISDIR (st.st_mode) ? EISDIR
	  : 0;
  if (bad)
    cab_say ("%s: the hints cannot be written there: %s: choose another file with -o", path,
	     strerror (bad));
  free (dir);
  return bad ? -1 : 0;
}

static int
go (struct cab_tune *tune)
{
  if (make_work (tune) < 0 || (tune->options.resume && cab_tune_state_load (tune) < 0))
    return -1;
  cab_tune_defaults (&tune->options);
  if (!tune->options.hints)
    tune->options.hints = CAB_HINTS_FILE;
  if (check_hints_place (tune->options.hints) < 0)
    return -1;
  if (cab_tune_build (tune) < 0 || cab_tune_find_program (tune) < 0 || look_at_default (tune) < 0)
    return -1;
  if (cab_tune_tries (tune->options.try, "all") || cab_tune_tries (tune->options.try, "prefetch"))
    cab_tune_misses (tune);
  if (tune->source && !tune->n_loops && tune->n_known)
    cab_tune_say ("no loop takes %g %% of the time: there is nothing to unroll",
		  100 * tune->options.share);
  else if (cab_tune_announce (tune) < 0 || cab_tune_find_hot (tune) < 0
	   || cab_tune_trials (tune) < 0 || cab_tune_matrix (tune) < 0
	   || cab_tune_profile (tune) < 0
	   || cab_tune_races (tune) < 0 || cab_tune_trips (tune) < 0)
    return -1;
  return finish (tune);
}

static int
tune_all (const struct cab_tune_options *options)
{
  struct cab_tune tune = { .options = *options, .cwd = getcwd (NULL, 0), .target = -1 };
  cab_interrupt_init ();
  if (getloadavg (tune.load, 3) < 0)
    memset (tune.load, 0, sizeof tune.load);
  int result = go (&tune);
  bool cut = cab_interrupted && result < 0;   /* it came early enough to stop something */
  /* A rebuild that is to be resumed needs the wrappers where they are. */
  if (!cut || !options->rebuild || !tune.n_runs)
    cab_tune_restore (&tune);
  if (cut && !tune.n_runs)
    cab_say ("interrupted: nothing was measured yet: start again, from a clean tree");
  else if (cut)
    cab_say ("interrupted: %d measurements are kept: `cabprof tune --resume%s%s' goes on",
	     tune.n_runs, strcmp (options->dir, CAB_DEFAULT_DIR) ? " -d " : "",
	     strcmp (options->dir, CAB_DEFAULT_DIR) ? options->dir : "");
  cab_tune_fini (&tune);
  return cut ? 128 + cab_interrupted : result < 0 ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
}

static int
check_options (const struct cab_tune_options *o, char **words)
{
  if (*words)
    return cab_usage ("tune", *words,
		      "is not an option; a command of several words is one argument, in quotes");
  if (o->resume)
    return 0;
  if (!o->build && !o->rebuild)
    return cab_usage ("tune", "--build", "is required");
  const char *try = o->try ? o->try : CAB_TUNE_TRY;
  int least = cab_tune_least (o, true);
  if (o->max_runs && o->max_runs < least)
    {
      char words[80];
      snprintf (words, sizeof words, "with --try=%s at least %d measurements are needed", try,
		least);
      return cab_usage ("tune", "--runs", words);
    }
  if (o->build && o->rebuild)
    return cab_usage ("tune", "--build and --rebuild", "are two ways to build: give one");
  if (!o->run)
    return cab_usage ("tune", "--run", "is required");
  return 0;
}

static int
take_try (const struct cab_argument *option, const char *what)
{
  static const char words[] = "factors,prefetch,profile,all";
  const char **try = option->to;
  *try = what;
  do
    {
      char *word = xstrndup (what, strcspn (what, ","));
      bool is_known = cab_tune_tries (words, word);
      int result = is_known ? 0
			    : cab_usage ("tune", word, "is not factors, prefetch, profile or all");
      free (word);
      if (result)
	return result;
      what += strcspn (what, ",");
    }
  while (*what++);
  return 0;
}

static int
take_method (const struct cab_argument *option, const char *what)
{
  const char **method = option->to;
  *method = what;
  return !strcmp (what, "trials") || !strcmp (what, "builds")
	 ? 0
	 : cab_usage ("tune", what, "is neither trials nor builds");
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct cab_tune_options *o)
{
  static const char no_number[] = "is not a number for this option";
  double percent = -1;
  long runs = o->max_runs, jobs = o->jobs;
  char **words, most[60], least[80];
  const struct cab_argument options[] = {
    { "build", "COMMAND", "builds the program from a clean tree; run once, and recorded",
      .text = &o->build },
    { "rebuild", "COMMAND",
      "instead: rebuilds everything each time that it is run, by cabprof-gcc or with "
      "-fplugin=cabprof",
      .text = &o->rebuild },
    { "run", "COMMAND",
      "runs it, with input worth tuning for; its output must always be the same",
      .text = &o->run },
    { "program", "FILE", "the program, if COMMAND is a script: it runs $CABPROF_PROGRAM",
      .text = &o->program },
    { "check", "COMMAND",
      "says by exit status 0 that the output in $CABPROF_OUTPUT is right, instead of comparing it",
      .text = &o->check },
    { "o", "FILE", "the hints (default " CAB_HINTS_FILE ")", .text = &o->hints },
    CAB_ARGUMENT_DIR (&o->dir),
    { "sample", "NAME", "what to sample: an event, timer, auto or off (default auto)",
      .text = &o->source },
    { "try", "WHAT",
      "factors: unroll factors; prefetch: instead, how many iterations ahead to prefetch; "
      "profile: also the compiler's own profile (-fprofile-use); all: "
      "factors, and to vectorize, not to, to align, to prefetch, other registers; or a list, such "
      "as all,profile (default " CAB_TUNE_TRY ")",
      .take = take_try, .to = &o->try },
    { "method", "HOW",
      "how hints are chosen, before they are proved: trials: by copies of the hot loops in one "
      "build, and builds for loops that these cannot measure; builds: by a build for each hint "
      "(default " CAB_TUNE_METHOD ")",
      .take = take_method, .to = &o->method },
    { "runs", "N", most, .whole = &runs, .least = 1, .most = 1e9,
      .wrong = "is not a number of runs" },
    { "budget", "SECONDS", "at most so long, builds not counted", .number = &o->budget_s,
      .least = 0.1, .most = 1e9, .wrong = no_number },
    { "share", "PERCENT", least, .number = &percent, .most = 1e9, .wrong = no_number },
    { "jobs", "N", "build with N processes (default: as many as cores)", .whole = &jobs,
      .least = 1, .most = 1e9, .wrong = no_number },
    { "resume", NULL, "go on after an interrupt", .flag = &o->resume },
    { "keep", NULL, "keep the variants' trees in DIR/tune", .flag = &o->keep }
  };
  const struct cab_arguments arguments = {
    "tune", "--build COMMAND --run COMMAND [OPTION...]",
    "Build a program with hints for its hot loops (unroll factors), measure them, keep those that "
    "make it significantly faster: as hints for the compiler, and in the program that the build "
    "leaves.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  snprintf (most, sizeof most, "at most N measurements (default %d, of all %d)", CAB_TUNE_RUNS,
	    CAB_TUNE_RUNS_ALL);
  snprintf (least, sizeof least, "leave loops alone that take less of the time (default %g)",
	    100 * CAB_TUNE_SHARE);
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  o->max_runs = runs;
  o->jobs = jobs;
  o->share = percent < 0 ? -1 : percent / 100;
  return status ? status : check_options (o, words);
}

int
cab_cmd_tune (int argc, char **argv)
{
  struct cab_tune_options options = { .dir = CAB_DEFAULT_DIR, .share = -1,
				      .jobs = sysconf (_SC_NPROCESSORS_ONLN) };
  int status = parse (argc, argv, &options);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  return tune_all (&options);
}
