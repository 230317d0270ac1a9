/* report_deps.c - which loops could run in parallel and what is in the way, by loop, by variable,
 * or by pair of accesses.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/report/deps/deps_words.h"
#include "analyses/report/loops/loop_place.h"
#include "analyses/report/report.h"
#include "analyses/report/times.h"

/* Of what is in the way of a loop text shows so much, unless a function is asked for. */
#define SHOWN 8

#define PROGRAMS (CAB_FORMAT_TSV | CAB_FORMAT_JSON)

static const struct cab_column loop_columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "executions", CAB_COUNT, PROGRAMS },
  { "iterations", CAB_COUNT, 0 },
  { "accesses", CAB_COUNT, PROGRAMS },
  { "share", CAB_SHARE, 0 },
  { "share_of", CAB_TEXT, PROGRAMS },
  { "verdict", CAB_TEXT, 0 },
  { "bound", CAB_REAL, 0 },
  { "within", CAB_COUNT, PROGRAMS },
  { "raw", CAB_COUNT, PROGRAMS },
  { "war", CAB_COUNT, PROGRAMS },
  { "waw", CAB_COUNT, PROGRAMS },
  { "before", CAB_COUNT, PROGRAMS },
  { "least", CAB_NUMBER, PROGRAMS },
  { "most", CAB_NUMBER, PROGRAMS },
  { "not_seen", CAB_TEXT, CAB_COLUMN_SPARE },
  { "in_the_way", CAB_CHAIN, 0 }
};
enum
{
  EXECUTIONS = CAB_LOOP_PLACE_N, ITERATIONS, ACCESSES, SHARE, SHARE_OF, VERDICT, BOUND, WITHIN,
  RAW, WAR, WAW, BEFORE, LEAST, MOST, UNSEEN, WAY, N_LOOP
};

static const struct cab_column variable_columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "variable", CAB_TEXT, 0 },
  { "remedy", CAB_TEXT, 0 },
  { "least", CAB_NUMBER, 0 },
  { "carried", CAB_COUNT, 0 }
};
enum { V_NAME = CAB_LOOP_PLACE_N, V_REMEDY, V_LEAST, V_CARRIED, N_VARIABLE };

static const struct cab_column pair_columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "kind", CAB_TEXT, 0 },
  { "variable", CAB_TEXT, 0 },
  { "from_line", CAB_LINE, 0 },
  { "to_line", CAB_LINE, 0 },
  { "from_name", CAB_TEXT, PROGRAMS },
  { "to_name", CAB_TEXT, PROGRAMS },
  { "exposed", CAB_TEXT, PROGRAMS },
  { "least", CAB_NUMBER, 0 },
  { "most", CAB_NUMBER, 0 },
  { "count", CAB_COUNT, 0 },
  { "distances", CAB_CHAIN, 0 }
};
enum
{
  P_KIND = CAB_LOOP_PLACE_N, P_NAME, P_FROM, P_TO, P_FROM_NAME, P_TO_NAME, P_EXPOSED, P_LEAST,
  P_MOST, P_COUNT, P_DISTANCES, N_PAIR
};

static const char *
lacks (const struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_deps);
  struct cab_deps_place place;
  if (!state)
    return "dependences were not analysed: compile with "
	   "-fplugin-arg-cabprof-events=memory+loops, and run with CABPROF_OPTIONS=analyses=deps";
  for (uint64_t cursor = 1; cab_deps_next_place (state, &cursor, &place);)
    return NULL;
  return "no iteration of a loop was recorded: compile with "
	 "-fplugin-arg-cabprof-events=memory+loops";
}

static const char *
wrong_by (enum cab_report_by by)
{
  return by == CAB_BY_LOOP || by == CAB_BY_VARIABLE || by == CAB_BY_LINE
	 ? NULL
	 : "dependences are counted by loop, variable and line only";
}

static const char *
lacks_by (const struct cab_model *model, enum cab_report_by by)
{
  (void) model, (void) by;
  return NULL;
}

static bool
wants (struct cab_model *model, const struct cab_report_options *options,
       const struct cab_deps_loop *loop)
{
  const char *name = cab_names_display (&model->names, loop->place->origin, "", loop->file);
  return cab_report_wants_named (options, name, loop->place->origin, loop->file);
}

static void
put_place (struct cab_model *model, const struct cab_deps_loop *loop, union cab_cell *row)
{
  cab_loop_put_place (row,
		      cab_names_display (&model->names, loop->place->origin, "", loop->file),
		      loop->file, loop->place->line, loop->place->column, loop->place->ordinal);
}

