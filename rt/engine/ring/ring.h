/* ring.h - the rings of the program's threads: one interface, five designs.
 *
 * Source:     chunk ring: a single-producer ring that is published by chunks and never cleared.
 *             CAB ring: Ha et al., CAB (OOPSLA 2009), exhaustive: sentinels (CLEAR, MAGIC), a
 *             consumer that stays two chunks behind the producer, a producer that blocks until two
 *             chunks are free, and a flush at the end of the thread.
 *             Sampled ring: the same paper's sampling mode: a producer that overwrites and never
 *             blocks, a consumer that reads some bursts.  Probes of both CAB rings are the same.
 *             For the comparison: N-way buffering (Zhao et al., PiPA, CGO 2008) is a chunk ring
 *             whose chunks keep their length and number; FastForward (Giacomoni et al., PPoPP 2008)
 *             is a CAB ring whose consumer takes single events and keeps a distance.
 * Model:      each thread that sends events has one ring, of the design of its first event; events
 *             of modules that speak the other design enter it by the slow path.  A ring outlives
 *             its thread: once it is drained, the next thread gets it.
 * Shapes:     include/cabprof/profile.h, struct cab_ring_header.
 * Threads:    see the table.  A ring's consumer lock admits one drain at a time.  Rings are never
 *             freed, so the list is walked without a lock.  The `end' of a thread that is gone runs
 *             in another thread.
 *   calls                              | thread                          | at the same time as
 *   -----------------------------------+---------------------------------+---------------------
 *   full, cab, stash, make, settle,    | the ring's own, signals blocked | drain, peek, has_work
 *     enter_set, hide, end             |                                 |
 *   drain, peek, analyse_all, prepare  | any; they take the ring's lock  | all of the above
 *   first, has_work                    | any, without a lock             | everything but fork
 *   lock_all .. unlock_all             | any that holds no ring's lock   | the producers
 *   finish, retire                     | the one that ends the process   | the producers
 *   fork                               | the only one of a forked child  | nothing
 * Progress:   the producer blocks while the ring is full: 64 pauses, then a futex with a timeout;
 *             if the consumer makes no progress, or there is none, the producer drains the ring
 *             itself.  That of a sampled ring never waits.  A drain is lock-free except for the
 *             consumer lock.
 * Order:      `head' is stored (release) after the words and `used'; a drain that loads it
 *             (acquire) sees them.  `tail' is stored (release) after the last read; the producer's
 *             load (acquire) lets it write again.
 * Errors:     where there is no room for a ring, the thread's events are dropped and counted.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_H
#define CAB_RT_RING_H

#include "analyses/live/bursts/strata.h"
#include "rt/engine/feed/feed.h"
#include "rt/engine/feed/round_accounts.h"
#include "rt/engine/feed/rounds.h"
#include "rt/base/rt.h"
#include "rt/engine/ring/direct.h"
#include "rt/engine/ring/judge.h"

enum cab_ring_state
{
  CAB_RING_FREE,      /* drained, for the next thread */
  CAB_RING_TAKEN,     /* its thread lives */
  CAB_RING_PENDING,   /* its thread has ended; not yet drained */
  CAB_RING_RETIRED    /* given back to the disk */
};

