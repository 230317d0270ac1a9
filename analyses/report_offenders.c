/* report_offenders.c - which accesses, variables, lines, functions, loops, calling contexts or allocations miss in the simulated caches, and
 * how are misses spread over loads?
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "states.h"

static const struct cab_column all_columns[] = {
  CAB_ACCESS_COLUMNS,
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "read_misses", CAB_COUNT, 0 },
  { "write_misses", CAB_COUNT, 0 },
  { "ll_read_misses", CAB_COUNT, 0 },
  { "ll_write_misses", CAB_COUNT, 0 },
  { "misses", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "share", CAB_SHARE, 0 },
  { "cumulative", CAB_SHARE, 0 },
  { "blocks", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "context", CAB_TEXT, 0 }
};
enum
{
  VARIABLE, FUNCTION, FILE_, LINE, COLUMN, READS, WRITES, D1_READ, D1_WRITE, LL_READ, LL_WRITE, MISSES, SHARE, CUMULATIVE,
  BLOCKS, BYTES, CONTEXT, N
};

static const char *const by_names[] = { "site", "variable", "line", "function", "loop", "context", "block" };

bool
cab_report_by (const char *name, enum cab_report_by *by)
{
  for (size_t i = 0; i < ARRAY_SIZE (by_names); i++)
    if (!strcmp (by_names[i], name))
      {
	*by = i;
	return true;
      }
  return false;
}

const char *
cab_report_lacks_by (const struct cab_model *model, enum cab_report_by by)
{
  return by < CAB_BY_CONTEXT || cab_model_state (model, &cab_offenders) ? NULL
	 : "misses were not counted by context and allocation: compile with -fplugin-arg-cabprof-events=calls,memory "
	   "-fplugin-arg-cabprof-context, and run with CABPROF_OPTIONS=analyses=offenders";
}

/* Does a row have these? */
static bool
has (enum cab_report_by by, int column)
{
  switch (column)
    {
    case VARIABLE: return by == CAB_BY_SITE || by == CAB_BY_VARIABLE || by >= CAB_BY_CONTEXT;
    case FUNCTION: return by != CAB_BY_VARIABLE && by != CAB_BY_LINE;
    case FILE_: return by != CAB_BY_VARIABLE;
    case LINE: return by != CAB_BY_VARIABLE;
    case COLUMN: return by == CAB_BY_SITE || by >= CAB_BY_LOOP;
    case BLOCKS:
    case BYTES: return by == CAB_BY_BLOCK;
    case CONTEXT: return by >= CAB_BY_CONTEXT;
    default: return true;
    }
}

/* What the access of REF is counted under; false: not at all (it is in no loop). */
static bool
place (struct cab_model *model, const struct cab_report_options *options, const struct cab_access_ref *ref, union cab_cell *cell)
{
  const struct cab_record *r = ref->function->record;
  const struct cab_access_place *a = ref->access;
  const char *file = a->line ? r->files[a->file] : ref->function->file;
  uint32_t line = a->line, column = a->column;
  if (options->by == CAB_BY_FUNCTION)
    {
      file = ref->function->file;
      line = ref->function->line;
    }
  if (options->by == CAB_BY_LOOP)
    {
      const struct cab_access_loop *loop = a->loop < r->n_access_loops ? &r->access_loops[a->loop] : NULL;
      if (!loop || !loop->origin)
	return false;
      file = r->files[loop->file];
      line = loop->line;
      column = loop->column;
    }
  cell[VARIABLE].text = has (options->by, VARIABLE) ? a->name : "";
  cell[FUNCTION].text = has (options->by, FUNCTION) ? cab_report_name (model, options, ref->function) : "";
  cell[FILE_].text = has (options->by, FILE_) ? file : "";
  cell[LINE].count = has (options->by, LINE) ? line : 0;
  cell[COLUMN].count = has (options->by, COLUMN) ? column : 0;
  return true;
}

static void
put_misses (union cab_cell *cell, const uint64_t accesses[2], const uint64_t (*missed)[CAB_CACHESIM_LEVELS_MAX], unsigned last)
{
  cell[READS].count = accesses[0];
  cell[WRITES].count = accesses[1];
  cell[D1_READ].count = missed[0][0];
  cell[D1_WRITE].count = missed[1][0];
  cell[LL_READ].count = missed[0][last];
  cell[LL_WRITE].count = missed[1][last];
}

