/* ring.h - the rings of the program's threads: one interface, two designs.
 *
 * Source:     chunk ring: chunk-published single-producer ring, nothing cleared.  CAB ring: Ha et
 *             al., CAB (OOPSLA 2009), exhaustive: sentinels (CLEAR, MAGIC), the consumer two chunks
 *             behind, the producer blocks until two chunks are free, flush at the end of the
 *             thread.
 * Model:      each thread that sends events has one ring, of the design of its first event; events
 *             of modules that speak the other design go into it by the slow path.  A ring outlives
 *             its thread: once it is drained the next thread gets it.
 * Shapes:     include/cabprof/profile.h, struct cab_ring_header.
 * Threads:    producer side (full, cab, stash, end): the ring's thread, signals blocked.  drain:
 *             anyone; a ring's consumer lock lets one in at a time.  Rings are never freed, so the
 *             list is walked without a lock.
 * Progress:   the producer blocks while the ring is full: 64 pauses, then futex with a timeout; if
 *             the consumer does not get on (or there is none) the producer drains the ring itself.
 *             drain is lock-free but for the consumer lock.
 * Order:      head is stored (release) behind the words and `used`; a drain that loads it (acquire)
 *             sees them.  tail is stored (release) behind the last read; the producer's load
 *             (acquire) lets it write again.
 * Errors:     no room for a ring: its events are dropped and counted.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_H
#define CAB_RT_RING_H

#include "rt/engine/feed/feed.h"
#include "rt/engine/feed/round_accounts.h"
#include "rt/engine/feed/rounds.h"
#include "rt/base/rt.h"

enum cab_ring_state
{
  CAB_RING_FREE,      /* drained, for the next thread */
  CAB_RING_TAKEN,     /* its thread lives */
  CAB_RING_PENDING,   /* its thread has ended; not drained yet */
  CAB_RING_RETIRED    /* given back to the disk */
};

struct cab_ring
{
  struct cab_ring *next;
  const struct cab_ring_design *design;
  struct cab_ring_header *header;
  uint64_t *slots;
  uint32_t n_chunks, chunk_slots;   /* as in the header, whose page is given back at the end of the
				       process */
  struct cab_area area;
  uint32_t number;
  uint32_t state;        /* enum cab_ring_state */
  uint32_t waiting;      /* the producer sleeps, or is about to */
  uint32_t ending;       /* the producer sends no more */
  uint64_t *chunk;       /* chunk ring's producer: first slot of the chunk that it writes, */
  uint32_t fill;         /* ... how many slots it fills before it goes on in another one, */
  uint64_t since;        /* ... when it began to, CLOCK_MONOTONIC, */
  uint32_t fetched[CAB_RING_MAX_CHUNKS];   /* ... slots of each chunk whose pages are there, */
  uint64_t backed;       /* ... and bytes of the area that have blocks on the medium */
  bool is_left;          /* a blind producer has waited for its consumer in vain, and does not any
			    more */
  uint64_t written;      /* CAB's producer: slots written, ever, when it began to wait */
  uint64_t ended_at;     /* CAB: slots written, ever, when the last thread that ended had flushed */
  uint64_t freed;        /* CAB: slots cleared, ever: behind tail while the consumer clears a
			    chunk */
  uint32_t lock;         /* of the consumer side; guards what follows */
  struct cab_feed feed;
  struct cab_feed_account *accounts;   /* chunk ring: of chunks that are being analysed by
					  sections */
  uint64_t words_seen, accesses_seen;  /* chunk ring: lately */
  struct cab_rounds rounds;            /* chunk ring: what of its words comes again */
  struct cab_round_accounts round_accounts;   /* ... what it accounts for */
  uint64_t round_accesses;             /* ... and accesses before the one under way */
  uint32_t open_words;                 /* chunk ring: words of chunk `tail' that were fed while the
					  producer was writing it */
  bool is_hidden;                      /* ... no more of them: an enqueue was given up, and may go
					  on after all, anywhere */
};

struct cab_ring_design
{
  uint32_t type;         /* enum cab_ring_type */
  size_t (*slots) (uint32_t n_chunks, uint32_t chunk_slots);
  /* See that RING has blocks on the medium for the next producer's first words; 0, or -errno.
     Under the lock.  Null: it has all. */
  int (*prepare) (struct cab_ring *ring);
  /* The ring is new, or its last thread has left it drained: a producer, whose context CTX is,
     begins; sets the cursor. */
  void (*begin) (struct cab_ring *ring, struct cab_ctx *ctx);
  /* Store the event at EVENT with its raw words, blocking while there is no room, and set the
     cursor again; negative: events with raw words cannot pass, or the producer is blind and there
     is no room. */
  int (*put) (struct cab_ring *ring, struct cab_ctx *ctx, const uint64_t *event);
  /* The producer leaves: all that it wrote may be drained. */
  void (*end) (struct cab_ring *ring);
  /* Feed what is there; nonzero if that was anything.  Under the consumer lock. */
  int (*drain) (struct cab_ring *ring);
  /* May a drain find something?  Without the lock. */
  int (*ready) (const struct cab_ring *ring);
  /* See cab_ring_hide.  Null: what is not published is never seen. */
  void (*hide) (struct cab_ring *ring);
  /* A drain finds nothing, and has not for a while: feed what the producer is about to tell, where
     that is worth it; nonzero if that was anything.  Under the consumer lock.  Null: that cannot be
     seen. */
  int (*peek) (struct cab_ring *ring);
  /* Feed all whole events that the producer has written.  Under the consumer lock.  Null: what is
     not published is never seen. */
  void (*written) (struct cab_ring *ring);
};
extern const struct cab_ring_design cab_ring_chunk_design, cab_ring_cab_design;