struct cab_ring
{
  struct cab_ring *next;
  const struct cab_ring_design *design;
  struct cab_ring_header *header;
  uint64_t *slots;
  uint32_t n_chunks, chunk_slots;   /* as in the header, whose page is given back at the end of the
				       process.  The consumer lock guards n_chunks, which the
				       producer changes while the ring is empty */
  uint32_t most_chunks;  /* that the area has room for: a chunk ring grows up to these */
  bool is_new;           /* chunk ring's producer: it has just got the ring */
  uint64_t grown_at;     /* chunk ring's producer: `head' when the ring grew, or the thread began */
  bool kept_up;          /* chunk ring's producer: the consumer has emptied the ring since then */
  struct cab_area area;
  uint32_t number;
  uint32_t state;        /* enum cab_ring_state */
  uint32_t waiting;      /* the producer sleeps, or is about to */
  uint32_t ending;       /* the producer sends no more */
  uint64_t *chunk;       /* chunk ring's producer: first slot of the chunk that it writes */
  uint32_t fill;         /* chunk ring's producer: slots that it fills before it enters the next
			    chunk */
  uint64_t since;        /* chunk ring's producer: when it entered the chunk, CLOCK_MONOTONIC ns */
  uint32_t fetched[CAB_RING_MAX_CHUNKS];   /* chunk ring: slots of each chunk whose pages are in
					      memory */
  uint64_t backed;       /* chunk ring: bytes of the area that have blocks on the medium */
  bool is_left;          /* a blind producer has waited in vain for its consumer, and does not wait
			    any more */
  uint64_t written;      /* CAB's producer: slots ever written when it began to wait */
  uint64_t ended_at;     /* CAB: slots ever written when the last thread that ended had flushed */
  uint64_t freed;        /* CAB: slots ever cleared; less than tail while the consumer clears a
			    chunk */
  struct cab_judge judge;   /* its producer, with placement=auto */
  struct cab_direct direct;   /* chunk ring: what placement=direct feeds to, under the consumer
				 lock */
  uint32_t lock;         /* the consumer lock; guards the fields below */
  struct cab_feed feed;
  struct cab_feed_account *accounts;   /* chunk ring: accounts of the chunks that are being analysed
					  by sections */
  uint64_t words_seen, accesses_seen;  /* chunk ring: recent totals, in which older words weigh
					  less */
  struct cab_rounds rounds;            /* chunk ring: the repeated rounds among its words */
  struct cab_round_accounts round_accounts;   /* chunk ring: what a round accounts for */
  uint64_t round_accesses;             /* chunk ring: accesses accounted for before the current
					  round */
  uint32_t open_words;                 /* chunk ring: words of chunk `tail' that were fed while the
					  producer was writing it.  Its producer, with
					  placement=direct */
  struct cab_strata strata;            /* which bursts are read, if not all are */
  uint64_t *burst_words;               /* sampled ring: room for a chunk's bursts */
  bool is_hidden;                      /* chunk ring: no unpublished word may be fed: an enqueue was
					  abandoned, and may still resume and write anywhere */
};

struct cab_ring_design
{
  uint32_t type;         /* enum cab_ring_type */
  bool is_fixed;         /* chunk ring: chunks are filled up, and no ring grows */
  bool by_event;         /* CAB: a chunk is one event */
  /* Return the number of slots of a ring with N_CHUNKS chunks of CHUNK_SLOTS. */
  size_t (*slots) (uint32_t n_chunks, uint32_t chunk_slots);
  /* Make sure that RING has blocks on the medium for the next producer's first words.  Return 0 or
     -errno.  Under the lock.  Null: the ring has all its blocks. */
  int (*prepare) (struct cab_ring *ring);
  /* Set the cursor for a new producer, whose context is CTX.  The ring is new, or its last thread
     has left it drained. */
  void (*begin) (struct cab_ring *ring, struct cab_ctx *ctx);
  /* Store the event at EVENT with its raw words, blocking while there is no room, and set the
     cursor.  Return a negative value if the design cannot carry raw words, or if the producer is
     blind and there is no room. */
  int (*put) (struct cab_ring *ring, struct cab_ctx *ctx, const uint64_t *event);
  /* Let the producer leave: all that it wrote may be drained. */
  void (*end) (struct cab_ring *ring);
  /* Feed what has been published; return nonzero if there was anything.  Under the consumer
     lock. */
  int (*drain) (struct cab_ring *ring);
  /* Return nonzero if a drain may find something.  Without the lock. */
  int (*ready) (const struct cab_ring *ring);
  /* See cab_ring_hide.  Null: unpublished words are never read. */
  void (*hide) (struct cab_ring *ring);
  /* Feed unpublished words where that is worth it; called when drains have found nothing for a
     while.  Return nonzero if there was anything.  Under the consumer lock.  Null: unpublished
     words cannot be read. */
  int (*peek) (struct cab_ring *ring);
  /* Feed all whole events that the producer has written.  Under the consumer lock.  Null:
     unpublished words are never read. */
  void (*written) (struct cab_ring *ring);
};
extern const struct cab_ring_design cab_ring_chunk_design, cab_ring_pipa_design,
  cab_ring_cab_design, cab_ring_fastforward_design, cab_ring_sampled_design;

/* Return the design that functions with FLAGS (CAB_ROW_*) were compiled for. */
static inline const struct cab_ring_design *
cab_ring_design_of (unsigned flags)
{
  bool is_peer = flags & CAB_ROW_RING_PEER;
  if (!(flags & CAB_ROW_RING_CAB))
    return is_peer ? &cab_ring_pipa_design : &cab_ring_chunk_design;
  return cab_rt.options.bursts ? &cab_ring_sampled_design
       : is_peer	       ? &cab_ring_fastforward_design
			       : &cab_ring_cab_design;
}

/* Return true if probes of CAB rings write to RING directly. */
static inline bool
cab_ring_is_cab (const struct cab_ring *ring)
{
  return ring->design->type != CAB_RING_CHUNK;
}

