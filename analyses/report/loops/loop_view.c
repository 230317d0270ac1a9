/* loop_view.c - all that is known of the loops of a profile, side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/loops/loop_view.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/report/loops/loop_counts.h"
#include "analyses/profile/profile_json.h"
#include "loopfb/attribute/attribute.h"
#include "loopfb/attribute/loop_table.h"

#define WORDS_BYTES 512

/* A row, by its key (cabprof/loops.h). */
struct slot
{
  uint64_t key;
  uint32_t loop;
};

struct joining
{
  struct cab_loop_view *view;
  struct cab_model *model;
  htab_t rows;
};

static hashval_t
slot_hash (const void *p)
{
  return ((const struct slot *) p)->key;
}

static int
slot_equal (const void *a, const void *b)
{
  return ((const struct slot *) a)->key == ((const struct slot *) b)->key;
}

struct cab_view_loop *
cab_loop_view_add (struct cab_loop_view *view)
{
  if (view->n_loops % 256 == 0)
    view->loops = XRESIZEVEC (struct cab_view_loop, view->loops, view->n_loops + 256);
  struct cab_view_loop *loop = &view->loops[view->n_loops++];
  *loop = (struct cab_view_loop) { .function = "",
				   .display = "",
				   .file = "",
				   .flags = "",
				   .reason = "",
				   .share = NAN,
				   .share_all = NAN,
				   .entries = NAN,
				   .iterations = NAN,
				   .mean = NAN,
				   .hint = { -1, -1, false, 0, 0 },
				   .predicted = NAN,
				   .measured = NAN };
  return loop;
}

void
cab_loop_view_fact (struct cab_loop_view *view, const char *name, const char *format, ...)
{
  char *text;
  va_list ap;
  va_start (ap, format);
  if (vasprintf (&text, format, ap) < 0)
    xmalloc_failed (1);
  va_end (ap);
  view->facts = XRESIZEVEC (struct cab_view_fact, view->facts, view->n_facts + 1);
  view->facts[view->n_facts++] = (struct cab_view_fact) {
    cab_names_copy (&view->names, name, strlen (name)),
    cab_names_copy (&view->names, text, strlen (text))
  };
  free (text);
}

static void
add_problem (struct cab_loop_view *view, const char *text)
{
  for (uint32_t i = 0; i < view->n_problems; i++)
    if (!strcmp (view->problems[i], text))
      return;
  view->problems = XRESIZEVEC (const char *, view->problems, view->n_problems + 1);
  view->problems[view->n_problems++] = cab_names_copy (&view->names, text, strlen (text));
}

static const char *
keep (struct joining *j, const char *text)
{
  return cab_names_copy (&j->view->names, text, strlen (text));
}

/* Return the row of this key, which is created if it does not exist. */
static struct cab_view_loop *
row_of (struct joining *j, const char *function, const char *file, uint32_t line, uint32_t column,
	uint32_t ordinal)
{
  struct slot wanted = { cab_loop_key (function, file, line, column, ordinal), 0 };
  struct slot **at = (struct slot **) htab_find_slot (j->rows, &wanted, INSERT);
  if (*at)
    return &j->view->loops[(*at)->loop];
  *at = xmemdup (&wanted, sizeof wanted, sizeof wanted);
  (*at)->loop = j->view->n_loops;
  struct cab_view_loop *row = cab_loop_view_add (j->view);
  row->function = keep (j, function);
  row->file = keep (j, file);
  row->line = line;
  row->column = column;
  row->ordinal = ordinal;
  row->display = row->function;
  return row;
}

/* Enter the rows of loops.json into the table of keys. */
static void
index_rows (struct joining *j)
{
  for (uint32_t i = 0; i < j->view->n_loops; i++)
    {
      const struct cab_view_loop *loop = &j->view->loops[i];
      struct slot wanted = {
	cab_loop_key (loop->function, loop->file, loop->line, loop->column, loop->ordinal), i
      };
      struct slot **at = (struct slot **) htab_find_slot (j->rows, &wanted, INSERT);
      if (!*at)
	*at = xmemdup (&wanted, sizeof wanted, sizeof wanted);
    }
}

/* Add the loops of one module, and what became of them. */
static void
join_table (struct joining *j, const struct cab_loop_table *table)
{
  char words[WORDS_BYTES];
  for (uint32_t i = 0; i < table->n_loops; i++)
    {
      const struct cab_loop *loop = &table->loop[i];
      struct cab_view_loop *row = row_of (j, loop->function, loop->file, loop->line, loop->column,
					  loop->ordinal);
      row->display = cab_names_display (&j->view->names, row->function,
					loop->name ? loop->name : "", row->file);
      row->last_line = loop->last_line;
      row->checksum = loop->checksum;
      if (loop->flags && !*row->flags)
	row->flags = loop->flags & CAB_LOOP_UNTOLD ? (loop->flags & CAB_LOOP_MACRO ? "um" : "u")
						   : "m";
      if (!row->outcome && *cab_loop_table_words (table, i, words, sizeof words))
	row->outcome = keep (j, words);
    }
}

