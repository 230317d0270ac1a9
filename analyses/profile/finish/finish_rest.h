/* finish_rest.h - one ring that is being finished; for finish.c, finish_words.c and
 * finish_stream.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_FINISH_REST_H
#define CAB_FINISH_REST_H

#include "analyses/profile/finish/finish.h"
#include "analyses/live/context.h"

struct cab_finish_keyed;
struct cab_level_rows;

#define CAB_FINISH_KINDS (CAB_EV_TIMED + 1)   /* of batches, and CAB_SEEN_LOOP_ROWS */

struct cab_finish_rest
{
  struct cab_finish *finish;
  const struct cab_part *part;
  uint32_t number;
  const struct cab_ring_header *header;
  const uint64_t *slots;
  uint64_t n_slots;
  uint64_t seen[CAB_FINISH_KINDS];       /* by batch kind: events that analyses had been fed up to
					    `tail' */
  uint64_t found[CAB_FINISH_KINDS];      /* by batch kind: events found after `tail' so far */
  struct cab_decode *decode;
  struct cab_context *context;           /* null: no analysis wants nodes */
  uint64_t placed[CAB_FINISH_KINDS];     /* by batch kind, like `found': events that came with
					    their nodes, or went to the tree that knows these */
  uint32_t row_flags, n_functions;       /* CAB_ROW_* that any of the part's first N_FUNCTIONS
					    functions has */
  uint64_t levelled;                     /* rows with levels, up to `tail' and found after it */
  struct cab_level_rows *level_rows;     /* null until rows with levels are fed */
  struct cab_finish_keyed *keyed;        /* null until a state's part is fed */
};

/* Return the analysis of ITEM of a list of analyses, or null if it is not known.  An analysis that
   the profile names is loaded by its name only. */
const struct cab_analysis *cab_finish_analysis (const char *item);
/* Return the state of ANALYSIS for this ring and for the set of regions that its words belong to,
   or null if the process had not created it. */
struct cab_finish_arena *cab_finish_find (struct cab_finish_rest *rest,
					  const struct cab_analysis *analysis);
/* Return the same for part PART of N_PARTS; 0 of 0: a whole state. */
struct cab_finish_arena *cab_finish_find_part (struct cab_finish_rest *rest,
					       const struct cab_analysis *analysis, uint32_t part,
					       uint32_t n_parts);
/* Return the same state as cab_finish_find_part, created if the process had not done so. */
struct cab_finish_arena *cab_finish_part_of (struct cab_finish_rest *rest,
					     const struct cab_analysis *analysis, uint32_t part,
					     uint32_t n_parts);
/* Return the same state as cab_finish_find, created if the process had not done so. */
struct cab_finish_arena *cab_finish_arena_of (struct cab_finish_rest *rest,
					      const struct cab_analysis *analysis);
/* Set `shapes' and `rows' to whether analyses of the process take accesses by shape, or one by
   one. */
void cab_finish_note_accesses (struct cab_finish *finish);

#endif
