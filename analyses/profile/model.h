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
 * Errors:     what is wrong with one part, module or record is added to `problems', and everything
 *             else is available.
 */
#ifndef CAB_MODEL_H
#define CAB_MODEL_H

#include <stdbool.h>
#include "analyses/profile/info.h"
#include "analyses/base/names.h"
#include "analyses/profile/part.h"
#include "cabprof/abi.h"
#include "cabprof/control.h"
#include "cabprof/analysis.h"
#include "analyses/wire/keyed.h"

struct cab_function
{
  const char *assembler, *source;    /* names; source may be empty */
  const char *display;               /* as people read it */
  const char *file;                  /* "" if unknown */
  const char *module;                /* path of the first one that it was in */
  uint32_t line, last_line;          /* 0: unknown */
  uint32_t checksum;
  uint32_t index;                    /* in cab_model.functions */
  uint32_t first_site, n_sites;      /* its call site k has the model's number first_site + k */
  uint32_t first_access, n_accesses; /* its access k has number first_access + k; its allocations
					follow, and then its loops if they are numbered */
  unsigned flags;                    /* CAB_ROW_*, of all processes together */
  bool twin;                         /* another build of this function is in the profile too */
  bool beside;                       /* its probes of accesses only; its other probes have a row,
					and a struct, of their own */
  bool of_clone;                     /* its probes of accesses only, and of a clone: what it was
					cloned from has a row for the other probes of both */
  bool entries_known;                /* `entries` counts all of its activations */
  const struct cab_record *record;   /* null: the records of its module were not found */
  uint64_t entries, arrivals;        /* counters [0] and [1] */
  uint64_t entered;                  /* entries seen as call events */
  uint64_t pieces, recorded;         /* where a switch samples its accesses: how many pieces it
					decided on, and how many of them were recorded */
  uint64_t n_paths;
  uint64_t *paths;                   /* executions of each path; null: none were counted */
  uint64_t *cells;                   /* record->n_cells cells of values (value_cells.h); null:
					none */
};

struct cab_site
{
  uint32_t function;                 /* index of the function that contains it */
  const struct cab_call_site *place; /* null: unknown */
};

enum cab_process_state
{
  CAB_PROCESS_ENDED,
  CAB_PROCESS_KILLED,   /* ended without reporting its end: kill, _exit, abort, exec */
  CAB_PROCESS_RUNNING   /* its counts are those of the moment of reading */
};

struct cab_lifetime
{
  uint64_t start_ns, end_ns;   /* end 0: it still runs, or its end was not seen */
  uint64_t tid;                /* the kernel's number of the thread */
  const char *name;
};

/* A file with probes, as a process had it loaded. */
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
  struct cab_lifetime *lifetimes;   /* one for each of its threads */
  uint32_t n_delegates;             /* 0: it had none */
  struct cab_part_delegate *delegates;
  struct cab_ledger ledger;
  struct cab_part_share share;
  struct cab_part_placement placement;   /* if is_auto, how and why are known values */
  uint64_t finished;    /* events that the reader took from its rings */
  uint64_t lost;        /* events that analyses could not hold, summed over the analyses */
};

struct cab_thread
{
  uint32_t process;     /* index */
  uint64_t tid;
  const char *name;
  struct cab_arena tree; /* in the model's numbers */
};

/* An S, X or U record, each kept once: a function that was not instrumented, one with accesses that
   are not recorded, or a translation unit. */
struct cab_model_note
{
  struct cab_note note;
  const char *module;
};

struct cab_module_file
{
  const char *key, *path;   /* path: as loaded by the first process that names it */
  struct cab_info info;     /* info.path null: the records were not found */
};

/* A region as the source names it (cabprof/cabprof.h), and what was counted in it. */
struct cab_model_region
{
  const char *name;
  uint64_t n_begun, n_open;          /* n_open: threads that have begun and not ended it */
  uint64_t paths;                    /* paths that ended in it, counted in place */
  uint64_t calls, accesses;          /* those that were analysed, if one of the analyses counts
					them */
};

/* What a check of keys compares: the merged states for all keys, the merged parts, and the latter
   by number of the part (check-serializer). */
struct cab_model_check
{
  struct cab_arena whole, parts, part[CAB_KEYED_PARTS];
  uint32_t n_parts;
};

struct cab_model_merged
{
  struct cab_model_check *check;   /* null: there is nothing to compare */
  const char *arguments;
  bool left_out;
};

struct cab_model
{
  const char *dir;
  const char *region;                /* null, or the one whose counts these are */
  const char *unsplit;               /* if `region' is set: names of analyses that do not
					distinguish regions, and are left out; null: none */
  uint32_t n_regions;
  struct cab_model_region *regions;
  const char *program, *others;      /* the chosen one of several; the names of the others, unless
					the user chose; else null */
  struct cab_names names;
  uint32_t n_functions, n_sites, n_processes, n_threads, n_modules, n_notes, n_problems;
  struct cab_function **functions;
  struct cab_site *sites;            /* [1 .. n_sites] */
  uint32_t n_accesses;
  uint32_t *access_function;         /* [1 .. n_accesses]: index of the function that contains the
					access */
  struct cab_process *processes;
  struct cab_thread *threads;
  struct cab_module_file **modules;
  struct cab_model_note *notes;
  const char **problems;
  uint32_t n_unborn;
  const char **unborn;               /* messages on files of processes that ended before they were
					set up, and have counted nothing */
  bool by_thread;                    /* keep the trees of threads */
  bool by_unit;                      /* keep functions apart that only one unit has, if their
					records tell the unit */
  bool has_paths, has_calls, has_tree;
  const char **chains[2];            /* by node of the tree: its context as a text, whole and brief,
					if a report has asked for it; or null */
  struct cab_arena tree, calls;      /* states of these analyses; functions are numbered by index +
					1, sites by number */
  struct cab_arena *states;          /* states of the other analyses, in the order of
					cab_analysis_at; see cab_model_state */
  struct cab_model_merged *merged;   /* in the same order: the arguments they ran with, and whether
					something was left out, which is reported once */
  struct cab_ledger ledger;          /* sum over the processes */
  struct cab_tables *tables;         /* hash tables that find functions */
};

