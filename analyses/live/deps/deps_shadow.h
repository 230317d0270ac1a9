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
/* Do the same where such units exist, within a change; none if they do not. */
struct cab_deps_units cab_deps_units_at (const struct cab_arena *arena, uint64_t address,
					 unsigned from, unsigned to);
/* Return the page of the memory at ADDRESS; null if it has none. */
struct cab_deps_page *cab_deps_page_at (const struct cab_arena *arena, uint64_t address);
/* Return it, making it if need be; null if there is no room.  May move the arena. */
struct cab_deps_page *cab_deps_make_page (struct cab_arena *arena, uint64_t address);
/* Return the slots to which REF refers; null if there are none. */
struct cab_deps_slot *cab_deps_slot_at (const struct cab_arena *arena, uint32_t ref);
/* Return a reference to the slots of a line whose units were HALVED times, all zero; 0 if there is
   no room.  May move the arena. */
uint32_t cab_deps_take_slots (struct cab_arena *arena, unsigned halved);
/* Use the slots of REF again, which no line refers to, and their cells. */
void cab_deps_give_slots (struct cab_arena *arena, uint32_t ref);
/* Return 1 + the index of a new cell with READ and MORE, outside of a change; 0 if there is no
   room.  May move the arena. */
uint64_t cab_deps_copy_cell (struct cab_arena *arena, uint64_t read, uint64_t more);
/* Free the cells after MORE, outside of a change. */
void cab_deps_free_cells (struct cab_arena *arena, uint64_t more);
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
