/* state_rows.h - what a row of each analysis adds to the rows of a state: for the states
 * themselves, and for their models.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_STATE_ROWS_H
#define CAB_TEST_STATE_ROWS_H

#include <stdbool.h>
#include "testsuite/unit/analysis_events.h"
#include "analyses/live/an_blocks.h"
#include "analyses/live/an_loops.h"
#include "analyses/live/an_sharing.h"

/* Add each number that a state has of a loop as a row. */
void add_loop (struct rows *rows, uint32_t fn, uint32_t loop, const struct cab_loop_sums *sums,
	       const uint64_t *log2);
void add_blocks (struct rows *rows, uint32_t site, uint32_t node,
		 const struct cab_blocks_sums *sums);
void add_access (struct rows *rows, uint32_t number, unsigned form, uint64_t n, uint64_t bytes);
void add_sharing (struct rows *rows, const struct cab_sharing_row *row);
void add_cache (struct rows *rows, uint64_t number, const uint64_t accesses[2],
		const uint64_t *missed, uint64_t others);
/* Return the key of a row of `offenders': BLOCK 0 for none. */
uint64_t offender (uint32_t number, uint32_t node, uint64_t block);
uint64_t offending_block (uint32_t allocation, uint32_t node);
struct cab_join_row;
/* Add a row of `join', without its thread. */
void add_join (struct rows *rows, const struct cab_join_row *row);
void add_context (struct rows *rows, uint64_t what, uint32_t node, uint64_t n, uint64_t sum);

#endif
