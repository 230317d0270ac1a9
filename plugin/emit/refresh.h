/* refresh.h - bodies that are not instrumented, and call functions that are.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_REFRESH_H
#define CABPROF_REFRESH_H

#include "plugin/emit/plugin.h"

/* Update the calls in FN's body, which is otherwise left alone: a function that it calls may have
   been const or pure and is no longer. */
extern void cab_refresh_calls (function *fn);

#endif
