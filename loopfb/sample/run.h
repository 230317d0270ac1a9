/* run.h - run a command under a sampling source.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      samples.h says which sources there are.
 * Threads:    one run at a time in a process.
 * Errors:     0, or negative with words in DIAG, which need no prefix.
 */
#ifndef CAB_RUN_H
#define CAB_RUN_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include "loopfb/sample/samples.h"

#define CAB_SAMPLE_RATE 500.0        /* default samples in a second of the run (timer: of a
					thread) */

/* How to sample. */
struct cab_sample_options
{
  const char *source;      /* null or "auto": cycles, else cpu-clock, else the timer; "timer"; or an
			      event's name */
  double rate;             /* 0 means CAB_SAMPLE_RATE */
  uint64_t period;         /* if not 0, this fixed period instead of a rate: for runs that are
			      compared */
  bool data;               /* sample addresses of data: `auto' is the first of cab_perf_data_names
			      that this machine has */
  const char *heap;        /* with data: the directory for the logs of allocations, which are
			      removed at the end; null: record none */
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

/* Try whether NAME can be sampled here, with addresses of DATA if that is set: return 0, or
   negative with the reason.  SOURCE gets what would be granted. */
int cab_sample_try (const char *name, bool data, struct cab_sample_source *source,
		    struct cab_diag *diag);

#endif