/* The allocation that ROW is of, or whose blocks it accesses; false: it does not count. */
static bool
place_allocation (struct cab_model *model, const struct cab_report_options *options, const struct cab_offenders_row *row,
		  union cab_cell *cell)
{
  struct cab_access_ref ref = cab_model_access (model, row->has_block ? row->allocation : row->number);
  const struct cab_allocation_place *a = ref.allocation;
  if (!row->has_block && !a)
    {
      cell[VARIABLE].text = "(no block)";
      cell[FUNCTION].text = cell[FILE_].text = cell[CONTEXT].text = "";
      cell[LINE].count = cell[COLUMN].count = 0;
      return !options->function && !options->file;
    }
  if (!a || !cab_report_wants (options, ref.function))
    return false;
  cell[VARIABLE].text = cab_names_format (&model->names, "%s by %s", a->type, cab_names_display (&model->names, a->callee, "", ""));
  cell[FUNCTION].text = cab_report_name (model, options, ref.function);
  cell[FILE_].text = a->line ? ref.function->record->files[a->file] : ref.function->file;
  cell[LINE].count = a->line;
  cell[COLUMN].count = a->column;
  cell[CONTEXT].text = cab_report_context (model, row->has_block ? row->allocation_node : row->node);
  return true;
}

/* By context, or by the allocation. */
static void
add_offender (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table, unsigned last,
	      const struct cab_offenders_row *row)
{
  union cab_cell where[N] = { [CONTEXT].text = "" };
  if (options->by == CAB_BY_CONTEXT)
    {
      struct cab_access_ref ref = cab_model_access (model, row->number);
      if (!(row->accesses[0] | row->accesses[1]) || !ref.access || !cab_report_wants (options, ref.function))
	return;
      cab_report_access (model, options, &ref, where);
      where[CONTEXT].text = cab_report_context (model, row->node);
    }
  else if (!(row->accesses[0] | row->accesses[1] | row->blocks) || !place_allocation (model, options, row, where))
    return;
  put_misses (where, row->accesses, row->missed, last);
  where[BLOCKS].count = row->blocks;
  where[BYTES].count = row->bytes;
  memcpy (cab_table_row (table), where, sizeof where);
}

static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table, unsigned last,
	 const struct cab_cache_row *row)
{
  struct cab_access_ref ref = cab_model_access (model, row->number);
  union cab_cell where[N];
  if (!(row->accesses[0] | row->accesses[1]) || !ref.access || !cab_report_wants (options, ref.function)
      || !place (model, options, &ref, where))
    return;
  union cab_cell *cell = cab_table_row (table);
  memcpy (cell, where, READS * sizeof *cell);
  cell[CONTEXT].text = "";
  put_misses (cell, row->accesses, row->missed, last);
}

static int
by_place (const void *a, const void *b)
{
  const union cab_cell *x = a, *y = b;
  int order = 0;
  for (int i = VARIABLE; i <= FILE_ && !order; i++)
    order = strcmp (x[i].text, y[i].text);
  for (int i = LINE; i <= COLUMN && !order; i++)
    order = x[i].count < y[i].count ? -1 : x[i].count > y[i].count;
  return order ? order : strcmp (x[CONTEXT].text, y[CONTEXT].text);
}

/* Rows of one place become one. */
static void
fold (struct cab_table *table)
{
  size_t n = 0;
  if (table->n_rows)
    qsort (table->cells, table->n_rows, N * sizeof *table->cells, by_place);
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *row = &table->cells[i * N], *last = n ? &table->cells[(n - 1) * N] : NULL;
      if (last && !by_place (last, row))
	for (int k = READS; k <= BYTES; k++)
	  last[k].count += k <= LL_WRITE || k >= BLOCKS ? row[k].count : 0;
      else
	memmove (&table->cells[n++ * N], row, N * sizeof *row);
    }
  table->n_rows = n;
}

/* Misses at the level that was asked for, and what part of all they and those above them are. */
static void
shares (struct cab_table *table, bool ll)
{
  uint64_t above = 0;
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *cell = &table->cells[i * N];
      cell[MISSES].count = ll ? cell[LL_READ].count + cell[LL_WRITE].count : cell[D1_READ].count + cell[D1_WRITE].count;
      table->total += cell[MISSES].count;
    }
  cab_table_sort (table, MISSES);
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *cell = &table->cells[i * N];
      above += cell[MISSES].count;
      cell[SHARE].share = table->total ? (double) cell[MISSES].count / table->total : 0;
      cell[CUMULATIVE].share = table->total ? (double) above / table->total : 0;
    }
}

