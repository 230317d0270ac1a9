/* tune_race.c - race what the matrix suggests, prove the best by fresh runs, take back what does
 * not pay.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A race only chooses: a variant that falls behind is out early, and the rest of the budget goes to
 * the fresh runs of the winner, in pairs with the default.  They alone decide whether its hints
 * stay.
 */
#include "loopfb/tune/tune_stage.h"
#include "loopfb/tune/tune_budget.h"
#include "loopfb/tune/tune_race.h"
#include "loopfb/tune/tune_places.h"
#include "loopfb/tune/tune_variant.h"
#include "loopfb/tune/tune_say.h"
#include "loopfb/tune/tune_matrix.h"
#include "loopfb/tune/tune_nest.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define RACE_ROUNDS 2        /* rounds of a race, at least */
#define MOST_RACE_ROUNDS 5
#define MORE_RACING 26       /* measurements that must be left for the proof before a race
				continues */
#define LEAST_PAIRS CAB_TUNE_PAIRS   /* fresh rounds that must be affordable, where nothing is clear
					earlier */
#define MOST_PAIRS 24
#define PROFILE_PAIRS 12     /* of the compiler's own profile, which moves all code: it gains a few
				per cent, and its runs differ by its places more than those of
				hints */
#define FEWEST_PAIRS 5       /* that can prove anything: all faster by chance is 1 / 2^5 < ALPHA */
#define CONTROL_ROUNDS 3     /* rounds in which the control runs too */
#define FOR_TRIPS 1          /* measurements reserved for tune_trips.c */
#define ALPHA 0.035         /* chance of error of the first proof; each later one has a quarter of
			       the one before, so all together have less than 0.05 */

/* What is known of the noise before a stage, and the chance of error of the next proof. */
struct course
{
  struct cab_noise noise;
  double alpha;
};

static void
note_race (struct cab_tune *tune, const char *name, struct cab_ratio ratio, bool kept,
	   const char *reason)
{
  tune->races = xrealloc (tune->races, (tune->n_races + 1) * sizeof *tune->races);
  tune->races[tune->n_races++] = (struct cab_tune_race) { xstrdup (name), xstrdup (reason), ratio,
							  kept };
}

/* Return how many measurements are left before CAB_TUNE_AIM, where what trials chose is proved and
   the user gave no limit; else how many the budget has room for. */
static int
room_for_proof (const struct cab_tune *tune)
{
  int room = cab_tune_room (tune), aim = CAB_TUNE_AIM - tune->next;
  bool aims = tune->by_trials && !tune->slow && !tune->options.max_runs
	   && tune->options.budget_s <= 0;
  return aims && aim < room ? aim : room;
}

/* Return the ratio of column J to column A. */
static struct cab_ratio
ratio_of (const struct cab_tune_stage *stage, int a, int j, struct cab_noise noise)
{
  double *logs = xcalloc (stage->n_rounds + 1, sizeof *logs);
  int n = cab_tune_stage_pairs (stage, a, j, logs);
  struct cab_ratio ratio = cab_pairs_ratio (logs, n, CAB_PAIRS_ALPHA);
  if (isinf (ratio.high))
    ratio = cab_pairs_ratio_by_noise (logs, n, noise);
  free (logs);
  return ratio;
}

/* Return the fastest column that still runs, other than the default; 0 if there is none. */
static int
leader (const struct cab_tune_stage *stage, struct cab_noise noise)
{
  int best = 0;
  for (int j = 1; j < stage->n; j++)
    if (!stage->out[j]
	&& (!best || ratio_of (stage, 0, j, noise).mean < ratio_of (stage, 0, best, noise).mean))
      best = j;
  return best;
}

/* Drop the columns that are behind the leader by more than a standard error, and those that are
   significantly slower than the default. */
static void
drop (struct cab_tune_stage *stage, struct cab_noise noise)
{
  int best = leader (stage, noise);
  double error = noise.deviation * sqrt (2.0 / stage->n_rounds);
  for (int j = 1; j < stage->n; j++)
    stage->out[j] |= (j != best && ratio_of (stage, best, j, noise).mean > 1 + error)
		  || ratio_of (stage, 0, j, noise).low > 1;
}

static const char *
words_for (const struct cab_ratio *ratio, bool best)
{
  return ratio->low > 1 ? "slower than the default"
       : best ? "the fastest of them"
       : ratio->mean >= 1 ? "not faster than the default"
       : "not the fastest of them";
}

/* Race the columns of STAGE.  *BEST gets the column that is worth proving, or 0 if none is.  Return
   negative if a run failed. */
