/* refresh.cc - bodies that are not instrumented, and call functions that are.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/emit/refresh.h"

void
cab_refresh_calls (function *fn)
{
  basic_block bb;
  push_cfun (fn);
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (is_gimple_call (gsi_stmt (gsi)))
	update_stmt (gsi_stmt (gsi));
  update_ssa (TODO_update_ssa);
  cgraph_edge::rebuild_edges ();
  pop_cfun ();
}
