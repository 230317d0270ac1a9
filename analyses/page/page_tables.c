/* page_tables.c - see page_tables.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_tables.h"
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/page/page.h"
#include "analyses/report/report_notes.h"

/* A report in another form than its own, or with more to say about it. */
struct variant
{
  const char *report, *key;    /* key: in the document */
  enum cab_report_by by;
  bool curve, of_lines;        /* of_lines: it stands in the margin of the source */
  const char *weight;          /* the column that says which rows stay; null: the report's order */
};

static const struct variant variants[] = {
  { "hotlines", "hotlines", 0, false, true, NULL },
  { "edges", "edges", 0, false, false, "count" },
  { "accesses", "accesses:variable", CAB_BY_VARIABLE, false, false, NULL },
  { "accesses", "accesses:line", CAB_BY_LINE, false, true, NULL },
  { "accesses", "accesses:function", CAB_BY_FUNCTION, false, false, NULL },
  { "offenders", "offenders:variable", CAB_BY_VARIABLE, false, false, NULL },
  { "offenders", "offenders:line", CAB_BY_LINE, false, true, NULL },
  { "offenders", "offenders:function", CAB_BY_FUNCTION, false, false, NULL },
  { "offenders", "offenders:loop", CAB_BY_LOOP, false, false, NULL },
  { "offenders", "offenders:context", CAB_BY_CONTEXT, false, false, NULL },
  { "offenders", "offenders:block", CAB_BY_BLOCK, false, false, NULL },
  { "blocks", "blocks:context", CAB_BY_CONTEXT, false, false, NULL },
  { "addresses", "addresses:variable", CAB_BY_VARIABLE, false, false, NULL },
  { "sharing", "sharing:line", CAB_BY_LINE, false, false, NULL },
  { "deps", "deps:variable", CAB_BY_VARIABLE, false, false, NULL },
  { "deps", "deps:line", CAB_BY_LINE, false, true, NULL },
  { "reuse", "reuse:curve", 0, true, false, NULL },
  /* Last, since it adds functions that never ran to the model. */
  { "lines", "lines", 0, false, true, "count" }
};

static const char *const type_names[] = {
  [CAB_TEXT] = "text",         [CAB_PATH] = "path",     [CAB_FUNCTION] = "function",
  [CAB_CHAIN] = "chain",       [CAB_COUNT] = "count",   [CAB_TALLY] = "count",
  [CAB_NUMBER] = "number",     [CAB_LINE] = "line",     [CAB_SHARE] = "share",
  [CAB_SAMPLED] = "share",     [CAB_CHANGE] = "change", [CAB_REAL] = "real",
  [CAB_RELATIVE] = "relative",
};

json_t *
cab_page_text (const char *text)
{
  size_t n = strnlen (text, CAB_PAGE_TEXT + 1);
  if (n <= CAB_PAGE_TEXT)
    return cab_table_json_cell (&(union cab_cell) { .text = text }, CAB_TEXT);
  for (n = CAB_PAGE_TEXT; n && (text[n] & 0xc0) == 0x80; n--)
    continue;
  char *cut = xmalloc (n + sizeof "...");
  memcpy (cut, text, n);
  strcpy (cut + n, "...");
  json_t *value = cab_table_json_cell (&(union cab_cell) { .text = cut }, CAB_TEXT);
  free (cut);
  return value;
}

/* Return the cells of column C. */
static json_t *
cells_of (const struct cab_table *table, int c)
{
  json_t *cells = json_array ();
  enum cab_type type = table->columns[c].type;
  for (size_t r = 0; r < table->n_rows; r++)
    {
      const union cab_cell *cell = &table->cells[r * table->n_columns + c];
      json_array_append_new (cells, cab_type_is_text (type) ? cab_page_text (cell->text)
							     : cab_table_json_cell (cell, type));
    }
  return cells;
}

json_t *
cab_page_table (struct cab_table *table, size_t limit)
{
  json_t *columns = json_array (), *data = json_array ();
  cab_table_limit (table, limit);
  for (int c = 0; c < table->n_columns; c++)
    if (!table->columns[c].formats || table->columns[c].formats & CAB_FORMAT_JSON)
      {
	unsigned formats = table->columns[c].formats;
	bool spare = formats && !(formats & CAB_FORMAT_TEXT);   /* for programs */
	json_array_append_new (columns, json_pack ("[s, s, b]", table->columns[c].name,
						   type_names[table->columns[c].type], spare));
	json_array_append_new (data, cells_of (table, c));
      }
  json_t *object = json_pack ("{s:s, s:o, s:o, s:o, s:I}", "name", table->name, "title",
			      cab_page_text (table->title ? table->title : ""), "columns", columns,
			      "data", data, "left_out", (json_int_t) table->n_hidden);
  if (table->total_column >= 0)
    {
      json_object_set_new (object, "total", json_integer (table->total));
      json_object_set_new (object, "total_column",
			   json_string (table->columns[table->total_column].name));
      json_object_set_new (object, "left_out_weight", json_integer (table->hidden));
    }
  if (table->note)
    json_object_set_new (object, "note", cab_page_text (table->note));
  return object;
}

/* Return the table of REPORT as VARIANT wants it, or why there is none. */
static json_t *
table_of (struct cab_model *model, const struct cab_report *report, const struct variant *variant,
	  size_t limit)
{
  struct cab_report_options options = {
    .format = CAB_FORMAT_JSON, .by = variant->by, .curve = variant->curve
  };
  const char *lacks = cab_report_lacks (model, report, &options, false);
  if (lacks)
    return json_pack ("{s:s, s:o}", "name", report->name, "lacks", cab_page_text (lacks));
  struct cab_table table;
  report->fill (model, &options, &table);
  table.note = cab_report_note (model, report, &options, table.note);
  limit *= variant->of_lines ? CAB_PAGE_LINES : 1;
  if (variant->weight && limit && table.n_rows > limit)
    cab_table_sort (&table, cab_table_column (&table, variant->weight));
  json_t *object = cab_page_table (&table, limit);
  json_object_set_new (object, "summary", json_string (report->summary));
  cab_table_fini (&table);
  return object;
}

/* Return true if the report NAME itself is one of the variants. */
static bool
is_variant (const char *name)
{
  for (size_t i = 0; i < ARRAY_SIZE (variants); i++)
    if (!strcmp (variants[i].key, name))
      return true;
  return false;
}

void
cab_page_tables (struct cab_model *model, size_t limit, json_t *tables)
{
  /* The tree is in the document as contexts, and loops have a function of their own. */
  for (int i = 0; cab_reports[i]; i++)
    if (cab_reports[i]->fill && strcmp (cab_reports[i]->name, "tree")
	&& !is_variant (cab_reports[i]->name))
      json_object_set_new (tables, cab_reports[i]->name,
			   table_of (model, cab_reports[i], &(struct variant) { 0 }, limit));
  for (size_t i = 0; i < ARRAY_SIZE (variants); i++)
    json_object_set_new (tables, variants[i].key,
			 table_of (model, cab_report_find (variants[i].report), &variants[i],
				   limit));
}
