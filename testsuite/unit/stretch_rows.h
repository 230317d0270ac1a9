/* stretch_rows.h - made-up rows of nested loops with stretches of iterations.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      accesses of several sizes, that go through a few arrays in steps of all kinds,
 *             forwards, backwards and not at all, so that those of a stretch often touch the same
 *             bytes; other accesses, and allocations, between the stretches.
 */
#ifndef CAB_TEST_STRETCH_ROWS_H
#define CAB_TEST_STRETCH_ROWS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

struct stretch_rows
{
  uint32_t n, room;
  uint8_t *form;
  uint32_t *site;
  uint64_t *address, *other, *bytes, *times, *step;
  uint32_t part, n_parts;       /* of the states that are fed; 0: there is only one */
};

/* Make about N rows, with stretches of at most TIMES iterations. */
struct stretch_rows make_stretch_rows (uint32_t n, uint64_t times);
void free_stretch_rows (struct stretch_rows *rows);
/* Return the row after the stretch, or the row alone, that begins with row I. */
uint32_t stretch_end (const struct stretch_rows *rows, uint32_t i);
/* Return how many events the first N rows stand for. */
uint64_t stretch_events (const struct stretch_rows *rows, uint32_t n);
/* Feed rows [FROM, TO), which cut no stretch, to ANALYSIS; SINGLY: each iteration by itself. */
void feed_stretch_rows (const struct cab_analysis *analysis, struct cab_arena *arena,
			const struct stretch_rows *rows, uint32_t from, uint32_t to, bool singly);

#endif
