/* report_join.c - accesses by variable, line, loop, level, block, thread, path and context, in any
 * combination.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a row of the analysis `join' fills in the columns that were asked for.  Rows that are
 *             then equal are merged.  Accesses that have no loop, block, level or known path are in
 *             rows of their own, so that the counts of all rows are those of the run.
 */
#include "analyses/report/report.h"
#include <string.h>
#include "cabprof/info.h"
#include "analyses/live/join/an_join.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/cache/an_levels.h"
#include "analyses/report/join/join_by.h"

enum
{
  VARIABLE,
  FUNCTION,
  FILE_NAME,
  LINE,
  LOOP,
  LEVEL,
  BLOCK,
  PID,
  TID,
  PATH_FUNCTION,
  PATH,
  PATH_LINES,
  READS,
  WRITES,
  BYTES,
  D1_MISSES,
  L2_MISSES,
  LL_MISSES,
  MISSES,
  SHARE,
  CUMULATIVE,
  CONTEXT,
  N
};

static const struct cab_column all_columns[] = {
  { "variable", CAB_TEXT, 0 },
  { "function", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "loop", CAB_TEXT, 0 },
  { "level", CAB_TEXT, 0 },
  { "block", CAB_TEXT, 0 },
  { "pid", CAB_NUMBER, 0 },
  { "tid", CAB_NUMBER, 0 },
  { "path_function", CAB_FUNCTION, 0 },
  { "path", CAB_NUMBER, 0 },
  { "path_lines", CAB_TEXT, 0 },
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "d1_misses", CAB_COUNT, CAB_COLUMN_SPARE },
  { "l2_misses", CAB_TALLY, CAB_COLUMN_SPARE },
  { "ll_misses", CAB_COUNT, CAB_COLUMN_SPARE },
  { "misses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 },
  { "cumulative", CAB_SHARE, 0 },
  { "context", CAB_CHAIN, 0 }
};

/* Return what a column is asked for by; ~0: all tables have it. */
static unsigned
asked_by (int column, bool has_l2)
{
  switch (column)
    {
    case VARIABLE: return CAB_JOIN_VARIABLE;
    case FUNCTION:
    case FILE_NAME:
    case LINE: return CAB_JOIN_LINE;
    case LOOP: return CAB_JOIN_LOOP;
    case LEVEL: return CAB_JOIN_LEVEL;
    case BLOCK: return CAB_JOIN_BLOCK;
    case PID:
    case TID: return CAB_JOIN_THREAD;
    case PATH_FUNCTION:
    case PATH:
    case PATH_LINES: return CAB_JOIN_PATH;
    case CONTEXT: return CAB_JOIN_CONTEXT;
    case L2_MISSES: return has_l2 ? ~0u : 0;
    default: return ~0u;
    }
}

/* Return the place of the innermost source loop around the access of REF, "file.c:12 (function)",
   or "". */
static const char *
loop_of (struct cab_model *model, const struct cab_access_ref *ref)
{
  const struct cab_record *r = ref->function->record;
  const struct cab_access_loop *loop = ref->access->loop < r->n_access_loops
				       ? &r->access_loops[ref->access->loop]
				       : NULL;
  return loop && loop->origin
	 ? cab_names_format (&model->names, "%s:%u (%s)", r->files[loop->file], loop->line,
			     ref->function->display)
	 : "";
}

/* Return the allocation that ROW's accesses are to blocks of: "type by malloc, file.c:12", or
   "(no block)". */
static const char *
block_of (struct cab_model *model, const struct cab_join_row *row)
{
  struct cab_access_ref ref = cab_model_access (model, row->has_block ? row->allocation : 0);
  const struct cab_allocation_place *a = ref.allocation;
  if (!a)
    return row->has_block ? "(a block of unknown origin)" : "(no block)";
  const char *callee = cab_names_display (&model->names, a->callee, "", "");
  bool is_local = !strncmp (callee, CAB_INFO_LOCAL, strlen (CAB_INFO_LOCAL));
  return cab_names_format (&model->names, is_local ? "%s %s, %s:%u" : "%s by %s, %s:%u", a->type,
			   callee,
			   a->line ? ref.function->record->files[a->file] : ref.function->file,
			   a->line);
}

