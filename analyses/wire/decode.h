/* decode.h - ring words to batches: the only code that knows how events are packed.
 *
 * Model:      pure; used by the runtime's consumers and by the command for the rings of dead
 *             processes. CALL, TAIL, UNDER words gather in one batch, PATH and PATH_LAST words in
 *             another, LOOP words in a third, the accesses that ACCESS events stand for in a
 *             fourth, SAMPLE words in a fifth, each in program order.  An analysis that takes
 *             several kinds and depends on their order is fed run by run: cab_decode_run first,
 *             then cab_decode of as many words as it returned. Values have a sixth batch, where
 *             accesses are decoded one by one.  CALL and RESUME words that a TIME precedes have a
 *             batch as well.
 *             With `by_shape' accesses are decoded to the shapes of regions, in a batch of their
 *             own with one row for all events of a region; only what differs from event to event
 *             is decoded access by access.
 *             With `by_region' they are decoded to regions and their raw words, which stay in
 *             WORDS or are made for parts of a nest; only one of the two batches has rows, so
 *             that all accesses are in program order. An ACCESS event may stand for more than a
 *             batch holds: while cab_decode_pending, the caller feeds the batches and calls again.
 * Shapes:     at most CAB_BATCH_MAX rows at a time.
 * Units:      words = events, except for the raw words after the headers of accesses and escapes,
 *             and words that are no events.
 * Threads:    a struct cab_decode belongs to one thread at a time.  It is large: not for a stack.
 * Errors:     CLEAR and MAGIC words are skipped; words of a kind that this version does not know,
 *             and truncated events, are counted in n_unknown; events without a function, and
 *             accesses of a function whose record is not available, in n_unregistered.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DECODE_H
#define CAB_RT_DECODE_H

#include <stddef.h>
#include "cabprof/analysis.h"
#include "analyses/wire/expand.h"

/* Where a decoder gets what records say about accesses.  REGIONS returns those of function FN,
   always the same, or null if its record is not available.  READ reads a region whose number is
   below n_regions by cab_regions_read while other threads may do the same; it is null if no other
   thread does. */
struct cab_decode_records
{
  const struct cab_regions *(*regions) (void *host, uint32_t fn);
  const struct cab_region *(*read) (void *host, const struct cab_regions *regions, uint32_t region);
  void *host;
};

/* A function that was looked up; REGIONS may be null. */
struct cab_decode_known
{
  uint32_t fn;
  const struct cab_regions *regions;
};
#define CAB_DECODE_KNOWN 1024u   /* power of two; a function's number selects its entry */

/* The header of events of a region that their words alone describe (struct cab_region: told). */
struct cab_decode_seen
{
  uint64_t header;
  const struct cab_region *region;
};
#define CAB_DECODE_SEEN 8192u

/* Events that are counted in one row of a batch: PASSES in this batch, 0 if it has no such row yet.
   An unused entry has key 0, or 1 in entries 0 and 1. */
struct cab_decode_counted
{
  uint64_t key, passes;
};
#define CAB_DECODE_COUNTED 8192u

/* An entry of the table of counts, and its row in the batch. */
struct cab_decode_used
{
  uint16_t counted, row;
};

/* A destination for events of regions: N of them, which stand for about ACCESSES accesses together,
   and for no more than EACH by itself. */
struct cab_decode_place
{
  struct cab_region_event *at;
  uint32_t n;
  uint64_t accesses, each;
};

