/* cmd_layout_variables.h - the variables of the program in a trace; for cmd_layout_try.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      as of data_map.h: symbols with a size, of the modules that the trace has told of so
 *             far.  A trace of rows tells of none.
 * Errors:     a module that cannot be read has no variables; that is said.
 */
#ifndef CAB_CMD_LAYOUT_VARIABLES_H
#define CAB_CMD_LAYOUT_VARIABLES_H

#include "analyses/layout/layout_statics.h"
#include "analyses/trace/trace_source.h"

struct cab_layout_modules;
struct cab_layout_modules *cab_layout_modules_new (const struct cab_rows_reader *reader);
void cab_layout_modules_free (struct cab_layout_modules *modules);
/* From now on, variables are those of PROCESS of the trace. */
void cab_layout_modules_of (struct cab_layout_modules *modules, uint32_t process);
/* For cab_layout_variables. */
bool cab_layout_modules_find (void *modules, uint64_t address, uint64_t *start, uint64_t *bytes);

#endif
