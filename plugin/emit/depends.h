/* depends.h - files that the plugin reads are dependencies of the compilation.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_DEPENDS_H
#define CAB_DEPENDS_H

#include "plugin/emit/plugin.h"

/* Note that the file PATH has been read for this compilation. */
extern void cab_depends_on (const char *path);
/* Register a callback of PLUGIN that adds these files where the compiler writes
   dependencies. */
extern void cab_depends_begin (const char *plugin);

#endif
