/* tune_tried.c - see tune_tried.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_tried.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/loops/loop_trials.h"
#include "cabprof/loops.h"
#include "loopfb/attribute/loop_table.h"
#include "loopfb/tune/tune_json.h"
#include "loopfb/tune/tune_say.h"

#define UNTRIED "untried:"

static const char not_executed[]
  = "its function was not executed, or the process did not end by itself";

/* Why a loop is not tried: in the word of a record (info.h, untried), and in words for people. */
struct reason
{
  const char *word, *words;
  bool idle;                /* the compiler would do nothing with a hint either */
};
static const struct reason reasons[] = {
  { "once", "it and its function are executed once", false },
  { "arguments", "its function has variable arguments", false },
  { "returns", "it or its function does not return", false },
  { "nested", "its function uses variables of the function around it", false },
  { "setjmp", "its function calls setjmp", false },
  { "frame", "its function has no frame", false },
  { "labels", "its function needs addresses of labels", false },
  { "many", "its function has too many hot loops", false },
  { "inner", "a loop inside it is tried, and hints change innermost loops only", true },
  { "copy", "the compiler does not copy it, and so does not unroll it either", true }
};
#define N_REASONS (sizeof reasons / sizeof *reasons)

/* Return the reason that WORD stands for, which a comma or a 0 ends. */
static const struct reason *
reason_of (const char *word)
{
  size_t n = strcspn (word, ","), i = 0;
  while (i + 1 < N_REASONS
	 && (strlen (reasons[i].word) != n || strncmp (reasons[i].word, word, n)))
    i++;
  return &reasons[i];
}

/* Note at TRIAL why it was not made: the word UNTRIED of a record, or if that is null, that its
   function was not executed. */
static void
note_untried (struct cab_tune_trial *trial, const char *untried)
{
  const struct reason *reason = untried ? reason_of (untried + strlen (UNTRIED)) : NULL;
  trial->tried = CAB_TUNE_NOT_TRIED;
  trial->why = reason ? reason->words : not_executed;
  trial->crowded = reason && !strcmp (reason->word, "many");
  trial->idle = reason && reason->idle;
}

int
cab_tune_tried_records (struct cab_tune *tune, const bool *named, const char *program)
{
  struct cab_loop_table table;
  struct cab_diag diag;
  char text[512];
  int n = 0;
  cab_loop_table_init (&table);
  cab_loop_table_add_elf (&table, program, &diag);
  for (int i = 0; i < tune->n_loops; i++)
    {
      uint32_t number = cab_loop_table_find (&table, tune->loops[i].key);
      const char *words = named[i] && number != CAB_NO_LOOP
			  ? cab_loop_table_words (&table, number, text, sizeof text)
			  : "",
		 *untried = strstr (words, UNTRIED);
      if (!named[i])
	continue;
      n += !untried;
      note_untried (&tune->loops[i].trial, untried);
    }
  cab_loop_table_fini (&table);
  return n;
}

/* Return the number of F's loop that is LOOP; -1 if it has none. */
static int
number_in (const struct cab_trials_function *f, const struct cab_tune_loop *loop)
{
  for (uint32_t i = 0; i < f->n_loops; i++)
    {
      const struct cab_trials_loop *l = &f->loops[i];
      if (cab_loop_key (l->function, l->file, l->line, l->column, l->ordinal) == loop->key)
	return i;
    }
  return -1;
}

/* Return about how many cycles the copies of TRIAL took. */
static double
cycles_of (const struct cab_loop_trial *trial)
{
  return (double) trial->estimate.n_rounds * trial->function->n_turns
	 * trial->function->block_cycles;
}

/* What may be chosen for a loop. */
struct wanted
{
  int number;           /* of the loop, in its function */
  bool factors, prefetches, others;
};

/* Return true if COPY is the first one of the loop of WANTED with its instructions, and its hint is
   one of those that are wanted. */
static bool
is_wanted (const struct cab_trials_function *f, uint32_t copy, const struct wanted *wanted)
{
  const struct cab_trials_copy *c = &f->copies[copy];
  for (uint32_t i = 0; i < copy; i++)
    if (f->copies[i].turn == c->turn)
      return false;
  return c->loop == wanted->number && copy + 1 < f->n_copies
      && (c->prefetch ? wanted->prefetches : c->unroll ? wanted->factors : wanted->others);
}

