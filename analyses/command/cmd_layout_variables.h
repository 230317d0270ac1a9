/* cmd_layout_variables.h - the variables of the program in a trace; for cmd_layout_try.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      variables as in data_map.h: symbols with a size, from the modules that the trace has
 *             recorded so far.  A trace of rows records no modules.
 * Errors:     a module that cannot be read has no variables, and a message says so.
 */
#ifndef CAB_CMD_LAYOUT_VARIABLES_H
#define CAB_CMD_LAYOUT_VARIABLES_H

#include "analyses/layout/layout_statics.h"
#include "analyses/trace/trace_source.h"

struct cab_layout_modules;
/* Return the modules of the trace that READER reads. */
struct cab_layout_modules *cab_layout_modules_new (const struct cab_rows_reader *reader);
/* Free MODULES. */
void cab_layout_modules_free (struct cab_layout_modules *modules);
/* Look up variables in PROCESS of the trace from now on. */
void cab_layout_modules_of (struct cab_layout_modules *modules, uint32_t process);
/* Find the variable at ADDRESS; the `find' of struct cab_layout_variables, with MODULES as its
   data. */
bool cab_layout_modules_find (void *modules, uint64_t address, uint64_t *start, uint64_t *bytes);

#endif
