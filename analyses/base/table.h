/* table.h - a report as a table, and the three formats to write it in.
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
  CAB_TEXT,     /* left aligned, truncated at its end where the terminal is narrow */
  CAB_PATH,     /* a file's name: truncated at its beginning */
  CAB_FUNCTION, /* a function's name, perhaps indented: where the terminal is narrow, it is
		   abbreviated (names.h), then classes and namespaces are cut off, its end
		   last */
  CAB_CHAIN,    /* a text in the last column that text shows: where the terminal is narrow, it
		   stands unabridged on lines of its own below its row */
  CAB_COUNT,    /* thousands are grouped in text */
  CAB_TALLY,    /* a count that may be CAB_UNKNOWN: - in text and TSV, null in JSON */
  CAB_NUMBER,   /* an id: never grouped */
  CAB_LINE,     /* a line number, never grouped; 0 is unknown, "-" in text */
  CAB_SHARE,    /* a share; one that is not finite, such as a mean of nothing, is unknown */
  CAB_SAMPLED,  /* a share of the table's samples; text marks one that few samples support, and
		   writes it without decimals */
  CAB_CHANGE,   /* a difference of counts, with its sign; sorted by its magnitude */
  CAB_REAL,     /* a mean; one that is not finite is unknown: - in text and TSV, null in JSON */
  CAB_RELATIVE  /* a change relative to the value before it: text shows +12.5%; infinity, where that
		   value was 0, is null in JSON; NaN is unknown: - in text and TSV, null in JSON */
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

/* A column that no format has. */
#define CAB_FORMAT_NONE 8

/* A column that all formats have, and that is the first to be left out of text where there is no
   room. */
#define CAB_COLUMN_SPARE (CAB_FORMAT_TEXT | CAB_FORMAT_TSV | CAB_FORMAT_JSON)

struct cab_column
{
  const char *name;
  enum cab_type type;
  unsigned formats;       /* those it is shown in; 0: all */
};

/* Show COLUMN in text only if WANTED.  The formats for programs always have it. */
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
  double share;           /* also means and relative changes */
};

struct cab_table
{
  const char *name;       /* of the report */
  const char *title;      /* text: a line above the table */
  const char *note;       /* an explanation that the numbers need, or null; text: a line below; TSV:
			     a line above, after # */
  const struct cab_column *columns;
  int n_columns;
  size_t n_rows, room;
  union cab_cell *cells;
  size_t n_hidden;        /* rows that a limit removed */
  uint64_t hidden;        /* the sum of those rows in the total column */
  bool is_pruned;         /* the report itself has removed the rows that a limit would */
  int total_column;       /* the column whose sum is `total'; -1: none */
  uint64_t total;
  uint64_t *totals;       /* the sum of each column of counts, or null; see cab_table_sum */
  uint64_t n_samples;     /* the samples that CAB_SAMPLED columns are shares of */
};

void cab_table_init (struct cab_table *table, const char *name, const char *title,
		     const struct cab_column *columns, int n_columns);
void cab_table_fini (struct cab_table *table);

/* Append a row of zero cells and return it; null texts mean "".  Valid until the next row is
   appended. */
union cab_cell *cab_table_row (struct cab_table *table);

/* Return the index of the column called NAME, or -1. */
int cab_table_column (const struct cab_table *table, const char *name);

/* Sort by COLUMN: texts and plain numbers ascending, counts and shares descending; equal rows by
   all columns from the left. */
void cab_table_sort (struct cab_table *table, int column);
/* Merge rows that differ in counts and shares only, with the sums of their counts; a sum with an
   unknown count in it is unknown. */
void cab_table_fold (struct cab_table *table);
/* Set column SHARE of each row to the share that column COUNT has of the total. */
void cab_table_shares (struct cab_table *table, int count, int share);
/* Record the sums of all columns of counts over the present rows for text to show, instead of the
   total column's alone.  A column with unknown counts gets none. */
void cab_table_sum (struct cab_table *table);
/* Keep the first LIMIT rows; 0: all of them. */
void cab_table_limit (struct cab_table *table, size_t limit);

/* Return the format called NAME, or 0. */
enum cab_format cab_table_format (const char *name);

/* Write TABLE as text.  Where STYLE is too narrow, functions' names are abbreviated, chains are
   written below their rows, heads take several lines, texts are truncated, and as the last resort
   columns are left out, which a line says. */
void cab_table_text (const struct cab_table *table, const struct cab_style *style, FILE *to);
/* Write TABLE as tab-separated values. */
void cab_table_tsv (const struct cab_table *table, FILE *to);
/* Write TABLE as one JSON object: schema, report, profile, rows, and the total. */
void cab_table_json (const struct cab_table *table, const char *profile, FILE *to);
/* Return the object of cab_table_json in memory (Jansson's json_t), for a report that adds members
   to it. */
struct json_t *cab_table_json_object (const struct cab_table *table, const char *profile);

/* Return CELL of a column of TYPE as JSON: null if it is unknown.  A text that is no UTF-8, which
   JSON has to be, is read as Latin-1. */
struct json_t *cab_table_json_cell (const union cab_cell *cell, enum cab_type type);

/* Return N with its thousands grouped, written to TEXT (27 bytes suffice). */
const char *cab_table_grouped (uint64_t n, char text[32]);

#endif
