/* model.h - a profile in memory: what the reports, exports and comparisons read.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      all processes of a profile together.  A function is known by (assembler name, file,
 *             checksum of its shape): the same function in two processes is one, and of two builds
 *             it is two ("twins").  Path counts are summed; the calling-context trees of all
 *             threads are merged, and kept apart by thread on request; call sites are numbered over
 *             the whole model, from 1.
 * Units:      counts are exact numbers of executions.
 * Ownership:  all of it belongs to the model until cab_model_close.
 * Errors:     what is wrong with one part, module or record is said in `problems`, and everything
 *             else is still there.
 */
#ifndef CAB_MODEL_H
#define CAB_MODEL_H

#include <stdbool.h>
#include "analyses/profile/info.h"
#include "analyses/base/names.h"
#include "analyses/profile/part.h"
#include "cabprof/abi.h"
#include "cabprof/analysis.h"

struct cab_function
{
  const char *assembler, *source;    /* names; source may be empty */
  const char *display;               /* as people read it */
  const char *file;                  /* "" where unknown */
  uint32_t line, last_line;          /* 0: unknown */
  uint32_t checksum;
  uint32_t index;                    /* in cab_model.functions */
  uint32_t first_site, n_sites;      /* its call site k has number first_site + k */
  uint32_t first_access, n_accesses; /* the same of its accesses, and behind them its allocations */
  unsigned flags;                    /* CAB_ROW_*, of all processes */
  bool twin;                         /* another build of this function is in the profile too */
  bool beside;                       /* its probes of accesses; its other probes have a row, and a
					struct, of their own */
  bool entries_known;                /* `entries` counts all of its activations */
  const struct cab_record *record;   /* null: its module's records were not found */
  uint64_t entries, arrivals;        /* counters [0] and [1] */
  uint64_t entered;                  /* entries seen as call events */
  uint64_t pieces, recorded;         /* where a switch samples its accesses: how often it was asked,
					and how many pieces were recorded */
  uint64_t n_paths;
  uint64_t *paths;                   /* executions of each path; null: none were counted */
};

struct cab_site
{
  uint32_t function;                 /* index of the function that contains it */
  const struct cab_call_site *place; /* null: not known */
};

enum cab_process_state
{
  CAB_PROCESS_ENDED,
  CAB_PROCESS_KILLED,   /* ended without saying so: kill, _exit, abort, exec */
  CAB_PROCESS_RUNNING   /* its counts are those of the moment */
};

struct cab_lifetime
{
  uint64_t start_ns, end_ns;   /* end 0: it runs, or nobody saw it end */
};

/* A file with probes, where a process had it. */
struct cab_loaded_module
{
  const char *path, *key;   /* key: its build id in hex, if it has one */
  uint64_t bias;            /* address = link-time address + bias */
};

struct cab_process
{
  uint64_t pid, ppid, start_ns, end_ns;
  enum cab_process_state state;
  /* command: arguments separated by spaces */
  const char *part, *exe, *cwd, *command, *options, *version;
  uint32_t n_threads, n_functions, n_modules;
  struct cab_loaded_module *modules;
  struct cab_lifetime *lifetimes;   /* of its threads */
  struct cab_ledger ledger;
  uint64_t finished;    /* events that the reader took out of its rings */
  uint64_t lost;        /* events that analyses could not hold, each analysis counted by itself */
};

struct cab_thread
{
  uint32_t process;     /* index */
  uint64_t tid;
  const char *name;
  struct cab_arena tree; /* in the model's numbers */
};

/* A function that was not instrumented or has accesses that are not told, or a translation unit:
   records S, X and U, each once. */
struct cab_model_note
{
  struct cab_note note;
  const char *module;
};

struct cab_module_file
{
  const char *key, *path;   /* path: as loaded by the first process that names it */
  struct cab_info info;     /* info.path null: not found */
};

/* What the source calls a region (cabprof/cabprof.h), and what it counted. */
struct cab_model_region
{
  const char *name;
  uint64_t n_begun, n_open;          /* n_open: threads that have not ended it */
  uint64_t paths;                    /* that ended in it, counted in place */
  uint64_t calls, accesses;          /* that were analysed, where one of the analyses counts them */
};

struct cab_model_merged
{
  const char *arguments;
  bool left_out;
};

