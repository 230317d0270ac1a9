/* cmd_offenders.c - cabprof offenders: which accesses of a marked trace miss in the caches that it
 * was marked with.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the last stage of a pipe.  It reads rows with the level that each access hit, as
 *             `cabprof cache --mark' writes them, and prints the table of `cabprof report
 *             offenders'.  A row is one access; for a range (memcpy) the line that was farthest
 *             away counts.
 */
#include "analyses/command/command.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/output.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/report/counted_by.h"
#include "analyses/report/misses_table.h"

/* What one access of a process did.  Pairs are of reads (including those that also write) and
   writes. */
struct counts
{
  uint32_t process, site;
  uint64_t accesses[2];
  uint64_t missed[CAB_LEVEL_LL + 1][2];   /* by level */
};

struct request
{
  enum cab_report_by by;
  enum cab_format format;
  enum cab_report_level level;
  long limit;
  const char *path;
};

struct work
{
  struct cab_rows_reader reader;
  htab_t counts;
  uint64_t n_accesses, unmarked;
};

static int
take_by (const struct cab_argument *option, const char *name)
{
  enum cab_report_by *by = option->to;
  bool known = cab_report_by (name, by);
  if (known && *by >= CAB_BY_CONTEXT)
    return cab_usage ("offenders", name,
		      "traces of rows do not tell it, profiles do, with analyses=offenders: "
		      "`cabprof report offenders'");
  return known ? 0
	       : cab_usage ("offenders", name,
			    "no such thing (site, variable, line, function, loop, loop-variable)");
}

