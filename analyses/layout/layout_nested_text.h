/* layout_nested_text.h - declarations of structures that hold structures of arrays.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LAYOUT_NESTED_TEXT_H
#define CAB_LAYOUT_NESTED_TEXT_H

#include <stdio.h>
#include "analyses/layout/layout.h"

/* Write unit U of LAYOUT, an array of structures, as the structure of arrays that it becomes, with
   NAME, which may have an asterisk or dimensions. */
void cab_layout_put_nested (const struct cab_layout *layout, const struct cab_layout_arrays *arrays,
			    uint32_t u, const char *name, unsigned indent, FILE *to);

/* Write how the structures that hold arrays of LAYOUTs change, and how an access changes. */
void cab_layout_declare_holders (const struct cab_layout *layout, FILE *to);

#endif
