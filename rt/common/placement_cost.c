/* placement_cost.c - see placement_cost.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/placement_cost.h"

#include <stdbool.h>

/* Return the ps per word that NS are for N words. */
static uint64_t
ps_of (uint64_t ns, uint64_t n)
{
  return ns < UINT64_MAX / 1000 ? ns * 1000 / n : ns / n * 1000;
}

/* Return true if the process leaves no processor idle for most of the time: an eighth of one is
   within what its clocks tell. */
static bool
is_busy (const struct cab_placement_terms *t)
{
  uint64_t wall_ns = t->fill_ns + t->analysis_ns;
  return t->cpu_ns > wall_ns * (t->processors - 1) + wall_ns / 8;
}

void
cab_placement_judge (struct cab_part_placement *p, const struct cab_placement_terms *t)
{
  bool is_alone = t->processors == 1, busy = !is_alone && is_busy (t);
  p->processors = t->processors;
  p->fill_ps = ps_of (t->fill_ns, t->words);
  p->analysis_ps = ps_of (t->analysis_ns, t->words);
  p->communication_ps = is_alone ? 0 : t->line_ps / CAB_LINE_WORDS;
  p->inline_ps = p->fill_ps + p->analysis_ps;
  uint64_t reader_ps = p->analysis_ps + p->communication_ps;
  p->blocked_ps = is_alone || busy	   ? reader_ps
		: reader_ps > p->fill_ps ? reader_ps - p->fill_ps
					  : 0;
  p->thread_ps = p->fill_ps + p->blocked_ps;
  p->why = is_alone					   ? CAB_PLACED_ALONE
	 : busy						   ? CAB_PLACED_BUSY
	 : p->thread_ps > p->inline_ps - p->inline_ps / 10 ? CAB_PLACED_LITTLE
							    : CAB_PLACED_CHEAPER;
  p->how = p->why == CAB_PLACED_CHEAPER ? CAB_PLACED_THREAD : CAB_PLACED_INLINE;
}
