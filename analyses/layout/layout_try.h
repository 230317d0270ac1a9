/* layout_try.h - what if: accesses of a run, tried on the proposed layouts of its structures.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the accesses go through three or four times the same simulated caches: as the program
 *             made them; with blocks of memory where a model of malloc (layout_heap.h) has them;
 *             with structures as proposed, blocks in the same model; and, if asked for, with arrays
 *             of structures as structures of arrays (layout_arrays.h), all else as it is, in the
 *             same model.  So the second tells how good the model is, and the others against the
 *             second what they bring. An access to a member lies, as proposed, where its member
 *             does; one to a cold member is preceded by a read of the pointer to the cold part.
 *             One that covers several members becomes one of each part's range.  Structures outside
 *             of blocks (variables, the stack) keep their distances in instances.  What is of no
 *             structure that changes stays where it is in its block, or where it is at all. In
 *             arrays are instances in blocks of two or more, in variables (layout_statics.h), and
 *             in structures in either (layout_nested.h); others stay as they are. Ranges, as of
 *             memcpy, touch each line.  All threads of a process have one hierarchy of caches, in
 *             the order of the trace.
 * Ownership:  layouts must outlive it.
 */
#ifndef CAB_LAYOUT_TRY_H
#define CAB_LAYOUT_TRY_H

#include "analyses/layout/layout.h"
#include "analyses/layout/layout_statics.h"
#include "cabprof/cachesim.h"

struct cab_try_access
{
  uint64_t address, bytes, other;    /* other: MOVED, the old block */
  unsigned form;                     /* enum cab_row_form */
  struct cab_layout *layout;         /* of the structure that it is of, or that is allocated; null:
					none */
  bool is_element;
  bool is_local;                     /* allocated or released: a local variable */
  uint64_t offset;
};

enum { CAB_TRY_RAN, CAB_TRY_SAME, CAB_TRY_PROPOSED, CAB_TRY_ARRAYS, CAB_TRY_N };

struct cab_try;
/* The caches of CONFIG, which are not cachegrind's: no access is cut.  VARIABLES null:
   CAB_TRY_ARRAYS is not asked for, and has no counts.  Null: the caches are impossible, DIAG says
   why. */
struct cab_try *cab_try_new (const struct cab_cachesim_config *config,
			     const struct cab_layout_variables *variables, struct cab_diag *diag);
void cab_try_feed (struct cab_try *try, const struct cab_try_access *access);
/* Accesses and misses, of reads and writes, in sum: misses[0] of D1, then of the shared caches of
   the configuration. */
struct cab_try_counts
{
  uint64_t accesses, misses[CAB_CACHESIM_LEVELS_MAX];
};
void cab_try_counts (struct cab_try *try, struct cab_try_counts counts[CAB_TRY_N]);
/* Accesses to structures whose place in their instance was not to be known: they are tried where
   they were. */
uint64_t cab_try_unknown (const struct cab_try *try);
/* Accesses to members of instances, in arrays of which CAB_TRY_ARRAYS has structures of arrays; and
   those to others of the same structures, which stay as they are. */
uint64_t cab_try_in_arrays (const struct cab_try *try, uint64_t *others);
void cab_try_free (struct cab_try *try);

#endif