/* Return the remark on what the verdicts, for CORES cores, are about. */
static const char *
note (struct cab_model *model, long cores, bool of_time)
{
  const struct cab_arena *state = cab_model_state (model, &cab_deps);
  if (!state)
    return NULL;
  uint64_t lost = cab_deps.lost (state), deep = cab_deps_too_deep (state),
	   cut = cab_deps_cut (state);
  const char *more = "";
  if (lost || cut)
    more = cab_names_format (&model->names,
			     "; %" PRIu64 " events and %" PRIu64 " reads found no room "
			     "(deps,memory=), so there may be more dependences",
			     lost, cut);
  if (deep)
    more = cab_names_format (&model->names,
			     "%s; some loops are nested too deeply to be told apart", more);
  return cab_names_format (
    &model->names,
    "for this run: another input may have other dependences; share: of the %s; bound: how many "
    "times faster the program could be at most if this loop ran on %ld core%s%s",
    of_time ? "sampled time, without functions that the loop calls" : "accesses", cores,
    cores == 1 ? "" : "s", more);
}

/* Return the share of LOOP of the time that was sampled, or of the accesses if TIMES has no
   samples. */
static double
share_of (const struct cab_deps_view *view, const struct cab_deps_loop *loop,
	  const struct cab_times *times)
{
  uint64_t key = cab_loop_key (loop->place->origin, loop->file, loop->place->line,
			       loop->place->column, loop->place->ordinal);
  double weight = 0;
  if (!times->known)
    return view->accesses ? (double) loop->accesses / view->accesses : 0;
  for (uint32_t i = 0; i < times->by.n_loops; i++)
    if (times->by.loops[i].key == key)
      weight += times->by.loops[i].weight_all;
  return times->by.weight ? weight / times->by.weight : 0;
}

/* Return the speed-up that the program cannot surpass on CORES cores where a loop with SHARE of it
   runs in parallel, which has so many ITERATIONS in so many EXECUTIONS; NaN if it cannot. */
static double
bound_of (const struct cab_deps_judgement *j, double share, const struct cab_deps_loop *loop,
	  long cores)
{
  double trips = loop->executions ? (double) loop->iterations / loop->executions : 0;
  double at_once = trips < cores ? trips : cores;
  if (j->verdict != CAB_DEPS_PARALLEL && j->verdict != CAB_DEPS_AFTER)
    return NAN;
  return at_once < 1 ? 1 : 1 / (1 - share + share / at_once);
}

/* Return how much of what is in the way of a loop is shown. */
static uint32_t
shown (const struct cab_report_options *options)
{
  return options->format == CAB_FORMAT_TEXT && !options->function ? SHOWN : UINT32_MAX;
}

static void
fill_loop (const struct cab_deps_facts *facts, uint32_t i,
	   const struct cab_report_options *options, const struct cab_times *times,
	   struct cab_table *table)
{
  const struct cab_deps_view *view = facts->view;
  const struct cab_deps_loop *l = &view->loops[i];
  struct cab_names *names = &view->model->names;
  struct cab_deps_judgement j;
  cab_deps_judge (facts, i, &j);
  union cab_cell *row = cab_table_row (table);
  put_place (view->model, l, row);
  row[EXECUTIONS].count = l->executions;
  row[ITERATIONS].count = l->iterations;
  row[ACCESSES].count = l->accesses;
  row[SHARE].share = share_of (view, l, times);
  row[SHARE_OF].text = times->known ? "time" : "accesses";
  row[VERDICT].text = cab_deps_verdict_words (names, &j);
  row[BOUND].share = bound_of (&j, row[SHARE].share, l, options->cores);
  row[WITHIN].count = l->within;
  row[RAW].count = l->carried[CAB_DEPS_RAW];
  row[WAR].count = l->carried[CAB_DEPS_WAR];
  row[WAW].count = l->carried[CAB_DEPS_WAW];
  row[BEFORE].count = l->before;
  row[LEAST].count = l->least;
  row[MOST].count = l->most;
  row[UNSEEN].text = cab_deps_unseen_words (names, &j);
  row[WAY].text = cab_deps_way_words (names, &j, shown (options));
  cab_deps_judgement_fini (&j);
}