/* Add the records that the profile has of its modules. */
static void
join_records (struct joining *j)
{
  for (uint32_t i = 0; i < j->model->n_modules; i++)
    {
      struct cab_loop_table table;
      if (!j->model->modules[i]->info.path)
	continue;
      cab_loop_table_init (&table);
      cab_loop_table_add_info (&table, &j->model->modules[i]->info);
      join_table (j, &table);
      cab_loop_table_fini (&table);
    }
}

/* Add the loops that were tried. */
static void
join_trials (struct joining *j)
{
  for (uint32_t i = 0; i < j->view->trials.n; i++)
    {
      const struct cab_trials_function *f = j->view->trials.trials[i].function;
      for (uint32_t k = 0; k < f->n_loops; k++)
	{
	  const struct cab_trials_loop *l = &f->loops[k];
	  struct cab_view_loop *row = row_of (j, l->function, l->file, l->line, l->column,
					      l->ordinal);
	  row->display = cab_names_display (&j->view->names, row->function, l->name, row->file);
	}
    }
}

static void
join_trips (struct joining *j)
{
  struct cab_loop_counts counts;
  cab_loop_counts_of (j->model, &counts);
  for (size_t i = 0; i < counts.n; i++)
    {
      const struct cab_loop_count *count = &counts.row[i];
      if (!count->has_key || !count->n_copies)
	continue;
      struct cab_view_loop *row = row_of (j, count->origin, count->file, count->line, count->column,
					  count->ordinal);
      row->display = keep (j, count->display);
      row->entries = count->entries;
      row->iterations = count->iterations;
      row->mean = count->finished ? cab_loop_mean (count) : NAN;
      j->view->has_trips = true;
    }
  cab_loop_counts_fini (&counts);
}

/* Add what became of loops in the sampled modules, where the files still exist. */
static void
join_modules (struct joining *j, const struct cab_samples *samples)
{
  struct cab_diag diag;
  for (uint32_t i = 0; i < samples->n_modules; i++)
    {
      struct cab_loop_table table;
      cab_loop_table_init (&table);
      if (access (samples->modules[i].path, R_OK) == 0
	  && cab_loop_table_add_elf (&table, samples->modules[i].path, &diag) == 0)
	join_table (j, &table);
      cab_loop_table_fini (&table);
    }
}

static void
join_shares (struct joining *j, const struct cab_attribution *a)
{
  for (uint32_t i = 0; i < a->n_loops; i++)
    {
      const struct cab_time_loop *loop = &a->loops[i];
      struct cab_view_loop *row = row_of (j, loop->function, loop->file, loop->line, loop->column,
					  loop->ordinal);
      row->display = cab_names_display (&j->view->names, row->function,
					loop->name ? loop->name : "", row->file);
      row->last_line = loop->last_line;
      row->checksum = loop->checksum;
      if (!a->weight || (j->view->has_matrix && !isnan (row->share)))
	continue;
      row->share = loop->weight / a->weight;
      row->share_all = loop->weight_all / a->weight;
    }
}

/* Add how the samples were taken.  If there is a matrix, the facts of loops.json say that
   instead. */
static void
add_source_facts (struct cab_loop_view *view, const struct cab_samples *s,
		  const struct cab_attribution *a)
{
  static const char *const kinds[] = { "perf", "timer", "perf script" };
  const struct cab_sample_source *source = &s->source;
  cab_loop_view_fact (view, "source", "%s (%s)", source->name,
		      source->kind <= CAB_SAMPLE_SCRIPT ? kinds[source->kind] : "?");
  if (source->period)
    cab_loop_view_fact (
      view, "period", "%ju %s%s", (uintmax_t) source->period, source->unit_ns ? "ns" : "events",
      source->adaptive ? ", the last one: it was adapted to the rate" : ", fixed");
  cab_loop_view_fact (
    view, "low bits of the period", "%s",
    source->randomised == CAB_RANDOMISED_EXPIRY ? "random, changed after each sample"
    : source->randomised == CAB_RANDOMISED_WAKE_UP ? "random, changed when samples were read"
    : "not randomised");
  cab_loop_view_fact (view, "samples", "%ju, lost %ju, in the kernel %ju, in no file %ju",
		      (uintmax_t) s->n, (uintmax_t) s->lost, (uintmax_t) s->kernel,
		      (uintmax_t) s->unknown);
  if (s->overhead >= 0)
    cab_loop_view_fact (view, "overhead of sampling", "%.2f%%%s%s", 100 * s->overhead,
			*s->overhead_how ? ": " : "", s->overhead_how);
  if (a->weight)
    cab_loop_view_fact (view, "share of samples in source loops", "%.1f%%",
			100 * a->in_loop / a->weight);
  if (a->runtime_weight)
    cab_loop_view_fact (view, "samples in cabprof's runtime",
			"%.1f%% of all, which are in no share",
			100.0 * a->runtime_weight / (a->weight + a->runtime_weight));
  if (a->weight && a->stripped)
    cab_loop_view_fact (
      view, "share of samples in stripped files",
      "%.1f%%: their loops cannot be distinguished: record the program as the linker made it",
      100.0 * a->stripped / a->weight);
  if (a->both)
    cab_loop_view_fact (view, "code ranges and line numbers agree", "%.1f%% of %ju samples",
			100.0 * a->agree / a->both, (uintmax_t) a->both);
}

