/* perf_event.h - events of the kernel by name, and which of their attributes this machine grants.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      names are the kernel's generic ones (cycles, instructions, stalled-cycles-frontend,
 *             stalled-cycles-backend, cpu-clock, task-clock, ...) and all that libpfm4 knows for
 *             this processor (IDQ_UOPS_NOT_DELIVERED:CORE, ...). Granted are the greatest
 *             precise_ip that opens (hardware events only), and the kernel's side if it may be
 *             sampled.  Addresses of data come with page faults, which are software, and with
 *             events of loads and stores of the processor (PEBS, IBS), which virtual machines
 *             seldom have; with others they are 0.
 * Errors:     0, or negative with words.
 */
#ifndef CAB_PERF_EVENT_H
#define CAB_PERF_EVENT_H

#include <linux/perf_event.h>
#include <sys/types.h>
#include "loopfb/sample/samples.h"

struct cab_perf_event
{
  struct perf_event_attr attr;
  bool unit_ns;
  bool data;                  /* samples have addresses of data, and the thread's stack pointer */
};

/* Find the event called NAME; it has no period yet.  With DATA it is to have addresses of data,
   which a clock has not. */
int cab_perf_event_find (struct cab_perf_event *event, const char *name, bool data,
			 struct cab_diag *diag);

/* Ask the kernel for EVENT with PERIOD in this process, and set its attributes to what was
   granted. */
int cab_perf_event_grant (struct cab_perf_event *event, const char *name, uint64_t period,
			  struct cab_diag *diag);

/* Call perf_event_open: return a file descriptor, or negative with errno. */
int cab_perf_event_open (const struct perf_event_attr *attr, pid_t pid, int cpu);

/* The generic names; ends with null. */
extern const char *const cab_perf_event_names[];
/* The events that have addresses of data, those that say most first; ends with null. */
extern const char *const cab_perf_data_names[];

#endif
