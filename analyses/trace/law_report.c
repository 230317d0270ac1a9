/* law_report.c - what law_check.c compares: reports as text, with numbers in place of names; and
 * the map of a process to itself.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/law_report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "cabprof/event.h"

#define MOST_NODES (1u << 22)

/* The numbers 0 .. n - 1, each at its own index. */
struct numbers
{
  uint32_t *v, n;
};

static struct
{
  struct numbers fn, site, access, node;
  uint64_t *first;
  uint32_t *n_counters, n_functions;
  const char *arguments;
} noted;

/* Extend NUMBERS to include NUMBER. */
static void
hold (struct numbers *numbers, uint32_t number)
{
  if (number < numbers->n)
    return;
  uint32_t n = number < 1u << 30 ? 2 * number + 64 : number + 1;
  numbers->v = XRESIZEVEC (uint32_t, numbers->v, n);
  for (uint32_t i = numbers->n; i < n; i++)
    numbers->v[i] = i;
  numbers->n = n;
}

static void
note_function (uint32_t fn, const struct cab_functions *functions)
{
  hold (&noted.fn, fn);
  if (noted.fn.n > noted.n_functions)
    {
      noted.first = XRESIZEVEC (uint64_t, noted.first, noted.fn.n);
      noted.n_counters = XRESIZEVEC (uint32_t, noted.n_counters, noted.fn.n);
      memset (noted.first + noted.n_functions, 0,
	      (noted.fn.n - noted.n_functions) * sizeof *noted.first);
      memset (noted.n_counters + noted.n_functions, 0,
	      (noted.fn.n - noted.n_functions) * sizeof *noted.n_counters);
      noted.n_functions = noted.fn.n;
    }
  if (functions && functions->counters && !noted.n_counters[fn]
      && functions->counters (functions->host, fn, &noted.first[fn], &noted.n_counters[fn]) <= 0)
    noted.n_counters[fn] = 0;
}

void
cab_law_note (const struct cab_batch *batch, const struct cab_functions *functions)
{
  for (uint32_t i = 0; i < batch->n; i++)
    {
      if (batch->events && batch->kind == CAB_EV_CALL)
	{
	  note_function (cab_ev_callee (batch->events[i]), functions);
	  hold (&noted.site, cab_ev_site (batch->events[i]));
	}
      else if (batch->events)
	note_function (cab_ev_fn (batch->events[i]), functions);
      if (batch->fn)
	note_function (batch->fn[i], functions);
      if (batch->site)
	hold (&noted.access, batch->site[i]);
      if (batch->node)
	hold (&noted.node, batch->node[i]);
      for (uint32_t k = 0; batch->shape && k < batch->shape[i]->n; k++)
	hold (&noted.access, batch->shape[i]->site[k]);
    }
}

const struct cab_idmap *
cab_law_map (void)
{
  static struct cab_idmap map;
  hold (&noted.access, 1u << 16);   /* accesses of regions do not appear in columns */
  hold (&noted.node, noted.node.n < MOST_NODES ? MOST_NODES - 1 : 0);
  map = (struct cab_idmap) { .fn = noted.fn.v,
			     .site = noted.site.v,
			     .n_fn = noted.fn.n,
			     .n_site = noted.site.n,
			     .first_from = noted.first,
			     .first_to = noted.first,
			     .n_counters = noted.n_counters,
			     .access = noted.access.v,
			     .n_access = noted.access.n,
			     .node = noted.node.v,
			     .n_node = noted.node.n,
			     .process = 0 };
  return &map;
}

void
cab_law_set_arguments (const char *arguments)
{
  noted.arguments = arguments;
}

const char *
cab_law_arguments (void)
{
  return noted.arguments ? noted.arguments : "";
}

/* Rows as text. */
struct rows
{
  const struct cab_sheet_column *columns;
  int n_columns;
  char **row;
  size_t n;
};

static void
take_columns (void *host, const struct cab_sheet_column *columns, int n)
{
  struct rows *rows = host;
  rows->columns = columns;
  rows->n_columns = n;
}

static void
take_row (void *host, const union cab_sheet_cell *cells)
{
  struct rows *rows = host;
  char *text = xstrdup ("");
  for (int i = 0; i < rows->n_columns; i++)
    {
      enum cab_sheet_type type = rows->columns[i].type;
      char *cell = type == CAB_SHEET_TEXT ? xstrdup (cells[i].text ? cells[i].text : "")
		 : type == CAB_SHEET_SHARE || type == CAB_SHEET_REAL
		   ? xasprintf ("%.9g", cells[i].real)
		   : xasprintf ("%llu", (unsigned long long) cells[i].count);
      char *longer = concat (text, "\t", cell, NULL);
      free (text);
      free (cell);
      text = longer;
    }
  rows->row = XRESIZEVEC (char *, rows->row, rows->n + 1);
  rows->row[rows->n++] = text;
}

/* Set PLACE to a text with NUMBER in place of a name. */
static int
name_number (const char *kind, uint32_t number, struct cab_sheet_place *place)
{
  static char names[8][32];
  static unsigned next;
  char *name = names[next++ % 8];
  snprintf (name, sizeof names[0], "%s %u", kind, number);
  *place = (struct cab_sheet_place) { name, "", name, number, 0 };
  return number != 0;
}

static int
find_function (void *host, uint32_t fn, struct cab_sheet_place *place)
{
  (void) host;
  return name_number ("function", fn, place);
}

static int
find_site (void *host, uint32_t site, struct cab_sheet_place *place)
{
  (void) host;
  return name_number ("site", site, place);
}

static int
find_access (void *host, uint32_t number, struct cab_sheet_place *place)
{
  (void) host;
  return name_number ("access", number, place);
}

static int
find_node (void *host, uint32_t node, struct cab_sheet_place *place, uint32_t *parent,
	   uint32_t *site)
{
  (void) host;
  if (parent)
    *parent = 0;
  if (site)
    *site = 0;
  return name_number ("node", node, place);
}

static int
by_text (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char *
cab_law_report (const struct cab_analysis *analysis, const struct cab_arena *state)
{
  struct rows rows = { NULL, 0, NULL, 0 };
  const struct cab_sheet sheet = { &rows,     take_columns, take_row, find_function,
				   find_site, find_access,  find_node };
  if (!analysis->report)
    return NULL;
  analysis->report (state, &sheet);
  if (rows.n)
    qsort (rows.row, rows.n, sizeof *rows.row, by_text);
  size_t bytes = 1, at = 0;
  for (size_t i = 0; i < rows.n; i++)
    bytes += strlen (rows.row[i]) + 1;
  char *text = xmalloc (bytes);
  for (size_t i = 0; i < rows.n; i++)
    {
      at += sprintf (text + at, "%s\n", rows.row[i]);
      free (rows.row[i]);
    }
  text[at] = 0;
  free (rows.row);
  return text;
}
