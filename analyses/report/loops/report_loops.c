/* report_loops.c - what is known of each loop, as a table.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/loops/report_loops.h"
#include <math.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/loops/loop_place.h"

#define DATA (CAB_FORMAT_TSV | CAB_FORMAT_JSON)

static const struct cab_column columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "share", CAB_SAMPLED, 0 },
  { "share_all", CAB_SAMPLED, DATA },
  { "entries", CAB_TALLY, DATA },
  { "iterations", CAB_TALLY, DATA },
  { "trips", CAB_REAL, 0 },
  { "compiler", CAB_TEXT, 0 },
  { "hint", CAB_TEXT, CAB_FORMAT_TEXT },
  { "choice", CAB_TEXT, DATA },
  { "vectorize", CAB_TEXT, DATA },
  { "registers", CAB_TEXT, DATA },
  { "align", CAB_TEXT, DATA },
  { "prefetch", CAB_TEXT, DATA },
  { "predicted", CAB_REAL, 0 },
  { "measured", CAB_REAL, 0 },
  { "reason", CAB_TEXT, 0 },
  { "assembler", CAB_TEXT, DATA },
  { "checksum", CAB_TEXT, DATA },
  { "flags", CAB_TEXT, DATA }
};
enum
{
  SHARE = CAB_LOOP_PLACE_N,
  SHARE_ALL,
  ENTRIES,
  ITERATIONS,
  TRIPS,
  COMPILER,
  HINT,
  CHOICE,
  VECTORIZE,
  REGISTERS,
  ALIGN,
  PREFETCH,
  PREDICTED,
  MEASURED,
  REASON,
  ASSEMBLER,
  CHECKSUM,
  FLAGS,
  N_FIXED
};
#define PER_COLUMN 3   /* columns for each build: stalls, low, high */

bool
cab_report_loops_wants (const struct cab_report_options *options, const struct cab_view_loop *loop)
{
  return cab_report_wants_named (options, loop->display, loop->function, loop->file);
}

const char *
cab_report_loops_hint (struct cab_names *names, const struct cab_view_hint *hint)
{
  const char *parts[] = { hint->unroll == 0 ? NULL
			  : hint->unroll == 1 ? "do not unroll"
			  : cab_names_format (names, "unroll %d", hint->unroll),
			  hint->vectorize < 0 ? NULL
			  : hint->vectorize ? "vectorize"
			  : "do not vectorize",
			  hint->registers ? "rename registers" : NULL,
			  hint->align ? cab_names_format (names, "align to %u", hint->align)
				      : NULL,
			  hint->prefetch
			    ? cab_names_format (names, "prefetch %u ahead", hint->prefetch)
			    : NULL };
  const char *words = "";
  for (size_t i = 0; i < ARRAY_SIZE (parts); i++)
    if (parts[i])
      words = cab_names_format (names, "%s%s%s", words, *words ? ", " : "", parts[i]);
  return words;
}

const char *
cab_report_loops_vectorize (int vectorize)
{
  return vectorize < 0 ? "-" : vectorize ? "yes" : "no";
}

const char *
cab_report_loops_number (struct cab_names *names, unsigned number)
{
  return number ? cab_names_format (names, "%u", number) : "-";
}

const char *
cab_report_loops_choice (struct cab_loop_view *view, const struct cab_view_loop *loop)
{
  if (loop->hint.unroll < 0)
    return "-";
  const char *words = cab_report_loops_hint (&view->names, &loop->hint);
  return *words ? words : "none";
}

bool
cab_report_loops_hinted (const struct cab_view_hint *hint)
{
  return hint->unroll > 0 || hint->vectorize >= 0 || hint->registers || hint->align
      || hint->prefetch;
}

static bool
is_same (const struct cab_view_hint *a, const struct cab_view_hint *b)
{
  return a->unroll == b->unroll && a->vectorize == b->vectorize && a->registers == b->registers
      && a->align == b->align && a->prefetch == b->prefetch;
}

int
cab_report_loops_chosen (const struct cab_loop_view *view, const struct cab_view_loop *loop)
{
  if (loop->hint.unroll == 0 && !cab_report_loops_hinted (&loop->hint))
    return 0;
  for (uint32_t j = 0; loop->hint.unroll >= 0 && j < view->n_columns; j++)
    if (is_same (&view->columns[j].hint, &loop->hint))
      return j;
  return -1;
}

double
cab_report_loops_ratio (const struct cab_view_loop *loop, uint32_t j)
{
  return loop->stalls && loop->stalls[0].mean > 0 ? loop->stalls[j].mean / loop->stalls[0].mean
						  : NAN;
}

