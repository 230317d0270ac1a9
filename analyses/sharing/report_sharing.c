/* report_sharing.c - the lines of memory that threads share, truly or falsely.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/sharing/report_sharing.h"
#include "analyses/sharing/share.h"
#include "analyses/live/an_sharing.h"

static struct cab_column columns[] = {
  { "address", CAB_TEXT, 0 },
  { "kind", CAB_TEXT, 0 },
  { "evenly_shared", CAB_TEXT, 0 },
  { "process", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "thread", CAB_NUMBER, 0 },
  { "bytes", CAB_TEXT, 0 },
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "padding", CAB_TALLY, 0 },
  { "variables", CAB_TEXT, 0 },
  { "places", CAB_TEXT, 0 },
  { "allocated", CAB_TEXT, 0 }
};
enum
{
  ADDRESS,
  KIND,
  UNIFORM,
  PROCESS,
  THREAD,
  SPAN,
  READS,
  WRITES,
  PADDING,
  VARIABLES,
  PLACES,
  ALLOCATED,
  N
};

/* What one thread did to a line. */
struct side
{
  uint32_t thread;
  struct cab_share share;
  uint64_t apart;         /* bytes that should have lines of their own */
  uint64_t reads, writes;
  struct cab_share_places places;
};

struct line
{
  uint64_t address, accesses;
  uint32_t process;
  int kind;
  bool uniform;
  struct side *sides;
  uint32_t n_sides;
  const struct cab_sharing_row **rows;   /* of all sides */
  struct cab_share_places allocations;   /* the allocations that made the line's memory */
};

const char *
cab_report_lacks_sharing (const struct cab_model *model)
{
  return cab_model_state (model, &cab_sharing)
	 ? NULL
	 : "sharing was not analysed: compile with -fplugin-arg-cabprof-events=memory, and run "
	   "with CABPROF_OPTIONS=analyses=sharing";
}

static bool
is_uniform (const struct line *line)
{
  struct cab_share_counts counts = { 0 };
  for (uint32_t i = 0; i < line->n_sides; i++)
    cab_share_counts_add (&counts, line->sides[i].reads + line->sides[i].writes);
  return cab_share_uniform (&counts);
}

static void
add_to_side (struct side *side, const struct cab_sharing_row *row)
{
  side->thread = row->thread;
  cab_share_add (&side->share, row);
  side->reads += row->reads;
  side->writes += row->writes;
  cab_share_places_add (&side->places, row->site, row->reads + row->writes);
}

/* Note in LINE how sides A and B, which met, share it.  Return false if they do not share it. */
static bool
add_pair (struct line *line, struct side *a, struct side *b)
{
  struct cab_share_pair pair = cab_share_pair (&a->share, &b->share);
  line->kind |= pair.kind;
  a->apart |= pair.apart[0];
  b->apart |= pair.apart[1];
  return pair.kind || !cab_share_apart (&a->share, &b->share);
}

/* Set LINE from all of its rows, the N at ROW.  Return false if no two threads met there. */
static bool
make_line (const struct cab_model *model, const struct cab_sharing_row *row, size_t n,
	   struct line *line)
{
  *line = (struct line) { .address = cab_share_line (row) * CAB_SHARING_LINE,
			  .process = row->process,
			  .sides = XCNEWVEC (struct side, n),
			  .rows = XNEWVEC (const struct cab_sharing_row *, n) };
  for (size_t i = 0; i < n; i++)
    {
      if (!i || row[i].thread != row[i - 1].thread)
	line->sides[line->n_sides++].share.rows = line->rows + i;
      add_to_side (&line->sides[line->n_sides - 1], &row[i]);
      line->accesses += row[i].reads + row[i].writes;
      cab_share_allocations_add (&line->allocations, &row[i]);
    }
  bool shared = false;
  for (uint32_t a = 0; a < line->n_sides; a++)
    for (uint32_t b = a + 1; b < line->n_sides; b++)
      if (cab_share_met (model, line->process, line->sides[a].thread, line->sides[b].thread))
	shared |= add_pair (line, &line->sides[a], &line->sides[b]);
  line->uniform = is_uniform (line);
  return shared;
}

static void
free_line (struct line *line)
{
  for (uint32_t i = 0; i < line->n_sides; i++)
    free (line->sides[i].places.items);
  free (line->sides);
  free (line->rows);
  free (line->allocations.items);
}

