/* report_reuse.c - how far apart uses of the same line of memory are, and which caches would hold
 * it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include "analyses/report/report.h"
#include "analyses/live/space.h"
#include "analyses/live/an_reuse.h"

#define CHART 40    /* columns of a bar */

static const struct cab_column columns[] = {
  CAB_ACCESS_COLUMNS,
  { "uses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 },
  { "median", CAB_TALLY, 0 },
  { "over_depth", CAB_COUNT, 0 },
  { "distances", CAB_TEXT, 0 }
};
enum { VARIABLE, FUNCTION, FILE_, LINE, COLUMN, USES, SHARE, MEDIAN, BEYOND, DISTANCES, N };
#define DEEP (CAB_REUSE_BUCKETS - 1)

static const struct cab_column curve_columns[] = {
  { "bytes", CAB_COUNT, 0 },
  { "lines", CAB_COUNT, 0 },
  { "misses", CAB_COUNT, 0 },
  { "ratio", CAB_SHARE, 0 },
  { "chart", CAB_TEXT, CAB_FORMAT_TEXT }
};
enum { BYTES, LINES, MISSES, RATIO, BAR, N_CURVE };

const char *
cab_report_lacks_reuse (const struct cab_model *model)
{
  return cab_model_state (model, &cab_reuse)
	 ? NULL
	 : "no distances were recorded: compile with -fplugin-arg-cabprof-events=memory, and run "
	   "with CABPROF_OPTIONS=analyses=reuse";
}

/* Return the least power of two below which the distances of half of the uses lie, or
   CAB_UNKNOWN. */
static uint64_t
median (const struct cab_reuse_row *row, uint64_t uses)
{
  uint64_t sum = 0;
  for (unsigned k = 0; k < DEEP; k++)
    {
      sum += row->n[k];
      if (sum >= uses - sum)
	return UINT64_C (1) << k;
    }
  return CAB_UNKNOWN;
}

/* Return the uses from each power of two on: "0:12 1:3 2:5 4:7 -:9".  The last number counts those
   whose distance is not known. */
static const char *
distances (struct cab_model *model, const struct cab_reuse_row *row)
{
  char text[CAB_REUSE_BUCKETS * 32];
  size_t at = 0;
  text[0] = 0;
  for (unsigned k = 0; k < DEEP; k++)
    if (row->n[k])
      at += snprintf (text + at, sizeof text - at, "%s%u:%ju", at ? " " : "", k ? 1u << (k - 1) : 0,
		      (uintmax_t) row->n[k]);
  if (row->n[DEEP])
    at += snprintf (text + at, sizeof text - at, "%s-:%ju", at ? " " : "",
		    (uintmax_t) row->n[DEEP]);
  return cab_names_copy (&model->names, text, at);
}

static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table,
	 const struct cab_reuse_row *row)
{
  struct cab_access_ref ref = cab_model_access (model, row->number);
  uint64_t uses = cab_state_sum (row->n, CAB_REUSE_BUCKETS);
  if (!uses || !ref.access || !cab_report_wants (options, ref.function))
    return;
  union cab_cell *cell = cab_table_row (table);
  cab_report_access (model, options, &ref, cell);
  cell[USES].count = uses;
  cell[MEDIAN].count = median (row, uses);
  cell[BEYOND].count = row->n[DEEP];
  cell[DISTANCES].text = distances (model, row);
  table->total += uses;
}

/* Return a bar for RATIO. */
static const char *
bar (struct cab_model *model, double ratio)
{
  char text[CHART];
  size_t n = ratio * CHART + 0.5;
  memset (text, '#', sizeof text);
  return cab_names_copy (&model->names, text, n < CHART ? n : CHART);
}

/* Fill TABLE with the misses of fully associative caches, from one line up to the depth, two sizes
   for each power of two. */
static void
fill_curve (struct cab_model *model, const struct cab_arena *state, struct cab_table *table)
{
  uint64_t depth = cab_reuse_depth (state), line = cab_reuse_line (state),
	   uses = cab_reuse_uses (state, depth), lines = 0;
  for (uint64_t d = 0; d < depth; d++)
    uses += cab_reuse_uses (state, d);
  if (!uses)
    return;
  uint64_t misses = uses;
  for (uint64_t size = 1; size <= depth;
       size += size & (size - 1) || size == 1 ? size & -size : size / 2)
    {
      for (; lines < size; lines++)
	misses -= cab_reuse_uses (state, lines);
      union cab_cell *cell = cab_table_row (table);
      cell[BYTES].count = size * line;
      cell[LINES].count = size;
      cell[MISSES].count = misses;
      cell[RATIO].share = (double) misses / uses;
      cell[BAR].text = bar (model, cell[RATIO].share);
    }
}

void
cab_report_reuse (struct cab_model *model, const struct cab_report_options *options,
		  struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_reuse);
  struct cab_reuse_row row;
  if (options->curve)
    {
      cab_table_init (table, "reuse", "Misses of a fully associative cache by its size",
		      curve_columns, N_CURVE);
      fill_curve (model, state, table);
      return;
    }
  cab_table_init (table, "reuse", "Distances between uses of a line, in other lines", columns, N);
  table->total_column = USES;
  for (uint64_t cursor = 0; state && cab_reuse_next (state, &cursor, &row);)
    add_row (model, options, table, &row);
  cab_table_shares (table, USES, SHARE);
  cab_table_sort (table, USES);
}

const struct cab_report cab_reuse_report = {
  .name = "reuse",
  .summary = "how many other lines of memory are used between two uses of one; misses "
	     "by the size of a cache",
  .subject = CAB_ABOUT_CACHES,
  .options = CAB_HAS_CURVE,
  .of_accesses = true,
  .fill = cab_report_reuse,
  .lacks = cab_report_lacks_reuse
};
