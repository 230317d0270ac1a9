/* report_sharing.c - which lines of memory do threads share, truly or falsely?
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two threads that ran at the same time share a line if both accessed it and at least one wrote to it: truly if they have a byte in common that one
 * of them wrote, else falsely.  Bytes that both had allocated for themselves and have in common were released in between: that is no sharing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "report.h"
#include "states.h"

static const struct cab_column columns[] = {
  { "address", CAB_TEXT, 0 },
  { "kind", CAB_TEXT, 0 },
  { "uniform", CAB_TEXT, 0 },
  { "process", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "thread", CAB_NUMBER, 0 },
  { "bytes", CAB_TEXT, 0 },
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "padding", CAB_TALLY, 0 },
  { "variables", CAB_TEXT, 0 },
  { "places", CAB_TEXT, 0 }
};
enum { ADDRESS, KIND, UNIFORM, PROCESS, THREAD, SPAN, READS, WRITES, PADDING, VARIABLES, PLACES, N };
enum { TRUE_SHARING = 1, FALSE_SHARING = 2 };

/* What one thread did to a line: in memory of its own [1], and in other memory [0]. */
struct side
{
  uint32_t thread;
  uint64_t read[2], written[2];
  uint64_t reads, writes;
  uint32_t sites[2 * CAB_SHARING_SITES];
  int n_sites;
};

struct line
{
  uint64_t address, accesses;
  uint32_t process;
  int kind;            /* TRUE_SHARING, FALSE_SHARING, both, or 0: all read it */
  bool uniform;
  struct side *sides;
  uint32_t n_sides;
};

const char *
cab_report_lacks_sharing (const struct cab_model *model)
{
  return cab_model_state (model, &cab_sharing) ? NULL
	 : "nothing about threads: compile with -fplugin-arg-cabprof-events=memory, and run with CABPROF_OPTIONS=analyses=sharing";
}

static int
by_line (const void *a, const void *b)
{
  const struct cab_sharing_row *x = a, *y = b;
  uint64_t p = x->key >> 1, q = y->key >> 1;
  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (p != q)
    return p < q ? -1 : 1;
  return x->thread != y->thread ? (x->thread < y->thread ? -1 : 1) : (int) (x->key & 1) - (int) (y->key & 1);
}

/* Did the threads of sides A and B run at the same time, as far as is known? */
static bool
met (const struct cab_model *model, uint32_t process, const struct side *a, const struct side *b)
{
  if (!process || process > model->n_processes)
    return true;
  const struct cab_process *p = &model->processes[process - 1];
  if (a->thread >= p->n_threads || b->thread >= p->n_threads)
    return true;
  const struct cab_lifetime *x = &p->lifetimes[a->thread], *y = &p->lifetimes[b->thread];
  return (!x->end_ns || x->end_ns > y->start_ns) && (!y->end_ns || y->end_ns > x->start_ns);
}

/* How the two share the line. */
static int
kind_of (const struct side *a, const struct side *b)
{
  int kind = 0;
  for (int own = 0; own < 4; own++)
    {
      uint64_t wa = a->written[own & 1], wb = b->written[own >> 1];
      uint64_t all_a = wa | a->read[own & 1], all_b = wb | b->read[own >> 1];
      if (!all_a || !all_b || !(wa | wb) || (own == 3 && (all_a & all_b)))
	continue;
      kind |= (wa & all_b) | (wb & all_a) ? TRUE_SHARING : FALSE_SHARING;
    }
  return kind;
}

static int
downwards (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* As DINAMITE has it: no thread accesses it twice as often as the next one. */
static bool
is_uniform (const struct line *line)
{
  uint64_t *counts = XNEWVEC (uint64_t, line->n_sides);
  for (uint32_t i = 0; i < line->n_sides; i++)
    counts[i] = line->sides[i].reads + line->sides[i].writes;
  qsort (counts, line->n_sides, sizeof *counts, downwards);
  bool uniform = line->n_sides > 1 && counts[0] < 2 * counts[1];
  free (counts);
  return uniform;
}

static void
add_to_side (struct side *side, const struct cab_sharing_row *row)
{
  side->thread = row->thread;
  side->read[row->key & 1] |= row->read;
  side->written[row->key & 1] |= row->written;
  side->reads += row->reads;
  side->writes += row->writes;
  for (int i = 0; i < CAB_SHARING_SITES; i++)
    {
      int k = 0;
      while (k < side->n_sites && side->sites[k] != row->sites[i])
	k++;
      if (row->sites[i] && k == side->n_sites)
	side->sites[side->n_sites++] = row->sites[i];
    }
}

/* The line of the N rows at ROW, which are all of it; false: no two threads met there. */
static bool
make_line (const struct cab_model *model, const struct cab_sharing_row *row, size_t n, struct line *line)
{
  *line = (struct line) { .address = ((row->key >> 1) - 1) * CAB_SHARING_LINE, .process = row->process, .sides = XCNEWVEC (struct side, n) };
  for (size_t i = 0; i < n; i++)
    {
      line->n_sides += !i || row[i].thread != row[i - 1].thread;
      add_to_side (&line->sides[line->n_sides - 1], &row[i]);
      line->accesses += row[i].reads + row[i].writes;
    }
  bool shared = false;
  for (uint32_t a = 0; a < line->n_sides; a++)
    for (uint32_t b = a + 1; b < line->n_sides; b++)
      if (met (model, line->process, &line->sides[a], &line->sides[b]))
	{
	  const struct side *x = &line->sides[a], *y = &line->sides[b];
	  bool apart = x->read[0] + x->written[0] == 0 && y->read[0] + y->written[0] == 0;
	  line->kind |= kind_of (x, y);
	  shared |= !apart || kind_of (x, y);
	}
  line->uniform = is_uniform (line);
  return shared;
}

static int
by_kind (const void *a, const void *b)
{
  const struct line *x = a, *y = b;
  if (!x->kind != !y->kind)
    return !x->kind - !y->kind;
  if (x->accesses != y->accesses)
    return x->accesses < y->accesses ? 1 : -1;
  return x->process != y->process ? (x->process < y->process ? -1 : 1) : x->address < y->address ? -1 : x->address > y->address;
}

/* "0-7,16": the bytes of MASK. */
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
	at += snprintf (text + at, sizeof text - at, first == k ? "%s%u" : "%s%u-%u", at ? "," : "", first, k);
      }
  return cab_names_copy (&model->names, text, at);
}

