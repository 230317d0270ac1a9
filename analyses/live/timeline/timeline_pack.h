/* timeline_pack.h - an event of a timeline as bytes.
 *
 * Shapes:     numbers are packed in sevens of bits, the low ones first, with bit 7 set in all bytes
 *             but the last.  First the time since the event before, << 4, and flags; then, as the
 *             flags say, the depth; the function; of an entry the call site.  An end of the
 *             function of the event before, at the depth that follows from it, takes two bytes if
 *             it is less than 1,024 units of the clock later.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_TIMELINE_PACK_H
#define CAB_TIMELINE_PACK_H

#include "analyses/live/timeline/an_timeline.h"

#define CAB_TIMELINE_EVENT_MOST 24u   /* bytes of an event; more than there can be */

/* Write EVENT, which follows what AT says, to TO, and move AT past it.  A time before that of AT
   becomes that of AT.  Return the end of the bytes. */
unsigned char *cab_timeline_pack (unsigned char *to, struct cab_timeline_at *at,
				  struct cab_timeline_event event);

/* Read an event that ends before END from *FROM, and move both past it.  Return false if there is
   none. */
bool cab_timeline_unpack (const unsigned char **from, const unsigned char *end,
			  struct cab_timeline_at *at, struct cab_timeline_event *event);

#endif