static struct cab_tune_request
request_of (const struct cab_trials_copy *copy)
{
  return (struct cab_tune_request) { .unroll = copy->unroll,
				     .vectorize = copy->vectorize < 0 ? CAB_VECTORIZE_AS_IS
						: copy->vectorize ? CAB_VECTORIZE_YES
								  : CAB_VECTORIZE_NO,
				     .align = copy->align,
				     .prefetch = copy->prefetch,
				     .alone = true };
}

/* Choose among the copies of TRIAL, which can be measured, what WANTED allows, for LOOP. */
static void
choose (struct cab_tune_trial *loop, const struct cab_loop_trial *trial,
	const struct wanted *wanted)
{
  const struct cab_trials_function *f = trial->function;
  const struct cab_trials_estimate *e = &trial->estimate;
  bool *turns = XCNEWVEC (bool, f->n_turns + 1);
  for (uint32_t i = 0; i < f->n_copies; i++)
    turns[f->copies[i].turn] |= is_wanted (f, i, wanted);
  int turn = cab_trials_best (e, turns);
  loop->request = CAB_TUNE_NO_WISH;
  for (uint32_t i = 0; turn >= 0 && i < f->n_copies; i++)
    if ((int) f->copies[i].turn == turn && is_wanted (f, i, wanted))
      {
	loop->request = request_of (&f->copies[i]);
	loop->ratio = e->ratio[turn];
      }
  /* The reference itself may be faster than the function as the compiler places it. */
  if (turn < 0 && e->ratio[0].low > 1 && e->ratio[1].low > 1)
    {
      loop->request = request_of (&f->copies[2]);
      loop->ratio = e->ratio[2];
    }
  free (turns);
}

/* Note at LOOP what TRIAL, the HOLDERth function, says of it. */
static void
note (struct cab_tune_loop *loop, const struct cab_loop_trial *trial, int holder,
      const struct wanted *wanted)
{
  const struct cab_trials_estimate *e = &trial->estimate;
  struct cab_tune_trial *t = &loop->trial;
  *t = (struct cab_tune_trial) {
    .holder = holder,
    .n_rounds = e->n_rounds,
    .iterations = trial->counted ? (double) trial->iterations[wanted->number] / trial->counted : 0
  };
  t->request = CAB_TUNE_NO_WISH;
  t->tried = e->verdict == CAB_TRIALS_TOO_SHORT ? CAB_TUNE_TOO_SHORT
	   : e->verdict == CAB_TRIALS_NOT_MEASURABLE ? CAB_TUNE_NOT_MEASURABLE
						     : CAB_TUNE_DECIDED;
  if (!e->ratio)
    return;
  t->same = e->same;
  t->placed = e->placed;
  if (t->tried == CAB_TUNE_DECIDED)
    choose (t, trial, wanted);
  if (t->tried == CAB_TUNE_DECIDED && t->request.unroll == CAB_TUNE_NO_ROW
      && cab_trials_is_noisy (e))
    t->tried = CAB_TUNE_NOISY;
}

/* Return what may be chosen for loop I. */
static struct wanted
wanted_of (const struct cab_tune *tune, int i)
{
  bool all = cab_tune_tries (tune->options.try, "all"),
       prefetch = cab_tune_tries (tune->options.try, "prefetch");
  return (struct wanted) { .factors = all || !prefetch,
			   .prefetches = (all || prefetch)
				      && (!tune->has_misses || tune->loops[i].misses),
			   .others = all };
}

void
cab_tune_tried_read (struct cab_tune *tune, const bool *named, const char *dir)
{
  struct cab_loop_trials trials;
  cab_loop_trials_open (&trials, dir);
  for (uint32_t i = 0; i < trials.n_problems; i++)
    cab_tune_say ("%s", trials.problems[i]);
  for (int i = 0; i < tune->n_loops; i++)
    {
      double most = -1;
      for (uint32_t k = 0; k < trials.n && named[i] && !tune->loops[i].trial.idle; k++)
	{
	  struct wanted wanted = wanted_of (tune, i);
	  wanted.number = number_in (trials.trials[k].function, &tune->loops[i]);
	  if (wanted.number < 0 || cycles_of (&trials.trials[k]) <= most)
	    continue;
	  most = cycles_of (&trials.trials[k]);
	  note (&tune->loops[i], &trials.trials[k], k, &wanted);
	}
    }
  cab_loop_trials_close (&trials);
}

