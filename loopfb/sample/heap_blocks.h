/* heap_blocks.h - in which block of the heap an address lay at a given time.  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the events of a log are applied in the order of their times, those of equal times in
 *             the order of the log.  Each address that is asked for, in a sorted list, has the
 *             block that holds it at the time: a block ends with its release, or where another
 *             takes its bytes.  While an allocation runs (its memory is zeroed, or bytes are moved
 *             there) the new block is already found, with age 0.
 * Units:      ns of the clock of the log and of the samples.
 * Shapes:     questions ascend by time.  Events may be in any order and may be nonsense.
 * Ownership:  events and questions are the caller's; the events are sorted.
 */
#ifndef CAB_HEAP_BLOCKS_H
#define CAB_HEAP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An allocation or a release, of a log in loopfb/preload/heap_log.h. */
struct cab_block_event
{
  uint64_t time, began;        /* when it was noted; when the call began */
  uint64_t address, bytes, site;
  uint64_t order;              /* position in the log */
  bool released;
};

/* An address at a time, and the block that was found: bytes is 0 if there was none. */
struct cab_block_question
{
  uint64_t address, time;
  uint64_t site, bytes, offset, age;
};

/* Answer the N_ASKED questions ASKED from the N EVENTS. */
void cab_blocks_answer (struct cab_block_event *events, size_t n, struct cab_block_question *asked,
			size_t n_asked);

#endif
