/* deps_sources.h - what an access to a line depends on.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_DEPS_SOURCES_H
#define CAB_DEPS_SOURCES_H

#include "analyses/live/deps/deps_loops.h"
#include "analyses/live/deps/deps_rows.h"
#include "analyses/live/deps/deps_shadow.h"

/* An access to bytes [from, to) of the line at `address', by access `site'. */
struct cab_deps_access
{
  uint64_t address;
  unsigned from, to;
  uint32_t site;
  bool writes;
};

/* An access by SITE that happens NOW, at NODE, within CHANGE. */
struct cab_deps_touch
{
  struct cab_change *change;
  struct cab_deps_now now;
  uint32_t site, node;
  bool writes;
  uint64_t times;             /* it is counted so often */
};

/* Return the stamp of T. */
static inline uint64_t
cab_deps_stamp (const struct cab_deps_touch *t)
{
  return t->now.time << CAB_DEPS_SITE_BITS | t->site;
}

/* Return up to which level a read that happens NOW is covered by the write whose stamp is WRITE. */
static inline unsigned
cab_deps_cover_by (const struct cab_deps_state *s, const struct cab_deps_now *now, uint64_t write)
{
  struct cab_deps_position p = cab_deps_position_of (s, now, write >> CAB_DEPS_SITE_BITS);
  return p.level - p.carried;
}

/* Count N times that T depends as KIND on the access that STAMP says, at NODE.  COVER: of a read,
   up to which level of the loops it had read what was written in the same iteration.  For at most
   CAB_DEPS_NEW_ROWS different dependences in a change; one more makes it fail. */
void cab_deps_count_row (const struct cab_deps_touch *t, enum cab_deps_kind kind, uint64_t stamp,
			 uint32_t node, uint32_t cover, uint64_t n);
/* Apply T to the N units at AT: count what it depends on, once for each that is the same, times
   T->times, and store its stamp. */
void cab_deps_touch (const struct cab_deps_touch *t, uint64_t at, unsigned n);
/* Apply the access A as a change.  PART: what the number of lines done becomes; ENDS: the offset of
   the word that counts the event, which is over; 0: it is not.  Return false if there is no room;
   then nothing has changed. */
bool cab_deps_apply (struct cab_arena *arena, const struct cab_deps_access *a, uint64_t part,
		     uint64_t ends);

#endif
