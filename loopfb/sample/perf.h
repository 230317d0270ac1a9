/* perf.h - sampling by the kernel: one ring per core, read by this process.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the event is opened for a process that has not yet become the command, on each core,
 *             inherited by all that it starts; it begins with exec.  Records of all rings are put
 *             in order of time before they are applied: those up to the latest time seen in the
 *             previous round are sure to be complete. A new period reaches the command's first
 *             thread, and threads and processes that start later; others keep theirs.  Each sample
 *             carries its own period, so weights are still right. (A clock's samples always carry
 *             the period that the event began with: they are given the period that was programmed
 *             at their time.)
 * Threads:    one caller.
 * Ownership:  after open, close in any case.
 * Errors:     0, or negative with words.
 */
#ifndef CAB_PERF_H
#define CAB_PERF_H

#include <poll.h>
#include "loopfb/sample/collect.h"
#include "loopfb/sample/perf_event.h"
#include "loopfb/sample/period.h"
#include "loopfb/sample/run.h"

struct cab_perf_ring
{
  int fd, cpu;
  void *base;                 /* the control page, followed by the data */
  size_t data_bytes;
  uint64_t id;                /* of the event that this process opened; inherited events have
				 others */
  uint64_t period, before;    /* the period since `changed', and the one before */
  uint64_t changed;           /* CLOCK_MONOTONIC */
};

struct cab_perf_record;

struct cab_perf
{
  struct cab_perf_event event;
  struct cab_period period;
  struct cab_perf_ring *rings;
  uint32_t n_rings;
  uint64_t since_drawn;       /* samples since the period was last programmed */
  uint64_t last_time;         /* time of the newest record of the last round */
  size_t n_queued, room_queued;
  struct cab_perf_record *queue;
  uint64_t lost;
};

/* Open the event NAME for process PID, which has been forked and waits to run the command.  SOURCE
   gets what was granted.  The period is that of OPTIONS, or is derived from the rate if that is
   0. */
int cab_perf_open (struct cab_perf *perf, pid_t pid, const char *name,
		   const struct cab_sample_options *options, struct cab_sample_source *source,
		   struct cab_diag *diag);

/* Read the rings into COLLECTOR, and adapt the period.  LAST says that no more records follow. */
void cab_perf_read (struct cab_perf *perf, struct cab_collector *collector, bool last);

/* Unmap and close all rings of PERF. */
void cab_perf_close (struct cab_perf *perf);

/* Return the first period for RATE samples in a second of EVENT. */
uint64_t cab_perf_first_period (const struct cab_perf_event *event, double rate);

/* Measure the nanoseconds that one sample of EVENT (granted) costs; negative if that is
   impossible. */
double cab_perf_cost (const struct cab_perf_event *event);

/* Read the records of RING into PERF's queue, and return the number of samples among them
   (perf_ring.c). */
uint64_t cab_perf_drain (struct cab_perf *perf, struct cab_perf_ring *ring);
/* Apply, in order of time, what is in the queue up to time BORDER. */
void cab_perf_apply (struct cab_perf *perf, struct cab_collector *collector, uint64_t border);

#endif
