/* tune_report.c - report what a tune has found: DIR/loops.json, and a summary for the terminal.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_report.h"
#include "loopfb/tune/tune_build.h"
#include "loopfb/tune/tune_luck.h"
#include "loopfb/tune/tune_reason.h"
#include "loopfb/tune/tune_tried.h"
#include "loopfb/tune/tune_variant.h"
#include "loopfb/tune/tune_json.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libiberty/libiberty.h>
#include "loopfb/attribute/loop_table.h"

static json_t *
number (double x)
{
  return isfinite (x) ? json_real (x) : json_null ();
}

/* Return the variant that is column J. */
static const struct cab_tune_variant *
column_of (const struct cab_tune *tune, int j)
{
  static const struct cab_tune_variant none = { .name = "default" };
  return tune->n_variants ? &tune->variants[tune->columns[j]] : &none;
}

/* Return the number of columns: only the default where no matrix was measured. */
static int
n_columns (const struct cab_tune *tune)
{
  return tune->has_decision ? tune->matrix.n_columns : 1;
}

/* Return what column J gives to the loops that may have a hint in it. */
static struct cab_tune_request
request_of_column (const struct cab_tune *tune, int j)
{
  const struct cab_tune_variant *column = column_of (tune, j);
  struct cab_tune_request request = CAB_TUNE_NO_WISH;
  if (column->every)
    request.unroll = column->every;
  for (int i = 0; i < tune->n_loops && column->requests; i++)
    if (!tune->loops[i].skip && tune->loops[i].trial.tried != CAB_TUNE_DECIDED
	&& !tune->loops[i].trial.idle)
      request = column->requests[i];
  return request;
}

static json_t *
columns (const struct cab_tune *tune)
{
  json_t *list = json_array ();
  for (int j = 0; j < n_columns (tune); j++)
    {
      json_t *column = json_pack ("{s:s}", "name", column_of (tune, j)->name);
      struct cab_tune_request request = request_of_column (tune, j);
      if (request.unroll != CAB_TUNE_NO_ROW)
	cab_tune_request_json (column, request);
      json_array_append_new (list, column);
    }
  return list;
}

static json_t *
stalls (const struct cab_tune *tune, int loop)
{
  json_t *list = cab_tune_is_known (tune, loop) ? json_array () : json_null ();
  for (int j = 0; cab_tune_is_known (tune, loop) && j < tune->matrix.n_columns; j++)
    {
      const struct cab_matrix_cell *cell
	= &tune->matrix.cells[tune->loops[loop].leader * tune->matrix.n_columns + j];
      json_array_append_new (list, cell->n ? json_pack ("{s:f, s:o, s:o, s:i}", "mean", cell->mean,
							"low", number (cell->low), "high",
							number (cell->high), "n", cell->n)
					   : json_null ());
    }
  return list;
}

/* Return the loop tables of all variants' programs, with the outcomes of the loops; empty where
   there is no program. */
static struct cab_loop_table *
outcomes (const struct cab_tune *tune)
{
  struct cab_loop_table *tables = xcalloc (tune->n_variants + 1, sizeof *tables);
  struct cab_diag diag;
  for (int v = 0; v < tune->n_variants; v++)
    {
      char *program = cab_tune_program (tune, v);
      cab_loop_table_init (&tables[v]);
      if (tune->variants[v].built)
	cab_loop_table_add_elf (&tables[v], program, &diag);
      free (program);
    }
  return tables;
}

static json_t *
outcome (const struct cab_tune *tune, int loop, const struct cab_loop_table *tables)
{
  json_t *list = json_array ();
  char text[256];
  for (int j = 0; j < n_columns (tune); j++)
    {
      const struct cab_loop_table *table = &tables[tune->columns[j]];
      uint32_t number = cab_loop_table_find (table, tune->loops[loop].key);
      const char *words = number == CAB_NO_LOOP
			  ? ""
			  : cab_loop_table_words (table, number, text, sizeof text);
      json_array_append_new (list, *words ? json_string (words) : json_null ());
    }
  return list;
}

static json_t *
trip (const struct cab_tune_loop *loop)
{
  return loop->has_trips
	 ? json_pack ("{s:I, s:I, s:f}", "entries", (json_int_t) loop->entries, "iterations",
		      (json_int_t) loop->iterations, "mean", loop->trips)
	 : json_null ();
}

/* Return how the default's time of LOOP, or of the program if it is negative, depends on its
   place. */
