/* allocator_pointers.h - pointers to functions that may be malloc or its kin.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_KNOWN_H
#define CABPROF_MEMORY_KNOWN_H

#include "plugin/emit/plugin.h"

/* Return the name of malloc or its kin if STMT calls a function of its type through a pointer, else
   null. */
extern const char *cab_allocator_name (gimple *stmt);
/* Insert SEQ, which records CALL, before *GSI, which stays on its statement.  SEQ is executed only
   if CALL reaches that function. */
extern void cab_allocator_tell (gimple_stmt_iterator *gsi, gcall *call, gimple_seq seq);

#endif
