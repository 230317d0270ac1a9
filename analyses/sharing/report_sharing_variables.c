/* report_sharing_variables.c - the variables that threads share, truly or falsely, and what would
 * separate them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      in each line, what one thread did to one variable is a part.  Parts of different
 *             threads that met share the line as threads do (share.h); with the same variable, or
 *             with another one beside it.  A variable's counts are those of the lines in which a
 *             part of it is shared so, of all threads that accessed it there; its other lines are
 *             left out, as DINAMITE leaves out what one thread alone accesses.  The worth of its
 *             remedy follows from all its accesses, in all lines: each thread's part of it suffers
 *             as often as it meets the one other part that it meets most.
 */
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/sharing/report_sharing.h"
#include "analyses/sharing/share.h"
#include "analyses/sharing/share_remedy.h"
#include "analyses/sharing/share_variables.h"
#include "analyses/live/an_sharing.h"

static struct cab_column columns[] = {
  { "variable", CAB_TEXT, 0 },
  { "address", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "kind", CAB_TEXT, 0 },
  { "evenly_shared", CAB_TEXT, 0 },
  { "process", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "thread", CAB_NUMBER, 0 },
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "size", CAB_TALLY, 0 },
  { "element", CAB_TALLY, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "padding", CAB_TALLY, 0 },
  { "conflicts_with", CAB_TEXT, 0 },
  { "places", CAB_TEXT, 0 },
  { "allocated", CAB_TEXT, 0 },
  { "file", CAB_PATH, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "line", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "remedy", CAB_CHAIN, 0 },
  { "spared", CAB_TALLY, CAB_FORMAT_TSV | CAB_FORMAT_JSON }
};
enum
{
  VARIABLE,
  ADDRESS,
  KIND,
  UNIFORM,
  PROCESS,
  THREAD,
  READS,
  WRITES,
  SIZE,
  ELEMENT,
  PADDING,
  WITH,
  PLACES,
  ALLOCATED,
  FILE_,
  LINE,
  REMEDY,
  SPARED,
  N
};

/* What one thread did to a variable, in lines that count. */
struct side
{
  uint32_t thread;
  uint64_t reads, writes;
  struct cab_share_places places;
};

struct sum
{
  uint32_t number;            /* of the variable */
  int kind;
  bool within;                /* threads share the variable falsely with each other */
  uint64_t falsely[2];        /* upper bound of accesses that meet others for nothing: accesses to
				 other variables [0], and to the variable itself [1] */
  uint64_t accesses;
  uint64_t bytes;             /* the variable's size */
  uint64_t all, n_lines;      /* accesses to the variable, and its lines, including those that
				 nobody shares */
  uint64_t last_line;         /* the last counted line of n_lines, + 1 */
  uint32_t n_sides, n_with;
  struct side *sides;         /* by thread */
  uint32_t *with;             /* other variables with which it shares lines that are written */
  struct cab_share_places allocations;   /* the allocations that made the memory in its lines, if it
					    is no symbol */
};

struct work
{
  struct cab_model *model;
  struct cab_share_variables *variables;
  struct sum *sums;           /* by number of the variable */
  uint32_t n_sums;
};

/* A row of a line.  The first row of a part has the sums of that part. */
struct item
{
  const struct cab_sharing_row *row;
  uint32_t variable;
  struct cab_share share;
  uint64_t falsely[2];        /* as in struct sum */
  bool shared;
};

static int
by_part (const void *a, const void *b)
{
  const struct item *x = a, *y = b;
  if (x->variable != y->variable)
    return x->variable < y->variable ? -1 : 1;
  return x->row->thread != y->row->thread ? (x->row->thread < y->row->thread ? -1 : 1)
					  : (x->row > y->row) - (x->row < y->row);
}

static bool
is_same_part (const struct item *a, const struct item *b)
{
  return a->variable == b->variable && a->row->thread == b->row->thread;
}

static size_t
part_end (const struct item *items, size_t n, size_t at)
{
  size_t end = at + 1;
  while (end < n && is_same_part (&items[end], &items[at]))
    end++;
  return end;
}

static struct sum *
sum_of (struct work *w, uint32_t number)
{
  if (number >= w->n_sums)
    {
      uint32_t n = number + 1 > 2 * w->n_sums ? number + 1 : 2 * w->n_sums;
      w->sums = XRESIZEVEC (struct sum, w->sums, n);
      memset (w->sums + w->n_sums, 0, (n - w->n_sums) * sizeof *w->sums);
      w->n_sums = n;
    }
  w->sums[number].number = number;
  return &w->sums[number];
}

