/* loop_updates.h - statements that combine what is in memory with another value.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOP_UPDATES_H
#define CAB_LOOP_UPDATES_H

#include "plugin/emit/plugin.h"

/* Append the u lines (info.h) of loop NUMBER, which is LOOP, to OB, those of loops inside left
   out, and those that write CONTROL. */
extern void cab_loop_updates (struct obstack *ob, class loop *loop, unsigned number,
			      tree control);

/* Return the operator by which STORE combines what is in memory with another value, in any order
   with others that do so, or null.  *LOAD becomes the statement that loads it. */
extern const char *cab_update_of (gimple *store, gimple **load);

#endif
