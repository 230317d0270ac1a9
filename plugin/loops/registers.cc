/* registers.cc - -fweb -frename-registers for single functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC's two passes read their options only in their gates, and a plugin may open a gate.  A
   function's own set of options (as the attribute "optimize" makes) would take effect too early:
   two functions with different sets are not inlined and folded as if they had the same. */
#include "plugin/loops/registers.h"
#include "plugin/loops/loops.h"
#include "plugin/loops/outcome.h"
#include "plugin/loops/outcome_words.h"

bool
cab_registers_hinted (void)
{
  return optimize && cab_became_marked (CAB_SOURCE_REGISTERS);
}

/* Called when a pass is about to run or be skipped: run the two passes for hinted functions. */
static void
open_gate (void *gcc_data, void *)
{
  bool *runs = (bool *) gcc_data;
  if (!*runs && cfun
      && (!strcmp (current_pass->name, "web") || !strcmp (current_pass->name, "rnreg")))
    *runs = cab_registers_hinted ();
}

void
cab_registers_begin (const char *plugin)
{
  register_callback (plugin, PLUGIN_OVERRIDE_GATE, open_gate, NULL);
}
