/* report.h - the reports: each makes a table from a model.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a report is one file, report_NAME.c, and one line in cab_reports.
 * Ownership:  texts of a table live in the model's names.
 */
#ifndef CAB_REPORT_H
#define CAB_REPORT_H

#include "analyses/profile/model.h"
#include "analyses/base/table.h"

/* What accesses and their misses are counted by (counted_by.h); accesses not by the last two,
   blocks by the site or context, what is shared by the line, of memory, or variable. */
enum cab_report_by
{
  CAB_BY_SITE,
  CAB_BY_VARIABLE,
  CAB_BY_LINE,
  CAB_BY_FUNCTION,
  CAB_BY_LOOP,
  CAB_BY_LOOP_VARIABLE,
  CAB_BY_CONTEXT,
  CAB_BY_BLOCK
};

/* In which of the simulated caches of data.  There may be none between the first and the last. */
enum cab_report_level { CAB_LEVEL_D1, CAB_LEVEL_L2, CAB_LEVEL_LL };

struct cab_report_options
{
  enum cab_format format;
  const char *sort;            /* column, or null: the report's own order */
  const char *function, *file; /* globs, or null */
  size_t limit;                /* rows of text; 0: all */
  bool by_thread, fold_recursion, by_copy;
  bool curve;                  /* reuse: misses by the size of a cache */
  enum cab_report_by by;       /* accesses, offenders, blocks; sharing: LINE of memory, else by
				  variable */
  enum cab_report_level level; /* offenders, spread: whose misses count */
};

struct cab_report
{
  const char *name;
  const char *summary;
  bool keeps_order;            /* its rows have an order that --sort changes in the report itself */
  bool of_accesses;            /* it counts accesses, of which not all may be recorded */
  /* Null: `loops', which is more than a table (report_loops.h). */
  void (*fill) (struct cab_model *model, const struct cab_report_options *options,
		struct cab_table *table);
  /* Why the table is empty, or null: "there are no ...: do ...". */
  const char *(*lacks) (const struct cab_model *model);
};
extern const struct cab_report cab_reports[];   /* ends with a null name */

/* Does FUNCTION pass the filters? */
bool cab_report_wants (const struct cab_report_options *options,
		       const struct cab_function *function);
/* The same for something in a function that has these names. */
bool cab_report_wants_named (const struct cab_report_options *options, const char *display,
			     const char *assembler, const char *file);
/* The same for a file alone. */
bool cab_report_wants_file (const struct cab_report_options *options, const char *file);
/* The first columns of a report of accesses, and what they say of the access REF. */
#define CAB_ACCESS_COLUMNS \
  { "variable", CAB_TEXT, 0 }, { "function", CAB_FUNCTION, 0 }, { "file", CAB_PATH, 0 }, \
    { "line", CAB_LINE, 0 }, \
  { \
    "column", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON \
  }
void cab_report_access (struct cab_model *model, const struct cab_report_options *options,
			const struct cab_access_ref *ref, union cab_cell *cell);
/* Its name in a report: in text, twins carry their build. */
const char *cab_report_name (struct cab_model *model, const struct cab_report_options *options,
			     const struct cab_function *function);

/* "12-15,17": the lines of a path's blocks in order; lines in other files of the function carry the
   file: "list.h:3". */
const char *cab_report_path_lines (struct cab_model *model, const struct cab_function *function,
				   uint64_t path);

/* "f < g:12 < main:30": the function of NODE of the model's tree, and its callers with the lines of
   their calls; of deep ones the innermost frames.  In text, names are brief. */
const char *cab_report_context (struct cab_model *model, const struct cab_report_options *options,
				uint32_t node);

/* The direct callee that SITE names if another function was entered there, by way of uninstrumented
   code; else null. */
const char *cab_report_via (struct cab_model *model, uint32_t site,
			    const struct cab_function *entered);

