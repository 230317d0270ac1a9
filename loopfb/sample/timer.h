/* timer.h - sample by timers of the threads' CPU time, in the program itself, by a preloaded
 * library.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the library (preload/sample.c) counts addresses in files of a temporary directory;
 *             when the command has ended they are read and removed.  The kernel checks such timers
 *             on its tick, so a period is no less than one tick, and its random part is one tick
 *             wide.
 * Ownership:  after begin, end in any case.
 * Errors:     0, or negative with words.
 */
#ifndef CAB_TIMER_H
#define CAB_TIMER_H

#include "loopfb/sample/collect.h"
#include "loopfb/sample/run.h"

struct cab_timer
{
  char *library, *directory;
  uint64_t period_ns, spread_ns;
  uint64_t handler_ns, n;    /* valid after cab_timer_collect */
  bool given_up;             /* a process took over the signal */
};

/* Make TIMER's directory and choose its period from OPTIONS; SOURCE gets what was granted. */
int cab_timer_begin (struct cab_timer *timer, const struct cab_sample_options *options,
		     struct cab_sample_source *source, struct cab_diag *diag);
/* Set, in the child, the environment that loads the library. */
void cab_timer_environment (const struct cab_timer *timer);
/* Add the samples in TIMER's directory to COLLECTOR. */
void cab_timer_collect (struct cab_timer *timer, struct cab_collector *collector);
/* Remove TIMER's directory and free what TIMER holds. */
void cab_timer_end (struct cab_timer *timer);

/* Return the nanoseconds that the kernel takes to deliver a signal to its handler and return. */
double cab_timer_signal_cost (void);

#endif