static void
add_with (struct sum *sum, uint32_t other)
{
  for (uint32_t i = 0; i < sum->n_with; i++)
    if (sum->with[i] == other)
      return;
  sum->with = XRESIZEVEC (uint32_t, sum->with, sum->n_with + 1);
  sum->with[sum->n_with++] = other;
}

static void
raise_to (uint64_t *n, uint64_t least)
{
  *n = *n < least ? least : *n;
}

/* Record how parts A and B of different threads share their line. */
static void
pair (struct work *w, struct item *a, struct item *b)
{
  struct cab_share_pair how = cab_share_pair (&a->share, &b->share);
  int kind = how.kind;
  bool same = a->variable == b->variable;
  if (!kind && (!same || cab_share_apart (&a->share, &b->share)))
    return;
  a->shared = b->shared = true;
  sum_of (w, a->variable)->kind |= kind;
  sum_of (w, b->variable)->kind |= kind;
  raise_to (&a->falsely[same], how.falsely);
  raise_to (&b->falsely[same], how.falsely);
  if (same)
    sum_of (w, a->variable)->within |= kind & CAB_SHARE_FALSE;
  else
    {
      add_with (sum_of (w, a->variable), b->variable);
      add_with (sum_of (w, b->variable), a->variable);
    }
}

static void
add_row (struct sum *sum, const struct cab_sharing_row *row)
{
  uint32_t i = 0;
  while (i < sum->n_sides && sum->sides[i].thread < row->thread)
    i++;
  if (i == sum->n_sides || sum->sides[i].thread != row->thread)
    {
      sum->sides = XRESIZEVEC (struct side, sum->sides, sum->n_sides + 1);
      memmove (&sum->sides[i + 1], &sum->sides[i], (sum->n_sides++ - i) * sizeof *sum->sides);
      sum->sides[i] = (struct side) { .thread = row->thread };
    }
  sum->sides[i].reads += row->reads;
  sum->sides[i].writes += row->writes;
  sum->accesses += row->reads + row->writes;
  cab_share_places_add (&sum->sides[i].places, row->site, row->reads + row->writes);
}

/* Add the N ITEMS of a line, which are sorted by part, to the sums of its variables. */
static void
count (struct work *w, const struct item *items, size_t n)
{
  for (size_t at = 0, end; at < n; at = end)
    {
      bool shared = false;
      for (end = at; end < n && items[end].variable == items[at].variable; end++)
	shared |= items[end].shared;
      for (size_t i = at; i < end && shared; i++)
	{
	  struct sum *sum = sum_of (w, items[i].variable);
	  add_row (sum, items[i].row);
	  sum->falsely[0] += items[i].falsely[0];
	  sum->falsely[1] += items[i].falsely[1];
	}
      for (size_t i = 0;
	   i < n && shared && !cab_share_variables_at (w->variables, items[at].variable)->start;
	   i++)
	cab_share_allocations_add (&sum_of (w, items[at].variable)->allocations, items[i].row);
    }
}

static void
add_line (struct work *w, const struct cab_sharing_row *rows, size_t n)
{
  struct item *items = XCNEWVEC (struct item, n);
  const struct cab_sharing_row **of_parts = XNEWVEC (const struct cab_sharing_row *, n);
  for (size_t i = 0; i < n; i++)
    {
      items[i].row = &rows[i];
      items[i].variable = cab_share_variables_find (w->variables, &rows[i]);
    }
  qsort (items, n, sizeof *items, by_part);
  for (size_t at = 0, end; at < n; at = end)
    {
      end = part_end (items, n, at);
      items[at].share.rows = of_parts + at;
      for (size_t i = at; i < end; i++)
	cab_share_add (&items[at].share, items[i].row);
    }
  for (size_t a = 0; a < n; a = part_end (items, n, a))
    for (size_t b = part_end (items, n, a); b < n; b = part_end (items, n, b))
      if (items[a].row->thread != items[b].row->thread
	  && cab_share_met (w->model, rows->process, items[a].row->thread, items[b].row->thread))
	pair (w, &items[a], &items[b]);
  count (w, items, n);
  free (of_parts);
  free (items);
}

/* Add what the N ROWS are to their variables, after all shared lines were added.  Sizes are as
   those lines have them. */