/* Return the fixed columns, and three for each build of the matrix. */
static const struct cab_column *
make_columns (struct cab_loop_view *view, int *n)
{
  static const char *const kinds[PER_COLUMN] = { "stalls", "low", "high" };
  *n = N_FIXED + PER_COLUMN * view->n_columns;
  struct cab_column *all = cab_names_zero (&view->names, *n, sizeof *all);
  memcpy (all, columns, sizeof columns);
  for (uint32_t j = 0; j < view->n_columns; j++)
    for (int k = 0; k < PER_COLUMN; k++)
      all[N_FIXED + PER_COLUMN * j + k] = (struct cab_column) {
	cab_names_format (&view->names, "%s_%s", kinds[k], view->columns[j].name), CAB_REAL, DATA
      };
  return all;
}

static void
put_loop (struct cab_loop_view *view, struct cab_table *table, const struct cab_view_loop *loop)
{
  union cab_cell *row = cab_table_row (table);
  cab_loop_put_place (row, loop->display, loop->file, loop->line, loop->column, loop->ordinal);
  row[SHARE].share = loop->share;
  row[SHARE_ALL].share = loop->share_all;
  row[ENTRIES].count = isfinite (loop->entries) ? (uint64_t) loop->entries : CAB_UNKNOWN;
  row[ITERATIONS].count = isfinite (loop->iterations) ? (uint64_t) loop->iterations : CAB_UNKNOWN;
  row[TRIPS].share = loop->mean;
  row[COMPILER].text = loop->outcome ? loop->outcome : "-";
  row[HINT].text = cab_report_loops_choice (view, loop);
  row[CHOICE].text = loop->hint.unroll < 0
		     ? "-"
		     : cab_names_format (&view->names, "%d", loop->hint.unroll);
  row[VECTORIZE].text = cab_report_loops_vectorize (loop->hint.vectorize);
  row[REGISTERS].text = loop->hint.registers ? "yes" : "-";
  row[ALIGN].text = cab_report_loops_number (&view->names, loop->hint.align);
  row[PREFETCH].text = cab_report_loops_number (&view->names, loop->hint.prefetch);
  row[PREDICTED].share = loop->predicted;
  row[MEASURED].share = loop->measured;
  row[REASON].text = loop->reason;
  row[ASSEMBLER].text = loop->function;
  row[CHECKSUM].text = cab_names_format (&view->names, "%08x", loop->checksum);
  row[FLAGS].text = *loop->flags ? loop->flags : "-";
  for (uint32_t j = 0; j < view->n_columns; j++)
    {
      row[N_FIXED + PER_COLUMN * j].share = loop->stalls ? loop->stalls[j].mean : NAN;
      row[N_FIXED + PER_COLUMN * j + 1].share = loop->stalls ? loop->stalls[j].low : NAN;
      row[N_FIXED + PER_COLUMN * j + 2].share = loop->stalls ? loop->stalls[j].high : NAN;
    }
}

/* Hide columns from text in which no row has a value. */
static void
hide_empty (struct cab_table *table)
{
  struct cab_column *columns = (struct cab_column *) table->columns;
  for (int c = 0; c < table->n_columns; c++)
    {
      bool told = false;
      for (size_t r = 0; r < table->n_rows && !told; r++)
	{
	  const union cab_cell *cell = &table->cells[r * table->n_columns + c];
	  if (columns[c].type == CAB_SAMPLED || columns[c].type == CAB_REAL)
	    told = isfinite (cell->share);
	  else
	    told = columns[c].type != CAB_TEXT || (*cell->text && strcmp (cell->text, "-"));
	}
      if (!told)
	columns[c].formats = DATA;
    }
}

void
cab_report_loops_table (struct cab_loop_view *view, const struct cab_report_options *options,
			struct cab_table *table)
{
  int n;
  bool told = false;
  const struct cab_column *all = make_columns (view, &n);
  cab_table_init (table, "loops",
		  view->has_matrix ? "Loops by their share of the default build's samples"
		  : view->has_samples ? "Loops by their share of samples"
		  : "Loops",
		  all, n);
  table->n_samples = view->n_samples;
  for (uint32_t i = 0; i < view->n_loops; i++)
    told |= cab_loop_view_tells (&view->loops[i]);
  for (uint32_t i = 0; i < view->n_loops; i++)
    if (cab_report_loops_wants (options, &view->loops[i])
	&& (!told || options->format != CAB_FORMAT_TEXT || cab_loop_view_tells (&view->loops[i])))
      put_loop (view, table, &view->loops[i]);
  if (options->format == CAB_FORMAT_TEXT)
    hide_empty (table);
}

const struct cab_report cab_loops_report = {
  .name = "loops",
  .summary = "each loop's share of time, trips, stalls by unroll factor, hint",
  .subject = CAB_ABOUT_TIME,
  .options = CAB_HAS_HTML,
  .keeps_order = true,
  .of_some_events = true,
  .of_whole_run = true
};
