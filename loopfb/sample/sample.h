/* sample.h - find where the time goes: run a command under a sampling source, and keep what was
 * sampled: samples.json, perf script.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     adaptive period and randomised low bits: Schneider, 2009, 3.4.3 and 3.5 (period.h).
 * Model:      a sample is an instruction address of one thread at the moment when its source has
 *             counted another `period'.  Samples of one address are one row: their number, and the
 *             sum of their weights.  The weight of a sample is what the source has counted since
 *             the previous one (its period; with the timer: the thread's CPU time since then), so
 *             that rows of a run whose period changes still add up to what was spent. Sources:
 *             `perf' - events of the kernel, by libpfm4's or the kernel's names, read from one ring
 *             per core by this process, for all threads and children of the command; `timer' - a
 *             timer of CPU time in each thread, set by a preloaded library (libcabprof-sample.so),
 *             where no perf event may be opened; `perf script' - text that was recorded elsewhere.
 *             The timer does not see statically linked programs, nor threads that are started by
 *             clone(2) directly.
 * Units:      weights in ns where unit_ns is set (cpu-clock, task-clock, timer), else in events.
 *             Addresses are link-time addresses (those of ELF symbols and DWARF) of their module;
 *             rows are sorted by (module, address). address_is_offset: the file of the module was
 *             gone, so its addresses are offsets in it.
 * Threads:    one run at a time in a process.
 * Ownership:  a struct cab_samples is the caller's: cab_samples_init, then cab_samples_fini in any
 *             state.
 * Errors:     0, or negative with words in DIAG, which need no prefix.
 */
#ifndef CAB_SAMPLE_H
#define CAB_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include "cabprof/analysis.h"

#define CAB_SAMPLES_FILE "samples.json"
#define CAB_SAMPLES_SCHEMA 1
#define CAB_SAMPLE_RATE 500.0        /* default samples in a second of the run (timer: of a
					thread) */

enum cab_sample_kind
{
  CAB_SAMPLE_PERF,
  CAB_SAMPLE_TIMER,
  CAB_SAMPLE_SCRIPT
};

enum cab_randomised
{
  CAB_RANDOMISED_NO,
  CAB_RANDOMISED_WAKE_UP,   /* low bits of the period change each time the ring is read: all that
			       perf allows */
  CAB_RANDOMISED_EXPIRY     /* low bits of the period change after each sample */
};

/* The source of the samples, as it was granted. */
struct cab_sample_source
{
  char name[128];               /* "cpu-clock", "cycles", "IDQ_UOPS_NOT_DELIVERED:CORE", ... */
  enum cab_sample_kind kind;
  int precise_ip;
  bool unit_ns, adaptive;
  bool user_only;               /* the kernel was not sampled: `kernel' is not known */
  enum cab_randomised randomised;
  uint64_t period;              /* fixed, or the last one */
  double asked_rate;            /* samples in a second; 0 if a period was given */
};

struct cab_sample_module
{
  char *path;
  char *build_id;               /* hex; "" if it has none or its file is gone */
  uint64_t bias;                /* load address - link-time address, in the first process that
				   loaded it */
  bool address_is_offset;
};

struct cab_sample_address
{
  uint32_t module;
  uint64_t address;
  uint64_t n;
  uint64_t weight;
};

struct cab_samples
{
  struct cab_sample_source source;
  uint64_t n, lost, weight;     /* n, weight: of all samples, including those below */
  uint64_t unknown, unknown_weight;   /* in no file: code made at run time, or a module that was not
					 seen */
  uint64_t kernel, kernel_weight;
  double overhead;              /* cost of sampling / CPU time of the program; negative if not
				   known */
  char overhead_how[192];
  uint32_t n_modules, n_addresses, room_modules, room_addresses;
  struct cab_sample_module *modules;
  struct cab_sample_address *addresses;
  struct cab_sample_table *table;   /* private to samples.c, while samples are added */
};

/* Make SAMPLES empty. */
void cab_samples_init (struct cab_samples *samples);
/* Free what SAMPLES holds, and make it empty. */
void cab_samples_fini (struct cab_samples *samples);

/* Write SAMPLES as samples.json to PATH, by a temporary name. */
int cab_samples_write (const struct cab_samples *samples, const char *path, struct cab_diag *diag);
/* Read samples.json at PATH into SAMPLES, which is empty. */
int cab_samples_read (struct cab_samples *samples, const char *path, struct cab_diag *diag);

/* Add FROM to INTO, which may be empty.  Return negative if they are of different sources, or of
   different builds of a module. */
int cab_samples_merge (struct cab_samples *into, const struct cab_samples *from,
		       struct cab_diag *diag);

/* Read the output of `perf script -F comm,tid,time,event,ip,sym,dso' or the like: each sample names
   event, ip, symbol with offset, and file.  EVENT is the one to take, or null if there is only one.
   Addresses follow from symbol + offset and the file's symbols; where they cannot be found, the row
   is `unknown'. */
int cab_samples_from_script (struct cab_samples *samples, const char *path, const char *event,
			     struct cab_diag *diag);

/* How to sample. */
struct cab_sample_options
{
  const char *source;      /* null or "auto": cycles, else cpu-clock, else the timer; "timer"; or an
			      event's name */
  double rate;             /* 0 means CAB_SAMPLE_RATE */
  uint64_t period;         /* if not 0, this fixed period instead of a rate: for runs that are
			      compared */
  uint64_t seed;           /* of the randomised bits; 0: take it from the clock */
};

/* What to run. */
struct cab_sample_command
{
  /* Called in the child with the caller's signal mask: exec, with `environ' as its environment.
     Returns the errno of an exec that failed. */
  int (*become) (void *host);
  void (*started) (void *host, pid_t pid);   /* called in the parent, before the command runs, with
						all signals blocked; may be null */
  void *host;
};

struct cab_sample_end
{
  int error;               /* errno of exec; 0 if it succeeded */
  int status;              /* as waitpid gives it */
  struct rusage usage;     /* of the command and those of its children that it waited for */
  double wall_s;
  bool sampled;            /* a source was available */
};

/* Run COMMAND, wait for it, and fill SAMPLES (initialised).  If no source is available, COMMAND
   runs all the same, end->sampled is false, and DIAG says why.  If SAMPLES is null, nothing is
   sampled.  Return negative if COMMAND was not started. */
int cab_sample_run (const struct cab_sample_options *options,
		    const struct cab_sample_command *command, struct cab_samples *samples,
		    struct cab_sample_end *end, struct cab_diag *diag);

/* Return the part of the CPU time of USAGE that no sample of the kernel's clock stands for: the
   clock counts each thread from 0, so a thread that lives shorter than the period has none.  Return
   negative if that is not known, as the source counts something else, or does not count all.
   *CPU_S gets the CPU time in seconds. */
double cab_samples_unseen (const struct cab_samples *samples, const struct rusage *usage,
			   double *cpu_s);

/* Try whether NAME can be sampled here: return 0, or negative with the reason.  SOURCE gets what
   would be granted. */
int cab_sample_try (const char *name, struct cab_sample_source *source, struct cab_diag *diag);

#endif
