/* report.h - the reports: each makes a table from a model.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a report is one file, report_NAME.c, in one of the folders of analyses/.  It ends
 *             with a struct cab_report, by which the build finds it.
 * Ownership:  texts of a table live in the model's names.
 */
#ifndef CAB_REPORT_H
#define CAB_REPORT_H

#include "analyses/profile/model.h"
#include "analyses/base/table.h"

/* What accesses and their misses are counted by (counted_by.h).  Accesses are not counted by the
   last two; blocks only by site or context; sharing only by line of memory or variable. */
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

/* A level of the simulated caches of data.  There may be none between the first and the last. */
enum cab_report_level { CAB_LEVEL_D1, CAB_LEVEL_L2, CAB_LEVEL_LL };

/* What the user asked for. */
struct cab_report_options
{
  enum cab_format format;
  const char *sort;            /* column; null: the report's own order */
  const char *function, *file; /* globs, or null */
  size_t limit;                /* rows of text; 0: all */
  bool by_thread, fold_recursion, by_copy;
  bool curve;                  /* reuse: print misses by the size of a cache */
  enum cab_report_by by;       /* accesses, offenders, blocks; sharing: CAB_BY_LINE is of memory,
				  all else is by variable */
  enum cab_report_level level; /* join, offenders, spread: the level whose misses count */
  unsigned join;               /* join: what it counts by, a set (join/join_by.h) */
  long cores;                  /* deps: those that loops could run on; 0: those that there are */
};

/* What a report is about.  `cabprof report --help' lists reports by subject. */
enum cab_report_subject
{
  CAB_ABOUT_RUN,
  CAB_ABOUT_CALLS,
  CAB_ABOUT_CODE,
  CAB_ABOUT_MEMORY,
  CAB_ABOUT_CACHES,
  CAB_ABOUT_TIME,
  CAB_REPORT_SUBJECTS
};

/* Options of the command that only some reports take. */
enum cab_report_option
{
  CAB_HAS_THREADS = 1,
  CAB_HAS_FOLD = 2,
  CAB_HAS_COPIES = 4,
  CAB_HAS_CURVE = 8,
  CAB_HAS_BY = 16,
  CAB_HAS_LEVEL = 32,
  CAB_HAS_HTML = 64,
  CAB_HAS_CORES = 128,
  CAB_HAS_JOIN = 256           /* --by is a list */
};

/* A report.  The build finds each `const struct cab_report cab_NAME_report' of a report_*.c. */
struct cab_report
{
  const char *name;
  const char *summary;         /* a line of --help */
  enum cab_report_subject subject;
  unsigned options;            /* of enum cab_report_option */
  bool keeps_order;            /* --sort changes the order within the report itself, not that of the
				  table */
  bool unfiltered;             /* --function and --file do not apply */
  bool of_whole_run;           /* --region does not apply */
  bool of_entries;             /* it counts entries of functions, from paths or calls */
  bool of_paths;               /* in text it says how many calls did not return */
  bool of_accesses;            /* it counts accesses, of which only some may be recorded */
  bool of_misses;              /* it counts misses in simulated caches */
  bool of_contexts;            /* it counts by calling context, whatever is asked for */
  bool of_some_events;         /* it shows estimates as such, or needs no events, so it is right for
				  a run that read only some of them */
  /* Fill TABLE.  Null: `loops', which is more than a table (report_loops.h). */
  void (*fill) (struct cab_model *model, const struct cab_report_options *options,
		struct cab_table *table);
  /* Null, or return why the table is empty, "there are no ...: do ...", or null. */
  const char *(*lacks) (const struct cab_model *model);
  /* Null, or return why it cannot count by BY, whatever was recorded, or null. */
  const char *(*wrong_by) (enum cab_report_by by);
  /* Null: as cab_report_lacks_by.  Return why MODEL cannot be counted by BY, or null. */
  const char *(*lacks_by) (const struct cab_model *model, enum cab_report_by by);
  /* Null, or in place of lacks_by and of what is said about a level: return why MODEL lacks
     something that OPTIONS ask for, or null. */
  const char *(*lacks_asked) (const struct cab_model *model,
			      const struct cab_report_options *options);
};
extern const struct cab_report *const cab_reports[];   /* in alphabetical order; ends with null */
/* Return the report with NAME, or null. */
const struct cab_report *cab_report_find (const char *name);

/* Return true if FUNCTION passes the filters. */
bool cab_report_wants (const struct cab_report_options *options,
		       const struct cab_function *function);
/* Return true if something in a function with these names passes the filters. */
bool cab_report_wants_named (const struct cab_report_options *options, const char *display,
			     const char *assembler, const char *file);
/* Return true if FILE passes the filter of files. */
bool cab_report_wants_file (const struct cab_report_options *options, const char *file);
/* The first columns of a report of accesses. */
#define CAB_ACCESS_COLUMNS \
  { "variable", CAB_TEXT, 0 }, { "function", CAB_FUNCTION, 0 }, { "file", CAB_PATH, 0 }, \
    { "line", CAB_LINE, 0 }, \
  { \
    "column", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON \
  }
