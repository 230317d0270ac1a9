/* feed_serial.h - states that have the events of all rings (CAB_SHARD_SERIAL in analysis.h).
 *
 * Model:      the process has one state for each such analysis.  Each chunk of a ring is fed to it
 *             whole, after all other analyses have had it, by runs, so that its events are in
 *             program order, whatever their kinds.  A lock is held from before the chunk is written
 *             to a trace until the ring's tail has moved.  So the order of chunks is that of the
 *             trace, and a process that is killed has fed part of a chunk of one ring at most:
 *             CAB_EXT_ARENA_PARTS says of which one, and how many events the state had been fed at
 *             that ring's tail.
 * Threads:    under a ring's consumer lock.  The lock of serial states is taken after that, and
 *             before the runtime's.
 * Errors:     as feed_arenas.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_SERIAL_H
#define CAB_RT_FEED_SERIAL_H

#include "rt/engine/feed/feed.h"

/* Note the serial ones of the analyses that were chosen.  Once, before there are rings. */
void cab_feed_serial_choose (const struct cab_selection *chosen);
/* Return true if there are any. */
bool cab_feed_serial_any (void);
/* Return the state of ANALYSIS, or null if it is not one of them. */
struct cab_feed_state *cab_feed_serial_state (const struct cab_analysis *analysis);

/* Take the lock, if there are serial states. */
void cab_feed_serial_lock (void);
/* Take it for events of ring RING, whose tail has the parity BANK. */
void cab_feed_serial_begin (uint32_t ring, unsigned bank);
/* Record in BANK how many events the states have been fed, before the tail moves.  Between begin
   and end. */
void cab_feed_serial_note (unsigned bank);
/* Give the lock back. */
void cab_feed_serial_end (void);

/* Record that S has events of more than one set of regions.  Without the lock. */
void cab_feed_serial_unsplit (struct cab_feed_state *s);
/* Give back the addresses that the states reserve and do not use.  Under the runtime's lock. */
void cab_feed_serial_spare_addresses (void);
/* Forget all states in a forked child. */
void cab_feed_serial_fork (void);

#endif
