/* dwarf_fields.h - which field of a variable a byte belongs to.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     DWARF, as dwarf_walk.h reads it.
 * Model:      a field is a text for people: [] for each array, .NAME for each member: "[].next".
 *             Of a union it is the first member that is so large; of a class's base, the member.
 * Shapes:     bytes ascend by the address of their variables.
 * Ownership:  texts live in NAMES.
 * Errors:     what cannot be read is treated as absent.
 */
#ifndef CAB_DWARF_FIELDS_H
#define CAB_DWARF_FIELDS_H

#include <stdint.h>
#include "analyses/base/names.h"

struct cab_dwarf_byte
{
  uint64_t variable, offset;    /* link-time address of the variable; the byte's offset in it */
  const char *field;            /* "" none: the variable is a scalar, or unknown */
};

/* Set the fields of the N BYTES of variables of the program or library PATH. */
void cab_dwarf_fields (const char *path, struct cab_dwarf_byte *bytes, uint32_t n,
		       struct cab_names *names);

#endif