static json_t *
by_place (const struct cab_tune *tune, int loop)
{
  struct cab_tune_luck luck = cab_tune_luck_of (tune, loop);
  return luck.n ? json_pack ("{s:f, s:f, s:i}", "low", luck.low, "high", luck.high, "n", luck.n)
		: json_null ();
}

/* Return the ratio that LOOP is expected to have: by the trials, or by the matrix. */
static json_t *
predicted (const struct cab_tune *tune, int loop)
{
  const struct cab_tune_trial *trial = &tune->loops[loop].trial;
  if (trial->tried == CAB_TUNE_DECIDED)
    return trial->ratio.n ? number (trial->ratio.mean) : json_null ();
  const struct cab_loop_choice *choice = cab_tune_is_known (tune, loop)
					 ? &tune->decision.loops[tune->loops[loop].leader]
					 : NULL;
  return choice && choice->best ? number (choice->ratio.mean) : json_null ();
}

static json_t *
loops (const struct cab_tune *tune)
{
  struct cab_loop_table *tables = outcomes (tune);
  json_t *list = json_array ();
  char text[CAB_TUNE_REASON_BYTES];
  for (int i = 0; i < tune->n_loops && !tune->loops[i].outer; i++)
    {
      json_t *row = cab_tune_loop_json (&tune->loops[i]);
      struct cab_tune_request request = cab_tune_kept_request (tune, i);
      json_object_set_new (row, "share", json_real (tune->loops[i].share));
      json_object_set_new (row, "trip", trip (&tune->loops[i]));
      json_object_set_new (row, "outcome", outcome (tune, i, tables));
      json_object_set_new (row, "stalls", stalls (tune, i));
      json_object_set_new (row, "trial", cab_tune_tried_json (&tune->loops[i]));
      json_object_set_new (row, "by_place", by_place (tune, i));
      json_object_set_new (row, "choice",
			   request.unroll == CAB_TUNE_NO_ROW ? json_null ()
							     : json_integer (request.unroll));
      if (request.vectorize != CAB_VECTORIZE_AS_IS)
	json_object_set_new (row, "vectorize",
			     json_boolean (request.vectorize == CAB_VECTORIZE_YES));
      if (request.registers)
	json_object_set_new (row, "registers", json_true ());
      if (request.align)
	json_object_set_new (row, "align", json_integer (request.align));
      if (request.prefetch)
	json_object_set_new (row, "prefetch", json_integer (request.prefetch));
      json_object_set_new (row, "reason",
			   json_string (cab_tune_reason (tune, i, text, sizeof text)));
      json_object_set_new (row, "predicted", predicted (tune, i));
      json_object_set_new (row, "measured",
			   tune->loops[i].measured.n ? number (tune->loops[i].measured.mean)
						     : json_null ());
      json_array_append_new (list, row);
    }
  for (int v = 0; v < tune->n_variants; v++)
    cab_loop_table_fini (&tables[v]);
  free (tables);
  return list;
}

/* Return the first race of the variant NAME; null if it did not race. */
static const struct cab_tune_race *
race_of (const struct cab_tune *tune, const char *name)
{
  for (int r = 0; r < tune->n_races; r++)
    if (!strcmp (tune->races[r].name, name))
      return &tune->races[r];
  return NULL;
}

static json_t *
heuristic (const struct cab_tune *tune, const char *name, double predicted)
{
  const struct cab_tune_race *race = race_of (tune, name);
  json_t *object = json_pack ("{s:s, s:o}", "name", name, "predicted", number (predicted));
  json_object_set_new (object, "measured", race ? number (race->ratio.mean) : json_null ());
  json_object_set_new (object, "low", race ? number (race->ratio.low) : json_null ());
  json_object_set_new (object, "high", race ? number (race->ratio.high) : json_null ());
  return object;
}

static json_t *
application (const struct cab_tune *tune)
{
  json_t *sums = json_array ();
  if (!tune->has_decision)
    return json_object ();
  for (int j = 0; j < tune->decision.n_columns; j++)
    json_array_append_new (sums, number (tune->decision.sums[j]));
  const char *best = column_of (tune, tune->decision.application)->name;
  json_t *factor = heuristic (tune, best, tune->decision.application_predicted);
  return json_pack (
    "{s:o, s:o, s:o, s:o}", "S", sums, "S_opt", number (tune->decision.sum_best), "best_factor",
    factor, "per_loop",
    heuristic (tune, "per loop", tune->matrix.n_loops ? tune->decision.loops_predicted : NAN));
}

