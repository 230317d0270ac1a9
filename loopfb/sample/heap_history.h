/* heap_history.h - read what the preloaded library has written about a process's heap
 * (loopfb/preload/heap_log.h).
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a history is the events of one process while it executed one program, and those of
 *             the processes from which it was forked, up to the forks.  The files are hostile
 *             input; what cannot be an event is skipped.
 * Ownership:  cab_heap_history_fini frees the events; a history of zeros is empty.
 */
#ifndef CAB_HEAP_HISTORY_H
#define CAB_HEAP_HISTORY_H

#include "loopfb/sample/heap_blocks.h"

struct cab_heap_history
{
  size_t n, room;
  struct cab_block_event *events;
  uint64_t full;             /* from this time on events are missing; UINT64_MAX: never */
  bool seen;                 /* there is a log, of a program that has no allocator of its own */
};

void cab_heap_history_init (struct cab_heap_history *history);
void cab_heap_history_fini (struct cab_heap_history *history);

/* Add the events of process PID in DIRECTORY that are in files made from time FROM on and are
   before UNTIL. */
void cab_heap_history_read (struct cab_heap_history *history, const char *directory, uint32_t pid,
			    uint64_t from, uint64_t until);

/* Return the number of events in DIRECTORY's logs that found no room. */
uint64_t cab_heap_history_lost (const char *directory);
/* Remove the logs in DIRECTORY. */
void cab_heap_history_remove (const char *directory);

#endif