struct cab_model
{
  const char *dir;
  const char *region;                /* null, or the one whose counts these are */
  const char *unsplit;               /* then: names of analyses that do not tell regions apart, and
					are left out; null: none */
  uint32_t n_regions;
  struct cab_model_region *regions;
  const char *program, *others;      /* of several, the one that was chosen; the names of the
					others, unless the user chose; else null */
  struct cab_names names;
  uint32_t n_functions, n_sites, n_processes, n_threads, n_modules, n_notes, n_problems;
  struct cab_function **functions;
  struct cab_site *sites;            /* [1 .. n_sites] */
  uint32_t n_accesses;
  uint32_t *access_function;         /* [1 .. n_accesses]: index of the function that contains it */
  struct cab_process *processes;
  struct cab_thread *threads;
  struct cab_module_file **modules;
  struct cab_model_note *notes;
  const char **problems;
  uint32_t n_unborn;
  const char **unborn;               /* files of processes that ended before they were set up, and
					so have counted nothing */
  bool by_thread;                    /* keep the trees of threads */
  bool has_paths, has_calls, has_tree;
  const char **chains[2];            /* by node of the tree: its context as a text, whole and brief,
					where a report has asked for it; or null */
  struct cab_arena tree, calls;      /* states of these analyses; functions by index + 1, sites by
					number */
  struct cab_arena *states;          /* of the other analyses, in the order of cab_analysis_at; see
					cab_model_state */
  struct cab_model_merged *merged;   /* likewise: with which arguments, and whether something was
					left out, which is told once */
  struct cab_ledger ledger;          /* sum over the processes */
  struct cab_tables *tables;         /* what finds functions again */
};

/* Read the profile in directory DIR, or of it the one part that DIR is the path of.  Negative:
   there is nothing to read, DIAG says why.  A profile of samples alone, or of `cabprof tune', has
   no process. */
int cab_model_open (struct cab_model *model, const char *dir, bool by_thread,
		    struct cab_diag *diag);
/* The same with the processes of one PROGRAM alone (programs.h); null: of the one that did most. */
int cab_model_open_program (struct cab_model *model, const char *dir, bool by_thread,
			    const char *program, struct cab_diag *diag);
/* ... and of these the counts of the source's region REGION alone, null: all. */
int cab_model_open_region (struct cab_model *model, const char *dir, bool by_thread,
			   const char *program, const char *region, struct cab_diag *diag);
void cab_model_close (struct cab_model *model);

/* Add the functions that were compiled for paths and never ran, with counts of zero: all records of
   the model's modules. */
void cab_model_add_unexecuted (struct cab_model *model);

/* The state of ANALYSIS, merged over the profile: of an analysis whose results have no place of
   their own in the model.  Functions are numbered by index + 1, sites by number.  Null if the
   profile has none. */
const struct cab_arena *cab_model_state (const struct cab_model *model,
					 const struct cab_analysis *analysis);

/* The function with access or allocation NUMBER, and its place in the record, or that of the
   allocation; null where there is none. */
struct cab_access_ref
{
  const struct cab_function *function;
  const struct cab_access_place *access;
  const struct cab_allocation_place *allocation;
};
struct cab_access_ref cab_model_access (const struct cab_model *model, uint32_t number);

/* Where programs were compiled with "memory-sample" and did not record all: how much of their
   accesses was.  False: all that was asked for is there. */
struct cab_sampled
{
  uint64_t pieces, recorded;
  uint64_t least, most;              /* N of sample=N, over the processes; 0: none are recorded */
};
bool cab_model_sampled (const struct cab_model *model, struct cab_sampled *sampled);
/* What is to be said of that beside counts of accesses, in the model's names; null: nothing. */
const char *cab_model_sampled_text (struct cab_model *model);

/* Translation units that tell accesses and allocations, and those of them that were compiled
   without "context". */
struct cab_contextless
{
  uint32_t n, without;
};
/* One more unit, if NOTE is of one. */
void cab_contextless_note (struct cab_contextless *units, const struct cab_note *note);
/* All units of INFO. */
void cab_contextless_info (struct cab_contextless *units, struct cab_info *info);
/* What is to be said of that beside contexts, in NAMES; null: nothing. */
const char *cab_contextless_text (struct cab_names *names, const struct cab_contextless *units);
/* The same of all units of a profile. */
void cab_model_contextless (const struct cab_model *model, struct cab_contextless *units);
const char *cab_model_contextless_text (struct cab_model *model);

/* How often FUNCTION was entered, and how many of its activations were left in the midst (0 where
   the compiler saw that none can be). That many paths were never counted, and one more for each of
   function->arrivals: one that was left for a place in its own activation. */
uint64_t cab_model_calls (const struct cab_function *function);
uint64_t cab_model_unfinished (const struct cab_function *function);
/* Is that number known?  Not of functions whose calls alone were recorded. */
bool cab_model_has_paths (const struct cab_function *function);

/* For model.c and model_part.c. */
void cab_model_problem (struct cab_model *model, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
struct cab_module_file *cab_model_module (struct cab_model *model, const char *key,
					  const char *path);
struct cab_function *cab_model_function (struct cab_model *model, struct cab_module_file *module,
					 const struct cab_part_function *f, uint32_t number);
int cab_model_add_part (struct cab_model *model, struct cab_part *part);

#endif
