/* loop_calls.h - what is called in a loop.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOP_CALLS_H
#define CAB_LOOP_CALLS_H

#include "plugin/emit/plugin.h"

/* Append the k lines (info.h) of loop NUMBER, which is LOOP, to OB: its calls, those of loops
   inside left out. */
extern void cab_loop_calls (struct obstack *ob, class loop *loop, unsigned number);
/* Append the k lines of cfun's calls that are in no loop to OB. */
extern void cab_function_calls (struct obstack *ob);

#endif