static void
count_all (struct work *w, const struct cab_sharing_row *rows, size_t n)
{
  for (uint32_t i = 0; i < w->n_sums; i++)
    if (w->sums[i].n_sides)
      w->sums[i].bytes = cab_share_variables_at (w->variables, i)->bytes;
  for (size_t i = 0; i < n; i++)
    {
      uint32_t number = cab_share_variables_find (w->variables, &rows[i]);
      if (number >= w->n_sums || !w->sums[number].n_sides)
	continue;
      struct sum *sum = &w->sums[number];
      uint64_t line = cab_share_line (&rows[i]) + 1;
      sum->all += rows[i].reads + rows[i].writes;
      sum->n_lines += line != sum->last_line;
      sum->last_line = line;
    }
}

static bool
is_uniform (const struct sum *sum)
{
  struct cab_share_counts counts = { 0 };
  for (uint32_t i = 0; i < sum->n_sides; i++)
    cab_share_counts_add (&counts, sum->sides[i].reads + sum->sides[i].writes);
  return cab_share_uniform (&counts);
}

/* Return the size of the elements that the accesses of all sides touch; 0 unknown. */
static uint64_t
element_of (struct work *w, const struct sum *sum)
{
  struct cab_share_places all = { 0 };
  for (uint32_t i = 0; i < sum->n_sides; i++)
    for (uint32_t k = 0; k < sum->sides[i].places.n; k++)
      cab_share_places_add (&all, sum->sides[i].places.items[k].site, 0);
  uint32_t *accesses = XNEWVEC (uint32_t, all.n);
  for (uint32_t i = 0; i < all.n; i++)
    accesses[i] = all.items[i].site;
  uint64_t bytes = cab_share_variables_element (w->variables, sum->number, accesses, all.n);
  free (accesses);
  free (all.items);
  return bytes;
}

/* Put what keeps SUM's variable from being shared falsely into CELL, if it is worth it.  The remedy
   is within the variable, unless other variables are the cause. */
static void
put_remedy (struct work *w, const struct sum *sum, uint64_t element, bool unknown,
	    union cab_cell *cell)
{
  bool within = sum->within
	     && (sum->falsely[1] >= sum->falsely[0]
		 || cab_share_is_worth (sum->falsely[1], sum->all));
  struct cab_share_use use = { .within = within,
			       .bytes = sum->bytes,
			       .element = element,
			       .accesses = sum->all,
			       .falsely = sum->falsely[within],
			       .lines = sum->n_lines,
			       .threads = sum->n_sides,
			       .unknown = unknown };
  struct cab_share_remedy remedy;
  cab_share_remedy (&use, &remedy);
  cell[PADDING].count = remedy.padding;
  cell[SPARED].count = use.falsely && cab_share_is_worth (use.falsely, use.accesses) ? use.falsely
										     : CAB_UNKNOWN;
  cell[REMEDY].text = cab_names_copy (&w->model->names, remedy.text, strlen (remedy.text));
}

static const char *
with_text (struct work *w, const struct cab_report_options *options, const struct sum *sum)
{
  const char *list = "";
  for (uint32_t i = 0; i < sum->n_with; i++)
    list = cab_share_with_item (w->model, options, list,
				cab_share_variables_at (w->variables, sum->with[i])->name);
  return list;
}

static void
put_variable (struct work *w, const struct cab_report_options *options, struct sum *sum,
	      union cab_cell *cell)
{
  const struct cab_share_variable *v = cab_share_variables_at (w->variables, sum->number);
  uint64_t element = element_of (w, sum);
  cell[VARIABLE].text = v->name;
  cell[ADDRESS].text = v->start ? cab_names_format (&w->model->names, "%#jx", (uintmax_t) v->start)
				: "";
  cell[KIND].text = cab_share_kind_name (sum->kind);
  cell[UNIFORM].text = is_uniform (sum) ? "yes" : "no";
  cell[PROCESS].count = v->process ? w->model->processes[v->process - 1].pid : 0;
  cell[SIZE].count = sum->bytes ? sum->bytes : CAB_UNKNOWN;
  cell[ELEMENT].count = element ? element : CAB_UNKNOWN;
  cell[PADDING].count = cell[SPARED].count = CAB_UNKNOWN;
  cell[REMEDY].text = "";
  cell[WITH].text = with_text (w, options, sum);
  cell[ALLOCATED].text = cab_share_allocations_text (w->model, options, &sum->allocations);
  cell[FILE_].text = v->file;
  cell[LINE].count = v->line;
  if (sum->kind & CAB_SHARE_FALSE)
    put_remedy (w, sum, element, !v->start && *v->name == '*', cell);
}