/* Put the thread of ROW into CELL. */
static void
put_thread (const struct cab_model *model, const struct cab_join_row *row, union cab_cell *cell)
{
  const struct cab_process *p = row->process && row->process <= model->n_processes
				? &model->processes[row->process - 1]
				: NULL;
  cell[PID].count = p ? p->pid : 0;
  cell[TID].count = p && row->thread < p->n_threads ? p->lifetimes[row->thread].tid : 0;
}

/* Put the path of ROW into CELL. */
static void
put_path (struct cab_model *model, const struct cab_report_options *options,
	  const struct cab_join_row *row, union cab_cell *cell)
{
  const struct cab_function *f = row->path_fn && row->path_fn <= model->n_functions
				 ? model->functions[row->path_fn - 1]
				 : NULL;
  cell[PATH_FUNCTION].text = f ? cab_report_name (model, options, f)
			   : row->not_held ? "(path not held)"
					   : "(path not known)";
  cell[PATH].count = f ? row->path : 0;
  cell[PATH_LINES].text = f ? cab_report_path_lines (model, f, row->path) : "";
}

/* Put the place of ROW into the columns of CELL that were asked for. */
static void
put_place (struct cab_model *model, const struct cab_report_options *options,
	   const struct cab_join_row *row, const struct cab_access_ref *ref, union cab_cell *cell)
{
  union cab_cell place[5];
  unsigned by = options->join;
  cab_report_access (model, options, ref, place);
  if (by & CAB_JOIN_VARIABLE)
    cell[VARIABLE] = place[0];
  if (by & CAB_JOIN_LINE)
    memcpy (&cell[FUNCTION], &place[1], 3 * sizeof *place);
  if (by & CAB_JOIN_LOOP)
    cell[LOOP].text = loop_of (model, ref);
  if (by & CAB_JOIN_BLOCK)
    cell[BLOCK].text = block_of (model, row);
  if (by & CAB_JOIN_THREAD)
    put_thread (model, row, cell);
  if (by & CAB_JOIN_CONTEXT)
    cell[CONTEXT].text = cab_report_context (model, options, row->node);
}

/* Return the column of misses in cache number CACHE of CONFIG. */
static int
column_of (const struct cab_cachesim_config *config, unsigned cache)
{
  return !cache ? D1_MISSES : cache == config->n_shared ? LL_MISSES : L2_MISSES;
}

static void
put_counts (const struct cab_cachesim_config *config, const struct cab_report_options *options,
	    const struct cab_join_row *row, union cab_cell *cell)
{
  static const int asked[] = { D1_MISSES, L2_MISSES, LL_MISSES };
  cell[row->writes ? WRITES : READS].count = row->n;
  cell[BYTES].count = row->n * row->bytes;
  cell[L2_MISSES].count = config->n_shared > 1 ? 0 : CAB_UNKNOWN;
  for (unsigned cache = 0; row->level != CAB_LEVEL_NONE && cache < row->level; cache++)
    cell[column_of (config, cache)].count = row->n;
  cell[MISSES].count = cell[asked[options->level]].count;
  if (options->join & CAB_JOIN_LEVEL)
    cell[LEVEL].text = row->level == CAB_LEVEL_NONE ? "?" : cab_levels_name (config, row->level);
}

/* Return a note on the accesses of MODEL that could not wait for the end of their path; null if
   there are none. */
static const char *
note_of (struct cab_model *model, const struct cab_arena *joined)
{
  struct cab_join_row row;
  uint64_t n = 0;
  char grouped[32];
  for (uint64_t cursor = 0; joined && cab_join_next (joined, &cursor, &row);)
    n += row.not_held ? row.n : 0;
  return n ? cab_names_format (&model->names,
			       "%s accesses have no path: too many came before it ended",
			       cab_table_grouped (n, grouped))
	   : NULL;
}

/* Fill in shares of all misses, and sort by misses. */
static void
put_shares (struct cab_table *table)
{
  uint64_t above = 0;
  cab_table_fold (table);
  cab_table_sort (table, MISSES);
  table->total = 0;
  for (size_t i = 0; i < table->n_rows; i++)
    table->total += table->cells[i * N + MISSES].count;
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *cell = &table->cells[i * N];
      above += cell[MISSES].count;
      cell[SHARE].share = table->total ? (double) cell[MISSES].count / table->total : 0;
      cell[CUMULATIVE].share = table->total ? (double) above / table->total : 0;
    }
  cab_table_sum (table);
}