/* See that T has a ring, of DESIGN if it is new; false: there is no room for one.  No lock is
   held. */
bool cab_ring_make (struct cab_thread *t, const struct cab_ring_design *design);

/* T, which has a ring, may be unable to grow its states later, which events of KINDS need.  No lock
   is held. */
void cab_ring_prepare (struct cab_thread *t, uint32_t kinds);

/* The gates.  EVENT points to an event and its raw words. */
void cab_ring_full (struct cab_ctx *ctx, const uint64_t *event);
void cab_ring_cab (struct cab_ctx *ctx, const uint64_t *event);
void cab_ring_stash (struct cab_ctx *ctx, const uint64_t *event);

/* Is an enqueue of this thread under way, or the runtime at work on its ring? */
static inline bool
cab_ring_is_busy (const struct cab_ctx *ctx)
{
  return ctx->busy
      || (ctx->cursor && __atomic_load_n (&ctx->cursor->next, __ATOMIC_RELAXED) & CAB_CURSOR_BUSY);
}

/* Words of the event that begins with HEADER, with it. */
static inline uint32_t
cab_ring_words (uint64_t header)
{
  uint32_t raw = cab_ev_kind (header) == CAB_EV_ACCESS ? cab_ev_words (header) : 0;
  return 1 + (raw < CAB_ACCESS_WORDS ? raw : CAB_ACCESS_WORDS);
}

/* The thread ends: its ring, if any, is flushed and left. */
void cab_ring_end (struct cab_thread *t);

/* May a drain find something, or let RING go?  Without the lock.  One that was given back is not
   looked into: that would have it read from the disk again. */
static inline bool
cab_ring_has_work (const struct cab_ring *ring)
{
  uint32_t state = __atomic_load_n (&ring->state, __ATOMIC_ACQUIRE);
  return state == CAB_RING_PENDING || (state != CAB_RING_RETIRED && ring->design->ready (ring));
}

/* Drain RING under its lock, and let it go if its thread has ended. */
int cab_ring_drain (struct cab_ring *ring);

/* T's ring is taken although an enqueue is under way, which may never end, or end at any time: what
   the consumer has seen of the chunk stays as it is, and from now on it sees only what is
   published. */
void cab_ring_hide (struct cab_thread *t);

/* Feed what its producer has written of RING and not published, where that is worth it, under its
   lock. */
int cab_ring_peek (struct cab_ring *ring);

/* Analyse all that the producers of all rings have written by now.  No lock is held. */
void cab_ring_analyse_all (void);

/* T's ring becomes empty: all that T has written is analysed.  -EBUSY: an enqueue of T's is under
   way; -ENOMEM.  Inside T, no lock is held. */
int cab_ring_settle (struct cab_thread *t);
/* What T writes to its ring, which is empty, belongs to T's set of regions from now on. */
void cab_ring_enter_set (struct cab_thread *t);

/* All rings' consumer locks, for who copies the states; and let them go. */
void cab_ring_lock_all (void);
void cab_ring_unlock_all (void);

/* Words of a chunk and the spare ones behind it.  The last of those behind what is to be filled is
   a sentinel for probes that speak CAB. */
#define CAB_CHUNK_STRIDE(ring) ((ring)->chunk_slots + CAB_RING_RED_SLOTS)

/* For designs: the producer has to wait until HAS_ROOM.  False: it is blind (filters.h), and nobody
   makes room. */
bool cab_ring_wait (struct cab_ring *ring, int (*has_room) (const struct cab_ring *ring));
/* The same for a blind one. */
bool cab_ring_wait_blindly (struct cab_ring *ring, int (*has_room) (const struct cab_ring *ring));
/* The thread of CTX is blind: EVENT goes to the ring that it has, if there is room; else it is
   dropped, and counted. */
void cab_ring_put_blindly (struct cab_ctx *ctx, const uint64_t *event);
/* For designs: tail has moved. */
void cab_ring_moved (struct cab_ring *ring);

/* All rings, newest first. */
struct cab_ring *cab_ring_first (void);

/* At the end of the process: drain all; true if no event can be left (no other thread has a
   ring). */
bool cab_ring_finish (void);

/* All rings are drained and have no thread: give them back to the disk.  Later events get a new
   one; false if there is one already. */
bool cab_ring_retire (void);

/* In a forked child: no ring is left; the context of SELF is set back, or of ALL threads. */
void cab_ring_fork (struct cab_thread *self, bool all);

#endif
