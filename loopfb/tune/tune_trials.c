/* tune_trials.c - see tune_trials.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_trials.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"
#include "analyses/report/loops/loop_trials.h"
#include "loopfb/tune/tune_budget.h"
#include "loopfb/tune/tune_build.h"
#include "loopfb/tune/tune_json.h"
#include "loopfb/tune/tune_run.h"
#include "loopfb/tune/tune_say.h"
#include "loopfb/tune/tune_stage.h"
#include "loopfb/tune/tune_tried.h"
#include "loopfb/tune/tune_variant.h"

#define PLACES_MOST 5   /* loops that a message names */
#define UNBUILT 1       /* the program cannot be built with trials */

/* Return why trials cannot choose the hints of TUNE; null if they can. */
static const char *
why_not (const struct cab_tune *tune)
{
  return tune->options.rebuild ? "--rebuild makes no build with them"
       : !tune->source || !tune->n_loops ? "no loop could be looked at by itself"
       : cab_tune_is_lto (tune) ? "objects for -flto have no copies of functions"
       : cab_tune_room (tune) < CAB_TUNE_TRIALS_MOST + 2 * CAB_TUNE_PAIRS ? "no budget"
									  : NULL;
}

/* Set NAMED for the hottest loops that together hold CAB_TUNE_TRIED of all loops' time.  Return how
   many they are. */
static int
name_loops (const struct cab_tune *tune, bool *named)
{
  double all = 0, sum = 0;
  int n = 0;
  for (int i = 0; i < tune->n_loops; i++)
    all += tune->loops[i].skip ? 0 : tune->loops[i].share;
  for (int i = 0; i < tune->n_loops && sum < CAB_TUNE_TRIED * all; i++)
    {
      named[i] = !tune->loops[i].skip;
      sum += named[i] ? tune->loops[i].share : 0;
      n += named[i];
    }
  return n;
}

/* Write the file that names the loops NAMED to PATH, to be copied BESIDE each other or with their
   functions. */
static int
write_names (const struct cab_tune *tune, const bool *named, bool beside, const char *path)
{
  json_t *loops = json_array ();
  for (int i = 0; i < tune->n_loops; i++)
    if (named[i])
      json_array_append_new (loops, cab_tune_loop_json (&tune->loops[i]));
  return cab_tune_json_write (json_pack ("{s:i, s:s, s:b, s:o}", "schema", CAB_HINTS_SCHEMA,
					 "format", CAB_HINTS_FORMAT, "beside", beside, "loops",
					 loops),
			      path);
}

/* Return the variant with trials of the loops that the file NAMES has. */
static int
add_variant (struct cab_tune *tune, const char *names, bool beside)
{
  cab_tune_variant_default (tune);
  tune->trials_flags[beside] = concat ("-fplugin-arg-cabprof-trials=", names, NULL);
  int v = cab_tune_variant_with (tune, beside ? "beside" : "copies", tune->trials_flags[beside]);
  tune->variants[v].flags[1] = "-Wno-error";   /* there are warnings of loops that are not tried */
  return v;
}

/* Return true if another run may decide LOOP: its rounds are nearly enough, or equal copies differ,
   or may. */
static bool
is_near (const struct cab_tune_loop *loop)
{
  return loop->trial.tried == CAB_TUNE_NOT_MEASURABLE || loop->trial.tried == CAB_TUNE_NOISY
      || (loop->trial.tried == CAB_TUNE_TOO_SHORT
	  && loop->trial.n_rounds * CAB_TUNE_TRIALS_MOST
	       >= CAB_TRIALS_LEAST * CAB_TUNE_TRIALS_LEAST);
}

/* Return true if another run may decide more loops of NAMED. */
static bool
wants_more (const struct cab_tune *tune, const bool *named)
{
  for (int i = 0; i < tune->n_loops; i++)
    if (named[i] && is_near (&tune->loops[i]))
      return true;
  return false;
}

/* Run variant V, whose figures go to DIR, until they say enough of the loops NAMED.  Then read what
   they say of the loops ALL. */
