/* no_wait.c - see no_wait.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/timeline/no_wait.h"
#include "analyses/live/timeline/an_timeline.h"

bool
cab_no_wait_wanted (const struct cab_selection *chosen)
{
  size_t n;
  for (uint32_t i = 0; i < chosen->n; i++)
    if (chosen->v[i].analysis == &cab_timeline
	&& cab_choice_value (chosen->v[i].arguments, "keep", &n))
      return true;
  return false;
}
