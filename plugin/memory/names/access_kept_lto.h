/* access_kept_lto.h - what registers have learned gets through the streams of -flto.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_NAMES_ACCESS_KEPT_LTO_H
#define CABPROF_MEMORY_NAMES_ACCESS_KEPT_LTO_H

#include "plugin/emit/plugin.h"

/* Hang it on FN before FN is written; and take it from there where FN is compiled. */
extern void cab_kept_write (function *fn);
extern void cab_kept_read (function *fn);

#endif
