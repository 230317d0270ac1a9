/* samples.h - what was sampled: where the time goes, by address, in memory and in samples.json.
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
 * Ownership:  a struct cab_samples is the caller's: cab_samples_init, then cab_samples_fini in any
 *             state.
 * Errors:     0, or negative with words in DIAG, which need no prefix.
 */
#ifndef CAB_SAMPLES_H
#define CAB_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include "cabprof/analysis.h"
#include "loopfb/sample/data_rows.h"

#define CAB_SAMPLES_FILE "samples.json"
#define CAB_SAMPLES_SCHEMA 1

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
  struct cab_data_rows data;    /* of a run whose data addresses were sampled */
  struct cab_heap_sums heap;
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

/* Return the part of the CPU time of USAGE that no sample of the kernel's clock stands for: the
   clock counts each thread from 0, so a thread that lives shorter than the period has none.  Return
   negative if that is not known, as the source counts something else, or does not count all.
   *CPU_S gets the CPU time in seconds. */
double cab_samples_unseen (const struct cab_samples *samples, const struct rusage *usage,
			   double *cpu_s);
/* Return the module of PATH, added if it is not there, for callers that know link-time
   addresses. */
uint32_t cab_samples_module (struct cab_samples *samples, const char *path);
/* Add N samples of total WEIGHT at ADDRESS of MODULE. */
void cab_samples_add (struct cab_samples *samples, uint32_t module, uint64_t address, uint64_t n,
		      uint64_t weight);
/* Sort the rows and free the hash table: no more samples are added. */
void cab_samples_settle (struct cab_samples *samples);

#endif
