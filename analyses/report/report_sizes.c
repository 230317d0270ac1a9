/* report_sizes.c - how many accesses of which kind and size there were.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include "analyses/live/an_accesses.h"

static const struct cab_column columns[] = {
  { "kind", CAB_TEXT, 0 },
  { "size", CAB_TALLY, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "accesses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, CAB_FORMAT_TEXT }
};
enum { KIND, SIZE, BYTES, ACCESSES, SHARE, N };

/* By CAB_ROW_READ, CAB_ROW_WRITE, or both. */
static const char *const kinds[] = { NULL, "read", "write", "modify" };

/* Return the row of accesses of KIND and SIZE, which is created if it does not exist.  There are
   few. */
static union cab_cell *
row_of (struct cab_table *table, const char *kind, uint64_t size)
{
  for (size_t i = 0; i < table->n_rows; i++)
    if (table->cells[i * N + KIND].text == kind && table->cells[i * N + SIZE].count == size)
      return &table->cells[i * N];
  union cab_cell *cell = cab_table_row (table);
  cell[KIND].text = kind;
  cell[SIZE].count = size;
  cell[BYTES].count = cell[ACCESSES].count = 0;
  return cell;
}

/* Add ROW to TABLE.  An access in the code is always of one size, or a range. */
static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table,
	 const struct cab_accesses_row *row)
{
  struct cab_access_ref ref = cab_model_access (model, row->number);
  uint64_t all = row->n[1] + row->n[2] + row->n[3];
  if (!all || !ref.access || !cab_report_wants (options, ref.function))
    return;
  for (unsigned kind = 1; kind < 4; kind++)
    if (row->n[kind])
      {
	union cab_cell *cell = row_of (table, kinds[kind],
				       ref.access->range ? CAB_UNKNOWN : ref.access->bytes);
	cell[BYTES].count += ref.access->range ? row->bytes : row->n[kind] * ref.access->bytes;
	cell[ACCESSES].count += row->n[kind];
      }
  table->total += all;
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_accesses);
  struct cab_accesses_row row;
  cab_table_init (table, "sizes", "Accesses by kind and size", columns, N);
  table->total_column = ACCESSES;
  for (uint64_t cursor = 0; state && cab_accesses_next (state, &cursor, &row);)
    add_row (model, options, table, &row);
  cab_table_shares (table, ACCESSES, SHARE);
  cab_table_sort (table, ACCESSES);
}

const struct cab_report cab_sizes_report = {
  .name = "sizes",
  .summary = "how many accesses of which kind and size there were",
  .subject = CAB_ABOUT_MEMORY,
  .of_accesses = true,
  .fill = fill,
  .lacks = cab_report_lacks_accesses
};