static int
race (struct cab_tune *tune, struct cab_tune_stage *stage, struct course *course, int *best)
{
  struct cab_noise noise = course->noise;
  int result = 0;
  while (!result && cab_tune_stage_running (stage) > 1
	 && (stage->n_rounds < RACE_ROUNDS || cab_tune_stage_running (stage) > 2)
	 && stage->n_rounds < MOST_RACE_ROUNDS
	 && (stage->n_rounds < RACE_ROUNDS
	     || room_for_proof (tune) >= cab_tune_stage_running (stage) + MORE_RACING))
    {
      result = cab_tune_stage_round (tune, stage, false);
      noise = cab_noise_pool (course->noise, cab_tune_stage_noise (stage));
      if (!result && stage->n_rounds >= RACE_ROUNDS)
	drop (stage, noise);
    }
  if (result)
    return result;
  course->noise = noise;
  *best = leader (stage, noise);
  for (int j = 1; j < stage->n; j++)
    {
      struct cab_ratio one = ratio_of (stage, 0, j, noise);
      note_race (tune, tune->variants[stage->ids[j]].name, one, false,
		 words_for (&one, j == *best));
    }
  return 0;
}

/* Add the default with other registers, which -funroll-loops turns on besides unrolling.  A gain
   that this has as well is not due to unrolling. */
static int
add_control (struct cab_tune *tune)
{
  int v = cab_tune_variant_with (tune, "-fweb -frename-registers", "-fweb");
  tune->variants[v].flags[1] = "-frename-registers";
  return v;
}

/* Note what the kept hints did to each loop, in the runs of STAGE. */
static void
note_loops (struct cab_tune *tune, const struct cab_tune_stage *stage)
{
  struct cab_matrix matrix;
  if (!tune->source)
    return;
  struct cab_figures *figures = cab_tune_nest_figures (tune, stage);
  cab_matrix_make (&matrix, tune->n_loops, stage->n, figures, stage->n_runs, tune->grain);
  for (int i = 0; i < tune->n_loops; i++)
    {
      int leader = tune->loops[i].leader;
      const struct cab_matrix_cell *row = &matrix.cells[leader * stage->n];
      tune->loops[i].measured = cab_ratio_of (&row[0], &row[1], matrix.noise[leader], matrix.df);
    }
  cab_matrix_fini (&matrix);
  free (figures);
}

static enum cab_verdict
judge (const struct cab_tune_stage *stage, const struct course *course, int planned,
       struct cab_ratio *ratio)
{
  double *logs = xcalloc (stage->n_rounds + 1, sizeof *logs);
  int n = cab_tune_stage_pairs (stage, 0, 1, logs);
  struct cab_noise noise = stage->n_rounds > 1
			   ? cab_noise_pool (course->noise, cab_tune_stage_noise (stage))
			   : course->noise;
  enum cab_verdict verdict = cab_pairs_judge (logs, n, planned, noise, course->alpha,
					      CAB_TUNE_WIDTH, ratio);
  free (logs);
  return verdict;
}

/* Return the most rounds of a proof of WINNER.  After trials it ends at CAB_TUNE_AIM measurements,
   unless the user gave a limit; what is left after that is for parts of the hints. */
static int
most_pairs (const struct cab_tune *tune, int winner)
{
  int room = room_for_proof (tune), aim = (room - FOR_TRIPS) / 2;
  if (room == cab_tune_room (tune))
    return MOST_PAIRS;
  if (tune->variants[winner].whole && aim < PROFILE_PAIRS)
    return PROFILE_PAIRS;
  return aim > FEWEST_PAIRS ? aim : FEWEST_PAIRS;
}

/* Return the number of rounds that the budget has for a proof of WINNER: each is two runs, and some
   include the control.  It is at least 1, which proves nothing. */
static int
planned_pairs (const struct cab_tune *tune, int winner, int control)
{
  int room = cab_tune_room (tune),
      pairs = (room - (room > 2 * LEAST_PAIRS ? FOR_TRIPS : 0) - control) / 2;
  int most = most_pairs (tune, winner);
  return pairs < 1 ? 1 : pairs > most ? most : pairs;
}

static void
note_proof (struct cab_tune *tune, const struct cab_tune_stage *stage, const struct course *course,
	    bool kept, struct cab_ratio ratio)
{
  note_race (tune, tune->variants[stage->ids[1]].name, ratio, kept,
	     kept ? "fresh runs: significantly faster than the default; kept"
	     : "fresh runs: not significantly faster than the default; taken back");
  if (stage->n > 2)
    note_race (tune, tune->variants[stage->ids[2]].name, ratio_of (stage, 0, 2, course->noise),
	       false, "the control: other registers, no hints");
}

