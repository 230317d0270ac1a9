/* data_table.c - see data_table.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/data_table.h"
#include <string.h>
#include "cabprof/info.h"
#include "analyses/profile/chain.h"

static const struct cab_column all_columns[] = {
  { "kind", CAB_TEXT, 0 },
  { "object", CAB_TEXT, 0 },
  { "type", CAB_TEXT, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "blocks", CAB_TALLY, 0 },
  { "size", CAB_TALLY, 0 },
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "accesses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, CAB_FORMAT_TEXT },
  { "context", CAB_CHAIN, 0 }
};
enum
{
  KIND,
  OBJECT,
  TYPE,
  FILE_,
  LINE,
  BLOCKS,
  SIZE,
  READS,
  WRITES,
  BYTES,
  ACCESSES,
  SHARE,
  CONTEXT,
  N
};

/* By enum cab_data_kind. */
static const char *const kinds[] = { "variable", "blocks", "elsewhere" };

/* Return the source's name of accesses elsewhere, and their function.  Rows with the same text are
   merged. */
static const char *
name_elsewhere (const struct cab_data_known *known, const struct cab_row_place *place)
{
  const struct cab_row_function *function = place ? cab_rows_function (known->reader,
								       known->process, place->fn)
						  : NULL;
  return cab_names_format (&known->reader->memory, "%s in %s", place ? place->name : "?",
			   function ? function->name : "?");
}

/* Return the row of OBJECT, called NAME: a new one, or the one of the same name elsewhere. */
static union cab_cell *
row_of (struct cab_table *table, const struct cab_data_object *object, const char *name)
{
  for (size_t i = 0; object->kind == CAB_DATA_ELSEWHERE && i < table->n_rows; i++)
    if (!strcmp (table->cells[i * N + KIND].text, kinds[object->kind])
	&& !strcmp (table->cells[i * N + OBJECT].text, name))
      return &table->cells[i * N];
  union cab_cell *cell = cab_table_row (table);
  cell[KIND].text = kinds[object->kind];
  cell[OBJECT].text = name;
  cell[CONTEXT].text = "";
  return cell;
}

/* Return the name of a block: a local variable by its name, others by their type. */
static const char *
name_block (const struct cab_data_known *known, const struct cab_row_place *place)
{
  const struct cab_row_function *function = place && place->is_local ? cab_rows_function (
					      known->reader, known->process, place->fn)
								     : NULL;
  if (function)
    return cab_names_format (&known->reader->memory, "%s in %s",
			     place->callee + strlen (CAB_INFO_LOCAL), function->name);
  return place ? place->name : "?";
}

static const char *
function_name (void *host, uint32_t callee)
{
  const struct cab_data_known *known = host;
  const struct cab_row_function *function = cab_rows_function (known->reader, known->process,
							       callee);
  return function ? function->name : NULL;
}

static uint32_t
line_of_call (void *host, uint32_t site)
{
  const struct cab_data_known *known = host;
  const struct cab_row_place *place = cab_rows_call (known->reader, known->process, site);
  return place ? place->line : 0;
}

static const char *
context_of (const struct cab_data_known *known, uint32_t node)
{
  struct cab_chain_names names = { (void *) known, function_name, line_of_call };
  return cab_chain_text (&known->reader->memory,
			 &cab_source_contexts (known->reader, known->process)->tree, node, &names);
}

static void
add_row (const struct cab_data_known *known, struct cab_table *table,
	 const struct cab_data_object *object)
{
  const struct cab_row_place *place = object->site ? cab_rows_access (known->reader, known->process,
								      object->site)
						   : NULL;
  bool is_variable = object->kind == CAB_DATA_VARIABLE, is_block = object->kind == CAB_DATA_BLOCK;
  bool is_local = is_block && place && place->is_local;
  const char *name = is_variable ? cab_names_variable (&known->reader->memory, object->name)
		   : !is_block ? name_elsewhere (known, place)
		   : name_block (known, place);
  union cab_cell *cell = row_of (table, object, name);
  bool is_declared = is_variable && *object->file;
  cell[KIND].text = is_local ? "local" : cell[KIND].text;
  cell[TYPE].text = is_variable ? object->type : is_local ? place->name : "";
  cell[FILE_].text = is_declared ? object->file
		   : is_variable ? object->module
		   : place ? place->file
		   : "";
  cell[LINE].count = is_variable ? object->line : is_block && place ? place->line : 0;
  cell[BLOCKS].count = is_block ? object->blocks : CAB_UNKNOWN;
  cell[SIZE].count = is_variable || is_block ? object->bytes : CAB_UNKNOWN;
  cell[READS].count += object->reads;
  cell[WRITES].count += object->writes;
  cell[BYTES].count += object->moved;
  cell[ACCESSES].count += object->accesses;
  if (is_block && known->by_context)
    cell[CONTEXT].text = context_of (known, object->node);
  table->total += object->accesses;
}

static void
begin (struct cab_table *table, bool by_context)
{
  static struct cab_column columns[N];
  memcpy (columns, all_columns, sizeof columns);
  cab_column_in_text (&columns[CONTEXT], by_context);
  cab_table_init (table, "data",
		  by_context ? "Accesses by variable, and by allocation and calling context"
			     : "Accesses by variable and allocation",
		  columns, N);
  table->total_column = ACCESSES;
}

void
cab_data_table (struct cab_table *table, struct cab_data_map *map,
		const struct cab_data_known *known)
{
  struct cab_data_object *object;
  begin (table, known->by_context);
  cab_data_map_settle (map);
  for (uint32_t cursor = 0; (object = cab_data_map_next (map, &cursor));)
    if (object->accesses || object->blocks)
      add_row (known, table, object);
  for (size_t i = 0; i < table->n_rows; i++)
    table->cells[i * N + SHARE].share = table->total ? (double) table->cells[i * N + ACCESSES].count
							 / table->total
						     : 0;
  cab_table_sort (table, ACCESSES);
}
