/* report_offenders.c - which accesses, variables, lines, functions, loops, variables in loops,
 * calling contexts or allocations miss in the simulated caches, and how misses are spread over
 * loads.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/misses_table.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "cabprof/info.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/an_offenders.h"

const char *
cab_report_lacks_by (const struct cab_model *model, enum cab_report_by by)
{
  return by < CAB_BY_CONTEXT || cab_model_state (model, &cab_offenders)
	 ? NULL
	 : "misses were not counted by context and allocation: compile with "
	   "-fplugin-arg-cabprof-events=calls,memory "
	   "-fplugin-arg-cabprof-context, and run with CABPROF_OPTIONS=analyses=offenders";
}

/* Return which of the caches of CONFIG is LEVEL; -1 if it has none. */
static int
cache_of (const struct cab_cachesim_config *config, enum cab_report_level level)
{
  return level == CAB_LEVEL_D1 ? 0
       : level == CAB_LEVEL_LL ? (int) config->n_shared
       : config->n_shared > 1 ? 1
       : -1;
}

/* Return the number of the cache that was asked for; -1 if it was not simulated. */
static int
cache_asked_for (const struct cab_model *model, enum cab_report_level level)
{
  struct cab_cachesim_config config;
  cab_report_misses_config (model, &config);
  return cache_of (&config, level);
}

const char *
cab_report_lacks_level (const struct cab_model *model, enum cab_report_level level)
{
  return cache_asked_for (model, level) >= 0
	 ? NULL
	 : "no L2 was simulated: run with CABPROF_OPTIONS=analyses=cache,L2=SIZE/WAYS/LINE, or "
	   "give --level=D1 or --level=LL";
}

static void
put_misses (union cab_cell *cell, const struct cab_cachesim_config *config,
	    const uint64_t accesses[2], const uint64_t (*missed)[CAB_CACHESIM_LEVELS_MAX])
{
  for (int write = 0; write < 2; write++)
    {
      cell[CAB_M_READS + write].count = accesses[write];
      for (int level = CAB_LEVEL_D1; level <= CAB_LEVEL_LL; level++)
	{
	  int cache = cache_of (config, level);
	  cell[CAB_M_D1_READ + 2 * level + write].count = cache < 0 ? CAB_UNKNOWN
								    : missed[write][cache];
	}
    }
}

/* Put the allocation that ROW is about, or whose blocks it accesses, into CELL.  Return false if it
   does not count. */
static bool
place_allocation (struct cab_model *model, const struct cab_report_options *options,
		  const struct cab_offenders_row *row, union cab_cell *cell)
{
  struct cab_access_ref ref = cab_model_access (model,
						row->has_block ? row->allocation : row->number);
  const struct cab_allocation_place *a = ref.allocation;
  if (!row->has_block && !a)
    {
      cell[CAB_A_VARIABLE].text = "(no block)";
      cell[CAB_A_FUNCTION].text = cell[CAB_A_FILE].text = cell[CAB_M_CONTEXT].text = "";
      cell[CAB_A_LINE].count = cell[CAB_A_COLUMN].count = 0;
      return !options->function && !options->file;
    }
  if (!a || !cab_report_wants (options, ref.function))
    return false;
  const char *callee = cab_names_display (&model->names, a->callee, "", "");
  bool is_local = !strncmp (callee, CAB_INFO_LOCAL, strlen (CAB_INFO_LOCAL));
  cell[CAB_A_VARIABLE].text = cab_names_format (&model->names, is_local ? "%s %s" : "%s by %s",
						a->type, callee);
  cell[CAB_A_FUNCTION].text = cab_report_name (model, options, ref.function);
  cell[CAB_A_FILE].text = a->line ? ref.function->record->files[a->file] : ref.function->file;
  cell[CAB_A_LINE].count = a->line;
  cell[CAB_A_COLUMN].count = a->column;
  cell[CAB_M_CONTEXT].text = cab_report_context (model, options,
						 row->has_block ? row->allocation_node : row->node);
  return true;
}

/* Add ROW to TABLE, by context or by the allocation. */
static void
add_offender (struct cab_model *model, const struct cab_report_options *options,
	      struct cab_table *table, const struct cab_cachesim_config *config,
	      const struct cab_offenders_row *row)
{
  union cab_cell where[CAB_M_COLUMNS] = { [CAB_M_CONTEXT].text = "" };
  if (options->by == CAB_BY_CONTEXT)
    {
      struct cab_access_ref ref = cab_model_access (model, row->number);
      if (!(row->accesses[0] | row->accesses[1]) || !ref.access
	  || !cab_report_wants (options, ref.function))
	return;
      cab_by_place (model, options, &ref, where);
      where[CAB_M_CONTEXT].text = cab_report_context (model, options, row->node);
    }
  else if (!(row->accesses[0] | row->accesses[1] | row->blocks)
	   || !place_allocation (model, options, row, where))
    return;
  put_misses (where, config, row->accesses, row->missed);
  where[CAB_M_BLOCKS].count = row->blocks;
  where[CAB_M_BYTES].count = row->bytes;
  memcpy (cab_table_row (table), where, sizeof where);
}