static int prove (struct cab_tune *tune, int v, struct course *course);

/* Prove the WINNER by fresh runs, as the winner of several is partly just a lucky one.  Its hints
   are kept if it wins these too. */
static int
confirm (struct cab_tune *tune, int winner, struct course *course)
{
  struct cab_tune_stage stage = { .name = "confirming", .ids = { 0, winner }, .n = 2,
				  .moves = true };
  enum cab_verdict verdict = CAB_RACE_OPEN;
  struct cab_ratio ratio = { NAN, 0, INFINITY, 0 };
  int result = 0, control = tune->options.rebuild || tune->by_trials
			     || cab_tune_room (tune) < 2 * LEAST_PAIRS + CONTROL_ROUNDS + FOR_TRIPS
			    ? 0
			    : CONTROL_ROUNDS;
  int planned = planned_pairs (tune, winner, control);
  if (control)
    stage.ids[stage.n++] = add_control (tune);
  while (!result && verdict == CAB_RACE_OPEN)
    {
      stage.out[2] = stage.n_rounds >= control;
      result = cab_tune_stage_round (tune, &stage, true);
      /* Runs may take longer than the first ones did, so the plan is cut short when the budget runs
	 out. */
      if (cab_tune_room (tune) < 2 && planned > stage.n_rounds)
	planned = stage.n_rounds;
      if (!result)
	verdict = judge (&stage, course, planned, &ratio);
    }
  if (!result)
    {
      course->noise = cab_noise_pool (course->noise, cab_tune_stage_noise (&stage));
      course->alpha /= 4;
      note_proof (tune, &stage, course, verdict == CAB_RACE_WON, ratio);
    }
  if (!result && verdict == CAB_RACE_WON)
    {
      tune->kept = winner;
      tune->kept_ratio = ratio;
      note_loops (tune, &stage);
    }
  cab_tune_stage_fini (&stage);
  return result;
}

/* Return the variant with the hints of V for every loop in IN. */
static int
add_part (struct cab_tune *tune, int v, const bool *in)
{
  char name[32];
  struct cab_tune_request *requests = xcalloc (tune->n_loops + 1, sizeof *requests);
  for (int i = 0; i < tune->n_loops; i++)
    requests[i] = in[i] ? tune->variants[v].requests[i] : CAB_TUNE_NO_WISH;
  snprintf (name, sizeof name, "part %d", tune->n_variants);
  int part = cab_tune_variant_add (tune, name, requests, 0);
  free (requests);
  return part;
}

/* Return the loop that decides about I's hint in V: the first one of those whose registers can only
   be renamed together, else I itself. */
static int
decider_of (const struct cab_tune *tune, int v, int i)
{
  const struct cab_tune_request *requests = tune->variants[v].requests;
  for (int k = 0; k < i && requests[i].registers; k++)
    if (requests[k].registers && cab_tune_function_of (tune, k) == cab_tune_function_of (tune, i))
      return k;
  return i;
}

/* Cut the loops that have a hint in V in two: the hotter half (they are sorted by that), and the
   others.  Loops that go together count as one.  Return how many there are. */
static int
halve (const struct cab_tune *tune, int v, bool *halves[2])
{
  int n = 0, k = 0;
  for (int i = 0; i < tune->n_loops; i++)
    n += tune->variants[v].requests[i].unroll != CAB_TUNE_NO_ROW && decider_of (tune, v, i) == i;
  for (int i = 0; i < tune->n_loops; i++)
    {
      bool has = tune->variants[v].requests[i].unroll != CAB_TUNE_NO_ROW;
      int decider = decider_of (tune, v, i);
      halves[0][i] = has && (decider < i ? halves[0][decider] : k < (n + 1) / 2);
      halves[1][i] = has && !halves[0][i];
      k += has && decider == i;
    }
  return n;
}

/* Note which loops the hints of V made slower in the fresh runs, and set IN for the others that
   have a hint.  Return how many were slower, or 0 where no other has a hint. */
static int
find_slower (struct cab_tune *tune, int v, bool *in)
{
  int n = 0, others = 0;
  bool *slow = xcalloc (tune->n_loops + 1, sizeof *slow);
  for (int i = 0; i < tune->n_loops; i++)
    slow[decider_of (tune, v, i)] |= tune->variants[v].requests[i].unroll != CAB_TUNE_NO_ROW
				  && tune->loops[i].measured.low > 1;
  for (int i = 0; i < tune->n_loops; i++)
    {
      bool has = tune->variants[v].requests[i].unroll != CAB_TUNE_NO_ROW;
      in[i] = has && !slow[decider_of (tune, v, i)];
      others += in[i];
      n += has && !in[i];
    }
  for (int i = 0; i < tune->n_loops && others; i++)
    if (slow[decider_of (tune, v, i)] && !in[i])
      tune->loops[i].slower = tune->loops[i].measured;
  free (slow);
  return others ? n : 0;
}

