/* access_text.h - build up the text of a name.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ACCESS_TEXT_H
#define CAB_ACCESS_TEXT_H

#include "plugin/memory/names/access_name.h"

/* Begin a name. */
extern void cab_name_begin (struct cab_name *to);
/* Free the text of a name. */
extern void cab_name_end (struct cab_name *to);
/* Append TEXT. */
extern void cab_name_put (struct cab_name *to, const char *text);
/* Append [], for an element of what the name says. */
extern void cab_name_put_element (struct cab_name *to);
/* If STAR, insert a * at SINCE, before what was put since then; otherwise remove the one there. */
extern void cab_name_star (struct cab_name *to, struct cab_name_mark since, bool star);
/* Take back what was put since SINCE; return false. */
extern bool cab_name_retract (struct cab_name *to, struct cab_name_mark since);

#endif
