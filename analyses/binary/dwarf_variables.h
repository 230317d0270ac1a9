/* dwarf_variables.h - what DWARF says of variables that have an address of their own: where they
 * are declared, and their types.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     DWARF 2 to 5, by libdwarf; a separate file of debugging information is followed
 *             (debug link, build id).
 * Model:      global variables, those of namespaces, modules and COMMON blocks, static members, and
 *             static ones of functions.  Types are texts for people: names, with * for pointers and
 *             [] for arrays.
 * Ownership:  all texts live in NAMES.
 * Errors:     what cannot be read is treated as absent.
 */
#ifndef CAB_DWARF_VARIABLES_H
#define CAB_DWARF_VARIABLES_H

#include <stdint.h>
#include "analyses/base/names.h"

struct cab_dwarf_variable
{
  uint64_t address;             /* link-time */
  const char *file, *type;      /* "" unknown */
  const char *structure;        /* the structure that it, or its elements, are of, typedefs
				   resolved: the tag, the name that only a typedef gives, or
				   "{file.c:7}"; "" none */
  uint32_t line;                /* 0 unknown */
};

/* Return the variables of the program or library PATH, *N of them, malloc'ed and sorted by
   address. */
struct cab_dwarf_variable *cab_dwarf_variables (const char *path, struct cab_names *names,
						uint32_t *n);
/* Return the one of the N VARIABLES that is at ADDRESS, or null. */
const struct cab_dwarf_variable *cab_dwarf_variable_at (const struct cab_dwarf_variable *variables,
							uint32_t n, uint64_t address);

#endif
