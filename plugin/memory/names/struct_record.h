/* struct_record.h - records of the structures that are accessed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_NAMES_STRUCT_RECORD_H
#define CABPROF_MEMORY_NAMES_STRUCT_RECORD_H

#include "plugin/emit/plugin.h"

#define CAB_STRUCT_BYTES 40

/* Write the last field of an A line for an access to BYTES of REF to TO.  The record that it refers
   to is emitted if it was not yet. */
extern void cab_struct_of_ref (tree ref, unsigned HOST_WIDE_INT bytes, char to[CAB_STRUCT_BYTES]);
/* Write the last field of an A line for an access to BYTES (0: unknown) to which POINTER, which may
   be null, leads, to TO.  The record that it refers to is emitted if it was not yet. */
extern void cab_struct_of_pointer (tree pointer, unsigned HOST_WIDE_INT bytes,
				   char to[CAB_STRUCT_BYTES]);
/* Write the last field of an M line for TYPE, a structure or another type or null, to TO.  The
   record that it refers to is emitted if it was not yet. */
extern void cab_struct_of_type (tree type, char to[CAB_STRUCT_BYTES]);
/* Return true if TYPE is laid out by the source that is compiled, not by the compiler or a system
   header.  Not for use at the link. */
extern bool cab_struct_is_of_source (tree type);

/* Return true if the unit is Fortran.  At the link this is unknown. */
static inline bool
cab_is_fortran (void)
{
  return !strncmp (lang_hooks.name, "GNU Fortran", strlen ("GNU Fortran"));
}

#endif