static int
take_level (const struct cab_argument *option, const char *name)
{
  return cab_report_level (name, option->to)
	 ? 0
	 : cab_usage ("offenders", name, "no such level (D1, L2, LL)");
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words;
  const struct cab_argument options[] = {
    { "by", "WHAT", "site (default), variable, line, function, loop or loop-variable",
      .take = take_by, .to = &request->by },
    { "level", "LEVEL", "misses in D1 (default), L2 or LL", .take = take_level,
      .to = &request->level },
    CAB_ARGUMENT_FORMAT (&request->format),
    CAB_ARGUMENT_WIDE,
    CAB_ARGUMENT_LIMIT (&request->limit, "rows", CAB_TEXT_ROWS)
  };
  const struct cab_arguments arguments = {
    "offenders", "[OPTION...] TRACE",
    "Says which accesses miss, of a trace that `cabprof cache --mark' has passed on; - is standard "
    "input.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  return status ? status : cab_arguments_trace ("offenders", words, &request->path);
}

static hashval_t
hash_counts (const void *p)
{
  const struct counts *c = p;
  return c->process * 0x9e3779b1u ^ c->site * 0x85ebca6bu;
}

static int
equal_counts (const void *p, const void *q)
{
  const struct counts *a = p, *b = q;
  return a->process == b->process && a->site == b->site;
}

static struct counts *
counts_of (struct work *w, uint32_t process, uint32_t site)
{
  struct counts key = { .process = process, .site = site };
  void **slot = htab_find_slot (w->counts, &key, INSERT);
  if (!*slot)
    {
      *slot = XNEW (struct counts);
      memcpy (*slot, &key, sizeof key);
    }
  return *slot;
}

static void
take (struct work *w, const struct cab_trace_row *row)
{
  unsigned form = row->form & (CAB_ROW_READ | CAB_ROW_WRITE), write = form == CAB_ROW_WRITE;
  if (row->kind != CAB_EV_ACCESS || !form || !row->bytes)
    return;
  w->n_accesses++;
  w->unmarked += !row->level;
  if (!row->level || !cab_rows_access (&w->reader, row->process, row->site))
    return;
  struct counts *counts = counts_of (w, row->process, row->site);
  counts->accesses[write]++;
  counts->missed[CAB_LEVEL_D1][write] += row->level > 1;
  counts->missed[CAB_LEVEL_L2][write] += row->level > 2;
  counts->missed[CAB_LEVEL_LL][write] += row->level == CAB_ROW_MISSED_ALL;
}

/* Put FILE:LINE:COLUMN, which identifies a loop, into CELL.  Return false if TEXT is not of this
   form. */
static bool
take_apart (struct work *w, const char *text, union cab_cell *cell)
{
  const char *second = strrchr (text, ':'), *first = second;
  while (first && first > text && *--first != ':')
    ;
  if (!first || first == text)
    return false;
  cell[CAB_A_FILE].text = cab_names_copy (&w->reader.memory, text, first - text);
  cell[CAB_A_LINE].count = strtoul (first + 1, NULL, 10);
  cell[CAB_A_COLUMN].count = strtoul (second + 1, NULL, 10);
  return true;
}

/* Put what the access at PLACE is counted under into CELL.  Return false if it is not counted,
   because it is in no loop. */
static bool
put_place (struct work *w, const struct request *request, uint32_t process,
	   const struct cab_row_place *place, union cab_cell *cell)
{
  const struct cab_row_function *f = cab_rows_function (&w->reader, process, place->fn);
  bool by_function = request->by == CAB_BY_FUNCTION && f;
  cell[CAB_A_VARIABLE].text = place->name;
  cell[CAB_A_FUNCTION].text = f ? f->name : "?";
  cell[CAB_A_FILE].text = by_function ? f->file : place->file;
  cell[CAB_A_LINE].count = by_function ? f->line : place->line;
  cell[CAB_A_COLUMN].count = place->column;
  if (cab_by_loops (request->by) && !take_apart (w, place->loop, cell))
    return false;
  cab_by_keep (cell, request->by);
  return true;
}

/* The data that adding a row needs. */
struct making
{
  struct work *w;
  const struct request *request;
  struct cab_table *table;
  bool has_l2;
};

static int
add_row (void **slot, void *data)
{
  const struct counts *counts = *slot;
  const struct making *m = data;
  union cab_cell cell[CAB_M_COLUMNS] = { [CAB_M_CONTEXT].text = "" };
  if (!put_place (m->w, m->request, counts->process,
		  cab_rows_access (&m->w->reader, counts->process, counts->site), cell))
    return 1;
  for (int write = 0; write < 2; write++)
    {
      cell[CAB_M_READS + write].count = counts->accesses[write];
      for (int level = CAB_LEVEL_D1; level <= CAB_LEVEL_LL; level++)
	cell[CAB_M_D1_READ + 2 * level + write].count = level != CAB_LEVEL_L2 || m->has_l2
							? counts->missed[level][write]
							: CAB_UNKNOWN;
    }
  memcpy (cab_table_row (m->table), cell, sizeof cell);
  return 1;
}

/* The misses of each load that was executed. */
struct loads
{
  uint64_t *misses;
  size_t n;
  enum cab_report_level level;
};

static int
add_load (void **slot, void *data)
{
  const struct counts *counts = *slot;
  struct loads *loads = data;
  if (counts->accesses[0])
    loads->misses[loads->n++] = counts->missed[loads->level][0];
  return 1;
}

static void
print (struct work *w, const struct request *request, bool has_l2)
{
  struct cab_table table;
  struct loads loads = { XNEWVEC (uint64_t, htab_elements (w->counts) + 1), 0, request->level };
  struct making making = { w, request, &table, has_l2 };
  htab_traverse_noresize (w->counts, add_load, &loads);
  cab_misses_begin (
    &table, cab_misses_title (&w->reader.memory, "Misses", request->level, loads.misses, loads.n),
    request->by, has_l2);
  free (loads.misses);
  htab_traverse_noresize (w->counts, add_row, &making);
  cab_misses_finish (&table, request->level);
  table.note = cab_rows_sampled (&w->reader);
  cab_arg_write (&table, request->format,
		 cab_arg_limit (request->limit, request->format, CAB_TEXT_ROWS), request->path);
  cab_table_fini (&table);
}

/* Print the table after all was read, or print what is missing.  Return CAB_EXIT_GOOD or
   CAB_EXIT_FAILED. */
static int
conclude (struct work *w, const struct request *request)
{
  bool has_l2 = cab_rows_caches (&w->reader) == CAB_LEVEL_LL + 1;
  if (w->unmarked)
    cab_say (
      "%s: %ju of %ju accesses have no level: pass the trace through `cabprof cache --mark' first",
      request->path, (uintmax_t) w->unmarked, (uintmax_t) w->n_accesses);
  else if (!w->n_accesses)
    cab_say ("%s: no access is in it: trace a program that was compiled with "
	     "-fplugin-arg-cabprof-events=memory",
	     request->path);
  else if (request->level == CAB_LEVEL_L2 && !has_l2)
    cab_say ("%s: no L2 was simulated: give `cabprof cache --mark' an --L2, or here --level=D1 or "
	     "--level=LL",
	     request->path);
  else
    {
      print (w, request, has_l2);
      return CAB_EXIT_GOOD;
    }
  return CAB_EXIT_FAILED;
}

int
cab_cmd_offenders (int argc, char **argv)
{
  struct request request = { .format = CAB_FORMAT_TEXT, .limit = -1 };
  struct work w = { .n_accesses = 0 };
  struct cab_diag diag;
  int fd, result, status = parse (argc, argv, &request);
  if (status || (status = cab_trace_begin (&w.reader, request.path, &fd)))
    return status < 0 ? CAB_EXIT_GOOD : status;
  w.counts = htab_create (1024, hash_counts, equal_counts, free);
  while ((result = cab_rows_next (&w.reader, &diag)) > 0)
    for (size_t i = 0; result == CAB_ROWS_ROWS && i < w.reader.n_rows; i++)
      take (&w, &w.reader.rows[i]);
  int told = conclude (&w, &request);
  status = cab_trace_finish (&w.reader, request.path, fd, result, &diag);
  htab_delete (w.counts);
  return told ? told : status;
}
