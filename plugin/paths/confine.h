/* confine.h - calls that confine the process notify the runtime.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_CONFINE_H
#define CAB_CONFINE_H

#include "plugin/emit/plugin.h"

/* Make calls in FN that install filters of system calls, or take files out of reach, notify
   the runtime. */
extern void cab_confine_tell (function *fn);

#endif