/* Write the hint REQUEST into TEXT. */
static void
put_request (struct cab_tune_request request, char *text, size_t bytes)
{
  if (request.unroll)
    snprintf (text, bytes, "factor %d", request.unroll);
  else if (request.prefetch)
    snprintf (text, bytes, "prefetching %u ahead", request.prefetch);
  else
    snprintf (text, bytes, "%s",
	      request.vectorize == CAB_VECTORIZE_YES ? "vectorised"
	      : request.vectorize == CAB_VECTORIZE_NO ? "not vectorised"
						      : "aligned heads");
}

/* Append to TEXT how much of the loop's time is luck of its place, where that is more than equal
   copies may differ by. */
static void
add_place (const struct cab_tune_trial *t, char *text, size_t bytes)
{
  size_t n = strlen (text);
  if (t->placed.n
      && (t->placed.low > 1 + CAB_TRIALS_TOLERANCE || t->placed.high < 1 - CAB_TRIALS_TOLERANCE))
    snprintf (text + n, bytes - n, "; its place alone makes %.3f (%.3f to %.3f)", t->placed.mean,
	      t->placed.low, t->placed.high);
}

const char *
cab_tune_tried_words (const struct cab_tune_loop *loop, char *text, size_t bytes)
{
  const struct cab_tune_trial *t = &loop->trial;
  char hint[48];
  switch (t->tried)
    {
    case CAB_TUNE_NOT_NAMED:
      snprintf (text, bytes, "not tried: beyond the loops that hold %g %% of the time",
		100 * CAB_TUNE_TRIED);
      break;
    case CAB_TUNE_NOT_TRIED:
      snprintf (text, bytes, "not tried: %s", t->why);
      break;
    case CAB_TUNE_TOO_SHORT:
      snprintf (text, bytes, "the run is too short for trials: %d rounds, %d are needed",
		t->n_rounds, CAB_TRIALS_LEAST);
      break;
    case CAB_TUNE_NOT_MEASURABLE:
      snprintf (text, bytes, "not measurable by trials: equal copies took %.3f (%.3f to %.3f)",
		t->same.mean, t->same.low, t->same.high);
      break;
    case CAB_TUNE_NOISY:
      snprintf (text, bytes, "too noisy for trials: equal copies took %.3f to %.3f of each other",
		t->same.low, t->same.high);
      break;
    case CAB_TUNE_DECIDED:
      put_request (t->request, hint, sizeof hint);
      if (t->request.unroll == CAB_TUNE_NO_ROW)
	snprintf (text, bytes, "trials: nothing is faster (equal copies %.3f to %.3f, %d rounds)",
		  t->same.low, t->same.high, t->n_rounds);
      else if (!strcmp (hint, "aligned heads"))
	snprintf (text, bytes, "trials: %s are faster (equal copies %.3f to %.3f, %d rounds)",
		  hint, t->same.low, t->same.high, t->n_rounds);
      else
	snprintf (text, bytes,
		  "trials: %s took %.3f of its function's time (%.3f to %.3f; equal copies %.3f to "
		  "%.3f, %d rounds)",
		  hint, t->ratio.mean, t->ratio.low, t->ratio.high, t->same.low, t->same.high,
		  t->n_rounds);
      add_place (t, text, bytes);
    }
  return text;
}

json_t *
cab_tune_tried_json (const struct cab_tune_loop *loop)
{
  const struct cab_tune_trial *t = &loop->trial;
  char text[256];
  if (t->tried == CAB_TUNE_NOT_NAMED)
    return json_null ();
  json_t *row = json_pack ("{s:b, s:s, s:i, s:f}", "decided", t->tried == CAB_TUNE_DECIDED, "why",
			   cab_tune_tried_words (loop, text, sizeof text), "rounds", t->n_rounds,
			   "iterations", t->iterations);
  json_object_set_new (row, "equal", t->same.n ? cab_tune_ratio_json (&t->same) : json_null ());
  json_object_set_new (row, "placed",
		       t->placed.n ? cab_tune_ratio_json (&t->placed) : json_null ());
  json_object_set_new (row, "ratio", t->ratio.n ? cab_tune_ratio_json (&t->ratio) : json_null ());
  if (t->tried == CAB_TUNE_DECIDED && t->request.unroll != CAB_TUNE_NO_ROW)
    cab_tune_request_json (row, t->request);
  return row;
}
