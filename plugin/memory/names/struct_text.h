/* struct_text.h - structures and their members in C's syntax.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_NAMES_STRUCT_TEXT_H
#define CABPROF_MEMORY_NAMES_STRUCT_TEXT_H

#include "plugin/emit/plugin.h"

/* Return true if TYPE, a structure, union or enum, has its name from a typedef alone. */
extern bool cab_struct_has_no_tag (tree type);
/* Return the declaration of FIELD in C, without the semicolon; malloc'ed. */
extern char *cab_struct_member (tree field);
/* Return a name for FIELD, which has none: its own members, in braces; malloc'ed. */
extern char *cab_struct_unnamed (tree field);

#endif
