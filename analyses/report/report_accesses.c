/* report_accesses.c - which variables and fields are read and written, where, and how often.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/counted_by.h"
#include <string.h>
#include "analyses/live/an_accesses.h"
#include "analyses/profile/lto_unlinked.h"
#include "analyses/profile/partial/estimated.h"

static const struct cab_column all_columns[] = {
  CAB_ACCESS_COLUMNS,
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "accesses", CAB_COUNT, 0 },
  CAB_WITHIN_COLUMN,
  { "share", CAB_SHARE, CAB_FORMAT_TEXT },
  CAB_WITHIN_COLUMN
};
enum { READS = CAB_A_COLUMNS, WRITES, BYTES, ACCESSES, WITHIN, SHARE, LAST, N };

const char *
cab_report_lacks_accesses (const struct cab_model *model)
{
  return cab_model_state (model, &cab_accesses) ? NULL
       : cab_lto_unlinked (model)
	 ? "no accesses were counted: the program was compiled with events=memory and -flto, but "
	   "linked without the plugin: link "
	   "with cabprof-gcc, or give -fplugin= and its options at the link, too"
       : cab_filtered_wholly (model)
	 ? "no accesses were counted: when the program was compiled, variables=, types= and the "
	   "like left none in the functions that ran: "
	   "`cabprof info --skipped PROGRAM' says which they left out"
	 : "no accesses were counted: compile with -fplugin-arg-cabprof-events=memory, and run "
	   "with CABPROF_OPTIONS=analyses=accesses";
}

void
cab_report_access (struct cab_model *model, const struct cab_report_options *options,
		   const struct cab_access_ref *ref, union cab_cell *cell)
{
  const struct cab_access_place *a = ref->access;
  cell[CAB_A_VARIABLE].text = a->name;
  cell[CAB_A_FUNCTION].text = cab_report_name (model, options, ref->function);
  cell[CAB_A_FILE].text = a->line ? ref->function->record->files[a->file] : ref->function->file;
  cell[CAB_A_LINE].count = a->line;
  cell[CAB_A_COLUMN].count = a->column;
}

/* Add ROW to TABLE.  An access that both reads and writes is in both columns, and counts as one
   access. */
static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table,
	 const struct cab_accesses_row *row)
{
  struct cab_access_ref ref = cab_model_access (model, row->number);
  uint64_t accesses = row->n[CAB_ROW_READ] + row->n[CAB_ROW_WRITE]
		    + row->n[CAB_ROW_READ | CAB_ROW_WRITE];
  union cab_cell where[CAB_A_COLUMNS];
  if (!accesses || !ref.access || !cab_report_wants (options, ref.function)
      || !cab_by_place (model, options, &ref, where))
    return;
  union cab_cell *cell = cab_table_row (table);
  memcpy (cell, where, sizeof where);
  cell[READS].count = row->n[CAB_ROW_READ] + row->n[CAB_ROW_READ | CAB_ROW_WRITE];
  cell[WRITES].count = row->n[CAB_ROW_WRITE] + row->n[CAB_ROW_READ | CAB_ROW_WRITE];
  cell[BYTES].count = row->bytes;
  cell[ACCESSES].count = accesses;
  cell[WITHIN].count = cell[LAST].count
    = cab_model_within (model, CAB_ESTIMATE_ACCESS, row->number, 0, accesses);
  table->total += accesses;
}

static void
begin (const struct cab_model *model, struct cab_table *table, enum cab_report_by by)
{
  static struct cab_column columns[N];
  memcpy (columns, all_columns, sizeof columns);
  for (int i = 0; i < CAB_A_COLUMNS; i++)
    cab_column_in_text (&columns[i], cab_by_has (by, i));
  cab_report_show_within (model, &columns[WITHIN], &columns[LAST]);
  cab_table_init (table, "accesses", "Accesses to memory", columns, N);
  table->total_column = ACCESSES;
}

void
cab_report_accesses (struct cab_model *model, const struct cab_report_options *options,
		     struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_accesses);
  struct cab_accesses_row row;
  begin (model, table, options->by);
  for (uint64_t cursor = 0; state && cab_accesses_next (state, &cursor, &row);)
    add_row (model, options, table, &row);
  if (options->by != CAB_BY_SITE)
    cab_table_fold (table);
  cab_table_shares (table, ACCESSES, SHARE);
  cab_table_sort (table, ACCESSES);
}

static const char *
wrong_by (enum cab_report_by by)
{
  return by == CAB_BY_CONTEXT ? "accesses are not counted by it, but `contexts' has them, of a "
				"program that ran with analyses=contexts"
       : by == CAB_BY_BLOCK ? "accesses are not counted by it, but `blocks' has them, of a program "
			      "that ran with analyses=blocks"
       : NULL;
}

const struct cab_report cab_accesses_report = {
  .name = "accesses",
  .summary = "how often each variable or field was read and written, where",
  .subject = CAB_ABOUT_MEMORY,
  .options = CAB_HAS_BY,
  .of_accesses = true,
  .of_some_events = true,
  .wrong_by = wrong_by,
  .fill = cab_report_accesses,
  .lacks = cab_report_lacks_accesses
};
