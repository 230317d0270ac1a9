/* report_addresses.c - which data were accessed, from samples that have their addresses: by region
 * of memory, variable and place in the source.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/report/addresses/address_blocks.h"
#include "analyses/report/addresses/address_names.h"
#include "analyses/report/report.h"
#include "analyses/report/times.h"

#define DATA (CAB_FORMAT_TSV | CAB_FORMAT_JSON)

static const struct cab_column all_columns[] = {
  { "region", CAB_TEXT, 0 },	  { "variable", CAB_TEXT, 0 },	 { "field", CAB_TEXT, 0 },
  { "allocated_in", CAB_FUNCTION, 0 }, { "allocated_at", CAB_PATH, 0 },
  { "block_bytes", CAB_TALLY, 0 }, { "age_ms", CAB_REAL, 0 },
  { "function", CAB_FUNCTION, 0 }, { "file", CAB_PATH, 0 },	 { "line", CAB_LINE, 0 },
  { "share", CAB_SAMPLED, 0 },	  { "samples", CAB_COUNT, 0 },	 { "beyond_l1", CAB_COUNT, 0 },
  { "memory", CAB_COUNT, 0 },	  { "modified", CAB_COUNT, 0 },	 { "latency", CAB_REAL, 0 },
  { "cycles", CAB_COUNT, DATA },  { "weight", CAB_COUNT, DATA },
  { "of_bytes", CAB_NUMBER, CAB_FORMAT_NONE }, { "of_age", CAB_NUMBER, CAB_FORMAT_NONE }
};
enum
{
  REGION,
  VARIABLE,
  FIELD,
  ALLOCATED_IN,
  ALLOCATED_AT,
  BLOCK_BYTES,
  AGE_MS,
  FUNCTION,
  FILE_,
  LINE,
  SHARE,
  SAMPLES,
  BEYOND_L1,
  MEMORY,
  MODIFIED,
  LATENCY,
  CYCLES,
  WEIGHT,
  OF_BYTES,
  OF_AGE,
  N
};

static const struct cab_address_blocks block_columns = { .samples = SAMPLES,
							  .bytes = OF_BYTES,
							  .age = OF_AGE,
							  .median_bytes = BLOCK_BYTES,
							  .median_age = AGE_MS };

static const char *
lacks (const struct cab_model *model)
{
  return cab_times_have_data (model)
	 ? NULL
	 : "no addresses of data were sampled: run the program by `cabprof record --data', on a "
	   "machine without such events with --sample=page-faults";
}

/* Return true if the source of the samples says where accesses were served. */
static bool
has_levels (const struct cab_samples *samples)
{
  for (uint32_t i = 0; i < samples->data.n; i++)
    if (samples->data.row[i].level != CAB_DATA_LEVEL_UNKNOWN)
      return true;
  return false;
}

static bool
has_blocks (const struct cab_samples *samples)
{
  for (uint32_t i = 0; i < samples->data.n; i++)
    if (samples->data.row[i].block_bytes)
      return true;
  return false;
}

/* Put what is known of the block of row R. */
static void
put_block (struct cab_model *model, union cab_cell *cell, const struct cab_data_row *r,
	   const struct cab_address_code *site)
{
  cell[ALLOCATED_IN].text = site->function;
  cell[ALLOCATED_AT].text = *site->file
			    ? cab_names_format (&model->names, "%s:%" PRIu32, site->file,
						site->line)
			    : "";
  cell[OF_BYTES].count = r->block_bytes;
  cell[OF_AGE].count = r->age_ns;
}

static void
put_row (struct cab_model *model, union cab_cell *cell, enum cab_report_by by,
	 const struct cab_data_row *r, const struct cab_address_named *named)
{
  bool of_variable = by == CAB_BY_SITE || by == CAB_BY_VARIABLE, of_code = by != CAB_BY_VARIABLE;
  cell[ALLOCATED_IN].text = cell[ALLOCATED_AT].text = "";
  if (of_variable && r->block_bytes)
    put_block (model, cell, r, &named->site);
  cell[REGION].text = of_variable ? cab_data_region_names[r->region] : "";
  cell[VARIABLE].text = of_variable ? named->variable : "";
  cell[FIELD].text = by == CAB_BY_SITE ? named->field : "";
  cell[FUNCTION].text = of_code ? named->code.function : "";
  cell[FILE_].text = of_code ? named->code.file : "";
  cell[LINE].count = of_code && by != CAB_BY_FUNCTION ? named->code.line : 0;
  cell[SAMPLES].count = r->n;
  cell[BEYOND_L1].count = r->level > CAB_DATA_LEVEL_L1 ? r->n : 0;
  cell[MEMORY].count = r->level >= CAB_DATA_LEVEL_MEMORY ? r->n : 0;
  cell[MODIFIED].count = r->modified ? r->n : 0;
  cell[CYCLES].count = r->latency;
  cell[WEIGHT].count = r->weight;
}

