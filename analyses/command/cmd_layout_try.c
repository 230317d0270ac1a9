/* cmd_layout_try.c - the accesses of a trace, tried on proposed layouts.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cmd_layout_try.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/command.h"
#include "analyses/command/output.h"
#include "analyses/command/cmd_layout_variables.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/layout/layout_try.h"

static const struct cab_column all_columns[] = {
  { "layout", CAB_TEXT, 0 },
  { "accesses", CAB_COUNT, 0 },
  { "D1_misses", CAB_COUNT, 0 },
  { "L2_misses", CAB_TALLY, 0 },
  { "LL_misses", CAB_COUNT, 0 },
  { "D1_change", CAB_RELATIVE, 0 },
  { "L2_change", CAB_RELATIVE, 0 },
  { "LL_change", CAB_RELATIVE, 0 },
  { "recommended", CAB_TEXT, 0 }
};
enum
{
  LAYOUT,
  ACCESSES,
  D1_MISSES,
  L2_MISSES,
  LL_MISSES,
  D1_CHANGE,
  L2_CHANGE,
  LL_CHANGE,
  RECOMMENDED,
  N_COLUMNS
};
enum { D1, L2, LL, LEVELS };

/* What a miss of each level costs in addition to a miss of the level before, in misses of D1. */
static const double weights[LEVELS] = { 1, 3, 10 };
#define NO_LESS 0.01             /* the share below which costs count as equal */

/* Return which of the caches of a trial LEVEL is; -1 if there is none. */
static int
cache_of (const struct cab_layout_trial *trial, int level)
{
  return level == D1 ? 0 : level == LL ? 1 + trial->has_l2 : trial->has_l2 ? 1 : -1;
}

/* Return the change relative to BEFORE; 0 where both are equal. */
static double
change (uint64_t before, uint64_t after)
{
  return before == after ? 0 : ((double) after - before) / before;
}

static double
cost (const struct cab_layout_trial *trial, const struct cab_try_counts *counts)
{
  double sum = 0;
  for (int level = D1; level < LEVELS; level++)
    sum += cache_of (trial, level) < 0 ? 0
				       : weights[level] * counts->misses[cache_of (trial, level)];
  return sum;
}

/* Return the recommended one of the N passes: of those that cost least, the first one in the model,
   as it changes the source least. */
static int
recommended (const struct cab_layout_trial *trial, const struct cab_try_counts *counts, int n)
{
  int best = CAB_TRY_SAME;
  for (int i = best + 1; i < n; i++)
    best = cost (trial, &counts[i]) < (1 - NO_LESS) * cost (trial, &counts[best]) ? i : best;
  return best;
}

/* Put the misses of each level, and how they changed from BEFORE. */
static void
put_misses (const struct cab_layout_trial *trial, const struct cab_try_counts *before,
	    const struct cab_try_counts *counts, union cab_cell *cell)
{
  for (int level = D1; level < LEVELS; level++)
    {
      int cache = cache_of (trial, level);
      cell[D1_MISSES + level].count = cache < 0 ? CAB_UNKNOWN : counts->misses[cache];
      cell[D1_CHANGE + level].share = cache < 0
				      ? NAN
				      : change (before->misses[cache], counts->misses[cache]);
    }
}

static char *
title_of (const struct cab_layout_trial *trial)
{
  char *l2 = trial->has_l2 ? xasprintf (" L2 of %" PRIu64 " bytes,", trial->l2.size) : xstrdup ("");
  char *title = xasprintf ("Misses in simulated caches: D1 of %" PRIu64 " bytes,%s LL of %" PRIu64
			   " bytes",
			   trial->d1.size, l2, trial->ll.size);
  free (l2);
  return title;
}

static void
print (const struct cab_layout_trial *trial, const struct cab_try_counts counts[CAB_TRY_N])
{
  static const char *const names[CAB_TRY_N] = { "as it ran", "as it is, in a model of malloc",
						"as proposed, in a model of malloc",
						"as structures of arrays, in a model of malloc" };
  int n = trial->arrays ? CAB_TRY_N : CAB_TRY_ARRAYS, best = recommended (trial, counts, n);
  struct cab_column columns[N_COLUMNS];
  struct cab_table table;
  char *title = title_of (trial);
  memcpy (columns, all_columns, sizeof columns);
  cab_column_in_text (&columns[L2_MISSES], trial->has_l2);
  cab_column_in_text (&columns[L2_CHANGE], trial->has_l2);
  cab_table_init (&table, "layout-try", title, columns, N_COLUMNS);
  for (int i = 0; i < n; i++)
    {
      union cab_cell *cell = cab_table_row (&table);
      cell[LAYOUT].text = names[i];
      cell[ACCESSES].count = counts[i].accesses;
      put_misses (trial, &counts[i >= CAB_TRY_PROPOSED ? CAB_TRY_SAME : CAB_TRY_RAN], &counts[i],
		  cell);
      cell[RECOMMENDED].text = i == best ? "yes" : "no";
    }
  cab_arg_write (&table, trial->format, 0, trial->dir);
  cab_table_fini (&table);
  free (title);
}

/* What is known of a site, kept because each row asks for it. */
struct site
{
  const struct cab_row_place *place;
  struct cab_layout *layout;
  bool known;
};

struct sites
{
  struct site *items;
  uint32_t n;
  const struct cab_layouts *layouts;
  struct cab_layout_modules *modules;
};