#define LEAST_SPARED 10   /* accesses; no remedy is advised for fewer */

/* Return the remedy in CELL with what it is worth. */
static const char *
worth_text (struct work *w, const union cab_cell *cell)
{
  char number[32];
  if (cell[SPARED].count == CAB_UNKNOWN)
    return cell[REMEDY].text;
  cab_table_grouped (cell[SPARED].count, number);
  return cell[SPARED].count < LEAST_SPARED
	 ? cab_names_format (&w->model->names, "none is worth it: at most %s accesses suffer",
			     number)
	 : cab_names_format (&w->model->names, "%s: spares at most %s transfers of a line",
			     cell[REMEDY].text, number);
}

/* In text, put the remedy only into the first row, with the place where the variable is declared
   and what the remedy is worth. */
static void
put_remedy_for (struct work *w, const struct cab_report_options *options, bool first,
		union cab_cell *cell)
{
  if (options->format != CAB_FORMAT_TEXT || !*cell[REMEDY].text)
    return;
  if (!first)
    {
      cell[REMEDY].text = "";
      return;
    }
  cell[REMEDY].text = worth_text (w, cell);
  if (*cell[FILE_].text)
    cell[REMEDY].text = cab_names_format (&w->model->names, "%s:%ju: %s",
					  lbasename (cell[FILE_].text),
					  (uintmax_t) cell[LINE].count, cell[REMEDY].text);
}

static void
add_sum (struct work *w, const struct cab_report_options *options, struct cab_table *table,
	 struct sum *sum)
{
  union cab_cell common[N] = { { 0 } };
  bool wanted = false;
  for (uint32_t i = 0; i < sum->n_sides && !wanted; i++)
    wanted = cab_share_places_want (w->model, options, &sum->sides[i].places);
  if (wanted)
    put_variable (w, options, sum, common);
  for (uint32_t i = 0; i < sum->n_sides && wanted; i++)
    {
      union cab_cell *cell = cab_table_row (table);
      const char *names;
      memcpy (cell, common, sizeof common);
      cell[THREAD].count = sum->sides[i].thread + 1;
      cell[READS].count = sum->sides[i].reads;
      cell[WRITES].count = sum->sides[i].writes;
      cab_share_places_text (w->model, options, &sum->sides[i].places, &names, &cell[PLACES].text);
      put_remedy_for (w, options, i == 0, cell);
    }
}

/* Sort variables that nobody wrote last; else by accesses, most first. */
static int
by_kind (const void *a, const void *b)
{
  const struct sum *x = a, *y = b;
  if (!x->kind != !y->kind)
    return !x->kind - !y->kind;
  return x->accesses != y->accesses ? (x->accesses < y->accesses ? 1 : -1)
       : x->number < y->number ? -1
       : x->number > y->number;
}

static void
free_sum (struct sum *sum)
{
  for (uint32_t i = 0; i < sum->n_sides; i++)
    free (sum->sides[i].places.items);
  free (sum->sides);
  free (sum->with);
  free (sum->allocations.items);
}

void
cab_report_shared_variables (struct cab_model *model, const struct cab_report_options *options,
			     struct cab_table *table)
{
  struct work w = { .model = model, .variables = cab_share_variables_new (model) };
  size_t n;
  struct cab_sharing_row *rows = cab_share_rows (cab_model_state (model, &cab_sharing), &n);
  cab_table_init (table, "sharing", "Variables that threads share", columns, N);
  for (size_t at = 0, end; at < n; at = end)
    {
      end = cab_share_line_end (rows, n, at);
      if (rows[end - 1].thread != rows[at].thread)
	add_line (&w, &rows[at], end - at);
    }
  count_all (&w, rows, n);
  if (w.n_sums)
    qsort (w.sums, w.n_sums, sizeof *w.sums, by_kind);
  for (uint32_t i = 0; i < w.n_sums; i++)
    {
      add_sum (&w, options, table, &w.sums[i]);
      free_sum (&w.sums[i]);
    }
  cab_share_allocations_end (table, &columns[ALLOCATED]);
  free (w.sums);
  free (rows);
  cab_share_variables_free (w.variables);
}
