/* returns.h - which functions and statements may end an activation.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the answers hold between begin and end, which are called once for a unit, before the
 *             first body changes and after the last one.
 */
#ifndef CABPROF_PATHS_RETURNS_H
#define CABPROF_PATHS_RETURNS_H

#include "plugin/emit/plugin.h"

extern void cab_returns_begin (void);
extern void cab_returns_end (void);

/* Return true if STMT can end the activation, or jump out of it, rather than reach the next
   statement. */
extern bool cab_may_leave (gimple *stmt);
/* Return true if CALL is one of exec and its like that GCC knows.  No code may follow it, whatever
   its flags say. */
extern bool cab_call_execs (gcall *call);

#endif