struct cab_decode
{
  const struct cab_decode_records *records;   /* null: events of accesses are counted, and not
						 decoded */
  bool by_shape, by_region;
  bool pauses;                                /* by_region: batches end after an iteration of a
						 nest's loop that does the same in each iteration
						 (analyses/wire/expand.h) */
  const struct cab_decode_place *into;   /* by_region: the caller's place, where the next cab_decode
					    alone puts events whose words are in WORDS; null: they
					    go to `region' */
  bool loops;                                 /* ACCESS batches also have the rows of loops
						 (CAB_ROW_LOOP); not with by_shape or by_region */
  bool stretches;                             /* loops: with columns `times' and `step' */
  bool bare;                                  /* ACCESS batches also have the rows of values alone
						 (CAB_ROW_BARE): set by analyses that want all in
						 program order */
  /* The result of the last cab_decode; n = 0: none. */
  struct cab_batch call, path, loop, sample, access, value, shapes, timed;
  /* Totals over all calls; the caller may set them.  Each word is in n_raw, or in n_unknown or
     n_unregistered, or is an event, of n_accesses or of another batch. */
  uint64_t n_unknown, n_unregistered;
  uint64_t n_raw;        /* words that are no events: raw words, TIME, CLEAR, MAGIC */
  uint64_t n_accesses;   /* ACCESS events */
  uint32_t n_extra;      /* of the last cab_decode: rows of PATH less the words that held them; a
			    PACK holds several */
  uint64_t n_resumes;    /* RESUME words: events for analyses that keep the stack
			    (analyses/live/context.h), in no batch */
  /* Rows whose words are not contiguous in the ring. */
  uint64_t call_rows[CAB_BATCH_MAX], path_rows[CAB_BATCH_MAX];
  uint32_t loop_fn[CAB_BATCH_MAX], loop_number[CAB_BATCH_MAX];
  uint64_t loop_count[CAB_BATCH_MAX];
  uint8_t loop_form[CAB_BATCH_MAX];
  uint64_t sample_address[CAB_BATCH_MAX], sample_ns[CAB_BATCH_MAX];
  uint64_t timed_rows[CAB_BATCH_MAX], timed_clock[CAB_BATCH_MAX];
  struct cab_expand expand;            /* what is left of an ACCESS event */
  struct cab_expand_rows rows;
  uint64_t access_other[CAB_BATCH_MAX];   /* zero, except in rows with another address */
  uint32_t has_other;                  /* the last of these rows is below this */
  uint32_t value_site[CAB_BATCH_MAX];  /* of the batch of values */
  uint64_t value_bits[CAB_BATCH_MAX];
  uint8_t value_form[CAB_BATCH_MAX], value_type[CAB_BATCH_MAX];
  const struct cab_shape *shape[CAB_BATCH_MAX];
  uint64_t passes[CAB_BATCH_MAX];
  struct cab_decode_place place;       /* where events of regions are put */
  struct cab_region_event region[CAB_BATCH_MAX];
  uint64_t made[4 * CAB_BATCH_MAX];    /* raw words of parts: n_made of them */
  uint32_t n_made;
  bool ended;                          /* the next access goes into another batch */
  struct cab_decode_seen seen[CAB_DECODE_SEEN];
  struct cab_decode_counted counted[CAB_DECODE_COUNTED];
  const struct cab_shape *counted_shape[CAB_DECODE_COUNTED];
  uint32_t n_used;
  struct cab_decode_used used[CAB_BATCH_MAX];
  struct cab_decode_known known[CAB_DECODE_KNOWN];
};

/* Decode words of a process with the records RECORDS from now on, and forget what was looked up by
   function numbers of other records.  Also call it after RECORDS has grown. */
void cab_decode_turn_to (struct cab_decode *d, const struct cab_decode_records *records);

/* Return true if an ACCESS event has more rows to give.  The next cab_decode, even of 0 words,
   begins with them. */
static inline bool
cab_decode_pending (const struct cab_decode *d)
{
  return d->expand.n_accesses != 0;
}

/* Decode the N words at WORDS, which the batches may refer to, for the thread THREAD. Return how
   many were taken: all up to CAB_BATCH_MAX, not counting those of events of accesses; never more
   than N; less where the batch of accesses, of shapes or of paths is full, or by_region asks for
   it. */
size_t cab_decode (struct cab_decode *d, const uint64_t *words, size_t n, uint32_t thread);

/* Return how many words from WORDS on are of one batch kind (others than CALL, PATH and ACCESS do
   not end a run), with the raw words of the last; about CAB_BATCH_MAX at most, never more than
   N. */
size_t cab_decode_run (const uint64_t *words, size_t n);

/* Return the batch kind of WORD: CAB_EV_CALL or CAB_EV_PATH, its own kind for other kinds, 0 for no
   event. */
unsigned cab_decode_kind (uint64_t word);

/* Return how many words after the header WORD belong to its event. */
static inline unsigned
cab_decode_raw (uint64_t word)
{
  unsigned kind = cab_ev_kind (word);
  return kind == CAB_EV_ACCESS || kind == CAB_EV_ESCAPE ? cab_ev_words (word) : 0;
}

#endif