/* Make sure that T has a ring, which is of DESIGN if it is new.  Return false if there is no room
   for one.  No lock is held. */
bool cab_ring_make (struct cab_rt_thread *t, const struct cab_ring_design *design);

/* Open and grow the states that events of KINDS need on T's ring, since T may be unable to do so
   later.  T has a ring.  No lock is held. */
void cab_ring_prepare (struct cab_rt_thread *t, uint32_t kinds);

/* Let all events of chunk rings take their gates from now on.  Under the lock; the flag of rows
   that asks for it (CAB_ROW_TIME) was set before, sequentially consistent. */
void cab_ring_gate_all (void);

/* Gate `event' or `words': make room in the chunk ring and store EVENT, which points to an event
   and its raw words.  Mark the cursor busy while at work (relaxed). */
void cab_ring_full (struct cab_ctx *ctx, const uint64_t *event);
/* Gate `cab': store EVENT in the CAB ring, after a wrap or a wait. */
void cab_ring_cab (struct cab_ctx *ctx, const uint64_t *event);
/* Keep EVENT of a signal handler aside, since its thread's cursor is busy. */
void cab_ring_stash (struct cab_ctx *ctx, const uint64_t *event);

/* Return true if an enqueue of this thread is under way, or the runtime is at work on its ring.
   Loads relaxed. */
static inline bool
cab_ring_is_busy (const struct cab_ctx *ctx)
{
  return ctx->busy
      || (ctx->cursor && __atomic_load_n (&ctx->cursor->next, __ATOMIC_RELAXED) & CAB_CURSOR_BUSY);
}

/* Return the number of words of the event that begins with HEADER, the header included.  A TIME has
   the event that follows it. */
static inline uint32_t
cab_ring_words (uint64_t header)
{
  uint32_t raw = cab_ev_kind (header) == CAB_EV_ACCESS ? cab_ev_words (header)
	       : cab_ev_kind (header) == CAB_EV_TIME;
  return 1 + (raw < CAB_ACCESS_WORDS ? raw : CAB_ACCESS_WORDS);
}

/* Flush and leave T's ring, if it has one, since T ends.  Stores `ended' and the state PENDING with
   release; a drain acquires the state. */
void cab_ring_end (struct cab_rt_thread *t);

/* Return true if a drain may find something or release RING.  Without the lock; loads the state
   with acquire.  A retired ring is not examined, since that would read it from the disk again. */
static inline bool
cab_ring_has_work (const struct cab_ring *ring)
{
  uint32_t state = __atomic_load_n (&ring->state, __ATOMIC_ACQUIRE);
  return state == CAB_RING_PENDING || (state != CAB_RING_RETIRED && ring->design->ready (ring));
}

/* Drain RING under its lock, and release it if its thread has ended.  Return nonzero if there was
   anything.  Stores the state FREE with release, which pairs with the acquire of the thread that
   takes the ring. */
int cab_ring_drain (struct cab_ring *ring);

/* Hide unpublished words of T's ring from the consumer from now on, since an interrupted enqueue
   may never end, or may end at any time.  What the consumer has read of the chunk stays as it is.
   Takes the consumer lock. */
void cab_ring_hide (struct cab_rt_thread *t);

/* Feed unpublished words of RING under its lock, where that is worth it.  Return nonzero if there
   was anything. */
int cab_ring_peek (struct cab_ring *ring);

/* Analyse all that the producers of all rings have written by now.  No lock is held. */
void cab_ring_analyse_all (void);

/* Empty T's ring by analysing all that T has written.  Return 0, -EBUSY if an enqueue of T's is
   under way, or -ENOMEM.  Inside T, no lock is held. */
int cab_ring_settle (struct cab_rt_thread *t);
/* Let what T writes to its ring, which is empty, belong to T's set of regions from now on.  Takes
   the consumer lock; stores n_switches with release. */
void cab_ring_enter_set (struct cab_rt_thread *t);

/* Words of a chunk and of the spare slots after it.  The last spare slot after the fill limit holds
   a sentinel for probes that speak CAB. */
#define CAB_CHUNK_STRIDE(ring) ((ring)->chunk_slots + CAB_RING_RED_SLOTS)

/* Do what cab_ring_wait does for a blind producer: spin, with neither a system call nor a drain. */
bool cab_ring_wait_blindly (struct cab_ring *ring, int (*has_room) (const struct cab_ring *ring));
/* Store EVENT in the ring of the blind thread of CTX if there is room; else drop and count it. */
void cab_ring_put_blindly (struct cab_ctx *ctx, const uint64_t *event);

#endif
