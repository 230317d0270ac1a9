/* pointer_names_lto.h - carries what registers have learned through the streams of -flto.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_NAMES_ACCESS_KEPT_LTO_H
#define CABPROF_MEMORY_NAMES_ACCESS_KEPT_LTO_H

#include "plugin/emit/plugin.h"

/* Attach what the registers of FN have learned to FN before it is written. */
extern void cab_kept_write (function *fn);
/* Give it back to the registers where FN is compiled. */
extern void cab_kept_read (function *fn);

#endif