static int
join_samples (struct joining *j, const char *path, struct cab_diag *diag)
{
  struct cab_samples samples;
  struct cab_attribution attribution;
  cab_samples_init (&samples);
  if (cab_samples_read (&samples, path, diag) < 0)
    {
      cab_samples_fini (&samples);
      return -1;
    }
  cab_attribute (&attribution, &samples, NULL, NULL);
  for (uint32_t i = 0; i < attribution.n_problems; i++)
    add_problem (j->view, attribution.problems[i]);
  join_shares (j, &attribution);
  j->view->n_samples = j->view->has_matrix ? 0 : attribution.n;
  join_modules (j, &samples);
  if (!j->view->has_matrix)
    add_source_facts (j->view, &samples, &attribution);
  j->view->has_samples = true;
  cab_attribution_fini (&attribution);
  cab_samples_fini (&samples);
  return 0;
}

static int
compare (const void *a, const void *b)
{
  const struct cab_view_loop *x = a, *y = b;
  double s = isnan (x->share) ? -1 : x->share, t = isnan (y->share) ? -1 : y->share;
  if (s != t)
    return s < t ? 1 : -1;
  int order = strcmp (x->file, y->file);
  if (!order)
    order = x->line != y->line ? (x->line < y->line ? -1 : 1)
	  : x->column != y->column ? (x->column < y->column ? -1 : 1)
	  : 0;
  if (!order)
    order = strcmp (x->function, y->function);
  return order ? order : x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static int
join_files (struct joining *j, struct cab_diag *diag)
{
  char *tuned = concat (j->model->dir, "/" CAB_TUNED_FILE, NULL),
       *samples = concat (j->model->dir, "/" CAB_SAMPLES_FILE, NULL);
  int result = 0;
  if (cab_profile_json_is_there (tuned))
    result = cab_loop_view_tuned (j->view, tuned, diag);
  index_rows (j);
  if (result == 0 && cab_profile_json_is_there (samples))
    result = join_samples (j, samples, diag);
  free (tuned);
  free (samples);
  return result;
}

int
cab_loop_view_open (struct cab_loop_view *view, struct cab_model *model, struct cab_diag *diag)
{
  struct joining j = { .view = view,
		       .model = model,
		       .rows = htab_create (1024, slot_hash, slot_equal, free) };
  const struct cab_view_heuristic unknown = { "", NAN, { NAN, NAN, NAN, 0 } };
  *view = (struct cab_loop_view) { .dir = model->dir,
				   .program = "",
				   .run = "",
				   .sum_best = NAN,
				   .best_factor = unknown,
				   .per_loop = unknown };
  cab_names_init (&view->names);
  cab_loop_trials_open (&view->trials, model->dir);
  for (uint32_t i = 0; i < view->trials.n_problems; i++)
    add_problem (view, view->trials.problems[i]);
  int result = join_files (&j, diag);
  if (result == 0)
    {
      join_records (&j);
      join_trials (&j);
      join_trips (&j);
    }
  htab_delete (j.rows);
  if (view->n_loops)
    qsort (view->loops, view->n_loops, sizeof *view->loops, compare);
  if (result < 0)
    cab_loop_view_close (view);
  return result;
}

void
cab_loop_view_close (struct cab_loop_view *view)
{
  free (view->loops);
  free (view->facts);
  free (view->problems);
  cab_loop_trials_close (&view->trials);
  cab_names_fini (&view->names);
  *view = (struct cab_loop_view) { 0 };
}

bool
cab_loop_view_tells (const struct cab_view_loop *loop)
{
  return loop->share > 0 || loop->entries > 0 || loop->hint.unroll >= 0 || loop->stalls;
}
