/* deps_formula.h - lines of the shadow whose units have stamps in arithmetic progression; see
 * deps_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A stretch goes through lines one unit in each iteration, so what it leaves in the
 *             units of a line is an arithmetic progression, and so is what was there before if a
 *             stretch has left it.  Then one look at both ends says what all of them depend on.
 */
#ifndef CAB_DEPS_FORMULA_H
#define CAB_DEPS_FORMULA_H

#include "analyses/live/deps/deps_sources.h"

/* Lines [first, end) of a page, all with the reference REF, which is 0 or a formula's: a stretch
   goes through their units, of 2^log2 bytes each, from number `unit' on. */
struct cab_deps_lines
{
  uint64_t page;              /* offset of the page */
  unsigned first, end, log2;
  uint32_t ref;
  uint64_t unit;
};

/* Return formula REF; null if there is none. */
struct cab_deps_formula *cab_deps_formula_at (const struct cab_arena *arena, uint32_t ref);
/* Apply to LINES the accesses that are T in the first unit, and AT_END in the last one.  Return
   false, having done nothing, if their units do not all depend on the same, or what they have from
   now on is no formula. */
bool cab_deps_formula_touch (const struct cab_deps_lines *lines, const struct cab_deps_touch *t,
			     const struct cab_deps_touch *at_end);
/* Make slots of the formula of LINE, within CHANGE, which may fail. */
void cab_deps_formula_expand (struct cab_change *change, uint64_t page, unsigned line,
			      uint64_t address);
/* Do so outside of changes for the line at ADDRESS.  Return a reference to the slots; 0 if there is
   no room.  May move the arena. */
uint32_t cab_deps_formula_to_slots (struct cab_arena *arena, uint64_t address);
/* Make a formula of the slots of the line at ADDRESS if their units, of 2^LOG2 bytes, have one,
   outside of changes.  May move the arena. */
void cab_deps_formula_find (struct cab_arena *arena, uint64_t address, unsigned log2);

#endif