/* Of N loads, with so many misses each: how many it takes, the worst first, to make 80 % of all misses. */
static int
downwards (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x > *y ? -1 : *x < *y;
}

static size_t
worst (uint64_t *misses, size_t n, uint64_t *total)
{
  uint64_t sum = 0;
  size_t i = 0;
  *total = 0;
  for (size_t k = 0; k < n; k++)
    *total += misses[k];
  if (n)
    qsort (misses, n, sizeof *misses, downwards);
  /* In whole numbers: sum / total >= 4 / 5. */
  for (; i < n && sum < *total - *total / 5; i++)
    sum += misses[i];
  return i;
}

/* The misses of each load that was executed, at LEVEL; freed by the caller. */
static uint64_t *
loads_of (struct cab_model *model, const struct cab_report_options *options, unsigned level, size_t *n)
{
  struct cab_cache_row row;
  uint64_t *misses = XCNEWVEC (uint64_t, model->n_accesses + 1), *loads = XCNEWVEC (uint64_t, model->n_accesses + 1);
  *n = 0;
  for (uint64_t cursor = 0; cab_report_misses_next (model, &cursor, &row);)
    if (row.number <= model->n_accesses)
      {
	loads[row.number] += row.accesses[0];
	misses[row.number] += row.missed[0][level];
      }
  for (uint32_t number = 1; number <= model->n_accesses; number++)
    {
      struct cab_access_ref ref = cab_model_access (model, number);
      if (loads[number] && ref.access && cab_report_wants (options, ref.function))
	misses[(*n)++] = misses[number];
    }
  free (loads);
  return misses;
}

/* The number of the level that was asked for. */
static unsigned
level_of (const struct cab_model *model, const struct cab_report_options *options)
{
  struct cab_cachesim_config config;
  if (!options->last_level)
    return 0;
  cab_report_misses_config (model, &config);
  return config.n_shared;
}

static const char *
title_of (struct cab_model *model, const struct cab_report_options *options, const char *what)
{
  char grouped[32];
  uint64_t total;
  size_t n;
  unsigned level = level_of (model, options);
  uint64_t *misses = loads_of (model, options, level, &n);
  size_t few = worst (misses, n, &total);
  free (misses);
  return cab_names_format (&model->names, "%s in %s: %zu of %zu loads make 80 %% of its %s read misses", what, level ? "LL" : "D1", few, n,
			   cab_table_grouped (total, grouped));
}

void
cab_report_offenders (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  static struct cab_column columns[N];
  struct cab_cachesim_config config;
  struct cab_offenders_row offender;
  struct cab_cache_row row;
  memcpy (columns, all_columns, sizeof columns);
  for (int i = 0; i < N; i++)
    if (!has (options->by, i))
      columns[i].formats = CAB_FORMAT_TSV | CAB_FORMAT_JSON;
  cab_table_init (table, "offenders", title_of (model, options, "Misses"), columns, N);
  table->total_column = MISSES;
  cab_report_misses_config (model, &config);
  if (options->by >= CAB_BY_CONTEXT)
    for (uint64_t cursor = 0; cab_offenders_next (cab_model_state (model, &cab_offenders), &cursor, &offender);)
      add_offender (model, options, table, config.n_shared, &offender);
  else
    for (uint64_t cursor = 0; cab_report_misses_next (model, &cursor, &row);)
      add_row (model, options, table, config.n_shared, &row);
  fold (table);
  shares (table, options->last_level);
}

static const struct cab_column spread_columns[] = {
  { "from_misses", CAB_COUNT, 0 },
  { "to_misses", CAB_COUNT, 0 },
  { "loads", CAB_COUNT, 0 },
  { "misses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 },
  { "cumulative", CAB_SHARE, 0 }
};

void
cab_report_spread (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  uint64_t loads[65] = { 0 }, sums[65] = { 0 }, total = 0, above = 0;
  size_t n;
  uint64_t *misses = loads_of (model, options, level_of (model, options), &n);
  cab_table_init (table, "spread", title_of (model, options, "How read misses are spread over loads"), spread_columns, 6);
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
