/* report_layout.c - which members of structures are used, how often, and where they should be.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>
#include "analyses/layout/layout.h"
#include "analyses/layout/layout_arrays_text.h"
#include "analyses/layout/layout_text.h"
#include "analyses/layout/layout_worth.h"
#include "analyses/report/report.h"
#include "analyses/live/an_accesses.h"

static const struct cab_column columns[] = {
  { "type", CAB_TEXT, 0 },
  { "file", CAB_PATH, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "line", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "size", CAB_NUMBER, 0 },
  { "instances", CAB_TALLY, 0 },
  { "member", CAB_TEXT, 0 },
  { "offset", CAB_NUMBER, 0 },
  { "bytes", CAB_NUMBER, 0 },
  { "reads", CAB_COUNT, CAB_COLUMN_SPARE },
  { "writes", CAB_COUNT, CAB_COLUMN_SPARE },
  { "accesses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 },
  { "used", CAB_TEXT, 0 },
  { "goes_to", CAB_TEXT, 0 },
  { "new_offset", CAB_NUMBER, 0 },
  { "advice", CAB_TEXT, 0 },
  { "saved_bytes", CAB_TALLY, 0 },
  { "array", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "array_offset", CAB_TALLY, CAB_FORMAT_TSV | CAB_FORMAT_JSON }
};
enum
{
  TYPE, FILE_, LINE, SIZE, INSTANCES, MEMBER, OFFSET, BYTES, READS, WRITES, ACCESSES, SHARE, USED,
  PART, NEW_OFFSET, ADVICE, SAVED, ARRAY, ARRAY_OFFSET, N
};

const char *
cab_report_lacks_layout (const struct cab_model *model)
{
  return cab_model_state (model, &cab_accesses)
	 ? NULL
	 : "no accesses were counted: compile with -fplugin-arg-cabprof-events=memory, and run "
	   "with CABPROF_OPTIONS=analyses=layout";
}

/* Put the proposal into the row of CELLs. */
static void
add_advice (const struct cab_layout *layout, union cab_cell *cell)
{
  const struct cab_layout_saves *saves = &layout->saves;
  cell[SAVED].count = saves->bytes > saves->memory ? saves->bytes : saves->memory;
  switch (layout->plan.kind)
    {
    case CAB_LAYOUT_SPLIT: cell[ADVICE].text = "split"; break;
    case CAB_LAYOUT_ORDER: cell[ADVICE].text = "another order"; break;
    default:
      cell[ADVICE].text = layout->plan.why;
      cell[SAVED].count = CAB_UNKNOWN;
    }
}

/* Add the row of unit U, with the proposal if ADVISE. */
static void
add_row (struct cab_model *model, struct cab_table *table, const struct cab_layout *layout,
	 uint32_t u, bool advise)
{
  const struct cab_structure *s = layout->structure;
  const struct cab_layout_unit *unit = &layout->units[u];
  const struct cab_layout_plan *plan = &layout->plan;
  union cab_cell *cell = cab_table_row (table);
  bool cold = layout->units[u].cold;
  char *member = cab_layout_unit_name (layout, u);
  cell[TYPE].text = cab_names_copy (&model->names, s->name, strlen (s->name));
  cell[FILE_].text = cab_names_copy (&model->names, s->file, strlen (s->file));
  cell[LINE].count = s->line;
  cell[SIZE].count = s->bytes;
  cell[INSTANCES].count = layout->instances;
  cell[MEMBER].text = cab_names_copy (&model->names, member, strlen (member));
  cell[OFFSET].count = unit->offset;
  cell[BYTES].count = unit->bytes;
  cell[READS].count = unit->reads;
  cell[WRITES].count = unit->writes;
  cell[ACCESSES].count = unit->accesses;
  cell[SHARE].share = (double) unit->accesses / layout->accesses;
  cell[USED].text = cab_layout_used (layout, u);
  cell[PART].text = plan->kind == CAB_LAYOUT_KEEP ? "stays"
		  : plan->kind == CAB_LAYOUT_SPLIT && cold ? "cold"
		  : "first";
  cell[NEW_OFFSET].count = plan->kind == CAB_LAYOUT_KEEP ? unit->offset : plan->offset[u];
  cell[SAVED].count = CAB_UNKNOWN;
  if (advise)
    add_advice (layout, cell);
  free (member);
  if (!layout->arrays.n)
    {
      cell[ARRAY_OFFSET].count = CAB_UNKNOWN;
      return;
    }
  char *array = cab_layout_array_name (layout, layout->arrays.array[u]);
  cell[ARRAY].text = cab_names_copy (&model->names, array, strlen (array));
  cell[ARRAY_OFFSET].count = layout->arrays.offset[u];
  free (array);
}

static void
add_layout (struct cab_model *model, const struct cab_report_options *options,
	    struct cab_table *table, const struct cab_layout *layout)
{
  const char *note = cab_layout_note (layout);
  if (note && options->format == CAB_FORMAT_TEXT)
    table->note = note;
  for (uint32_t u = 0; u < layout->n_units; u++)
    add_row (model, table, layout, u, !u || options->format != CAB_FORMAT_TEXT);
}

/* Rows are in the order of the layouts: the most accessed structure first, members as they lie. */
static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  struct cab_layouts layouts;
  cab_table_init (table, "layout", "Members of structures", columns, N);
  cab_layouts_open (&layouts, model);
  cab_layouts_judge (&layouts);
  for (uint32_t i = 0; i < layouts.n; i++)
    if (layouts.items[i].accesses
	&& cab_report_wants_file (options, layouts.items[i].structure->file))
      add_layout (model, options, table, &layouts.items[i]);
  cab_layouts_close (&layouts);
}

const struct cab_report cab_layout_report = {
  .name = "layout",
  .summary = "how often each member of each structure was used, and a better layout",
  .subject = CAB_ABOUT_MEMORY,
  .of_accesses = true,
  .fill = fill,
  .lacks = cab_report_lacks_layout
};
