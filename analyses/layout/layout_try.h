/* layout_try.h - a trial of the proposed layouts of structures on the accesses of a run.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the accesses pass three or four times through the same simulated caches: as the
 *             program made them; with blocks where a model of malloc (layout_heap.h) places them;
 *             with structures as proposed and blocks in the same model; and, if asked for, with
 *             arrays of structures as structures of arrays (layout_arrays.h), all else unchanged,
 *             in the same model.  The second shows how good the model is; the others compare with
 *             the second.  An access to a member goes, as proposed, to the member's new place; one
 *             to a cold member is preceded by a read of the pointer to the cold part.  One that
 *             covers several members becomes one access to the range in each part.  Structures
 *             outside of blocks (variables, the stack) keep their distances in instances.  What
 *             belongs to no structure that changes stays where it is in its block or outside.
 *             Instances count as in arrays if they are in blocks of two or more, in variables
 *             (layout_statics.h), and in structures in either (layout_nested.h); others stay as
 *             they are.  Ranges, as of memcpy, touch each line.  All threads of a process share one
 *             hierarchy of caches, in the order of the trace.
 * Ownership:  layouts must outlive it.
 */
#ifndef CAB_LAYOUT_TRY_H
#define CAB_LAYOUT_TRY_H

#include "analyses/layout/layout.h"
#include "analyses/layout/layout_statics.h"
#include "cabprof/cachesim.h"

/* An access, an allocation or a release. */
struct cab_try_access
{
  uint64_t address, bytes, other;    /* other: for CAB_ROW_MOVED, the old block */
  unsigned form;                     /* enum cab_row_form */
  struct cab_layout *layout;         /* of the structure that is accessed or allocated; null:
					none */
  bool is_element;
  bool is_local;                     /* for an allocation or release: of a local variable */
  uint64_t offset;
};

/* The passes: as the program ran, in the model of malloc, as proposed, with structures of
   arrays. */
enum { CAB_TRY_RAN, CAB_TRY_SAME, CAB_TRY_PROPOSED, CAB_TRY_ARRAYS, CAB_TRY_N };

struct cab_try;
/* Return a trial with the caches of CONFIG, whose model must not be cachegrind's, as no access is
   cut.  With VARIABLES null, CAB_TRY_ARRAYS is not tried and has no counts.  Return null if the
   caches are impossible; DIAG says why. */
struct cab_try *cab_try_new (const struct cab_cachesim_config *config,
			     const struct cab_layout_variables *variables, struct cab_diag *diag);
/* Feed ACCESS to all passes. */
void cab_try_feed (struct cab_try *try, const struct cab_try_access *access);
/* Accesses and misses, reads and writes added up.  misses[0] is of D1, the others are of the shared
   caches of the configuration. */
struct cab_try_counts
{
  uint64_t accesses, misses[CAB_CACHESIM_LEVELS_MAX];
};
/* Set COUNTS to the counts of each pass. */
void cab_try_counts (struct cab_try *try, struct cab_try_counts counts[CAB_TRY_N]);
/* Return the number of accesses to structures whose place in their instance is not known; they are
   tried where they were. */
uint64_t cab_try_unknown (const struct cab_try *try);
/* Return the number of accesses to members of instances in arrays that CAB_TRY_ARRAYS has as
   structures of arrays.  Set *OTHERS to those to other instances of the same structures, which do
   not change. */
uint64_t cab_try_in_arrays (const struct cab_try *try, uint64_t *others);
/* Free TRY. */
void cab_try_free (struct cab_try *try);

#endif
