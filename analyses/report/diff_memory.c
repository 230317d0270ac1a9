/* diff_memory.c - see diff_memory.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/diff_memory.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/partial/sampled.h"
#include "analyses/report/report.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/an_offenders.h"

bool
cab_diff_has_memory (const struct cab_model *model, enum cab_diff_kind what)
{
  return what == CAB_DIFF_ACCESSES ? cab_model_state (model, &cab_accesses) != NULL
	 : cab_model_state (model, &cab_cache) || cab_model_state (model, &cab_offenders);
}

static bool
same_geometry (const struct cab_cache_geometry *a, const struct cab_cache_geometry *b)
{
  return a->size == b->size && a->assoc == b->assoc && a->line == b->line;
}

static bool
same_caches (const struct cab_cachesim_config *a, const struct cab_cachesim_config *b)
{
  bool same = a->model == b->model && a->n_shared == b->n_shared && same_geometry (&a->d1, &b->d1);
  for (unsigned i = 0; same && i < a->n_shared; i++)
    same = same_geometry (&a->shared[i], &b->shared[i]);
  return same;
}

const char *
cab_diff_unlike (const struct cab_model *a, const struct cab_model *b, enum cab_diff_kind what)
{
  struct cab_sampled s[2] = { { 0 }, { 0 } };
  bool sampled[2] = { cab_model_sampled (a, &s[0]), cab_model_sampled (b, &s[1]) };
  if (sampled[0] != sampled[1] || s[0].least != s[1].least || s[0].most != s[1].most)
    return "one is of a sample of the accesses, the other of all of them, or of another sample";
  struct cab_cachesim_config config[2];
  if (what == CAB_DIFF_ACCESSES)
    return NULL;
  if (!cab_report_misses_config (a, &config[0]) || !cab_report_misses_config (b, &config[1]))
    return "processes of one profile had different caches: give all runs the same";
  return same_caches (&config[0], &config[1])
	 ? NULL
	 : "the simulated caches differ: give both runs the same";
}

struct rows
{
  struct cab_diff_count *row;
  size_t n, room;
};

static void
add (struct rows *rows, const struct cab_match *match, int side, uint32_t number, uint64_t count)
{
  struct cab_access_ref ref = cab_model_access (match->model[side], number);
  if (!count || !ref.access)
    return;
  if (rows->n == rows->room)
    rows->row = XRESIZEVEC (struct cab_diff_count, rows->row, rows->room = rows->room * 2 + 1024);
  rows->row[rows->n] = (struct cab_diff_count) { .pair = match->pair_of[side][ref.function->index],
						 .variable = ref.access->name };
  rows->row[rows->n++].count[side] = count;
}

static void
add_accesses (struct rows *rows, const struct cab_match *match, int side)
{
  const struct cab_arena *state = cab_model_state (match->model[side], &cab_accesses);
  struct cab_accesses_row row;
  for (uint64_t cursor = 0; cab_accesses_next (state, &cursor, &row);)
    add (rows, match, side, row.number,
	 row.n[CAB_ROW_READ] + row.n[CAB_ROW_WRITE] + row.n[CAB_ROW_READ | CAB_ROW_WRITE]);
}

static void
add_misses (struct rows *rows, const struct cab_match *match, int side, bool in_last)
{
  struct cab_cachesim_config config;
  struct cab_cache_row row;
  cab_report_misses_config (match->model[side], &config);
  unsigned cache = in_last ? config.n_shared : 0;
  for (uint64_t cursor = 0; cab_report_misses_next (match->model[side], &cursor, &row);)
    add (rows, match, side, row.number, row.missed[0][cache] + row.missed[1][cache]);
}

static int
by_place (const void *a, const void *b)
{
  const struct cab_diff_count *x = a, *y = b;
  return x->pair != y->pair ? (x->pair < y->pair ? -1 : 1) : strcmp (x->variable, y->variable);
}

struct cab_diff_count *
cab_diff_memory (const struct cab_match *match, enum cab_diff_kind what, size_t *n)
{
  struct rows rows = { NULL, 0, 0 };
  for (int side = 0; side < 2; side++)
    if (what == CAB_DIFF_ACCESSES)
      add_accesses (&rows, match, side);
    else
      add_misses (&rows, match, side, what == CAB_DIFF_LL);
  if (rows.n)
    qsort (rows.row, rows.n, sizeof *rows.row, by_place);
  size_t kept = 0;
  for (size_t i = 0; i < rows.n; i++)
    if (kept && !by_place (&rows.row[kept - 1], &rows.row[i]))
      for (int side = 0; side < 2; side++)
	rows.row[kept - 1].count[side] += rows.row[i].count[side];
    else
      rows.row[kept++] = rows.row[i];
  *n = kept;
  return rows.row;
}
