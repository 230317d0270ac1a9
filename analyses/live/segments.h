/* segments.h - room inside an arena: tables by numbers of which few come.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a table is in segments, of 1,024 elements, as many once more, and then each of twice
 *             as many as the one before.  Each is a table of space.h's, made when the first number
 *             in it comes, that stays where it is, and is never copied: so what is never asked for
 *             takes no space.  Elements are 0 at first.  A state has the offsets of the segments; 0
 *             = none.  A new one is whole before one 8-byte store makes it part of the table.
 * Threads:    as the arena: one at a time.
 * Ownership:  as the arena: who made a segment has to ask for its addresses anew, since the arena
 *             may have moved.
 * Errors:     null where the arena cannot grow, or where no segment is for the number; nothing has
 *             changed then.
 */
#ifndef CAB_SEGMENTS_H
#define CAB_SEGMENTS_H

#include "analyses/live/space.h"

#define CAB_SEGMENT_LEAST_LOG2 10u
#define CAB_SEGMENTS 19u   /* for numbers up to CAB_ACCESS_MAX */

struct cab_segments
{
  uint64_t segment[CAB_SEGMENTS];
};

/* Which segment NUMBER is in.  The number of segment K's first element, and how many it has. */
static inline unsigned
cab_segment_of (uint32_t number)
{
  uint32_t leasts = number >> CAB_SEGMENT_LEAST_LOG2;
  return leasts ? 32 - __builtin_clz (leasts) : 0;
}

static inline uint32_t
cab_segment_first (unsigned k)
{
  return k ? UINT32_C (1) << (CAB_SEGMENT_LEAST_LOG2 + k - 1) : 0;
}

static inline uint32_t
cab_segment_capacity (unsigned k)
{
  return UINT32_C (1) << (CAB_SEGMENT_LEAST_LOG2 + (k ? k - 1 : 0));
}

/* Element NUMBER, of ELEMENT bytes; null where its segment has not been made. */
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

/* The same of those that are at offset AT of the arena; the segment is made if need be.  Null where
   there is no room. */
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

/* Behind the last element that there may be. */
static inline uint64_t
cab_segments_end (const struct cab_segments *s)
{
  unsigned k = CAB_SEGMENTS;
  while (k && !s->segment[k - 1])
    k--;
  return k ? (uint64_t) cab_segment_first (k - 1) + cab_segment_capacity (k - 1) : 0;
}

/* Are these N tables in segments, at most CAB_STATE_SEGMENTED, which come from a file, whole: does
   each segment lie within the arena, have as many elements as there are numbers in it, since nobody
   looks again, and keep off all others, and off the arena's first BYTES bytes? */
#define CAB_STATE_SEGMENTED 4
struct cab_state_segments
{
  const struct cab_segments *segments;
  size_t element;
};
int cab_state_segments_ok (const struct cab_arena *arena, const struct cab_state_segments *tables,
			   int n, size_t bytes);

#endif
