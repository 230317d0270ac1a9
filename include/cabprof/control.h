/* control.h - how a running process is paused, what its part says about that, and its regions.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      area CAB_EXT_CONTROL of a part is one page that the process and `cabprof ctl' both
 *             map.  A pause does not stop the program: what its threads do until the resume is left
 *             out of the profile.  Events: a thread obeys at its next event.  Whoever changes
 *             `pause' sets the limits of both cursors of each ring to 0, so that this event takes
 *             its gate; a thread that is paused writes its events to memory of its own, again and
 *             again.  Counts in place go on.  A pause subtracts all counters from a table, and a
 *             resume adds them to it, so the table has what was counted in pauses: to be subtracted
 *             from the counters, and while the process is paused all of them are added to the table
 *             first.  Each table is a file of its own, PID-START-N.paused beside the part, written
 *             as a whole before `pause' names it by its N.
 * Threads:    `pause' and the counters' tables change under `lock'; any process that maps the page
 *             may read `pause'.
 * Errors:     every reader treats every field as hostile.
 */
#ifndef CABPROF_CONTROL_H
#define CABPROF_CONTROL_H

#include <stdint.h>
#include "cabprof/confine.h"
#include "cabprof/profile.h"

#define CAB_CONTROL_VERSION 1u

/* What a process that reads only some events (sample=PERCENT) has read.  Of `enqueued' words in its
   ledger, all that were neither passed nor overwritten were read: raw_words, `analysed' and those
   dropped after a ring. */
struct cab_part_share
{
  uint64_t burst_bytes;    /* length of a burst, in bytes; 0: it reads all events */
  uint64_t rate;           /* share asked for, in millionths */
  uint64_t passed;         /* words that were left out by choice */
  uint64_t overwritten;    /* words that were overwritten before they were read or left out by
			      choice */
  uint64_t bursts;         /* bursts that were read */
  uint64_t slowed;         /* how often the rate was halved because its reader was behind, or
			      took more than overhead= */
  uint64_t raised;         /* how often it was doubled again because its reader was idle */
};

/* What placement=auto chose, by what it measured: costs in ps per word of a ring.  Or how
   placement=direct keeps handlers away from the analyses. */
enum cab_placed
{
  CAB_PLACED_NOT,          /* it is not in force, or has not judged yet */
  CAB_PLACED_INLINE,       /* the program's threads analyse what they send */
  CAB_PLACED_THREAD,
  CAB_PLACED_DIRECT,       /* placement=direct, by restartable sequences */
  CAB_PLACED_DIRECT_BLOCKS /* placement=direct, by two system calls for each event */
};
enum cab_placed_why
{
  CAB_PLACED_EARLY,        /* too little was sent to judge by */
  CAB_PLACED_ALONE,        /* the process has one processor */
  CAB_PLACED_BUSY,         /* the program keeps all processors busy */
  CAB_PLACED_LITTLE,       /* a thread would save less than a tenth, or cost more */
  CAB_PLACED_CHEAPER,      /* a thread saves a tenth or more */
  CAB_N_PLACED_WHY
};
struct cab_part_placement
{
  uint32_t is_auto;        /* placement=auto is in force */
  uint32_t how, why;       /* enum cab_placed, enum cab_placed_why */
  uint32_t processors;     /* that the process had */
  uint64_t judged;         /* how often it judged */
  uint64_t fill_ps;        /* of its producer: the program's own work, the probe and the enqueue */
  uint64_t analysis_ps;
  uint64_t communication_ps;   /* of a reader on another processor */
  uint64_t blocked_ps;     /* of its producer, with a thread: predicted */
  uint64_t inline_ps, thread_ps;   /* predicted, of the whole */
  uint64_t measured_words, measured_ps;   /* with a thread, over so many words; 0: not measured */
};

