/* deps_rows.h - the rows that count dependences: a hash table.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_DEPS_ROWS_H
#define CAB_DEPS_ROWS_H

#include "analyses/live/deps/an_deps.h"
#include "analyses/live/deps/deps_state.h"

/* How many rows a change may make. */
#define CAB_DEPS_NEW_ROWS 512u

/* Make room for CAB_DEPS_NEW_ROWS more rows.  Return false if there is none.  May move the
   arena. */
bool cab_deps_rows_for (struct cab_arena *arena);
/* Return the row of these sites and this place, making it with count 0 if need be; null if the
   table would have to grow. */
struct cab_deps_entry *cab_deps_row_of (struct cab_arena *arena, uint64_t sites, uint64_t place);
/* Do the same, and make the table grow if need be; null if there is no room.  May move the
   arena. */
struct cab_deps_entry *cab_deps_entry_of (struct cab_arena *arena, uint64_t sites, uint64_t place);
/* Store what SITES and PLACE, of an entry, say to ROW, except for the count; and the reverse. */
void cab_deps_unpack (uint64_t sites, uint64_t place, struct cab_deps_row *row);
void cab_deps_pack (const struct cab_deps_row *row, uint64_t *sites, uint64_t *place);

#endif
