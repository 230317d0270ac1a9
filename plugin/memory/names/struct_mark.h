/* struct_mark.h - marks for the link which structures the source did not lay out.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_NAMES_STRUCT_MARK_H
#define CABPROF_MEMORY_NAMES_STRUCT_MARK_H

#include "plugin/emit/plugin.h"

/* A callback that runs before the unit's passes. */
extern void cab_struct_mark_unit (void *gcc_data, void *user_data);

#endif
