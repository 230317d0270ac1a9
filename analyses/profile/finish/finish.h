/* finish.h - the states of a process' analyses, with what its rings still held applied to them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "finishing" in include/cabprof/profile.h.
 * Model:      a process that was killed leaves events in its rings, and perhaps an analysis in the
 *             midst of a chunk.  Of each ring's events behind `tail`, an analysis gets those that
 *             its own account says it has not had: applied + lost - seen.  The same holds for a
 *             process that still runs, as far as nobody is at work on a ring while it is read
 *             (live_rings.h). Nothing is written to the part.
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
  uint32_t present;          /* likewise, but never 0 */
  struct cab_arena arena;    /* checked */
  uint32_t set;              /* of regions, whose events it has (cabprof/control.h), or
				CAB_SET_ANY */
  bool summed;               /* `elsewhere' is known: events that the other states of the ring's
				analysis have had */
  uint64_t elsewhere;
  bool in_step;              /* it has had all events so far and no later ones, so each that comes
				is new to it */
};

struct cab_finish
{
  uint32_t n_arenas, n_problems;
  struct cab_finish_arena *arenas;
  struct cab_diag *problems;
  /* What rings held behind their tails, which the process' ledger does not know: */
  uint64_t n_finished;       /* events that an analysis takes */
  uint64_t n_unwanted;       /* events that none takes */
  uint64_t n_unregistered;   /* events of functions, or of accesses, that are not known */
  uint64_t n_raw;            /* words that are no events */
  uint64_t n_accesses;       /* accesses that events told */
  uint64_t n_unpublished;    /* words that the ledger has not as enqueued */
  char analyses[CAB_CHOICE_FULL_BYTES];   /* what the process was asked to analyse, with all
					     arguments (choice.h) */
  uint32_t *sets, n_sets;    /* by arena of the part: its set; those behind have 0 */
  struct cab_live_rings *live;   /* while the part of a process that runs is read */
  bool shapes, rows;         /* do some of them take accesses by shape, and others one by one? */
};

/* Does ANALYSIS stand in FINISH->analyses? */
bool cab_finish_chose (const struct cab_finish *finish, const char *analysis);

/* Return true if the process had a state of ANALYSIS for each set of regions
   (rt/engine/feed/feed_sets.h). */
bool cab_finish_is_split (const struct cab_finish *finish, const struct cab_analysis *analysis);

/* The arguments that ANALYSIS got in the process, to BUFFER; "" where it got none. */
const char *cab_finish_arguments (const struct cab_finish *finish,
				  const struct cab_analysis *analysis,
				  char buffer[CAB_CHOICE_BYTES]);

void cab_finish_part (struct cab_finish *finish, const struct cab_part *part);
void cab_finish_fini (struct cab_finish *finish);

/* Events that come by another way, in each ring's order: those of a recorded trace, from the first
   one on.  FINISH gets the states of ANALYSES, as they would be had they been fed in the process;
   n_finished and its like count all events.  PART may grow meanwhile. */
struct cab_finish_stream *cab_finish_stream_new (struct cab_finish *finish,
						 const struct cab_part *part, const char *analyses,
						 const struct cab_decode_records *records);
void cab_finish_stream_words (struct cab_finish_stream *stream, uint32_t ring, uint32_t thread,
			      const uint64_t *words, size_t n);
/* The states stay, until cab_finish_fini. */
void cab_finish_stream_free (struct cab_finish_stream *stream);

/* Of the ring of a dead process: is its header what one of BYTES bytes can have?  Of a CAB ring:
   how many of the N words from WORDS on come before the first that was not written? */
bool cab_finish_sound (const struct cab_ring_header *header, uint64_t bytes);
uint64_t cab_finish_written (const uint64_t *words, uint64_t n);

/* The analyses that a process with the options OPTIONS was asked for. */
void cab_finish_chosen (const char *options, char *names, size_t size);

#endif
