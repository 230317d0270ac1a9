/* match.h - match the functions of two profiles.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      by assembler name, then by how many trailing components of their files' names agree:
 *             neither by line nor by shape, since both change from one build to the next.  Where
 *             one function of a name is left on each side, it moved to another file.  Builds of a
 *             function within one profile (twins) are one; what records a build's accesses (beside)
 *             is no build of its own.
 * Shapes:     a pair's functions are of[side][first[side] .. first[side] + n[side] - 1]; n = 0:
 *             absent on that side. pair_of[side][function's index] is its pair.
 * Ownership:  the caller's, until cab_match_fini; models must outlive it.
 */
#ifndef CAB_MATCH_H
#define CAB_MATCH_H

#include "analyses/profile/model.h"

struct cab_pair
{
  uint32_t first[2], n[2];
};

struct cab_match
{
  const struct cab_model *model[2];
  struct cab_function **of[2];
  uint32_t *pair_of[2];
  struct cab_pair *pairs;
  uint32_t n_pairs;
};

/* Match the functions of A, side 0, with those of B, side 1. */
void cab_match_init (struct cab_match *match, const struct cab_model *a, const struct cab_model *b);
void cab_match_fini (struct cab_match *match);

/* Return a function that represents the pair, of the second side if there is one. */
const struct cab_function *cab_match_face (const struct cab_match *match,
					   const struct cab_pair *pair);
/* Return true if the pair has one build on each side, and both have the same graph.  (A record's
   checksum differs even where only lines moved.) */
bool cab_match_same_shape (const struct cab_match *match, const struct cab_pair *pair);

#endif