/* Fill CELL, the columns of CAB_ACCESS_COLUMNS, with the place of the access REF. */
void cab_report_access (struct cab_model *model, const struct cab_report_options *options,
			const struct cab_access_ref *ref, union cab_cell *cell);
/* Return FUNCTION's name in a report; in text, twins carry their build. */
const char *cab_report_name (struct cab_model *model, const struct cab_report_options *options,
			     const struct cab_function *function);

/* Return the lines of the path's blocks in order: "12-15,17".  Lines in other files of the function
   carry the file: "list.h:3". */
const char *cab_report_path_lines (struct cab_model *model, const struct cab_function *function,
				   uint64_t path);

/* Return the function of NODE of the model's tree, and its callers with the lines of their calls:
   "f < g:12 < main:30".  Deep contexts have only the innermost frames.  In text, names
   are brief. */
const char *cab_report_context (struct cab_model *model, const struct cab_report_options *options,
				uint32_t node);

/* Return the direct callee that SITE names if ENTERED, another function, was entered there through
   uninstrumented code; else null. */
const char *cab_report_via (struct cab_model *model, uint32_t site,
			    const struct cab_function *entered);

/* Each of these returns why there is nothing of its kind in MODEL, and what to do, or null. */
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
/* Return why misses cannot be counted by BY, or null. */
const char *cab_report_lacks_by (const struct cab_model *model, enum cab_report_by by);
/* Return why there are no misses in LEVEL, or null.  MODEL must have simulated caches. */
const char *cab_report_lacks_level (const struct cab_model *model, enum cab_report_level level);

/* The columns of a report of counts that may be estimates (estimated.h): text has the interval
   beside the count, the formats for programs have it in the last column. */
#define CAB_WITHIN_COLUMN { "within", CAB_COUNT, CAB_FORMAT_NONE }
/* Show FIRST in text and LAST in the other formats, if counts of MODEL are estimates. */
void cab_report_show_within (const struct cab_model *model, struct cab_column *first,
			     struct cab_column *last);

struct cab_cache_row;
struct cab_cachesim_config;
/* Step to the next row of misses by access, as cab_cache_next does: of the analysis `cache', or
   else of `offenders', which has several rows of one access. */
bool cab_report_misses_next (const struct cab_model *model, uint64_t *cursor,
			     struct cab_cache_row *row);
/* Set *CONFIG to the caches that were simulated.  Return false if processes had different ones.
   MODEL must have one of these analyses. */
bool cab_report_misses_config (const struct cab_model *model, struct cab_cachesim_config *config);
/* Return a remark on misses if processes had different caches; else null. */
const char *cab_report_mixed_caches (const struct cab_model *model);
/* Return a sentence that says how many calls of functions that match GLOB (null: of all) did not
   return normally, and what that means for paths and lines; null if all returned. */
const char *cab_report_unfinished (struct cab_model *model, const char *glob);
/* Return a sentence that says how many functions of the files that OPTIONS name, and of FILE unless
   it is null, were compiled without probes; null if there are none. */
const char *cab_report_skipped (struct cab_model *model, const struct cab_report_options *options,
				const char *file);
/* Return why there are no shared lines in MODEL, and what to do, or null. */
const char *cab_report_lacks_sharing (const struct cab_model *model);
/* Return why there are no values in MODEL, and what to do, or null. */
const char *cab_report_lacks_values (const struct cab_model *model);

/* Reports that the overview shows, too; each fills TABLE from MODEL as OPTIONS ask. */
void cab_report_methods (struct cab_model *model, const struct cab_report_options *options,
			 struct cab_table *table);
void cab_report_calls (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_tree (struct cab_model *model, const struct cab_report_options *options,
		      struct cab_table *table);
void cab_report_paths (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_trips (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_accesses (struct cab_model *model, const struct cab_report_options *options,
			  struct cab_table *table);
void cab_report_values (struct cab_model *model, const struct cab_report_options *options,
			struct cab_table *table);
void cab_report_blocks (struct cab_model *model, const struct cab_report_options *options,
			struct cab_table *table);
void cab_report_sharing (struct cab_model *model, const struct cab_report_options *options,
			 struct cab_table *table);
void cab_report_reuse (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_cache (struct cab_model *model, const struct cab_report_options *options,
		       struct cab_table *table);
void cab_report_offenders (struct cab_model *model, const struct cab_report_options *options,
			   struct cab_table *table);
void cab_report_contexts (struct cab_model *model, const struct cab_report_options *options,
			  struct cab_table *table);
void cab_report_time (struct cab_model *model, const struct cab_report_options *options,
		      struct cab_table *table);
void cab_report_hotcontexts (struct cab_model *model, const struct cab_report_options *options,
			     struct cab_table *table);
/* Return why there are no regions in MODEL, and what to do, or null. */
const char *cab_report_lacks_regions (const struct cab_model *model);

/* Write the overview that `cabprof report' prints when it is given no report. */
void cab_report_overview (struct cab_model *model, const struct cab_report_options *options,
			  const struct cab_style *style, FILE *to);

#endif
