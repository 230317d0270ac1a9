/* timeline_watch.h - a function whose slow calls are kept: slower=NAME/TIME.
 *
 * Model:      a state watches the activations of the function that are open, the last ones of a
 *             recursion.  One that ends after more than the limit is slow.  Functions of that name
 *             are found when their first number is seen; a number that was looked at is not looked
 *             at again.  An event that is taken twice, as after the end of a killed process,
 *             changes nothing.
 * Units:      those of the times of events: of the time stamp counter, or ns.
 * Threads:    as the state that it lies in.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_TIMELINE_WATCH_H
#define CAB_TIMELINE_WATCH_H

#include "analyses/live/timeline/an_timeline.h"

#define CAB_TIMELINE_NAME_BYTES 64u   /* of the function that is watched */
#define CAB_TIMELINE_FUNCTIONS 8u     /* of that name */
#define CAB_TIMELINE_OPEN 16u         /* activations of a recursion that are watched */

struct cab_timeline_opened
{
  uint64_t clock, sequence;   /* of its entry: time, and the block that the entry is in */
  uint32_t depth, fn;
};

struct cab_timeline_watch
{
  uint64_t limit;             /* 0: nothing is watched */
  char name[CAB_TIMELINE_NAME_BYTES];
  uint32_t n_looked;          /* functions up to this number were looked at */
  uint32_t n_functions, functions[CAB_TIMELINE_FUNCTIONS];
  uint32_t n_open;
  struct cab_timeline_opened open[CAB_TIMELINE_OPEN];
};

/* True if the times of events are in ns.  Whoever makes events sets it, before cab_timeline_settle;
   false at first. */
extern bool cab_timeline_takes_ns;

/* Write ARGUMENTS to FULL with the limit of slower= in units of the events' times.  As `settle' of
   struct cab_analysis. */
int cab_timeline_settle (const char *arguments, char *full, size_t bytes, struct cab_diag *diag);
/* Make WATCH from slower= in ARGUMENTS.  Return 0, or -1 with words in DIAG. */
int cab_timeline_watch_open (struct cab_timeline_watch *watch, const char *arguments,
			     struct cab_diag *diag);
/* Take EVENT, which is in block SEQUENCE.  Return the number of the block in which a slow
   activation began that ends with it, or 0. */
uint64_t cab_timeline_watch (struct cab_timeline_watch *watch, struct cab_timeline_event event,
			     uint64_t sequence, const struct cab_functions *functions);

#endif
