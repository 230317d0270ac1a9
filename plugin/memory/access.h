/* access.h - regions of accesses: which are sent together, and the code that sends them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a region is a straight piece of code, or a loop, whose accesses one event records.
 * Units:      indices of accesses are those of struct cab_memory.
 */
#ifndef CABPROF_MEMORY_ACCESS_H
#define CABPROF_MEMORY_ACCESS_H

#include "plugin/memory/plan.h"

/* Find the regions of cfun.  With "memory-proof" each access has two: one as the encoding has it,
   one by itself. */
extern void cab_accesses_find (struct cab_memory *m);
/* Emit the code of all regions and acyclic regions. */
extern void cab_accesses_emit (struct cab_memory *m);
/* Free the accesses, regions and acyclic regions of M. */
extern void cab_accesses_free (struct cab_memory *m);

/* Return true if BB is in one of LOOPS. */
extern bool cab_access_is_in (const vec<class loop *> &loops, basic_block bb);
/* Return true if STMT ends a region: accesses before and after it are not sent together. */
extern bool cab_access_region_ends (gimple *stmt);

/* Add a word of kind IS with VALUE for access ACCESS to REGION.  Return its index. */
extern int cab_access_add_word (struct cab_memory_region *region, unsigned access,
				enum cab_word_is is,
				tree value);
/* Find or add the word of REGION that gives the address of ACCESS, whose index is INDEX; set its
   `word' and `offset'. */
extern void cab_access_base_word (struct cab_memory_region *region, unsigned index,
				  struct cab_memory_access *access,
				  hash_map<tree, name_expansion *> **expansions);
/* Append the computation of EXPRESSION to SEQ; return the value. */
extern tree cab_access_value (gimple_seq *seq, tree expression);
/* Return true if the address COMBINATION is a constant distance, *OFFSET, after the one that WORD
   sends. */
extern bool cab_access_word_offset (const struct cab_region_word *word, const aff_tree *combination,
				    HOST_WIDE_INT *offset);
/* Insert SEQ before BEFORE, or else on ON, or else at the end of BB after what has been inserted
   there: the first that is not null decides. */
extern void cab_access_insert (gimple_seq seq, gimple *before, edge on, basic_block bb);

#endif