/* Read the profile in directory DIR, or the one part whose path is DIR.  Return negative if there
   is nothing to read; DIAG then says why.  A profile of samples only, or of `cabprof tune', has no
   process. */
int cab_model_open (struct cab_model *model, const char *dir, bool by_thread,
		    struct cab_diag *diag);
/* Read the profile like cab_model_open, but only the processes of PROGRAM (programs.h); null: of
   the program that did most. */
int cab_model_open_program (struct cab_model *model, const char *dir, bool by_thread,
			    const char *program, struct cab_diag *diag);
/* Read the profile like cab_model_open_program, but only the counts of the source's region REGION;
   null: all. */
int cab_model_open_region (struct cab_model *model, const char *dir, bool by_thread,
			   const char *program, const char *region, struct cab_diag *diag);
/* Read the one part PATH with `by_unit'. */
int cab_model_open_by_unit (struct cab_model *model, const char *path, struct cab_diag *diag);
void cab_model_close (struct cab_model *model);

/* Add the functions that were compiled for paths and never ran, with counts of zero, from all
   records of the model's modules. */
void cab_model_add_unexecuted (struct cab_model *model);

/* Return true if `region' is set and ANALYSIS, by its name, does not distinguish regions. */
bool cab_model_is_unsplit (const struct cab_model *model, const char *analysis);
/* Return the state of ANALYSIS, merged over the profile, or null if the profile has none.  For
   analyses whose results have no place of their own in the model.  Functions are numbered by index
   + 1, sites by number. */
const struct cab_arena *cab_model_state (const struct cab_model *model,
					 const struct cab_analysis *analysis);
/* Return what a check of ANALYSIS's keys compares, or null if no process was asked for one. */
const struct cab_model_check *cab_model_check (const struct cab_model *model,
					       const struct cab_analysis *analysis);

/* The function with an access or allocation, and the place of that in the record; null where there
   is none. */
struct cab_access_ref
{
  const struct cab_function *function;
  const struct cab_access_place *access;
  const struct cab_allocation_place *allocation;
};
/* Return the access or allocation NUMBER. */
struct cab_access_ref cab_model_access (const struct cab_model *model, uint32_t number);
/* Return the loop NUMBER, which events of its iterations have, and set *FUNCTION to the one whose
   code it is in; null if there is none. */
const struct cab_access_loop *cab_model_loop (const struct cab_model *model, uint32_t number,
					      const struct cab_function **function);

/* Return when the first process of MODEL started, in nanoseconds since 1970; UINT64_MAX if there is
   none. */
uint64_t cab_model_first_start (const struct cab_model *model);
/* Return how often FUNCTION was entered. */
uint64_t cab_model_calls (const struct cab_function *function);
/* Return true if a process of MODEL, which had events, read only some of them. */
bool cab_model_is_estimated (const struct cab_model *model);
/* Return true if the paths of FUNCTION are events, of which such a process read only some. */
bool cab_model_estimates_paths (const struct cab_model *model,
				const struct cab_function *function);
/* Return how many activations of FUNCTION were left before they returned; 0 if the compiler saw
   that none can be, or its paths are estimates.  That many paths were never counted, and one more
   for each of function->arrivals: a path that was left for a place in its own activation. */
uint64_t cab_model_unfinished (const struct cab_model *model,
			       const struct cab_function *function);
/* Return true if the number of paths is known, which it is not for functions whose calls only were
   recorded. */
bool cab_model_has_paths (const struct cab_function *function);

/* Add a message to the model's problems. */
void cab_model_problem (struct cab_model *model, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

#endif