/* LIST, its items separated by spaces, and ITEM, unless it is there. */
static const char *
with_item (struct cab_model *model, const char *list, const char *item)
{
  size_t n = strlen (item);
  for (const char *at = list; n && (at = strstr (at, item)); at++)
    if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
      return list;
  return cab_names_format (&model->names, "%s%s%s", list, *list ? " " : "", item);
}

/* What SIDE's accesses are called, and where they stand; each once. */
static void
put_sites (struct cab_model *model, const struct side *side, union cab_cell *cell)
{
  const char *names = "", *places = "";
  for (int i = 0; i < side->n_sites; i++)
    {
      struct cab_access_ref ref = cab_model_access (model, side->sites[i]);
      if (!ref.access)
	continue;
      const char *file = ref.access->line ? ref.function->record->files[ref.access->file] : ref.function->file;
      const char *place = lbasename (file);
      if (ref.access->line)
	place = cab_names_format (&model->names, "%s:%u", place, ref.access->line);
      names = with_item (model, names, ref.access->name);
      places = with_item (model, places, place);
    }
  cell[VARIABLES].text = names;
  cell[PLACES].text = places;
}

static bool
wanted (struct cab_model *model, const struct cab_report_options *options, const struct line *line)
{
  bool any = !options->function && !options->file;
  for (uint32_t s = 0; s < line->n_sides && !any; s++)
    for (int i = 0; i < line->sides[s].n_sites && !any; i++)
      {
	struct cab_access_ref ref = cab_model_access (model, line->sides[s].sites[i]);
	any = ref.access && cab_report_wants (options, ref.function);
      }
  return any;
}

static void
add_line (struct cab_model *model, struct cab_table *table, const struct line *line)
{
  static const char *const kinds[] = { "read", "true", "false", "both" };
  for (uint32_t i = 0; i < line->n_sides; i++)
    {
      const struct side *side = &line->sides[i];
      uint64_t mask = side->read[0] | side->read[1] | side->written[0] | side->written[1];
      union cab_cell *cell = cab_table_row (table);
      cell[ADDRESS].text = cab_names_format (&model->names, "%#jx", (uintmax_t) line->address);
      cell[KIND].text = kinds[line->kind];
      cell[UNIFORM].text = line->uniform ? "yes" : "no";
      cell[PROCESS].count = line->process ? model->processes[line->process - 1].pid : 0;
      cell[THREAD].count = side->thread + 1;
      cell[SPAN].text = bytes_of (model, mask);
      cell[READS].count = side->reads;
      cell[WRITES].count = side->writes;
      cell[PADDING].count = line->kind & FALSE_SHARING && mask ? (uint64_t) (__builtin_clzll (mask) + __builtin_ctzll (mask)) : CAB_UNKNOWN;
      put_sites (model, side, cell);
    }
}

/* All rows of STATE, which may be null, by line; *N of them. */
static struct cab_sharing_row *
sorted_rows (const struct cab_arena *state, size_t *n)
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

void
cab_report_sharing (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_sharing);
  size_t n, n_lines = 0, room = 0;
  struct cab_sharing_row *rows = sorted_rows (state, &n);
  struct line *lines = NULL;
  cab_table_init (table, "sharing", "Lines of memory that threads share", columns, N);
  for (size_t at = 0, end; at < n; at = end)
    {
      for (end = at + 1; end < n && rows[end].key >> 1 == rows[at].key >> 1 && rows[end].process == rows[at].process;)
	end++;
      if (rows[end - 1].thread == rows[at].thread)
	continue;
      if (n_lines == room)
	lines = XRESIZEVEC (struct line, lines, room = room * 2 + 64);
      if (make_line (model, &rows[at], end - at, &lines[n_lines]) && wanted (model, options, &lines[n_lines]))
	n_lines++;
      else
	free (lines[n_lines].sides);
    }
  if (n_lines)
    qsort (lines, n_lines, sizeof *lines, by_kind);
  for (size_t i = 0; i < n_lines; i++)
    {
      add_line (model, table, &lines[i]);
      free (lines[i].sides);
    }
  free (lines);
  free (rows);
}