json_t *
cab_tune_races_json (const struct cab_tune *tune)
{
  json_t *list = json_array ();
  for (int r = 0; r < tune->n_races; r++)
    {
      json_t *one = cab_tune_ratio_json (&tune->races[r].ratio);
      json_object_set_new (one, "name", json_string (tune->races[r].name));
      json_object_set_new (one, "kept", json_boolean (tune->races[r].kept));
      json_object_set_new (one, "reason", json_string (tune->races[r].reason));
      json_array_append_new (list, one);
    }
  return list;
}

/* Add the number of samples of all runs, and what they cost, to OBJECT. */
static void
add_samples (const struct cab_tune *tune, json_t *object)
{
  json_int_t samples = 0, lost = 0;
  double cost = 0, time = 0;
  for (int k = 0; k < tune->n_runs; k++)
    {
      const struct cab_tune_run *run = &tune->runs[k];
      samples += run->samples;
      lost += run->lost;
      if (run->samples && run->overhead >= 0)
	cost += run->overhead * run->cpu_s, time += run->cpu_s;
    }
  json_object_set_new (object, "samples", json_integer (samples));
  json_object_set_new (object, "lost", json_integer (lost));
  json_object_set_new (object, "overhead", time > 0 ? json_real (cost / time) : json_null ());
}

static json_t *
measured_with (const struct cab_tune *tune)
{
  json_t *object = tune->source ? json_deep_copy (tune->source) : json_object ();
  json_object_set_new (object, "source",
		       tune->source ? json_incref (json_object_get (tune->source, "name"))
				    : json_string ("processor time of the whole program"));
  json_object_del (object, "name");
  if (tune->source_problem && !tune->source)
    json_object_set_new (object, "not_sampled_because", json_string (tune->source_problem));
  if (tune->no_trials)
    json_object_set_new (object, "no_trials_because", json_string (tune->no_trials));
  json_object_set_new (object, "method", json_string (tune->by_trials ? "trials" : "builds"));
  if (tune->no_trips)
    json_object_set_new (object, "no_trips_because", json_string (tune->no_trips));
  json_object_set_new (object, "period", json_integer (tune->period));
  if (tune->source)
    add_samples (tune, object);
  json_object_set_new (object, "measurements", json_integer (tune->n_runs));
  json_object_set_new (object, "runs", json_integer (tune->n_program_runs));
  json_object_set_new (object, "builds", json_integer (tune->n_builds));
  json_object_set_new (object, "links", json_integer (tune->n_links));
  json_object_set_new (object, "by_place", by_place (tune, -1));
  if (tune->no_places)
    json_object_set_new (object, "no_places_because", json_string (tune->no_places));
  json_object_set_new (object, "seconds", json_real (tune->spent_s));
  json_object_set_new (object, "load",
		       json_pack ("[f, f, f]", tune->load[0], tune->load[1], tune->load[2]));
  if (tune->has_decision)
    {
      json_object_set_new (object, "noise", number (tune->matrix.noise[tune->matrix.n_loops]));
      json_object_set_new (object, "drift", number (tune->matrix.drift));
      json_object_set_new (
	object, "correlation",
	isfinite (tune->decision.correlation)
	  ? json_real (tune->decision.correlation)
	  : json_string ("none: the columns' times do not differ significantly"));
      json_object_set_new (object, "decides", json_boolean (tune->decision.decides));
      json_object_set_new (object, "settled", json_boolean (tune->decision.settled));
    }
  return object;
}

int
cab_tune_report (struct cab_tune *tune)
{
  char *path = concat (tune->options.dir, "/loops.json", NULL);
  json_t *root = json_pack ("{s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "schema",
			    CAB_TUNE_SCHEMA, "format", "cabprof loops", "program", tune->program,
			    "run", tune->options.run, "columns", columns (tune), "loops",
			    loops (tune), "application", application (tune), "races",
			    cab_tune_races_json (tune), "measured_with", measured_with (tune));
  int result = cab_tune_json_write (root, path);
  free (path);
  return result;
}

