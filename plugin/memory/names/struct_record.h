/* struct_record.h - records of the structures that accesses are to.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_NAMES_STRUCT_RECORD_H
#define CABPROF_MEMORY_NAMES_STRUCT_RECORD_H

#include "plugin/memory/memory.h"

#define CAB_STRUCT_BYTES 40

/* Write the last field of an A line for ACCESS, or of an M line for TYPE, a structure or another
   type or null, to TO.  What it refers to has its record then. */
extern void cab_struct_of_access (const struct cab_access *access, char to[CAB_STRUCT_BYTES]);
extern void cab_struct_of_type (tree type, char to[CAB_STRUCT_BYTES]);
/* Return true if the source that is compiled lays TYPE out, not the compiler nor a system's header.
   Not at the link. */
extern bool cab_struct_is_of_source (tree type);

/* Return true if the unit is Fortran.  Not at the link, where nobody knows. */
static inline bool
cab_is_fortran (void)
{
  return !strncmp (lang_hooks.name, "GNU Fortran", strlen ("GNU Fortran"));
}

#endif
