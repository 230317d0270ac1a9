/* report_contexts.c - what happened how often in which calling context.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/report.h"
#include "analyses/profile/chain.h"
#include "analyses/live/an_contexts.h"
#include "analyses/live/an_tree.h"

static const struct cab_column columns[] = {
  { "event", CAB_TEXT, 0 },
  { "what", CAB_TEXT, 0 },
  { "function", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "line", CAB_LINE, 0 },
  { "count", CAB_COUNT, 0 },
  { "sum", CAB_TALLY, 0 },
  { "node", CAB_NUMBER, 0 },
  { "context", CAB_CHAIN, 0 }
};
enum { EVENT, WHAT, FUNCTION, FILE_, LINE, COUNT, SUM, NODE, CONTEXT, N };

const char *
cab_report_lacks_contexts (const struct cab_model *model)
{
  return cab_model_state (model, &cab_contexts)
	 ? NULL
	 : "no contexts were recorded: compile with -fplugin-arg-cabprof-events=calls,memory "
	   "-fplugin-arg-cabprof-context, and run with "
	   "CABPROF_OPTIONS=analyses=contexts";
}

/* The model to which a chain's numbers belong. */
struct chained
{
  struct cab_model *model;
  bool brief;
};

static const char *
function_name (void *host, uint32_t callee)
{
  const struct chained *c = host;
  const struct cab_function *function = callee && callee <= c->model->n_functions
					? c->model->functions[callee - 1]
					: NULL;
  return !function ? NULL
       : c->brief ? cab_names_brief (&c->model->names, function->display)
       : function->display;
}

static uint32_t
line_of_call (void *host, uint32_t site)
{
  const struct cab_model *model = ((const struct chained *) host)->model;
  const struct cab_call_site *place = site <= model->n_sites ? model->sites[site].place : NULL;
  return place ? place->line : 0;
}

const char *
cab_report_context (struct cab_model *model, const struct cab_report_options *options,
		    uint32_t node)
{
  struct chained chained = { model, options->format == CAB_FORMAT_TEXT };
  struct cab_chain_names known = { &chained, function_name, line_of_call };
  uint32_t n = cab_tree_n (&model->tree);
  const char ***chains = &model->chains[chained.brief];
  if (node >= n)
    return cab_chain_text (&model->names, &model->tree, node, &known);
  if (!*chains)
    *chains = XCNEWVEC (const char *, n);
  if (!(*chains)[node])
    (*chains)[node] = cab_chain_text (&model->names, &model->tree, node, &known);
  return (*chains)[node];
}

static const char *
event_of (const struct cab_contexts_row *row)
{
  unsigned how = row->form & (CAB_ROW_READ | CAB_ROW_WRITE);
  if (row->kind == CAB_EV_PATH)
    return "path";
  if (row->kind == CAB_EV_LOOP)
    return row->form == CAB_LOOP_LEFT ? "loop" : NULL;
  if (how)
    return how == CAB_ROW_READ ? "read" : how == CAB_ROW_WRITE ? "write" : "modify";
  return row->form == CAB_ROW_ALLOCATED ? "allocate"
       : row->form == CAB_ROW_RELEASED	? "release"
					: "move";
}

/* Put the place of an access or allocation into CELL.  Return false if it is not known. */
static bool
place_access (struct cab_model *model, const struct cab_contexts_row *row, union cab_cell *cell,
	      const struct cab_function **function)
{
  struct cab_access_ref ref = cab_model_access (model, row->number);
  if (!ref.function || (!ref.access && !ref.allocation))
    return false;
  uint32_t file = ref.access ? ref.access->file : ref.allocation->file,
	   line = ref.access ? ref.access->line : ref.allocation->line;
  *function = ref.function;
  cell[WHAT].text = ref.access ? ref.access->name
			       : cab_names_display (&model->names, ref.allocation->callee, "", "");
  cell[FILE_].text = line ? ref.function->record->files[file] : ref.function->file;
  cell[LINE].count = line;
  cell[SUM].count = row->sum;
  return true;
}

static bool
place_code (struct cab_model *model, const struct cab_contexts_row *row, union cab_cell *cell,
	    const struct cab_function **function)
{
  if (!row->number || row->number > model->n_functions)
    return false;
  const struct cab_function *f = *function = model->functions[row->number - 1];
  const struct cab_record *r = f->record;
  bool path = row->kind == CAB_EV_PATH,
       known = !path && r && row->part < r->n_loops && r->loops[row->part].known;
  cell[WHAT].text = path ? cab_names_format (&model->names, "%ju: %s", (uintmax_t) row->part,
					     cab_report_path_lines (model, f, row->part))
			 : cab_names_format (&model->names, "loop %ju", (uintmax_t) row->part);
  cell[FILE_].text = known && r->loops[row->part].file < r->n_files
		     ? r->files[r->loops[row->part].file]
		     : f->file;
  cell[LINE].count = known ? r->loops[row->part].line : path ? f->line : 0;
  cell[SUM].count = path ? CAB_UNKNOWN : row->sum;
  return true;
}

static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table,
	 const struct cab_contexts_row *row)
{
  const struct cab_function *function = NULL;
  union cab_cell cell[N] = { [EVENT].text = event_of (row) };
  bool placed = cell[EVENT].text
	     && (row->kind == CAB_EV_ACCESS ? place_access (model, row, cell, &function)
					    : place_code (model, row, cell, &function));
  if (!placed || !cab_report_wants (options, function))
    return;
  cell[FUNCTION].text = cab_report_name (model, options, function);
  cell[COUNT].count = row->n;
  cell[NODE].count = row->node;
  cell[CONTEXT].text = cab_report_context (model, options, row->node);
  memcpy (cab_table_row (table), cell, sizeof cell);
  table->total += row->n;
}

void
cab_report_contexts (struct cab_model *model, const struct cab_report_options *options,
		     struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_contexts);
  struct cab_contexts_row row;
  cab_table_init (table, "contexts", "What happened in which calling context", columns, N);
  table->total_column = COUNT;
  for (uint64_t cursor = 0; state && cab_contexts_next (state, &cursor, &row);)
    add_row (model, options, table, &row);
  cab_table_sort (table, COUNT);
}

const struct cab_report cab_contexts_report = {
  .name = "contexts",
  .summary = "how often what happened in which calling context: accesses, allocations, "
	     "traced paths, loops",
  .subject = CAB_ABOUT_MEMORY,
  .of_accesses = true,
  .of_contexts = true,
  .fill = cab_report_contexts,
  .lacks = cab_report_lacks_contexts
};
