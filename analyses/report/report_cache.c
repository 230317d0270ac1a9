/* report_cache.c - how often the simulated caches were missed.  The columns are those of `cabprof
 * cache'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include <string.h>
#include "analyses/live/cache/cache_arguments.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/an_offenders.h"

static const struct cab_column columns[] = {
  { "model", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "cache", CAB_TEXT, 0 },
  { "size", CAB_COUNT, 0 },
  { "ways", CAB_COUNT, 0 },
  { "line", CAB_COUNT, 0 },
  { "from", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "access", CAB_TEXT, 0 },
  { "accesses", CAB_COUNT, 0 },
  { "misses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 }
};
enum { MODEL, CACHE, SIZE, WAYS, LINE, FROM, ACCESS, ACCESSES, MISSES, SHARE, N };

const char *
cab_report_lacks_cache (const struct cab_model *model)
{
  return cab_model_state (model, &cab_cache) || cab_model_state (model, &cab_offenders)
	 ? NULL
	 : "no caches were simulated: compile with -fplugin-arg-cabprof-events=memory, and run "
	   "with CABPROF_OPTIONS=analyses=cache";
}

bool
cab_report_misses_next (const struct cab_model *model, uint64_t *cursor, struct cab_cache_row *row)
{
  const struct cab_arena *cache = cab_model_state (model, &cab_cache),
			 *offenders = cab_model_state (model, &cab_offenders);
  struct cab_offenders_row o;
  if (cache)
    return cab_cache_next (cache, cursor, row);
  if (!offenders || !cab_offenders_next (offenders, cursor, &o))
    return false;
  *row = (struct cab_cache_row) { .number = o.number,
				  .rows = o.rows,
				  .others = o.others,
				  .accesses = { o.accesses[0], o.accesses[1] } };
  memcpy (row->missed, o.missed, sizeof row->missed);
  return true;
}

bool
cab_report_misses_config (const struct cab_model *model, struct cab_cachesim_config *config)
{
  const struct cab_arena *cache = cab_model_state (model, &cab_cache),
			 *offenders = cab_model_state (model, &cab_offenders);
  *config = (struct cab_cachesim_config) { .n_shared = 0 };
  return cache ? cab_cache_config (cache, config)
	       : !offenders || cab_offenders_config (offenders, config);
}

const char *
cab_report_mixed_caches (const struct cab_model *model)
{
  struct cab_cachesim_config config;
  return cab_report_misses_config (model, &config)
	 ? NULL
	 : "processes had different caches: their misses are added up, the first level's, the "
	   "second's and so on, and called as those of one process";
}

static void
add_row (struct cab_table *table, const struct cab_cachesim_config *config, bool mixed,
	 unsigned level, int write, const uint64_t *accesses,
	 const uint64_t (*missed)[CAB_CACHESIM_LEVELS_MAX])
{
  const struct cab_cache_geometry *geometry = level ? &config->shared[level - 1] : &config->d1;
  union cab_cell *cell = cab_table_row (table);
  uint64_t came = level ? missed[write][level - 1] : accesses[write];
  cell[MODEL].text = cab_cache_models[config->model];
  cell[CACHE].text = !level ? "D1" : level == config->n_shared ? "LL" : "L2";
  cell[SIZE].count = geometry->size;
  cell[WAYS].count = geometry->assoc;
  cell[LINE].count = geometry->line;
  cell[FROM].text = mixed ? "run, and other runs with other caches" : "run";
  cell[ACCESS].text = write ? "write" : "read";
  cell[ACCESSES].count = came;
  cell[MISSES].count = missed[write][level];
  cell[SHARE].share = came ? (double) missed[write][level] / came : 0;
}

/* Return a remark about accesses that were not looked up, or "". */
static const char *
again_of (struct cab_model *model)
{
  const struct cab_arena *cache = cab_model_state (model, &cab_cache);
  char number[32];
  return cache && cab_cache_again (cache) ? cab_names_format (
	   &model->names,
	   "; %s accesses came in rounds that were the same again, and count as the round before",
	   cab_table_grouped (cab_cache_again (cache), number))
					  : "";
}

void
cab_report_cache (struct cab_model *model, const struct cab_report_options *options,
		  struct cab_table *table)
{
  uint64_t accesses[2] = { 0 }, missed[2][CAB_CACHESIM_LEVELS_MAX] = { 0 };
  struct cab_cachesim_config config;
  struct cab_cache_row row;
  (void) options;
  bool alike = cab_report_misses_config (model, &config);
  const char *name = cab_cache_models[config.model];
  const char *others
    = alike ? "" : "; processes had different ones: those of one are shown, with the counts of all";
  const char *title = cab_names_format (
    &model->names, "Simulated caches of data, %s model, caches for each thread%s%s", name, others,
    again_of (model));
  cab_table_init (table, "cache", title, columns, N);
  for (uint64_t cursor = 0; cab_report_misses_next (model, &cursor, &row);)
    for (int write = 0; write < 2; write++)
      {
	accesses[write] += row.accesses[write];
	for (unsigned level = 0; level < CAB_CACHESIM_LEVELS_MAX; level++)
	  missed[write][level] += row.missed[write][level];
      }
  for (unsigned level = 0; level <= config.n_shared; level++)
    for (int write = 0; write < 2; write++)
      add_row (table, &config, !alike, level, write, accesses,
	       (const uint64_t (*)[CAB_CACHESIM_LEVELS_MAX]) missed);
}

const struct cab_report cab_cache_report = {
  .name = "cache",
  .summary = "how often simulated caches were missed",
  .subject = CAB_ABOUT_CACHES,
  .keeps_order = true,
  .of_accesses = true,
  .unfiltered = true,
  .fill = cab_report_cache,
  .lacks = cab_report_lacks_cache
};
