/* registers.h - functions whose registers are renamed because a hint asks for it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a hint on a loop marks it (CAB_SOURCE_REGISTERS).  Each function that has or has had
 *             code of that loop, also by inlining, is compiled as with -fweb -frename-registers.
 *             No option changes, so all passes but these two do what they would do without.
 */
#ifndef CABPROF_REGISTERS_H
#define CABPROF_REGISTERS_H

#include "plugin/loops/loops.h"

/* Open the gates of these passes for such functions, also at a link.  PLUGIN is the plugin's name.
   Needs the watch of outcome.h. */
extern void cab_registers_begin (const char *plugin);
/* Return true if cfun, which is watched, is such a function. */
extern bool cab_registers_hinted (void);

#endif
