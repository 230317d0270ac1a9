/* dwarf_walk.h - the variables of a program's DWARF that have an address of their own, one by one.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     DWARF 2 to 5, by libdwarf; a separate file of debugging information is followed
 *             (debug link, build id).
 * Model:      global variables, those of namespaces, modules and COMMON blocks, static members, and
 *             static ones of functions.
 * Errors:     what cannot be read is treated as absent.
 */
#ifndef CAB_DWARF_WALK_H
#define CAB_DWARF_WALK_H

#include "analyses/binary/dwarf_die.h"

/* Called for a variable at the link-time ADDRESS.  DIE is its own; TYPED is the one that has its
   type, which differs for a static member. */
typedef void cab_dwarf_take (void *host, struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Die typed,
			     uint64_t address);

/* Call TAKE with HOST for each variable of the program or library PATH; texts go to NAMES. */
void cab_dwarf_each_variable (const char *path, struct cab_names *names, cab_dwarf_take *take,
			      void *host);

/* Return the DIE of DIE's type, which the caller frees (dwarf_dealloc_die), or null. */
Dwarf_Die cab_dwarf_type (struct cab_dwarf *dwarf, Dwarf_Die die);

#endif
