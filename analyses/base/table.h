/* table.h - a report as a table, and the three ways to write it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      columns with a type, rows of cells.  A report fills a table; sorting, limiting and
 *             writing know nothing of profiles.
 * Shapes:     cells[row * n_columns + column].
 * Units:      shares are 0 .. 1; text shows them as percentages, TSV and JSON as they are.
 * Ownership:  texts must outlive the table (cab_names); the table owns its arrays until
 *             cab_table_fini.
 */
#ifndef CAB_TABLE_H
#define CAB_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "analyses/base/style.h"

enum cab_type
{
  CAB_TEXT,     /* left aligned, cut at its end where the terminal is narrow */
  CAB_PATH,     /* a file's name: cut at its beginning */
  CAB_FUNCTION, /* a function's name, perhaps indented: where the terminal is narrow it is written
		   briefly (names.h), then cut at its end */
  CAB_CHAIN,    /* a text, the last column that text shows: where the terminal is narrow it stands
		   whole on lines of its own, below its row */
  CAB_COUNT,    /* thousands are grouped in text */
  CAB_TALLY,    /* a count that may be CAB_UNKNOWN: - in text and TSV, null in JSON */
  CAB_NUMBER,   /* an id: never grouped */
  CAB_LINE,     /* the same; 0 is unknown, "-" in text */
  CAB_SHARE,    /* one that is not finite is unknown, as of means */
  CAB_SAMPLED,  /* a share of the table's samples; text marks one of few, and gives it no
		   decimals */
  CAB_CHANGE,   /* a difference of counts, with its sign; sorted by how large it is */
  CAB_REAL,     /* a mean; one that is not finite is unknown: - in text and TSV, null in JSON */
  CAB_RELATIVE  /* a change by what it was before: text shows +12.5%; infinite, where it was 0, is
		   null in JSON; NaN is unknown: - in text and TSV, null in JSON */
};

#define CAB_UNKNOWN UINT64_MAX

static inline bool
cab_type_is_text (enum cab_type type)
{
  return type == CAB_TEXT || type == CAB_PATH || type == CAB_FUNCTION || type == CAB_CHAIN;
}

enum cab_format
{
  CAB_FORMAT_TEXT = 1,
  CAB_FORMAT_TSV = 2,
  CAB_FORMAT_JSON = 4
};

/* A column that is in all formats, and the first to be left out of text where there is no room. */
#define CAB_COLUMN_SPARE (CAB_FORMAT_TEXT | CAB_FORMAT_TSV | CAB_FORMAT_JSON)

struct cab_column
{
  const char *name;
  enum cab_type type;
  unsigned formats;       /* in which it is shown; 0: in all */
};

/* Programs get COLUMN in any case, people only if it is WANTED: else it is not in text. */
static inline void
cab_column_in_text (struct cab_column *column, bool wanted)
{
  if (!wanted)
    column->formats = CAB_FORMAT_TSV | CAB_FORMAT_JSON;
}

union cab_cell
{
  const char *text;
  uint64_t count;
  int64_t change;
  double share;           /* and means, and relative changes */
};

struct cab_table
{
  const char *name;       /* the report's */
  const char *title;      /* text: a line above */
  const char *note;       /* what the numbers do not say by themselves, or null: text: a line below;
			     TSV: a line above, with # */
  const struct cab_column *columns;
  int n_columns;
  size_t n_rows, room;
  union cab_cell *cells;
  size_t n_hidden;        /* rows that a limit took off */
  uint64_t hidden;        /* their sum in the total column */
  bool is_pruned;         /* the report itself took off what a limit would */
  int total_column;       /* whose sum is `total`; -1: none */
  uint64_t total;
  uint64_t *totals;       /* of each column that is counted, or null; see cab_table_sum */
  uint64_t n_samples;     /* that CAB_SAMPLED columns are shares of */
};

void cab_table_init (struct cab_table *table, const char *name, const char *title,
		     const struct cab_column *columns, int n_columns);
void cab_table_fini (struct cab_table *table);

/* A new row of zero cells; null texts mean "". */
union cab_cell *cab_table_row (struct cab_table *table);

/* Column called NAME, or -1. */
int cab_table_column (const struct cab_table *table, const char *name);

/* Sort by COLUMN: texts and plain numbers upwards, counts and shares downwards; equal rows by all
   columns from the left. */
void cab_table_sort (struct cab_table *table, int column);
/* Rows that differ in counts and shares alone become one, with the sums of the counts; of what is
   unknown the sum is. */
void cab_table_fold (struct cab_table *table);
/* In each row, column SHARE becomes what column COUNT is of the total. */
void cab_table_shares (struct cab_table *table, int count, int share);
/* Text gets the sum of each column of counts of the rows that there are now, not of the total
   column alone; of unknown ones none. */
void cab_table_sum (struct cab_table *table);
/* Keep the first LIMIT rows; 0: all. */
void cab_table_limit (struct cab_table *table, size_t limit);

/* The format called NAME; 0: none is. */
enum cab_format cab_table_format (const char *name);

/* Where the style is too narrow, functions' names are written briefly, chains below their rows,
   heads on several lines, texts are cut, and at last columns are left out, which is said. */
void cab_table_text (const struct cab_table *table, const struct cab_style *style, FILE *to);
void cab_table_tsv (const struct cab_table *table, FILE *to);
/* One object: schema, report, profile, rows, and the total. */
void cab_table_json (const struct cab_table *table, const char *profile, FILE *to);
/* The same in memory (Jansson's json_t), for a report that has more to say. */
struct json_t *cab_table_json_object (const struct cab_table *table, const char *profile);

/* N with its thousands grouped, in TEXT (27 bytes suffice). */
const char *cab_table_grouped (uint64_t n, char text[32]);

#endif