/* Sort lines that nobody wrote last; else by accesses, most first. */
static int
by_kind (const void *a, const void *b)
{
  const struct line *x = a, *y = b;
  if (!x->kind != !y->kind)
    return !x->kind - !y->kind;
  if (x->accesses != y->accesses)
    return x->accesses < y->accesses ? 1 : -1;
  return x->process != y->process ? (x->process < y->process ? -1 : 1)
       : x->address < y->address ? -1
       : x->address > y->address;
}

/* Return the bytes of MASK as text: "0-7,16". */
static const char *
bytes_of (struct cab_model *model, uint64_t mask)
{
  char text[64 * 6];
  size_t at = 0;
  text[0] = 0;
  for (unsigned k = 0; k < 64; k++)
    if (mask >> k & 1)
      {
	unsigned first = k;
	while (k < 63 && mask >> (k + 1) & 1)
	  k++;
	at += snprintf (text + at, sizeof text - at, first == k ? "%s%u" : "%s%u-%u", at ? "," : "",
			first, k);
      }
  return cab_names_copy (&model->names, text, at);
}

static bool
wanted (struct cab_model *model, const struct cab_report_options *options, const struct line *line)
{
  bool any = false;
  for (uint32_t s = 0; s < line->n_sides && !any; s++)
    any = cab_share_places_want (model, options, &line->sides[s].places);
  return any;
}

static void
add_line (struct cab_model *model, const struct cab_report_options *options,
	  struct cab_table *table, struct line *line)
{
  const char *allocated = cab_share_allocations_text (model, options, &line->allocations);
  for (uint32_t i = 0; i < line->n_sides; i++)
    {
      struct side *side = &line->sides[i];
      union cab_cell *cell = cab_table_row (table);
      cell[ADDRESS].text = cab_names_format (&model->names, "%#jx", (uintmax_t) line->address);
      cell[KIND].text = cab_share_kind_name (line->kind);
      cell[UNIFORM].text = line->uniform ? "yes" : "no";
      cell[PROCESS].count = line->process ? model->processes[line->process - 1].pid : 0;
      cell[THREAD].count = side->thread + 1;
      cell[SPAN].text = bytes_of (model, cab_share_bytes (&side->share));
      cell[READS].count = side->reads;
      cell[WRITES].count = side->writes;
      cell[PADDING].count = side->apart ? (uint64_t) (__builtin_clzll (side->apart)
						      + __builtin_ctzll (side->apart))
					: CAB_UNKNOWN;
      cab_share_places_text (model, options, &side->places, &cell[VARIABLES].text,
			     &cell[PLACES].text);
      cell[ALLOCATED].text = allocated;
    }
}

static void
report_lines (struct cab_model *model, const struct cab_report_options *options,
	      struct cab_table *table)
{
  size_t n, n_lines = 0, room = 0;
  struct cab_sharing_row *rows = cab_share_rows (cab_model_state (model, &cab_sharing), &n);
  struct line *lines = NULL;
  cab_table_init (table, "sharing", "Lines of memory that threads share", columns, N);
  for (size_t at = 0, end; at < n; at = end)
    {
      end = cab_share_line_end (rows, n, at);
      if (rows[end - 1].thread == rows[at].thread)
	continue;
      if (n_lines == room)
	lines = XRESIZEVEC (struct line, lines, room = room * 2 + 64);
      if (make_line (model, &rows[at], end - at, &lines[n_lines])
	  && wanted (model, options, &lines[n_lines]))
	n_lines++;
      else
	free_line (&lines[n_lines]);
    }
  if (n_lines)
    qsort (lines, n_lines, sizeof *lines, by_kind);
  for (size_t i = 0; i < n_lines; i++)
    {
      add_line (model, options, table, &lines[i]);
      free_line (&lines[i]);
    }
  cab_share_allocations_end (table, &columns[ALLOCATED]);
  free (lines);
  free (rows);
}

void
cab_report_sharing (struct cab_model *model, const struct cab_report_options *options,
		    struct cab_table *table)
{
  (options->by == CAB_BY_LINE ? report_lines : cab_report_shared_variables) (model, options, table);
}

static const char *
wrong_by (enum cab_report_by by)
{
  return by != CAB_BY_LINE && by != CAB_BY_VARIABLE ? "sharing is reported by line or variable only"
						    : NULL;
}

const struct cab_report cab_sharing_report = {
  .name = "sharing",
  .summary = "which threads share lines of memory, or variables, truly or falsely, and "
	     "by which accesses",
  .subject = CAB_ABOUT_CACHES,
  .options = CAB_HAS_BY,
  .of_accesses = true,
  .wrong_by = wrong_by,
  .fill = cab_report_sharing,
  .lacks = cab_report_lacks_sharing
};
