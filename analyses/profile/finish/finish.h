/* finish.h - the states of a process' analyses, with the events that its rings still held applied
 * to them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "finishing" in include/cabprof/profile.h.
 * Model:      a process that was killed leaves events in its rings, and perhaps an analysis that
 *             has had a part of a chunk.  Of the events after `tail' of each ring, an analysis gets
 *             those that its own account says it has not had: applied + lost - seen.  The same
 *             holds for a process that still runs, as far as nobody works on a ring while it is
 *             read (live_rings.h).  Nothing is written to the part.
 * Ownership:  all belongs to the struct until cab_finish_fini.
 * Errors:     a state or ring that is damaged is named in `problems` and left out.
 */
#ifndef CAB_FINISH_H
#define CAB_FINISH_H

#include "analyses/live/choice.h"
#include "analyses/profile/part.h"
#include "cabprof/analysis.h"

struct cab_decode_records;
struct cab_live_rings;

struct cab_finish_arena
{
  const struct cab_analysis *analysis;
  uint32_t thread, ring;     /* as in struct cab_part_arena */
  uint32_t present;          /* as in struct cab_part_arena, but never 0 */
  struct cab_arena arena;    /* checked */
  uint32_t set;              /* the set of regions whose events it has (cabprof/control.h), or
				CAB_SET_ANY */
  bool summed;               /* `elsewhere' is known: the events that the other states of the ring's
				analysis have had */
  uint64_t elsewhere;
  bool in_step;              /* it has had all events so far and no later ones, so that each further
				event is new to it */
  struct cab_part_arena_part key;   /* which part it is, by keys; n_parts 0: it is whole */
  bool is_check;             /* it has the events of all parts, and does not count beside them */
  bool begun;                /* a part: `before' is known: the events that it was given so far */
  uint64_t before;
};

struct cab_finish
{
  uint32_t n_arenas, n_problems;
  struct cab_finish_arena *arenas;
  struct cab_diag *problems;
  /* The events that rings held after their tails, which the process' ledger does not include. */
  uint64_t n_finished;       /* events that an analysis takes */
  uint64_t n_unwanted;       /* events that no analysis takes */
  uint64_t n_unregistered;   /* events of functions or accesses that are not registered */
  uint64_t n_raw;            /* words that are no events */
  uint64_t n_accesses;       /* accesses that events record */
  uint64_t n_unpublished;    /* words that the ledger does not count as enqueued */
  uint64_t n_passed;         /* words that were left, of a process that reads only some events */
  char analyses[CAB_CHOICE_FULL_BYTES];   /* what the process was asked to analyse, with all
					     arguments (choice.h) */
  uint32_t *sets, n_sets;    /* by arena of the part: its set; arenas from n_sets on have set 0 */
  struct cab_part_arena_part *keys;   /* by arena of the part; arenas from n_keys on are whole */
  uint32_t n_keys;
  struct cab_live_rings *live;   /* set while the part of a running process is read */
  bool shapes, rows;         /* some analyses take accesses by shape (shapes), or one by one
				(rows) */
};

/* Return true if ANALYSIS is in FINISH->analyses. */
bool cab_finish_chose (const struct cab_finish *finish, const char *analysis);

/* Return true if the process had a state of ANALYSIS for each set of regions
   (rt/engine/feed/feed_sets.h). */
bool cab_finish_is_split (const struct cab_finish *finish, const struct cab_analysis *analysis);

/* Return the arguments that ANALYSIS got in the process, in BUFFER; "" if it got none. */
const char *cab_finish_arguments (const struct cab_finish *finish,
				  const struct cab_analysis *analysis,
				  char buffer[CAB_CHOICE_BYTES]);

/* Load the states of PART and apply to them what its rings still held. */
void cab_finish_part (struct cab_finish *finish, const struct cab_part *part);
void cab_finish_fini (struct cab_finish *finish);

/* Begin to feed events from another source than rings, such as a recorded trace, in the order of
   each ring from its first event on.  FINISH gets the states of ANALYSES as if they had been fed in
   the process; n_finished and the other counts cover all events.  PART may grow meanwhile. */
struct cab_finish_stream *cab_finish_stream_new (struct cab_finish *finish,
						 const struct cab_part *part, const char *analyses,
						 const struct cab_decode_records *records);
/* Feed the N words at WORDS, which THREAD wrote to RING. */
void cab_finish_stream_words (struct cab_finish_stream *stream, uint32_t ring, uint32_t thread,
			      const uint64_t *words, size_t n);
/* Free STREAM.  Its states stay, until cab_finish_fini. */
void cab_finish_stream_free (struct cab_finish_stream *stream);

/* Return true if HEADER, of the ring of a dead process, is possible for a ring of BYTES bytes. */
bool cab_finish_sound (const struct cab_ring_header *header, uint64_t bytes);
/* Return how many of the N words of a CAB ring from WORDS on precede the first that was not
   written. */
uint64_t cab_finish_written (const uint64_t *words, uint64_t n);

/* Set NAMES, of SIZE bytes, to the analyses that a process with the options OPTIONS was asked
   for. */
void cab_finish_chosen (const char *options, char *names, size_t size);

#endif
