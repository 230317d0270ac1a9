/* page_loops.h - the loops of a profile: their table, and the matrix of `cabprof tune', as JSON.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PAGE_LOOPS_H
#define CAB_PAGE_LOOPS_H

#include "analyses/page/page.h"
#include <jansson.h>

/* Add the table `loops' to TABLES, with LIMIT rows; 0: all.  Return { columns: [name, ...], rows:
   [{ loop, ratios: [...], outcomes: [...] }, ...] }, the stalls of each loop in each column
   relative to the first one; null in JSON if there is no matrix. */
json_t *cab_page_loops (struct cab_model *model, json_t *tables, size_t limit);

#endif