static int
run (struct cab_tune *tune, int v, const bool *named, const bool *all, const char *dir)
{
  int result = 0;
  for (int round = 0; round < CAB_TUNE_TRIALS_MOST && !result; round++)
    {
      if (round >= CAB_TUNE_TRIALS_LEAST && !wants_more (tune, named))
	break;
      setenv ("CABPROF_TRIALS", dir, 1);
      result = cab_tune_measure (tune, v, 0, "trials", round, false) ? 0 : -1;
      unsetenv ("CABPROF_TRIALS");
      if (!result && round >= CAB_TUNE_TRIALS_LEAST - 1)
	cab_tune_tried_read (tune, all, dir);
    }
  return result;
}

/* Return true if trials have named LOOP, and leave it open. */
static bool
is_open (const struct cab_tune_loop *loop)
{
  return !loop->skip && loop->trial.tried != CAB_TUNE_DECIDED
	 && loop->trial.tried != CAB_TUNE_NOT_NAMED;
}

/* Say why trials leave loop FIRST open, once for all loops with the same reason. */
static void
say_why_open (const struct cab_tune *tune, int first)
{
  char why[256], other[256], places[256] = "";
  int n = 0;
  size_t at = 0;
  cab_tune_tried_words (&tune->loops[first], why, sizeof why);
  for (int i = 0; i < tune->n_loops; i++)
    {
      const struct cab_tune_loop *loop = &tune->loops[i];
      if (!is_open (loop) || strcmp (cab_tune_tried_words (loop, other, sizeof other), why))
	continue;
      if (i < first)
	return;
      if (n++ < PLACES_MOST && at < sizeof places)
	at += snprintf (places + at, sizeof places - at, "%s%s:%u", at ? ", " : "",
			lbasename (loop->file), loop->line);
    }
  if (n > PLACES_MOST)
    cab_tune_say ("%s and %d other loops: %s", places, n - PLACES_MOST, why);
  else
    cab_tune_say ("%s: %s", places, why);
}

/* Decide whether the loops that trials leave open are worth builds of their own, and say so. */
static void
look_at_rest (struct cab_tune *tune)
{
  double rest = 0;
  int matrix = cab_tune_least_matrix (tune->options.try, true), n = 0;
  for (int i = 0; i < tune->n_loops; i++)
    {
      const struct cab_tune_loop *loop = &tune->loops[i];
      if (!is_open (loop))
	continue;
      rest += loop->trial.idle ? 0 : loop->share;
      n += !loop->trial.idle;
      say_why_open (tune, i);
    }
  tune->slow = rest >= CAB_TUNE_SLOW && cab_tune_room (tune) >= matrix + 2 * CAB_TUNE_PAIRS;
  if (tune->slow)
    cab_tune_say ("%d loop%s with %.0f %% of the time %s measured by separate builds", n,
		  n == 1 ? "" : "s", 100 * rest, n == 1 ? "is" : "are");
}

/* Let separate builds choose all hints, because of WHY.  Return negative, after saying what to do,
   if there is no budget for that. */
static int
have_none (struct cab_tune *tune, const char *why)
{
  int need = cab_tune_least_matrix (tune->options.try, tune->n_loops > 0) + 2 * CAB_TUNE_PAIRS;
  tune->no_trials = xstrdup (why);
  tune->slow = true;
  if (tune->options.max_runs && cab_tune_room (tune) < need)
    {
      cab_say ("--runs=%d: no trials are possible (%s), and separate builds need %d measurements: "
	       "give --runs=%d",
	       tune->options.max_runs, why, tune->next + need, tune->next + need);
      return -1;
    }
  cab_tune_say ("no trials: %s: separate builds measure the loops", why);
  return 0;
}

/* Build the trials of the loops NAMED, in copies of their functions or BESIDE each other, run them,
   and note what they say of the loops ALL.  Return UNBUILT if there is no such build. */
static int
try_loops (struct cab_tune *tune, const bool *named, const bool *all, bool beside)
{
  char *names = concat (tune->work, beside ? "/beside.json" : "/trials.json", NULL),
       *dir = concat (tune->work, "/trials", NULL);
  int result = write_names (tune, named, beside, names),
      v = add_variant (tune, names, beside);
  int built = result ? 0 : cab_tune_build_one (tune, v);
  if (built)
    result = built == CAB_INTERRUPTED ? built : UNBUILT;
  else if (!result)
    {
      char *program = cab_tune_program (tune, v);
      tune->by_trials = true;
      if (cab_tune_tried_records (tune, named, program))
	result = run (tune, v, named, all, dir);
      free (program);
    }
  free (names);
  free (dir);
  return result;
}