const char *cab_report_lacks_samples (const struct cab_model *model);
const char *cab_report_lacks_hotcontexts (const struct cab_model *model);
const char *cab_report_lacks_paths (const struct cab_model *model);
const char *cab_report_lacks_calls (const struct cab_model *model);
const char *cab_report_lacks_trips (const struct cab_model *model);
const char *cab_report_lacks_blocks (const struct cab_model *model);
const char *cab_report_lacks_accesses (const struct cab_model *model);
const char *cab_report_lacks_contexts (const struct cab_model *model);
const char *cab_report_lacks_layout (const struct cab_model *model);
const char *cab_report_lacks_reuse (const struct cab_model *model);
const char *cab_report_lacks_cache (const struct cab_model *model);
/* What NAME stands for; false: nothing. */
bool cab_report_by (const char *name, enum cab_report_by *by);
bool cab_report_level (const char *name, enum cab_report_level *level);
/* Why there is nothing to count misses, and blocks, by BY, or null. */
const char *cab_report_lacks_by (const struct cab_model *model, enum cab_report_by by);
const char *cab_report_lacks_block_contexts (const struct cab_model *model, enum cab_report_by by);
/* Why there are no misses in LEVEL, or null.  Caches were simulated. */
const char *cab_report_lacks_level (const struct cab_model *model, enum cab_report_level level);

/* Misses by access, of the analysis `cache' or else of `offenders', which has several rows of one
   access: as cab_cache_next. */
struct cab_cache_row;
struct cab_cachesim_config;
bool cab_report_misses_next (const struct cab_model *model, uint64_t *cursor,
			     struct cab_cache_row *row);
/* The caches that were simulated; false: there were others, too.  The model has one of these
   analyses. */
bool cab_report_misses_config (const struct cab_model *model, struct cab_cachesim_config *config);
/* What is to be said of misses if there were; else null. */
const char *cab_report_mixed_caches (const struct cab_model *model);
/* That activations of functions that GLOB names (null: of all) were left in the midst, and what
   that means for paths and lines; null: none was. */
const char *cab_report_unfinished (struct cab_model *model, const char *glob);
const char *cab_report_lacks_sharing (const struct cab_model *model);
const char *cab_report_lacks_values (const struct cab_model *model);

void cab_report_methods (struct cab_model *model, const struct cab_report_options *options,
			 struct cab_table *table);
void cab_report_calls (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_tree (struct cab_model *model, const struct cab_report_options *options,
		      struct cab_table *table);
void cab_report_paths (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_edges (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_trips (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_lines (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_accesses (struct cab_model *model, const struct cab_report_options *options,
			  struct cab_table *table);
void cab_report_sizes (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_values (struct cab_model *model, const struct cab_report_options *options,
			struct cab_table *table);
void cab_report_blocks (struct cab_model *model, const struct cab_report_options *options,
			struct cab_table *table);
void cab_report_layout (struct cab_model *model, const struct cab_report_options *options,
			struct cab_table *table);
void cab_report_sharing (struct cab_model *model, const struct cab_report_options *options,
			 struct cab_table *table);
void cab_report_reuse (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_cache (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_offenders (struct cab_model *model, const struct cab_report_options *options,
			   struct cab_table *table);
void cab_report_spread (struct cab_model *model, const struct cab_report_options *options,
			struct cab_table *table);
void cab_report_contexts (struct cab_model *model, const struct cab_report_options *options,
			  struct cab_table *table);
void cab_report_time (struct cab_model *model, const struct cab_report_options *options,
		      struct cab_table *table);
void cab_report_hotcontexts (struct cab_model *model, const struct cab_report_options *options,
			     struct cab_table *table);
void cab_report_hotlines (struct cab_model *model, const struct cab_report_options *options,
			  struct cab_table *table);
void cab_report_regions (struct cab_model *model, const struct cab_report_options *options,
			 struct cab_table *table);
const char *cab_report_lacks_regions (const struct cab_model *model);
void cab_report_account (struct cab_model *model, const struct cab_report_options *options,
			 struct cab_table *table);

/* `cabprof report` alone. */
void cab_report_overview (struct cab_model *model, const struct cab_report_options *options,
			  const struct cab_style *style, FILE *to);

#endif
