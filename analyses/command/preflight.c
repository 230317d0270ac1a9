/* preflight.c - see preflight.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/preflight.h"
#include "analyses/live/selection.h"
#include "analyses/base/heap.h"
#include "rt/common/options.h"

static int
try_arguments (const struct cab_analysis *analysis, const char *arguments, struct cab_diag *diag)
{
  struct cab_arena arena;
  if (cab_heap_open_with (&arena, analysis, arguments, diag) < 0)
    return -1;
  cab_heap_fini (&arena);
  return 0;
}

int
cab_preflight_analyses (const char *list, char *full, struct cab_diag *diag)
{
  struct cab_selection chosen;
  if (cab_selection_take (&chosen, list, false, try_arguments, diag) < 0)
    return -1;
  if (full)
    cab_selection_text (&chosen, full, CAB_CHOICE_FULL_BYTES);
  return 0;
}

int
cab_preflight_options (const char *text, struct cab_diag *diag)
{
  struct cab_rt_options options;
  struct cab_cpus allowed;
  struct cab_selection chosen;
  bool is_known = cab_cpus_allowed (&allowed) == 0;
  return cab_options_parse (&options, text, diag) < 0
	  || cab_options_check_affinity (&options, is_known ? &allowed : NULL, diag) < 0
	 ? -1
	 : cab_selection_take (&chosen, options.analyses, options.bursts, try_arguments, diag);
}
