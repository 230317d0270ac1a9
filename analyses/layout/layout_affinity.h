/* layout_affinity.h - which members of the same instance are used together: from the sequence of
 * accesses in a trace.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      an access to a member is together with another member if that one, of the same
 *             instance (structure and address), is among the CAB_AFFINITY_NEAR accesses to members
 *             that the thread has made before; once, however often it is there.  TOGETHER of two
 *             units is how often either was accessed so.  Where an instance begins is what an
 *             access's address and its member say.  Of an element of an array in a structure that
 *             is not known; it counts for an instance that is near and has the address in that
 *             array, else not at all.  An access that covers several units counts for each, in
 *             order.
 * Ownership:  layouts must outlive it.
 */
#ifndef CAB_LAYOUT_AFFINITY_H
#define CAB_LAYOUT_AFFINITY_H

#include "analyses/layout/layout.h"

#define CAB_AFFINITY_NEAR 32

struct cab_affinity;
struct cab_affinity *cab_affinity_new (void);
void cab_affinity_free (struct cab_affinity *affinity);

/* THREAD has accessed BYTES at ADDRESS, which are at OFFSET of an instance of LAYOUT; with
   IS_ELEMENT, somewhere in the array at OFFSET. */
void cab_affinity_feed (struct cab_affinity *affinity, uint32_t thread, struct cab_layout *layout,
			uint64_t address, uint64_t bytes, uint64_t offset, bool is_element);
/* Accesses that it was fed, and of these the ones that no instance was known of. */
uint64_t cab_affinity_accesses (const struct cab_affinity *affinity, uint64_t *unknown);

/* `together' of all LAYOUTS is zero from now on: it is to be told by the sequence. */
void cab_affinity_begin (struct cab_layouts *layouts);
/* It was: the layouts say so, and have plans that follow from it. */
void cab_affinity_end (struct cab_layouts *layouts);

#endif
