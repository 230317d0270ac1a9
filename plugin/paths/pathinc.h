/* pathinc.h - where increments of path numbers are placed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PATHINC_H
#define CAB_PATHINC_H

#include "plugin/paths/pathwork.h"

/* Sort the N items at ITEM in ascending order; index decides between equal ones. */
void cab_pn_sort (struct cab_pn_item *item, uint32_t n);
/* Plan increments and counts on the numbered graph of W; return 0 or CAB_PN_NO_MEMORY. */
int cab_pn_place (struct cab_pn_work *w);

#endif