static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table,
	 const struct cab_cachesim_config *config, const struct cab_cache_row *row)
{
  struct cab_access_ref ref = cab_model_access (model, row->number);
  union cab_cell where[CAB_A_COLUMNS];
  if (!(row->accesses[0] | row->accesses[1]) || !ref.access
      || !cab_report_wants (options, ref.function) || !cab_by_place (model, options, &ref, where))
    return;
  union cab_cell *cell = cab_table_row (table);
  memcpy (cell, where, sizeof where);
  put_misses (cell, config, row->accesses, row->missed);
}

/* Return the misses of each load that was executed and has a place in the table of OPTIONS, in the
   cache that was asked for, and set *N to their number.  The caller frees the result. */
static uint64_t *
loads_of (struct cab_model *model, const struct cab_report_options *options, size_t *n)
{
  struct cab_cache_row row;
  uint64_t *misses = XCNEWVEC (uint64_t, model->n_accesses + 1),
	   *loads = XCNEWVEC (uint64_t, model->n_accesses + 1);
  int cache = cache_asked_for (model, options->level);
  *n = 0;
  for (uint64_t cursor = 0; cab_report_misses_next (model, &cursor, &row);)
    if (row.number <= model->n_accesses)
      {
	loads[row.number] += row.accesses[0];
	misses[row.number] += row.missed[0][cache];
      }
  for (uint32_t number = 1; number <= model->n_accesses; number++)
    {
      struct cab_access_ref ref = cab_model_access (model, number);
      union cab_cell place[CAB_A_COLUMNS];
      if (loads[number] && ref.access && cab_report_wants (options, ref.function)
	  && cab_by_place (model, options, &ref, place))
	misses[(*n)++] = misses[number];
    }
  free (loads);
  return misses;
}

static const char *
title_of (struct cab_model *model, const struct cab_report_options *options, const char *what)
{
  size_t n;
  uint64_t *misses = loads_of (model, options, &n);
  const char *title = cab_misses_title (&model->names, what, options->level, misses, n);
  free (misses);
  return title;
}

void
cab_report_offenders (struct cab_model *model, const struct cab_report_options *options,
		      struct cab_table *table)
{
  struct cab_cachesim_config config;
  struct cab_offenders_row offender;
  struct cab_cache_row row;
  cab_report_misses_config (model, &config);
  cab_misses_begin (table, title_of (model, options, "Misses"), options->by,
		    cache_of (&config, CAB_LEVEL_L2) > 0);
  if (options->by >= CAB_BY_CONTEXT)
    for (uint64_t cursor = 0;
	 cab_offenders_next (cab_model_state (model, &cab_offenders), &cursor, &offender);)
      add_offender (model, options, table, &config, &offender);
  else
    for (uint64_t cursor = 0; cab_report_misses_next (model, &cursor, &row);)
      add_row (model, options, table, &config, &row);
  cab_misses_finish (table, options->level);
}

static const struct cab_column spread_columns[] = {
  { "from_misses", CAB_COUNT, 0 },
  { "to_misses", CAB_COUNT, 0 },
  { "loads", CAB_COUNT, 0 },
  { "misses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 },
  { "cumulative", CAB_SHARE, 0 }
};

static void
fill_spread (struct cab_model *model, const struct cab_report_options *options,
	     struct cab_table *table)
{
  uint64_t loads[65] = { 0 }, sums[65] = { 0 }, total = 0, above = 0;
  size_t n;
  uint64_t *misses = loads_of (model, options, &n);
  cab_table_init (table, "spread",
		  title_of (model, options, "How read misses are spread over loads"),
		  spread_columns, 6);
  table->total_column = 3;
  for (size_t i = 0; i < n; i++)
    {
      int digits = misses[i] ? 64 - __builtin_clzll (misses[i]) : 0;
      loads[digits]++;
      sums[digits] += misses[i];
      total += misses[i];
    }
  free (misses);
  for (int digits = 64; digits >= 0; digits--)
    if (loads[digits])
      {
	union cab_cell *cell = cab_table_row (table);
	above += sums[digits];
	cell[0].count = digits ? UINT64_C (1) << (digits - 1) : 0;
	cell[1].count = digits ? UINT64_MAX >> (64 - digits) : 0;
	cell[2].count = loads[digits];
	cell[3].count = sums[digits];
	cell[4].share = total ? (double) sums[digits] / total : 0;
	cell[5].share = total ? (double) above / total : 0;
      }
  table->total = total;
}

const struct cab_report cab_offenders_report = {
  .name = "offenders",
  .summary = "which accesses, variables, lines, functions, loops, variables in loops, "
	     "contexts or allocations miss in simulated caches",
  .subject = CAB_ABOUT_CACHES,
  .options = CAB_HAS_BY | CAB_HAS_LEVEL,
  .of_accesses = true,
  .of_misses = true,
  .fill = cab_report_offenders,
  .lacks = cab_report_lacks_cache
};

const struct cab_report cab_spread_report = {
  .name = "spread",
  .summary = "how many loads make most of the misses",
  .subject = CAB_ABOUT_CACHES,
  .options = CAB_HAS_LEVEL,
  .keeps_order = true,
  .of_accesses = true,
  .of_misses = true,
  .fill = fill_spread,
  .lacks = cab_report_lacks_cache
};
