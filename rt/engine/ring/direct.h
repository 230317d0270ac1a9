/* direct.h - placement=direct: each event is analysed before the program's next instruction, by a
 * call that saves general registers only.  It is the sequential version of the analyses with which
 * Ha et al., CAB (OOPSLA 2009), compare the concurrent ones.
 *
 * Model:      the ring is a chunk ring whose cursor has no limit, so each event takes its gate.
 *             The quick way (rt/engine/probe/direct.S, direct_feed.c) stores the event in the ring,
 *             which is a log here: it says, whatever happens, what the states must have had.  It
 *             then feeds the event to the states at once, on the program's stack and with signals
 *             open, and moves open_words, which says how much of the chunk was fed.
 *             Neither step may be interrupted by a handler, which could leave by longjmp, fork, or
 *             send events.  So each is a restartable sequence of the kernel's (rseq): where a
 *             signal or another thread is due, control goes to the slow way instead, as if the
 *             process had been killed there.  What feeding needs of the kernel, such as memory,
 *             also goes the slow way, by cab_direct_escape.  Without restartable sequences (an
 *             older C library or kernel, valgrind) the quick way blocks signals by a system call.
 *             The slow way is the ring's gate, with signals blocked and on the runtime's stack.  It
 *             first finishes an event that the quick way has begun (cab_direct_catch_up): a state
 *             that has had some rows of it does not get these again.  Whoever else finds such an
 *             event, such as the gate of a handler or the end of the thread, does the same.
 * Accounts:   events of the open chunk are accounted for when it is consumed, by decoding it.
 * Threads:    the ring's own thread goes the quick way without a lock, but not while another thread
 *             has the consumer lock.  One that takes that lock calls cab_direct_stop.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DIRECT_H
#define CAB_RT_DIRECT_H

#include <stdbool.h>
#include "analyses/live/direct/direct_feeds.h"
#include "analyses/wire/regions.h"
#include "rt/base/rt.h"

struct cab_ctx;
struct cab_decode;
struct cab_ring;
struct cab_ring_header;

/* Kinds of words whose events go to the same states, a bit for each. */
#define CAB_DIRECT_CALLS (1u << CAB_EV_CALL | 1u << CAB_EV_TAIL | 1u << CAB_EV_UNDER)
#define CAB_DIRECT_PATHS \
  (1u << CAB_EV_PATH | 1u << CAB_EV_PATH_LAST | 1u << CAB_EV_RUN | 1u << CAB_EV_RUN_HIGH \
   | 1u << CAB_EV_PACK)

/* One state as the quick way feeds it. */
struct cab_direct_state
{
  void (*feed) (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions);
  struct cab_arena arena;   /* a copy that is full: a table that must grow escapes */
};

/* What the quick way needs of a ring.  States of a kind of batches stand together. */
struct cab_direct
{
  uint32_t kinds;   /* bit K: words of kind K may go the quick way; 0: none may */
  uint32_t n_call, n_path, n_access;   /* states of each kind */
  struct cab_direct_state call[CAB_DIRECT_FEEDS], path[CAB_DIRECT_FEEDS], access[CAB_DIRECT_FEEDS];
  struct cab_batch calls, paths, accesses;   /* of one event */
  struct cab_region_event event;
  uint64_t rows[CAB_EV_PACK_MOST];           /* paths of a PACK */
};

/* Where the quick way stores the cursor's next value: NEXT, null if the event goes the slow way. */
struct cab_direct_store
{
  uint64_t *next;
  uint64_t value;
};

/* The gates of the quick way: as `event' and `words' in abi.h. */
void cab_direct_event (void);
void cab_direct_words (void);
/* Leave the quick way: the `grow' and `publish' of its arenas.  Does not return. */
void cab_direct_escape (void) __attribute__ ((noreturn));
/* Store the event at WORDS, but for the cursor.  In the first restartable sequence. */
struct cab_direct_store cab_direct_log (const uint64_t *words, struct cab_ctx *ctx);
/* Feed what was stored.  In the second one. */
void cab_direct_feed (struct cab_ctx *ctx);
/* The table of direct_feeds.h whose functions use general registers only. */
extern const struct cab_direct_feeds *const cab_direct_quick_feeds;

/* A restartable sequence, as the kernel reads it: struct rseq_cs. */
struct cab_direct_sequence
{
  _Alignas (32) uint32_t version;
  uint32_t flags;
  uint64_t begin, bytes, abort;
};

/* The offset of the kernel's area for restartable sequences from the thread pointer; 0: the process
   has none. */
extern int64_t cab_direct_rseq;
/* Find it; once, before the first gate. */
void cab_direct_start (void);

static inline bool
cab_direct_on (void)
{
  return cab_rt.options.placement == CAB_PLACE_DIRECT;
}

/* Feed all events in the open chunk of R.  BEGUN: the first of them may have been fed in part.
   Under the consumer lock, with the producer stopped. */
void cab_direct_catch_up (struct cab_ring *r, bool begun);
/* Do so under the lock, which it takes, if the placement is direct. */
void cab_direct_finish_ring (struct cab_ring *r, bool begun);
/* Account for the first N words of the chunk at WORDS, which were fed.  Under the lock. */
void cab_direct_account (struct cab_ring *r, const uint64_t *words, uint32_t n);
/* Do so for the ring of the calling thread, which has been sent off the quick way: a function for
   cab_gate_call. */
uint64_t cab_direct_go_on (void *unused);
/* Make producers that are on the quick way go the slow way, and so wait for locks that the caller
   holds. */
void cab_direct_stop (void);

#endif