struct cab_part_control
{
  uint32_t version;        /* CAB_CONTROL_VERSION */
  uint32_t lock;           /* number of the process that holds it, 0: none.  A process that no
			      longer exists holds nothing */
  uint64_t pause;          /* N << 1 | 1 while paused; N 0: no pause that is over has counted
			      anything */
  uint64_t n_pauses;       /* pauses that have begun */
  uint64_t paused_ns;      /* total time of those that are over */
  uint64_t since_ns;       /* CLOCK_REALTIME when the last one began */
  uint64_t resume_ns;      /* CLOCK_MONOTONIC at which the process resumes by itself (delay=); 0:
			      never */
  uint64_t flush;          /* number of the last request to publish what rings hold */
  uint32_t hold;           /* number of the process that copies the analyses' states; they do not
			      change until it is 0, for CAB_CONTROL_HOLD_NS at most */
  uint32_t n_regions;      /* rows of CAB_EXT_REGIONS, stored last */
  uint32_t n_sets;         /* rows of CAB_EXT_SETS, stored last */
  struct cab_part_share share;   /* added to by relaxed atomics; zero in older profiles */
  struct cab_part_placement placement;   /* under the runtime's lock; zero in older profiles */
};
#define CAB_CONTROL_PAUSED 1u
#define CAB_CONTROL_HOLD_NS UINT64_C (2000000000)

/* The file of a table: this header, then N_AREAS * N_WORDS counters, each area's after those of the
   area before. */
#define CAB_PAUSED_MAGIC "CABPAUS"   /* with its NUL */
#define CAB_PAUSED_SUFFIX ".paused"
struct cab_paused_header
{
  char magic[8];
  uint32_t version;        /* CAB_CONTROL_VERSION */
  uint32_t n_areas;
  uint64_t n_words;        /* words of each area; later counters have 0 */
};

/* Row of area CAB_EXT_REGIONS: what a region of the source counted in one counter area.  Its
   counters are area CAB_EXT_REGION with the row's number: word 2 * i + bank has counter i, minus
   the counter's value at the region's begin while it is open. */
struct cab_part_region
{
  uint32_t name;           /* offset in STRINGS */
  uint32_t counts;         /* number of the counter area */
  uint64_t n_begun;        /* how often it was begun, without begins within itself */
  uint64_t state;          /* depth << 1 | bank: both change with one store.  Depth 0: closed */
};
#define CAB_REGIONS_MOST 4096u

/* Row of area CAB_EXT_SETS.  Events are split by the set of regions that their thread is in: set
   number = index + 1; set 0 has no region.  A set has the regions of its parent, whose number is
   less, and one more, whose name is greater than all of those (strcmp). */
struct cab_part_set
{
  uint32_t name;           /* offset in STRINGS */
  uint32_t parent;
};
#define CAB_SETS_MOST 4096u
#define CAB_SETS_DEPTH 32u           /* regions in a set */
/* Area CAB_EXT_ARENA_SETS: uint32_t[], by index in the table of arenas: the set whose events the
   state has; set 0 beyond its end. */
#define CAB_SET_ANY UINT32_MAX       /* the state has events of several sets, which it does not
					separate */

/* Force the next event of the thread of the chunk ring H to its gate, after the request was written
   to the control page.  From any process that has H mapped.  Issues a full barrier, which pairs
   with the one in cab_rest_look. */
static inline void
cab_control_call (struct cab_ring_header *h)
{
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  __atomic_store_n (&h->cursor.limit, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&h->paused.limit, 0, __ATOMIC_RELAXED);
}

/* What a program requests (cabprof.h), in the order of the numbers that it passes. */
enum cab_control_request
{
  CAB_REQUEST_PAUSE = 1,
  CAB_REQUEST_RESUME,
  CAB_REQUEST_FLUSH,
  CAB_REQUEST_SNAPSHOT,
  CAB_REQUEST_REGION_BEGIN,
  CAB_REQUEST_REGION_END,
  CAB_REQUEST_THREAD_NAME,
  CAB_REQUEST_CONFINE,        /* in place of a name: a struct cab_confine */
  CAB_REQUEST_CONFINED        /* in place of a name: the result of the call that CONFINE announced,
				 as a number */
};

#endif