static void
print_loops (const struct cab_tune *tune)
{
  char text[CAB_TUNE_REASON_BYTES];
  printf ("%6s  %-30s  %s\n", "share", "loop", "decision");
  for (int i = 0; i < tune->n_loops && !tune->loops[i].outer; i++)
    {
      char *place = xasprintf ("%s:%u (%s)", lbasename (tune->loops[i].file), tune->loops[i].line,
			       tune->loops[i].name);
      printf ("%5.1f%%  %-30s  %s\n", 100 * tune->loops[i].share, place,
	      cab_tune_reason (tune, i, text, sizeof text));
      free (place);
    }
  if (!tune->n_loops)
    printf ("No loop could be looked at by itself: %s.\n",
	    tune->source_problem ? tune->source_problem
				 : "none takes its share of the time, or the program is stripped, "
				   "or without tables of loops");
}

static void
print_application (const struct cab_tune *tune)
{
  if (!tune->has_decision)
    return;
  printf ("\n%-24s", "column");
  for (int j = 0; j < tune->matrix.n_columns; j++)
    printf (" %8s", column_of (tune, j)->name);
  printf ("\n%-24s", "time, of the first");
  for (int j = 0; j < tune->matrix.n_columns; j++)
    printf (" %8.3f", tune->matrix.time[j].mean / tune->matrix.time[0].mean);
  printf ("\n%-24s", "stalls in loops");
  for (int j = 0; j < tune->matrix.n_columns && tune->decision.sums[0] > 0; j++)
    printf (" %8.3f", tune->decision.sums[j] / tune->decision.sums[0]);
  printf ("\npredicted: %.3f with one hint for all loops (%s), %.3f with a hint per loop\n",
	  tune->decision.application_predicted, column_of (tune, tune->decision.application)->name,
	  tune->matrix.n_loops ? tune->decision.loops_predicted : 1.0);
  if (!tune->decision.decides)
    printf ("The source does not go with the time (correlation %.2f): it decides nothing here, the "
	    "time does.\n",
	    tune->decision.correlation);
}

static void
print_places (const struct cab_tune *tune)
{
  struct cab_tune_luck luck = cab_tune_luck_of (tune, -1);
  if (luck.n)
    printf ("\nAt %d places in memory the default takes %.2f to %.2f of its median time, noise "
	    "included; what was raced was so moved, too.\n",
	    luck.n, luck.low, luck.high);
  else if (tune->no_places && tune->n_races)
    printf ("\nAll was measured at one place in memory: %s. A gain may be due to the place.\n",
	    tune->no_places);
}

void
cab_tune_summary (const struct cab_tune *tune)
{
  print_loops (tune);
  print_application (tune);
  if (tune->n_races)
    printf ("\n%-26s %7s  %-15s %3s  %s\n", "raced", "ratio", "90 %", "n", "");
  for (int r = 0; r < tune->n_races; r++)
    printf ("%-26s %7.3f  %.3f to %.3f  %3d  %s\n", tune->races[r].name, tune->races[r].ratio.mean,
	    tune->races[r].ratio.low, tune->races[r].ratio.high, tune->races[r].ratio.n,
	    tune->races[r].reason);
  print_places (tune);
  if (tune->kept && tune->variants[tune->kept].every)
    printf ("\nWith factor %d for all innermost loops the program takes %.3f of its time (%.3f to "
	    "%.3f).\n",
	    tune->variants[tune->kept].every, tune->kept_ratio.mean, tune->kept_ratio.low,
	    tune->kept_ratio.high);
  else if (tune->kept && tune->variants[tune->kept].whole)
    printf ("\nWith the profile%s the program takes %.3f of its time (%.3f to %.3f): compile with "
	    "%s.\n",
	    cab_tune_n_hints (tune, tune->kept) ? " and the hints" : "", tune->kept_ratio.mean,
	    tune->kept_ratio.low, tune->kept_ratio.high, tune->profile);
  else if (tune->kept)
    printf ("\nWith hints for %d loop%s the program takes %.3f of its time (%.3f to %.3f).\n",
	    cab_tune_n_hints (tune, tune->kept),
	    cab_tune_n_hints (tune, tune->kept) == 1 ? "" : "s", tune->kept_ratio.mean,
	    tune->kept_ratio.low, tune->kept_ratio.high);
  else
    printf ("\nNothing that was tried makes the program significantly faster: there are no hints, "
	    "and it stays as the compiler makes it.\n");
  printf ("%d measurements, %d runs of the program, %d builds of it, %.1f s.\n", tune->n_runs,
	  tune->n_program_runs, tune->n_builds, tune->spent_s);
}
