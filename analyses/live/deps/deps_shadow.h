/* deps_shadow.h - the shadow of memory: lines and their units; see deps_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      Lines are made, divided and cleared outside of changes: doing that again changes
 *             nothing.  A process that dies meanwhile leaves slots and cells unused, at worst.
 */
#ifndef CAB_DEPS_SHADOW_H
#define CAB_DEPS_SHADOW_H

#include "analyses/live/deps/deps_state.h"

/* Units of a line: N of them, each of 2^log2 bytes, from OFFSET of the arena on. */
struct cab_deps_units
{
  uint64_t offset;            /* 0: there are none */
  unsigned log2;
};

/* Return the units of bytes [FROM, TO) of the line at ADDRESS, which is a multiple of the line's
   length, making or dividing it so that none of them has other bytes as well.  None if there is no
   room.  May move the arena. */
struct cab_deps_units cab_deps_units_of (struct cab_arena *arena, uint64_t address, unsigned from,
					 unsigned to);
/* Make room for N more cells in addition to those that are free.  Return false if there is none.
   May move the arena. */
bool cab_deps_cells_for (struct cab_arena *arena, uint64_t n);
/* Return cell INDEX; null if there is none. */
struct cab_deps_cell *cab_deps_cell_at (const struct cab_arena *arena, uint64_t index);
/* Forget all of [START, END).  May move the arena. */
void cab_deps_clear (struct cab_arena *arena, uint64_t start, uint64_t end);
/* Forget everything. */
void cab_deps_forget (struct cab_arena *arena);

#endif
