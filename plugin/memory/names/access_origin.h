/* access_origin.h - names of what a pointer points to, and of places.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ACCESS_ORIGIN_H
#define CAB_ACCESS_ORIGIN_H

#include "plugin/memory/names/access_name.h"

/* Put the name of what POINTER leads to, as far as that says more than a type.
   ELEMENT is true if something was added to it.  Return false if there is none, and put nothing. */
extern bool cab_name_put_pointed (struct cab_name *to, tree pointer, bool element);
/* Put the name of REF, in which a pointer lies; or, if the source refers to that,
   the name of the array or container that REF is a part of, and set *IS_WHOLE. */
extern bool cab_name_put_place (struct cab_name *to, tree ref, bool *is_whole);

#endif
