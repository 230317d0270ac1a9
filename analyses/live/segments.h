/* segments.h - sparse tables inside an arena, indexed by number.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A table consists of segments: the first has 1,024 elements, the second as many, and
 *             each later one twice as many as its predecessor.  A segment is a table of space.h,
 *             made when the first number in it is needed.  It stays where it is and is never
 *             copied, so numbers that are never asked for take no space.  Elements are 0 at first.
 *             A state holds the offsets of the segments; 0 = none.  A new segment is complete
 *             before one 8-byte store makes it part of the table.
 * Threads:    as the arena: one at a time.
 * Ownership:  as the arena.  Whoever makes a segment has to take its addresses again, since the
 *             arena may have moved.
 * Errors:     null where the arena cannot grow, or where no segment can hold the number; nothing
 *             has changed then.
 */
#ifndef CAB_SEGMENTS_H
#define CAB_SEGMENTS_H

#include "analyses/live/space.h"

#define CAB_SEGMENT_LEAST_LOG2 10u
#define CAB_SEGMENTS 19u   /* for numbers up to CAB_ACCESS_MAX */

/* The segments of one table, part of a state: offsets in the arena, 0 = not made. */
struct cab_segments
{
  uint64_t segment[CAB_SEGMENTS];
};

/* Return the index of the segment that holds element NUMBER; CAB_SEGMENTS or more if none can. */
static inline unsigned
cab_segment_of (uint32_t number)
{
  uint32_t leasts = number >> CAB_SEGMENT_LEAST_LOG2;
  return leasts ? 32 - __builtin_clz (leasts) : 0;
}

/* Return the number of the first element of segment K. */
static inline uint32_t
cab_segment_first (unsigned k)
{
  return k ? UINT32_C (1) << (CAB_SEGMENT_LEAST_LOG2 + k - 1) : 0;
}

/* Return how many elements segment K has. */
static inline uint32_t
cab_segment_capacity (unsigned k)
{
  return UINT32_C (1) << (CAB_SEGMENT_LEAST_LOG2 + (k ? k - 1 : 0));
}

/* Return element NUMBER, of ELEMENT bytes, or null if its segment has not been made. */
static inline void *
cab_segments_at (const struct cab_arena *arena, const struct cab_segments *s, uint32_t number,
		 size_t element)
{
  unsigned k = cab_segment_of (number);
  if (k >= CAB_SEGMENTS || !s->segment[k])
    return NULL;
  return (char *) cab_space_elements (arena, s->segment[k])
       + (size_t) (number - cab_segment_first (k)) * element;
}

/* Return element NUMBER, of ELEMENT bytes, of the struct cab_segments at offset AT of the arena,
   making its segment if need be.  Return null if there is no room.  May move the arena. */
static inline void *
cab_segments_make (struct cab_arena *arena, size_t at, uint32_t number, size_t element)
{
  unsigned k = cab_segment_of (number);
  if (k >= CAB_SEGMENTS)
    return NULL;
  if (!((struct cab_segments *) (arena->base + at))->segment[k])
    {
      uint64_t table = cab_space_table (arena, cab_segment_capacity (k), element);
      if (!table)
	return NULL;
      ((struct cab_segments *) (arena->base + at))->segment[k] = table;
      cab_space_order ();
    }
  return cab_segments_at (arena, (struct cab_segments *) (arena->base + at), number, element);
}

/* Return one more than the greatest number that a segment made so far can hold. */
static inline uint64_t
cab_segments_end (const struct cab_segments *s)
{
  unsigned k = CAB_SEGMENTS;
  while (k && !s->segment[k - 1])
    k--;
  return k ? (uint64_t) cab_segment_first (k - 1) + cab_segment_capacity (k - 1) : 0;
}

/* A table in segments, with elements of ELEMENT bytes; CAB_STATE_SEGMENTED is the most that a state
   may have. */
#define CAB_STATE_SEGMENTED 4
struct cab_state_segments
{
  const struct cab_segments *segments;
  size_t element;
};
/* Return nonzero if the N TABLES, which come from a file, are sound: each segment lies within the
   arena, overlaps neither another one nor the arena's first BYTES bytes, and has exactly as many
   elements as there are numbers in it, since later accesses do not check that. */
int cab_state_segments_ok (const struct cab_arena *arena, const struct cab_state_segments *tables,
			   int n, size_t bytes);

#endif