/* The hints of V are kept.  Take those back that made their loop slower, and prove the others again
   if there is room for that. */
static int
drop_slower (struct cab_tune *tune, int v, struct course *course)
{
  bool *in = xcalloc (tune->n_loops + 1, sizeof *in);
  int result = 0, n = tune->source && tune->variants[v].requests ? find_slower (tune, v, in) : 0;
  if (n)
    {
      int part = add_part (tune, v, in);
      struct cab_ratio whole = tune->kept_ratio;
      cab_tune_say ("%d hint%s made %s slower: taken back", n, n == 1 ? "" : "s",
		    n == 1 ? "its loop" : "their loops");
      tune->kept = 0;
      if (cab_tune_room (tune) >= 2 * LEAST_PAIRS)
	result = prove (tune, part, course);
      else
	{
	  tune->kept = part;
	  note_race (
	    tune, tune->variants[part].name, whole, true,
	    "the same without hints that made their loop slower; kept, not raced again: no budget");
	}
      if (!result && !tune->kept)
	{
	  tune->kept = v;
	  tune->kept_ratio = whole;
	  note_race (
	    tune, tune->variants[v].name, whole, true,
	    "kept with all hints: without those that made their loop slower it is not faster");
	  for (int i = 0; i < tune->n_loops; i++)
	    tune->loops[i].slower.n = 0;
	}
    }
  free (in);
  return result;
}

/* Race the two halves of V's hints, which were not faster all together, and prove a half that
   is. */
static int
take_back (struct cab_tune *tune, int v, struct course *course)
{
  bool *halves[2] = { xcalloc (tune->n_loops + 1, sizeof (bool)),
		      xcalloc (tune->n_loops + 1, sizeof (bool)) };
  int result = 0, best = 0;
  if (halve (tune, v, halves) > 1
      && cab_tune_room (tune) >= 3 * RACE_ROUNDS + 2 * LEAST_PAIRS + FOR_TRIPS)
    {
      struct cab_tune_stage stage = { .name = "taking back",
				      .ids = { 0, add_part (tune, v, halves[0]),
					       add_part (tune, v, halves[1]) },
				      .n = 3,
				      .moves = true };
      result = race (tune, &stage, course, &best);
      for (int k = 0; k < 2 && !result && best && !tune->kept; k++)
	{
	  int half = k ? 3 - best : best;
	  if (ratio_of (&stage, 0, half, course->noise).mean < 1
	      && cab_tune_room (tune) >= 2 * LEAST_PAIRS + FOR_TRIPS)
	    result = prove (tune, stage.ids[half], course);
	}
      cab_tune_stage_fini (&stage);
    }
  free (halves[0]);
  free (halves[1]);
  return result;
}

/* Keep V, or the parts of it that pay. */
static int
prove (struct cab_tune *tune, int v, struct course *course)
{
  int result = confirm (tune, v, course);
  if (tune->variants[v].whole)   /* the compiler's own profile has no parts */
    return result;
  if (!result && tune->kept)
    return drop_slower (tune, v, course);
  return !result && tune->variants[v].requests ? take_back (tune, v, course) : result;
}

int
cab_tune_races (struct cab_tune *tune)
{
  struct cab_tune_stage stage = { .name = "race", .ids = { 0 }, .n = 1, .moves = true };
  struct course course = { { 0, 0 }, ALPHA };
  int best, result = 0;
  if (tune->has_decision)
    course.noise = (struct cab_noise) { tune->matrix.noise[tune->matrix.n_loops],
					tune->matrix.df };
  if (cab_tune_candidates (tune, &stage) < 0)
    return -1;
  best = stage.n > 1;
  if (best)
    cab_tune_places_begin (tune);
  if (stage.n > 2 && cab_tune_room (tune) >= RACE_ROUNDS * stage.n + 2 * LEAST_PAIRS)
    {
      cab_tune_say ("racing %d candidates; at most %.0f s left", stage.n - 1,
		    cab_tune_left_s (tune));
      result = race (tune, &stage, &course, &best);
    }
  if (!result && best)
    {
      cab_tune_say ("proving `%s' against the default; at most %.0f s left",
		    tune->variants[stage.ids[best]].name, cab_tune_left_s (tune));
      result = prove (tune, stage.ids[best], &course);
    }
  cab_tune_stage_fini (&stage);
  return result;
}
