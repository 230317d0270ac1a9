/* share.c - see share.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/sharing/share.h"
#include "analyses/live/an_sharing.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

uint64_t
cab_share_line (const struct cab_sharing_row *row)
{
  return row->address / CAB_SHARING_LINE;
}

static int
compare (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int
by_line (const void *a, const void *b)
{
  const struct cab_sharing_row *x = a, *y = b;
  int way = compare (x->process, y->process);
  way = way ? way : compare (cab_share_line (x), cab_share_line (y));
  way = way ? way : compare (x->thread, y->thread);
  way = way ? way : compare (x->address, y->address);
  way = way ? way : compare (x->site, y->site);
  return way ? way : compare (x->own << 1 | x->by_line, y->own << 1 | y->by_line);
}

struct cab_sharing_row *
cab_share_rows (const struct cab_arena *state, size_t *n)
{
  struct cab_sharing_row *rows = NULL, row;
  size_t room = 0;
  *n = 0;
  for (uint64_t cursor = 0; state && cab_sharing_next (state, &cursor, &row); rows[(*n)++] = row)
    if (*n == room)
      rows = XRESIZEVEC (struct cab_sharing_row, rows, room = room * 2 + 1024);
  if (*n)
    qsort (rows, *n, sizeof *rows, by_line);
  return rows;
}

size_t
cab_share_line_end (const struct cab_sharing_row *rows, size_t n, size_t at)
{
  size_t end = at + 1;
  while (end < n && cab_share_line (&rows[end]) == cab_share_line (&rows[at])
	 && rows[end].process == rows[at].process)
    end++;
  return end;
}

bool
cab_share_met (const struct cab_model *model, uint32_t process, uint32_t a, uint32_t b)
{
  if (!process || process > model->n_processes)
    return true;
  const struct cab_process *p = &model->processes[process - 1];
  if (a >= p->n_threads || b >= p->n_threads)
    return true;
  const struct cab_lifetime *x = &p->lifetimes[a], *y = &p->lifetimes[b];
  return (!x->end_ns || x->end_ns > y->start_ns) && (!y->end_ns || y->end_ns > x->start_ns);
}

void
cab_share_counts_add (struct cab_share_counts *counts, uint64_t accesses)
{
  counts->n++;
  if (accesses > counts->first)
    {
      counts->second = counts->first;
      counts->first = accesses;
    }
  else if (accesses > counts->second)
    counts->second = accesses;
}

bool
cab_share_uniform (const struct cab_share_counts *counts)
{
  return counts->n > 1 && counts->first < counts->second * 2;
}

const char *
cab_share_kind_name (int kind)
{
  static const char *const kinds[] = { "read", "true", "false", "both" };
  return kinds[kind];
}

void
cab_share_places_add (struct cab_share_places *places, uint32_t site, uint64_t n)
{
  uint32_t i = 0;
  while (i < places->n && places->items[i].site != site)
    i++;
  if (i == places->room)
    places->items = XRESIZEVEC (struct cab_share_place, places->items,
				places->room = places->room * 2 + 4);
  if (i == places->n)
    places->items[places->n++] = (struct cab_share_place) { site, 0 };
  places->items[i].n += n;
}

static int
by_count (const void *a, const void *b)
{
  const struct cab_share_place *x = a, *y = b;
  return x->n != y->n ? (x->n < y->n ? 1 : -1) : compare (x->site, y->site);
}

/* Return LIST with ITEM added, unless it is there. */
static const char *
with_item (struct cab_model *model, const char *list, const char *item)
{
  size_t n = strlen (item);
  for (const char *at = list; n && (at = strstr (at, item)); at++)
    if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
      return list;
  return cab_names_format (&model->names, "%s%s%s", list, *list ? " " : "", item);
}

/* Return the number of items of LIST, which are separated by spaces. */
static uint32_t
n_items (const char *list)
{
  uint32_t n = *list != 0;
  for (; *list; list++)
    n += *list == ' ';
  return n;
}

const char *
cab_share_with_item (struct cab_model *model, const struct cab_report_options *options,
		     const char *list, const char *item)
{
  const char *more = with_item (model, list, item);
  if (more == list || options->format != CAB_FORMAT_TEXT || n_items (list) < CAB_SHARE_TEXT)
    return more;
  return n_items (list) == CAB_SHARE_TEXT ? cab_names_format (&model->names, "%s ...", list) : list;
}

/* Return "file.c:12".  Where LINE is 0, FILE means nothing, and the result is the file of FUNCTION
   alone. */
static const char *
place_text (struct cab_model *model, const struct cab_function *function, uint32_t file,
	    uint32_t line)
{
  const char *name = lbasename (line ? function->record->files[file] : function->file);
  return line ? cab_names_format (&model->names, "%s:%u", name, line) : name;
}

void
cab_share_places_text (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_share_places *places, const char **names, const char **lines)
{
  *names = *lines = "";
  if (places->n)
    qsort (places->items, places->n, sizeof *places->items, by_count);
  for (uint32_t i = 0; i < places->n; i++)
    {
      struct cab_access_ref ref = cab_model_access (model, places->items[i].site);
      if (!ref.access)
	continue;
      *names = cab_share_with_item (model, options, *names, ref.access->name);
      *lines = cab_share_with_item (
	model, options, *lines,
	place_text (model, ref.function, ref.access->file, ref.access->line));
    }
}

void
cab_share_allocations_add (struct cab_share_places *allocations, const struct cab_sharing_row *row)
{
  if (row->own && row->allocation)
    cab_share_places_add (allocations, row->allocation, row->reads + row->writes);
}

const char *
cab_share_allocations_text (struct cab_model *model, const struct cab_report_options *options,
			    struct cab_share_places *allocations)
{
  const char *list = "";
  if (allocations->n)
    qsort (allocations->items, allocations->n, sizeof *allocations->items, by_count);
  for (uint32_t i = 0; i < allocations->n; i++)
    {
      struct cab_access_ref ref = cab_model_access (model, allocations->items[i].site);
      if (ref.allocation)
	list = cab_share_with_item (
	  model, options, list,
	  place_text (model, ref.function, ref.allocation->file, ref.allocation->line));
    }
  return list;
}

void
cab_share_allocations_end (const struct cab_table *table, struct cab_column *column)
{
  bool any = false;
  for (size_t row = 0; row < table->n_rows && !any; row++)
    any = *table->cells[row * table->n_columns + (column - table->columns)].text;
  column->formats = 0;
  cab_column_in_text (column, any);
}

bool
cab_share_places_want (struct cab_model *model, const struct cab_report_options *options,
		       const struct cab_share_places *places)
{
  bool any = !options->function && !options->file;
  for (uint32_t i = 0; i < places->n && !any; i++)
    {
      struct cab_access_ref ref = cab_model_access (model, places->items[i].site);
      any = ref.access && cab_report_wants (options, ref.function);
    }
  return any;
}