static struct site
site_of (struct sites *sites, const struct cab_rows_reader *reader, uint32_t process,
	 uint32_t number)
{
  if (number >= sites->n)
    {
      uint32_t n = number + number / 2 + 64;
      sites->items = XRESIZEVEC (struct site, sites->items, n);
      memset (sites->items + sites->n, 0, (n - sites->n) * sizeof *sites->items);
      sites->n = n;
    }
  struct site *site = &sites->items[number];
  if (!site->known)
    {
      site->place = cab_rows_access (reader, process, number);
      site->layout = site->place ? cab_layouts_find (sites->layouts, site->place->structure) : NULL;
      site->known = site->place != NULL;
    }
  return *site;
}

/* Try the rows of one block that belong to the first process which accesses anything.  Return the
   number of rows of other processes. */
static uint64_t
feed (struct cab_try *try, struct sites *sites, const struct cab_rows_reader *reader,
      uint32_t *process)
{
  uint64_t others = 0;
  for (size_t i = 0; i < reader->n_rows; i++)
    {
      const struct cab_trace_row *row = &reader->rows[i];
      if (row->kind != CAB_EV_ACCESS)
	continue;
      *process = *process ? *process : row->process;
      if (row->process != *process)
	{
	  others++;
	  continue;
	}
      cab_layout_modules_of (sites->modules, *process);
      struct site site = site_of (sites, reader, row->process, row->site);
      struct cab_try_access access = { .address = row->address,
				       .bytes = row->bytes,
				       .other = row->other,
				       .form = row->form,
				       .layout = site.layout,
				       .is_element = site.place && site.place->is_element,
				       .is_local = site.place && site.place->is_local,
				       .offset = site.place ? site.place->offset : 0 };
      cab_try_feed (try, &access);
    }
  return others;
}

/* Print what the numbers do not say.  HAS_VARIABLES: the trace names variables. */
static void
tell (const struct cab_try *try, const struct cab_layout_trial *trial, uint64_t others,
      bool has_variables)
{
  uint64_t in_none, in_arrays = cab_try_in_arrays (try, &in_none);
  if (others)
    cab_say ("%s: %" PRIu64 " accesses of other processes are left out: trace one process",
	     trial->trace, others);
  if (cab_try_unknown (try))
    cab_say ("%s: %" PRIu64
	     " accesses to arrays in structures outside of blocks are tried where they were",
	     trial->trace, cab_try_unknown (try));
  if (trial->arrays && in_none)
    cab_say ("%s: %" PRIu64 " of %" PRIu64
	     " accesses to members are not of instances in arrays: these stay as they are%s",
	     trial->trace, in_none, in_none + in_arrays,
	     has_variables ? "" : "; rows do not tell of variables: try the packed trace");
}

/* Feed the whole trace.  Set *PROCESS to the one that was tried, or 0.  Return the exit status of
   cab_trace_finish. */
static int
feed_all (struct cab_try *try, struct sites *sites, struct cab_rows_reader *reader,
	  const char *trace, int fd, uint32_t *process, uint64_t *others)
{
  struct cab_diag diag;
  int result;
  while ((result = cab_rows_next (reader, &diag)) > CAB_ROWS_END)
    if (result == CAB_ROWS_ROWS)
      *others += feed (try, sites, reader, process);
  return cab_trace_finish (reader, trace, fd, result, &diag);
}

/* Return the caches of TRIAL.  What one evicts stays in the others. */
static struct cab_cachesim_config
configure (const struct cab_layout_trial *trial)
{
  struct cab_cachesim_config config = { .model = CAB_CACHESIM_NON_INCLUSIVE,
					.i1 = trial->d1,
					.d1 = trial->d1 };
  if (trial->has_l2)
    config.shared[config.n_shared++] = trial->l2;
  config.shared[config.n_shared++] = trial->ll;
  return config;
}

int
cab_layout_try_trace (struct cab_layouts *layouts, const struct cab_layout_trial *trial)
{
  struct cab_diag diag;
  struct cab_rows_reader reader = { 0 };
  struct cab_try_counts counts[CAB_TRY_N];
  struct sites sites = { .layouts = layouts, .modules = cab_layout_modules_new (&reader) };
  struct cab_layout_variables variables = { layouts, cab_layout_modules_find, sites.modules };
  uint64_t others = 0;
  uint32_t process = 0;
  int fd, status;
  bool has_variables;
  struct cab_cachesim_config config = configure (trial);
  struct cab_try *try = cab_try_new (&config, trial->arrays ? &variables : NULL, &diag);
  if (!try)
    {
      cab_say ("%s: see `cabprof layout --help'", diag.text);
      cab_layout_modules_free (sites.modules);
      return CAB_EXIT_USAGE;
    }
  status = cab_trace_begin (&reader, trial->trace, &fd);
  if (!status)
    {
      has_variables = cab_source_packed (&reader) != NULL;
      status = feed_all (try, &sites, &reader, trial->trace, fd, &process, &others);
      cab_try_counts (try, counts);
      if (process)
	print (trial, counts);
      else
	cab_say ("%s: no access is in it: trace a program that was compiled with "
		 "-fplugin-arg-cabprof-events=memory",
		 trial->trace);
      tell (try, trial, others, has_variables);
      status = process ? status : CAB_EXIT_FAILED;
    }
  free (sites.items);
  cab_layout_modules_free (sites.modules);
  cab_try_free (try);
  return status;
}
