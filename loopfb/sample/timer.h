/* timer.h - sampling by timers of the threads' CPU time, in the program itself, by a preloaded
 * library.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the library (preload/sample.c) counts addresses in files of a temporary directory;
 *             when the command has ended they are read and removed.  The kernel looks at such
 *             timers on its tick, so a period is no less than one tick, and its random part is one
 *             tick wide.
 * Ownership:  begin, then end in any case.
 * Errors:     0, or negative with words.
 */
#ifndef CAB_TIMER_H
#define CAB_TIMER_H

#include "loopfb/sample/collect.h"

struct cab_timer
{
  char *library, *directory;
  uint64_t period_ns, spread_ns;
  uint64_t handler_ns, n;    /* after collect */
  bool given_up;             /* some process wanted the signal for itself */
};

int cab_timer_begin (struct cab_timer *timer, const struct cab_sample_options *options,
		     struct cab_sample_source *source, struct cab_diag *diag);
/* In the child: the environment that brings the library in. */
void cab_timer_environment (const struct cab_timer *timer);
void cab_timer_collect (struct cab_timer *timer, struct cab_collector *collector);
void cab_timer_end (struct cab_timer *timer);

/* Nanoseconds that the kernel takes to bring a signal to its handler and back. */
double cab_timer_signal_cost (void);

/* The library's file; null with words.  The caller frees it. */
char *cab_timer_library (struct cab_diag *diag);

#endif
