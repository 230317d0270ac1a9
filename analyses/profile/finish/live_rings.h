/* live_rings.h - which rings of a running process can be read to their end.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a ring holds still while its consumer has nothing to do: then the states of its
 *             analyses do not change, and what its producer has written after the tail is complete
 *             up to the cursor (profile.h).  The headers of all rings are read before the states
 *             are copied, and again after the ring's words are: a ring whose tail and head are the
 *             same both times held still.  A ring that was being drained is left to its consumer,
 *             which reaches its events soon.
 * Threads:    the process may do anything meanwhile.
 * Errors:     a ring that cannot be read did not hold still.
 */
#ifndef CAB_LIVE_RINGS_H
#define CAB_LIVE_RINGS_H

#include "analyses/profile/part.h"

struct cab_live_rings;
struct cab_live_ring;

/* Read the headers of PART's rings, waiting some milliseconds for consumers that have work.  Call
   this before any state is copied. */
struct cab_live_rings *cab_live_rings_new (const struct cab_part *part);
void cab_live_rings_free (struct cab_live_rings *rings);

/* Return ring NUMBER, or null. */
struct cab_live_ring *cab_live_ring_of (struct cab_live_rings *rings, uint32_t number);

/* Return true if RING has held still since its header was read, and then set the header in COPY, a
   copy of its area of BYTES bytes, to the one that vouches for the words there. */
bool cab_live_ring_holds (const struct cab_live_ring *ring, void *copy, uint64_t bytes);

#endif