/* Return the caches of MODEL; none if it has no levels. */
static struct cab_cachesim_config
config_of (const struct cab_model *model)
{
  struct cab_cachesim_config config = { 0 };
  const struct cab_arena *levels = cab_model_state (model, &cab_levels);
  if (levels)
    cab_levels_config (levels, &config);
  return config;
}

/* Put a row of the table for each row of JOINED. */
static void
put_rows (struct cab_model *model, const struct cab_report_options *options,
	  const struct cab_cachesim_config *config, const struct cab_arena *joined,
	  struct cab_table *table)
{
  struct cab_join_row row;
  for (uint64_t cursor = 0; joined && cab_join_next (joined, &cursor, &row);)
    {
      struct cab_access_ref ref = cab_model_access (model, row.number);
      if (!ref.access || !cab_report_wants (options, ref.function))
	continue;
      union cab_cell *cell = cab_table_row (table);
      put_place (model, options, &row, &ref, cell);
      if (options->join & CAB_JOIN_PATH)
	put_path (model, options, &row, cell);
      put_counts (config, options, &row, cell);
    }
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  static struct cab_column columns[N];
  static const char *const levels[] = { "D1", "L2", "LL" };
  const struct cab_cachesim_config config = config_of (model);
  const struct cab_arena *joined
    = cab_model_state (model, &cab_levels) ? cab_model_state (model, &cab_join) : NULL;
  memcpy (columns, all_columns, sizeof columns);
  for (int i = 0; i < N; i++)
    cab_column_in_text (&columns[i],
			asked_by (i, config.n_shared > 1) & (options->join | 1u << 31));
  cab_table_init (table, "join",
		  cab_names_format (&model->names, "Accesses, and their misses in %s",
				    levels[options->level]),
		  columns, N);
  table->total_column = MISSES;
  table->note = options->join & CAB_JOIN_PATH ? note_of (model, joined) : NULL;
  put_rows (model, options, &config, joined, table);
  put_shares (table);
}

static const char *
lacks (const struct cab_model *model)
{
  return cab_model_state (model, &cab_join) && cab_model_state (model, &cab_levels)
	 ? NULL
	 : "accesses were not joined: compile with -fplugin-arg-cabprof-events=calls,memory "
	   "-fplugin-arg-cabprof-context, and run with CABPROF_OPTIONS=analyses=join";
}

/* Return true if the path of an access of MODEL is known. */
static bool
knows_paths (const struct cab_model *model)
{
  const struct cab_arena *joined = cab_model_state (model, &cab_join);
  struct cab_join_row row;
  for (uint64_t cursor = 0; joined && cab_join_next (joined, &cursor, &row);)
    if (row.has_path)
      return true;
  return false;
}

/* Return why MODEL has not all that OPTIONS ask for, or null. */
static const char *
lacks_asked (const struct cab_model *model, const struct cab_report_options *options)
{
  const struct cab_cachesim_config config = config_of (model);
  if (options->level == CAB_LEVEL_L2 && config.n_shared < 2)
    return "no L2 was simulated: run with "
	   "CABPROF_OPTIONS=analyses=levels,L2=SIZE/WAYS/LINE+join, or give --level=D1 or "
	   "--level=LL";
  if (options->join & CAB_JOIN_CONTEXT && cab_tree_n (&model->tree) < 2)
    return "contexts were not recorded: compile with "
	   "-fplugin-arg-cabprof-events=calls,memory -fplugin-arg-cabprof-context, or leave "
	   "`context' out of --by";
  if (options->join & CAB_JOIN_PATH && !knows_paths (model))
    return "paths were not recorded among the accesses: compile with "
	   "-fplugin-arg-cabprof-events=paths,calls,memory -fplugin-arg-cabprof-paths=trace "
	   "-fplugin-arg-cabprof-context, or leave `path' out of --by";
  return NULL;
}

const struct cab_report cab_join_report = {
  .name = "join",
  .summary = "accesses and misses by variable, line, loop, level, block, thread, path and "
	     "context, in any combination",
  .subject = CAB_ABOUT_CACHES,
  .options = CAB_HAS_BY | CAB_HAS_LEVEL | CAB_HAS_JOIN,
  .of_accesses = true,
  .fill = fill,
  .lacks = lacks,
  .lacks_asked = lacks_asked
};
