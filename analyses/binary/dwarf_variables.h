/* dwarf_variables.h - what DWARF says of variables that have an address of their own: where they
 * are declared, and their types.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     DWARF 2 to 5, by libdwarf; a separate file of debugging information is followed
 *             (debug link, build id).
 * Model:      global variables, those of namespaces, modules and COMMON blocks, static members, and
 *             static ones of functions.  Types are words for people: names, with * for pointers and
 *             [] for arrays.
 * Ownership:  all texts live in NAMES.
 * Errors:     what cannot be read is as if it were not there.
 */
#ifndef CAB_DWARF_VARIABLES_H
#define CAB_DWARF_VARIABLES_H

#include <stdint.h>
#include "analyses/base/names.h"

struct cab_dwarf_variable
{
  uint64_t address;             /* link-time */
  const char *file, *type;      /* "" unknown */
  const char *structure;        /* its type, or that of its elements, past typedefs: the tag, the
				   name that only a typedef gives, or "{file.c:7}"; "" none */
  uint32_t line;                /* 0 unknown */
};

/* The variables of the program or library in PATH, by address, malloc'ed; *N of them. */
struct cab_dwarf_variable *cab_dwarf_variables (const char *path, struct cab_names *names,
						uint32_t *n);
/* Of these N VARIABLES the one at ADDRESS, or null. */
const struct cab_dwarf_variable *cab_dwarf_variable_at (const struct cab_dwarf_variable *variables,
							uint32_t n, uint64_t address);

#endif
