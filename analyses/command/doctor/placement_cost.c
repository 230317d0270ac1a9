/* placement_cost.c - see placement_cost.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/doctor/placement_cost.h"

void
cab_placement_judge (struct cab_placement_verdict *v, const struct cab_placement_terms *t)
{
  v->communication_ps = t->processors > 1 ? t->line_ps / CAB_LINE_WORDS : 0;
  v->inline_ps = t->fill_ps + t->analysis_ps;
  uint64_t reader_ps = t->analysis_ps + v->communication_ps;
  v->blocked_ps = t->processors == 1	 ? reader_ps
		: reader_ps > t->fill_ps ? reader_ps - t->fill_ps
					 : 0;
  v->thread_ps = t->fill_ps + v->blocked_ps;
  v->why = t->processors == 1				    ? CAB_PLACED_ALONE
	 : v->thread_ps > v->inline_ps - v->inline_ps / 10 ? CAB_PLACED_LITTLE
							    : CAB_PLACED_CHEAPER;
}
