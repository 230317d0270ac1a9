/* deps_sources.h - what an access to a line depends on, and the rows that count it.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_DEPS_SOURCES_H
#define CAB_DEPS_SOURCES_H

#include "analyses/live/deps/an_deps.h"
#include "analyses/live/deps/deps_shadow.h"

/* An access to bytes [from, to) of the line at `address', by access `site'. */
struct cab_deps_access
{
  uint64_t address;
  unsigned from, to;
  uint32_t site;
  bool writes;
};

/* Apply the access A.  PART: what the number of lines done becomes; ENDS: the event is over, and
   counts.  Return false if there is no room; then nothing has changed. */
bool cab_deps_apply (struct cab_arena *arena, const struct cab_deps_access *a, uint64_t part,
		     bool ends);
/* Return the row of these sites and this place, making it with count 0 if need be; null if there is
   no room.  May move the arena. */
struct cab_deps_entry *cab_deps_entry_of (struct cab_arena *arena, uint64_t sites, uint64_t place);
/* Store what SITES and PLACE, of an entry, say to ROW, except for the count; and the reverse. */
void cab_deps_unpack (uint64_t sites, uint64_t place, struct cab_deps_row *row);
void cab_deps_pack (const struct cab_deps_row *row, uint64_t *sites, uint64_t *place);

#endif