/* Try those of the loops NAMED again, side by side, whose functions are executed too rarely for
   trials, or have too many of them, if they take enough of the time. */
static int
try_beside (struct cab_tune *tune, const bool *named)
{
  bool *again = xcalloc (tune->n_loops + 1, sizeof *again);
  double share = 0;
  int result = 0, n = 0;
  for (int i = 0; i < tune->n_loops; i++)
    {
      const struct cab_tune_trial *trial = &tune->loops[i].trial;
      again[i] = named[i] && (trial->tried == CAB_TUNE_TOO_SHORT
			      || (trial->tried == CAB_TUNE_NOT_TRIED && trial->crowded));
      share += again[i] ? tune->loops[i].share : 0;
      n += again[i];
    }
  if (share >= CAB_TUNE_BESIDE
      && cab_tune_room (tune) >= CAB_TUNE_TRIALS_MOST + 2 * CAB_TUNE_PAIRS)
    {
      cab_tune_say ("trying %d loop%s again, in copies of the loop alone: the function is executed "
		    "too rarely, or has too many",
		    n, n == 1 ? "" : "s");
      result = try_loops (tune, again, named, true);
    }
  free (again);
  if (result != UNBUILT)
    return result;
  cab_tune_say ("they cannot be built so");
  return 0;
}

int
cab_tune_trials (struct cab_tune *tune)
{
  bool *named = xcalloc (tune->n_loops + 1, sizeof *named);
  const char *why = NULL;
  int result = 0, n = name_loops (tune, named);
  if (!strcmp (tune->options.method, "builds"))
    tune->slow = true;
  else if ((why = n ? why_not (tune) : "no loop can be told apart"))
    result = have_none (tune, why);
  else
    {
      cab_tune_say ("trying %d loop%s in one build", n, n == 1 ? "" : "s");
      result = try_loops (tune, named, named, false);
      if (result == UNBUILT)
	result = have_none (tune, "the program cannot be built with them");
      else if (!result && !(result = try_beside (tune, named)))
	look_at_rest (tune);
    }
  free (named);
  return result;
}

/* Return true if a loop of HOLDER gets a hint. */
static bool
is_hinted (const struct cab_tune *tune, int holder)
{
  for (int i = 0; i < tune->n_loops; i++)
    if (tune->loops[i].trial.tried == CAB_TUNE_DECIDED && tune->loops[i].trial.holder == holder
	&& tune->loops[i].trial.request.unroll != CAB_TUNE_NO_ROW)
      return true;
  return false;
}

/* The copies of a function had the heads of all its named loops aligned. */
int
cab_tune_trials_requests (const struct cab_tune *tune, struct cab_tune_request *requests,
			  bool aligned)
{
  int n = 0;
  for (int i = 0; i < tune->n_loops; i++)
    {
      const struct cab_tune_trial *trial = &tune->loops[i].trial;
      requests[i] = trial->tried == CAB_TUNE_DECIDED ? trial->request : CAB_TUNE_NO_WISH;
      if (trial->tried == CAB_TUNE_DECIDED && aligned && requests[i].unroll == CAB_TUNE_NO_ROW
	  && is_hinted (tune, trial->holder))
	requests[i] = (struct cab_tune_request) { .align = 64, .alone = true };
      if (!aligned)
	requests[i].align = 0;
      if (!requests[i].unroll && !requests[i].vectorize && !requests[i].align
	  && !requests[i].prefetch)
	requests[i] = CAB_TUNE_NO_WISH;
      n += requests[i].unroll != CAB_TUNE_NO_ROW;
    }
  return n;
}

char *
cab_tune_trials_directory (const struct cab_tune *tune)
{
  char *dir = xstrndup (tune->work, lbasename (tune->work) - tune->work);
  char *result = concat (dir, CAB_TRIALS_TUNED, NULL);
  free (dir);
  return result;
}

void
cab_tune_trials_keep (const struct cab_tune *tune)
{
  char *from = concat (tune->work, "/trials", NULL), *to = cab_tune_trials_directory (tune);
  rename (from, to);
  free (from);
  free (to);
}
