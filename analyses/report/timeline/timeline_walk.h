/* timeline_walk.h - the activations that a profile's timeline has, one after the other.
 *
 * Model:      the events of each thread, in order, move a stack of activations.  An activation ends
 *             normally by the event of its end.  One that is above the depth of a later event was
 *             left by longjmp or an exception: it ends with that event.  What is open after the
 *             last event ends there.  Of an end without an entry, which the record does not reach,
 *             the activation begins where the record does.
 * Units:      ns of CLOCK_MONOTONIC.
 * Ownership:  a span is valid during the call.
 * Threads:    none.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TIMELINE_WALK_H
#define CAB_TIMELINE_WALK_H

#include <stdbool.h>
#include "analyses/profile/model.h"

/* How an activation ended, or began. */
enum cab_span_how
{
  CAB_SPAN_RETURNED,   /* by its return, or by a jump in tail position */
  CAB_SPAN_LEFT,       /* by longjmp or an exception; the time is that of the event that shows it */
  CAB_SPAN_OPEN,       /* it had not ended when the record did */
  CAB_SPAN_BEFORE      /* it returned, and had begun before the record did */
};

struct cab_timed
{
  const struct cab_function *function;   /* null: not known */
  uint32_t site;              /* where it was called, the model's number; 0: none */
  uint32_t process, thread;   /* index in the model; index in the process */
  uint32_t depth;             /* activations below it, as far as they are known */
  enum cab_span_how how;
  uint64_t begin_ns, end_ns;  /* end_ns: not before it has ended */
  uint64_t self_ns;           /* without what functions that it called took; as end_ns */
  uint64_t number;            /* from 0, in the order in which they began, over all threads */
  void *own;                  /* the visitor's, null at first; parent's: see below */
};

struct cab_span_visitor
{
  void *host;
  /* Called when SPAN begins; PARENT is the one that it is in, or null.  Null: never. */
  void (*begin) (void *host, struct cab_timed *span, struct cab_timed *parent);
  /* Called when SPAN has ended, after all that are in it. */
  void (*end) (void *host, struct cab_timed *span, struct cab_timed *parent);
};

/* What is known of the record as a whole. */
struct cab_timeline_sums
{
  uint64_t n_events, n_threads;
  uint64_t first_ns, last_ns;   /* of all events; 0 if there are none */
  uint64_t bytes;               /* of the record, packed */
  uint64_t unkept;              /* slow calls that there was no room to keep */
  bool varies, is_call, is_rough;   /* clock_scale.h, of any process */
};

/* Walk through all threads of MODEL, in the order of processes and threads. */
struct cab_timeline_sums cab_timeline_walk (const struct cab_model *model,
					    const struct cab_span_visitor *visitor);

/* Return the word for HOW. */
const char *cab_span_end_name (enum cab_span_how how);
/* Return why MODEL has no timeline, and what to do, or null. */
const char *cab_timeline_lacks (const struct cab_model *model);
/* Return what has to be said about the times of a record with SUMS, or null. */
const char *cab_timeline_remark (const struct cab_timeline_sums *sums);

#endif