static void
fill_loops (const struct cab_deps_view *view, const struct cab_report_options *options,
	    struct cab_table *table)
{
  struct cab_deps_facts facts;
  struct cab_times times = { 0 };
  struct cab_report_options of_cores = *options;
  if (!of_cores.cores)
    of_cores.cores = sysconf (_SC_NPROCESSORS_ONLN);
  cab_deps_facts_make (&facts, view);
  if (cab_times_are_there (view->model))
    cab_times_open (&times, view->model);
  for (uint32_t i = 0; i < view->n_loops; i++)
    if (wants (view->model, options, &view->loops[i]))
      fill_loop (&facts, i, &of_cores, &times, table);
  cab_table_sort (table, times.known ? SHARE : ACCESSES);
  table->note = note (view->model, of_cores.cores, times.known);
  cab_times_close (&times);
  cab_deps_facts_fini (&facts);
}

static void
fill_variables (const struct cab_deps_view *view, const struct cab_report_options *options,
		struct cab_table *table)
{
  for (uint32_t i = 0; i < view->n_variables; i++)
    {
      const struct cab_deps_variable *v = &view->variables[i];
      const struct cab_deps_loop *l = &view->loops[v->loop];
      if (!v->count || !wants (view->model, options, l))
	continue;
      union cab_cell *row = cab_table_row (table);
      put_place (view->model, l, row);
      row[V_NAME].text = v->name;
      row[V_REMEDY].text = cab_deps_remedy (v);
      row[V_LEAST].count = v->least;
      row[V_CARRIED].count = v->count;
    }
  cab_table_sort (table, V_CARRIED);
}

/* Return how often PAIR had which distance: "1:297 2:3 256+:1". */
static const char *
distances (struct cab_model *model, const struct cab_deps_pair *pair)
{
  char *text = XNEWVEC (char, (CAB_DEPS_FAR + 1) * 30), *end = text;
  *text = 0;
  for (unsigned d = 0; d <= CAB_DEPS_FAR; d++)
    if (pair->at[d])
      end += sprintf (end, "%s%u%s:%" PRIu64, end > text ? " " : "", d,
		      d == CAB_DEPS_FAR ? "+" : "", pair->at[d]);
  const char *copy = cab_names_copy (&model->names, text, end - text);
  free (text);
  return copy;
}

static void
fill_pairs (const struct cab_deps_view *view, const struct cab_report_options *options,
	    struct cab_table *table)
{
  static const char *const kinds[] = { "raw", "war", "waw" };
  for (uint32_t i = 0; i < view->n_pairs; i++)
    {
      const struct cab_deps_pair *p = &view->pairs[i];
      const struct cab_deps_loop *l = &view->loops[p->loop];
      if (!wants (view->model, options, l))
	continue;
      const char *from = cab_deps_name (view, p->from), *to = cab_deps_name (view, p->to);
      union cab_cell *row = cab_table_row (table);
      put_place (view->model, l, row);
      row[P_KIND].text = kinds[p->kind];
      row[P_NAME].text = p->variable;
      row[P_FROM].count = cab_deps_line (view, p->from);
      row[P_TO].count = cab_deps_line (view, p->to);
      row[P_FROM_NAME].text = from;
      row[P_TO_NAME].text = to;
      row[P_EXPOSED].text = p->kind == CAB_DEPS_WAR ? (p->exposed ? "yes" : "no") : "";
      row[P_LEAST].count = p->least;
      row[P_MOST].count = p->most;
      row[P_COUNT].count = p->count;
      row[P_DISTANCES].text = distances (view->model, p);
    }
  cab_table_sort (table, P_COUNT);
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  struct cab_deps_view view;
  cab_deps_view_make (&view, model);
  if (options->by == CAB_BY_VARIABLE)
    {
      cab_table_init (table, "deps", "Variables that iterations of loops share", variable_columns,
		      N_VARIABLE);
      fill_variables (&view, options, table);
    }
  else if (options->by == CAB_BY_LINE)
    {
      cab_table_init (table, "deps", "Dependences that loops carry", pair_columns, N_PAIR);
      fill_pairs (&view, options, table);
    }
  else
    {
      cab_table_init (table, "deps", "Loops, and what keeps their iterations in order",
		      loop_columns, N_LOOP);
      fill_loops (&view, options, table);
    }
  if (!table->note && cab_model_state (model, &cab_deps))
    table->note = "for this run: another input may have other dependences";
  cab_deps_view_fini (&view);
}

const struct cab_report cab_deps_report = {
  .name = "deps",
  .summary = "which loops could run in parallel, and what is in the way",
  .subject = CAB_ABOUT_MEMORY,
  .options = CAB_HAS_BY | CAB_HAS_CORES,
  .of_accesses = true,
  .fill = fill,
  .lacks = lacks,
  .wrong_by = wrong_by,
  .lacks_by = lacks_by
};
