/* layout_affinity.h - which members of the same instance are used together, from the sequence of
 * accesses in a trace.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      an access to a member is together with another member of the same instance (structure
 *             and address) if that one is among the CAB_AFFINITY_NEAR accesses to members that the
 *             thread made before; it counts once, however often the other one is there.  TOGETHER
 *             of two units is how often either was accessed so.  The start of an instance follows
 *             from an access's address and its member.  For an element of an array in a structure
 *             it is not known; such an access counts for a recent instance that has the address in
 *             that array, else not at all.  An access that covers several units counts for each, in
 *             order.
 * Ownership:  layouts must outlive it.
 */
#ifndef CAB_LAYOUT_AFFINITY_H
#define CAB_LAYOUT_AFFINITY_H

#include "analyses/layout/layout.h"

/* The number of a thread's latest accesses that can be together with the next one. */
#define CAB_AFFINITY_NEAR 32

struct cab_affinity;
/* Return an empty affinity. */
struct cab_affinity *cab_affinity_new (void);
/* Free AFFINITY. */
void cab_affinity_free (struct cab_affinity *affinity);

/* Record that THREAD accessed BYTES at ADDRESS, which are at OFFSET of an instance of LAYOUT or,
   with IS_ELEMENT, somewhere in the array at OFFSET. */
void cab_affinity_feed (struct cab_affinity *affinity, uint32_t thread, struct cab_layout *layout,
			uint64_t address, uint64_t bytes, uint64_t offset, bool is_element);
/* Return the number of accesses that were fed, and set *UNKNOWN to how many of them had no known
   instance. */
uint64_t cab_affinity_accesses (const struct cab_affinity *affinity, uint64_t *unknown);

/* Clear `together' of all LAYOUTS, which the sequence of accesses then fills. */
void cab_affinity_begin (struct cab_layouts *layouts);
/* Mark all LAYOUTS as measured by instance, and make plans from that. */
void cab_affinity_end (struct cab_layouts *layouts);

#endif