/* Return a sentence on the shares of the regions. */
static const char *
regions_text (struct cab_model *model, const struct cab_samples *samples)
{
  uint64_t n[CAB_DATA_REGIONS] = { 0 }, all = 0;
  char text[256] = "";
  for (uint32_t i = 0; i < samples->data.n; i++)
    {
      n[samples->data.row[i].region] += samples->data.row[i].n;
      all += samples->data.row[i].n;
    }
  for (int i = 0; i < CAB_DATA_REGIONS; i++)
    if (n[i])
      snprintf (text + strlen (text), sizeof text - strlen (text), "%s%s %.1f %%",
		*text ? ", " : "", cab_data_region_names[i], 100.0 * n[i] / all);
  return cab_names_format (&model->names, "%s, by region: %s", samples->source.name, text);
}

/* Return the note: how the samples are spread, and how many of the heap lack a site, and why. */
static const char *
note_of (struct cab_model *model, const struct cab_samples *samples)
{
  const struct cab_heap_sums *heap = &samples->heap;
  const char *text = regions_text (model, samples);
  if (heap->no_log)
    text = cab_names_format (&model->names,
			     "%s; %" PRIu64 " of the heap in programs that are static or have an "
			     "allocator of their own: their blocks have no site",
			     text, heap->no_log);
  if (heap->lost)
    text = cab_names_format (&model->names,
			     "%s; the log of allocations was full: %" PRIu64 " allocations and "
			     "releases are not in it, and %" PRIu64 " later samples of the heap "
			     "have no site",
			     text, heap->lost, heap->after_log);
  return text;
}

/* Leave out of text what rows counted by BY, or these SAMPLES, do not have. */
static void
choose_columns (struct cab_column *columns, enum cab_report_by by,
		const struct cab_samples *samples)
{
  bool levels = has_levels (samples), blocks = has_blocks (samples);
  bool of_variable = by == CAB_BY_SITE || by == CAB_BY_VARIABLE, of_code = by != CAB_BY_VARIABLE;
  for (int i = REGION; i <= LINE; i++)
    cab_column_in_text (&columns[i], i <= FIELD    ? of_variable
				     : i <= AGE_MS ? of_variable && blocks
						   : of_code);
  if (by != CAB_BY_SITE)
    cab_column_in_text (&columns[FIELD], false);
  if (by == CAB_BY_FUNCTION)
    cab_column_in_text (&columns[LINE], false);
  for (int i = BEYOND_L1; i <= LATENCY; i++)
    cab_column_in_text (&columns[i], levels);
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  static struct cab_column columns[N];
  struct cab_samples samples;
  cab_times_read (&samples, model);
  memcpy (columns, all_columns, sizeof columns);
  choose_columns (columns, options->by, &samples);
  cab_table_init (table, "addresses", "Data accessed, by sampled addresses", columns, N);
  table->total_column = SAMPLES;
  struct cab_address_named *named = cab_address_names (model, &samples);
  for (uint32_t i = 0; i < samples.data.n; i++)
    {
      const struct cab_data_row *r = &samples.data.row[i];
      const struct cab_address_code *code = &named[i].code;
      if (!cab_report_wants_named (options, code->function, code->function, code->file))
	continue;
      put_row (model, cab_table_row (table), options->by, r, &named[i]);
      table->total += r->n;
    }
  cab_address_blocks_fold (table, &block_columns);
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *cell = &table->cells[i * N];
      cell[LATENCY].share = cell[CYCLES].count ? (double) cell[CYCLES].count / cell[SAMPLES].count
					       : NAN;
    }
  table->n_samples = table->total;
  cab_table_shares (table, SAMPLES, SHARE);
  cab_table_sort (table, SAMPLES);
  table->note = note_of (model, &samples);
  free (named);
  cab_samples_fini (&samples);
}

static const char *
wrong_by (enum cab_report_by by)
{
  return by == CAB_BY_SITE || by == CAB_BY_VARIABLE || by == CAB_BY_LINE || by == CAB_BY_FUNCTION
	 ? NULL
	 : "samples of data are counted by site, variable, line or function";
}

const struct cab_report cab_addresses_report = {
  .name = "addresses",
  .summary = "which variables and regions of memory were accessed, from sampled addresses",
  .subject = CAB_ABOUT_MEMORY,
  .options = CAB_HAS_BY,
  .of_whole_run = true,
  .fill = fill,
  .lacks = lacks,
  .wrong_by = wrong_by
};
