/* options.h - CABPROF_OPTIONS, parsed.
 *
 * Model:      pure. "key=value:key=value", or "off", or "check-serializer".  A colon inside data=
 *             or trace= belongs to the value unless letters and = follow it, perhaps after more
 *             colons.
 * Shapes:     keys ring (or auto), chunk (bytes, with K, M or G), placement (thread, inline,
 *             direct, auto),
 *             affinity (near, far, none, or a list of processors: cpus.h), analyses (choice.h),
 *             threads (1-64), delegates (1-64), data (a directory; %p process number, %e name of
 *             the executable, %% a percent sign; expanded by the caller), trace (a file or
 *             unix:PATH: rt/trace/trace_sink.h), compress (of the trace: none, predicted:
 *             analyses/wire/trace_words.h), start (paused, running), delay (seconds, a decimal
 *             fraction allowed: length of the pause at the start), most (TABLE/N[+TABLE/N]...: a
 *             bound of a table that is smaller than its own), sample (a number N: one piece in N is
 *             recorded, 0: none; abi.h.  Or a percentage, P%: that share of the events is read;
 *             strata.h), burst (bytes of a burst, of sample=P%), line (ns, of placement=auto),
 *             clock (tsc, monotonic).
 * Units:      bytes.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_OPTIONS_H
#define CAB_RT_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include "analyses/live/choice.h"
#include "cabprof/analysis.h"
#include "rt/common/cpus.h"

enum cab_placement
{
  CAB_PLACE_THREAD,
  CAB_PLACE_INLINE,
  CAB_PLACE_DIRECT,   /* each event is analysed by its producer before the next one:
			 rt/engine/ring/direct.h */
  CAB_PLACE_AUTO   /* inline, until a thread is found to be cheaper: rt/engine/ring/judge.h */
};

/* What the times of events are (events=time). */
enum cab_clock_choice
{
  CAB_CLOCK_STEADY,    /* the time stamp counter if the processor says that it is steady, else
			  CLOCK_MONOTONIC */
  CAB_CLOCK_COUNTER,   /* the counter in any case */
  CAB_CLOCK_CALL       /* CLOCK_MONOTONIC: rt/base/clock.h */
};

#define CAB_MAX_CONSUMERS 64
#define CAB_MAX_DELEGATES 64
#define CAB_SAMPLE_MAX (UINT64_C (1) << 32)
#define CAB_RING_MIN_CHUNKS 8     /* CAB needs 5: the producer waits for two free chunks, the
				     consumer stays two behind */
#define CAB_RING_USUAL_BYTES (UINT64_C (2) << 20)
#define CAB_RING_MAX_CHUNKS 256   /* length of the arrays in struct cab_ring_header */
#define CAB_RING_AUTO_BYTES (UINT64_C (16) << 20)   /* a ring that grows (ring=auto) */

#define CAB_COUNTERS_MOST (UINT32_C (32) << 20)   /* of a thread; 256 MB, with the sink */

/* The tables that have a bound. */
enum cab_table_bound
{
  CAB_BOUND_STRINGS,    /* bytes */
  CAB_BOUND_MODULES,
  CAB_BOUND_THREADS,
  CAB_BOUND_COUNTERS,   /* of a thread */
  CAB_BOUND_EXTENTS,    /* of the part; counters and rings take half of it at most */
  CAB_BOUND_STATES,
  CAB_BOUND_FUNCTIONS,
  CAB_BOUND_SITES,      /* call sites */
  CAB_BOUND_ACCESSES,   /* accesses and allocations in the code */
  CAB_BOUND_REGIONS,    /* of the source, in each counter area */
  CAB_BOUND_SETS,       /* of regions that a thread was in at once */
  CAB_N_BOUNDS
};

struct cab_rt_options
{
  int off;
  uint64_t ring_bytes, chunk_bytes;
  uint64_t ring_most_bytes;   /* up to which a chunk ring grows; ring_bytes: it does not */
  enum cab_placement placement;
  enum cab_clock_choice clock;
  uint32_t line_ns;     /* of CAB_PLACE_AUTO: a cache line's way to another processor */
  enum cab_cpus_how affinity;
  struct cab_cpus affinity_list;   /* of CAB_AFFINITY_LIST */
  uint32_t n_threads;
  int threads_given;
  uint32_t n_delegates; /* parts of each ring's states that are sharded by key, and threads for
			   them */
  int check_serializer; /* keep a state for all keys beside the parts */
  uint64_t sample;
  int bursts;           /* only some events are read, in bursts */
  uint32_t rate;        /* of the events, in millionths, if so */
  uint64_t burst_bytes; /* length of a burst, if so */
  uint32_t overhead;    /* that the run may have, in millionths, if so; 0: any */
  int paused;           /* paused from the start */
  uint64_t delay_ns;    /* how long; 0: until something resumes it */
  char analyses[CAB_CHOICE_BYTES];
  char data[2048];
  char trace[2048];     /* a file, or unix:PATH; empty: none */
  int compress;         /* the trace's chunks are predicted */
  int data_given;
  uint32_t most[CAB_N_BOUNDS];   /* bounds of the rows of tables */
  int rounded;          /* ring or chunk differ from what was asked for */
};

/* Parse TEXT, which may be null, into OPTIONS.  Return 0, or -1 with words in *DIAG. */
int cab_options_parse (struct cab_rt_options *options, const char *text, struct cab_diag *diag);

/* Check that ALLOWED, the processors of the process, has those that affinity= lists in OPTIONS;
   null: they are not known, and the kernel will say.  Return 0, or -1 with words in *DIAG. */
int cab_options_check_affinity (const struct cab_rt_options *options,
				const struct cab_cpus *allowed, struct cab_diag *diag);

/* Expand %p, %e and %% of PATTERN into OUT.  Return 0, or -1 if it is too long or has another
   letter after %. */
int cab_options_expand (char *out, size_t bytes, const char *pattern, int pid, const char *exe);

#endif
