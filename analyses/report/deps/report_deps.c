/* report_deps.c - which loops carry dependences through memory, by loop, by variable, or by pair of
 * accesses.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/deps/deps_verdict.h"
#include "analyses/report/loops/loop_place.h"
#include "analyses/report/report.h"

#define PROGRAMS (CAB_FORMAT_TSV | CAB_FORMAT_JSON)

static const struct cab_column loop_columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "executions", CAB_COUNT, PROGRAMS },
  { "iterations", CAB_COUNT, 0 },
  { "accesses", CAB_COUNT, PROGRAMS },
  { "share", CAB_SHARE, 0 },
  { "verdict", CAB_TEXT, 0 },
  { "within", CAB_COUNT, PROGRAMS },
  { "raw", CAB_COUNT, PROGRAMS },
  { "war", CAB_COUNT, PROGRAMS },
  { "waw", CAB_COUNT, PROGRAMS },
  { "before", CAB_COUNT, PROGRAMS },
  { "least", CAB_NUMBER, PROGRAMS },
  { "most", CAB_NUMBER, PROGRAMS },
  { "in_the_way", CAB_CHAIN, 0 }
};
enum
{
  EXECUTIONS = CAB_LOOP_PLACE_N, ITERATIONS, ACCESSES, SHARE, VERDICT, WITHIN, RAW, WAR, WAW,
  BEFORE, LEAST, MOST, WAY, N_LOOP
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

/* Return true if some accesses were not looked at. */
static bool
is_incomplete (const struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_deps);
  return state
	 && (cab_deps.lost (state) || cab_deps_too_deep (state) || cab_deps_cut (state));
}

static void
fill_loops (const struct cab_deps_view *view, const struct cab_report_options *options,
	    struct cab_table *table)
{
  bool incomplete = is_incomplete (view->model);
  for (uint32_t i = 0; i < view->n_loops; i++)
    {
      const struct cab_deps_loop *l = &view->loops[i];
      if (!wants (view->model, options, l))
	continue;
      const char *verdict = cab_deps_verdict (view, i, incomplete), *way = cab_deps_way (view, i);
      union cab_cell *row = cab_table_row (table);
      put_place (view->model, l, row);
      row[EXECUTIONS].count = l->executions;
      row[ITERATIONS].count = l->iterations;
      row[ACCESSES].count = l->accesses;
      row[SHARE].share = view->accesses ? (double) l->accesses / view->accesses : 0;
      row[VERDICT].text = verdict;
      row[WITHIN].count = l->within;
      row[RAW].count = l->carried[CAB_DEPS_RAW];
      row[WAR].count = l->carried[CAB_DEPS_WAR];
      row[WAW].count = l->carried[CAB_DEPS_WAW];
      row[BEFORE].count = l->before;
      row[LEAST].count = l->least;
      row[MOST].count = l->most;
      row[WAY].text = way;
    }
  cab_table_sort (table, ACCESSES);
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

/* Return the remark on what the verdicts do not cover. */
static const char *
note (struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_deps);
  if (!state)
    return NULL;
  uint64_t lost = cab_deps.lost (state), deep = cab_deps_too_deep (state),
	   cut = cab_deps_cut (state);
  uint32_t threads = 0;
  for (uint32_t i = 0; i < model->n_processes; i++)
    threads += model->processes[i].n_threads > 1 ? model->processes[i].n_threads : 0;
  char *more = xstrdup ("");
  if (lost || cut)
    more = xasprintf ("; %" PRIu64 " events and %" PRIu64 " reads found no room (deps,memory=), so "
		      "there may be more",
		      lost, cut);
  if (deep)
    more = concat (more, "; some loops are nested too deeply to be told apart", NULL);
  if (threads)
    more = concat (more, "; between threads nothing was looked at", NULL);
  const char *text = cab_names_format (
    &model->names,
    "for this run, and through memory only: values that stay in registers from one iteration to "
    "the next (`cabprof report scalars'), and accesses of code without probes, are not looked at%s",
    more);
  free (more);
  return text;
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
      cab_table_init (table, "deps", "Dependences through memory by loop", loop_columns, N_LOOP);
      fill_loops (&view, options, table);
    }
  table->note = note (model);
  cab_deps_view_fini (&view);
}

const struct cab_report cab_deps_report = {
  .name = "deps",
  .summary = "which loops carry dependences through memory, by loop, variable or line",
  .subject = CAB_ABOUT_MEMORY,
  .options = CAB_HAS_BY,
  .of_accesses = true,
  .fill = fill,
  .lacks = lacks,
  .wrong_by = wrong_by,
  .lacks_by = lacks_by
};
