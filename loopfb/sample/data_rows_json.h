/* data_rows_json.h - sampled accesses to data in samples.json.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes:     a list of rows of ten numbers: region, module (-1: none), address, module of the
 *             instruction (-1: none), its address, level, modified, samples, weight, latency.
 * Ownership:  the list that is written is the caller's.
 */
#ifndef CAB_DATA_ROWS_JSON_H
#define CAB_DATA_ROWS_JSON_H

#include <jansson.h>
#include "loopfb/sample/data_rows.h"

/* Return ROWS as a list. */
json_t *cab_data_rows_json (const struct cab_data_rows *rows);

/* Add the rows of LIST to ROWS; modules are numbers below N_MODULES.  Return false if LIST is
   damaged. */
bool cab_data_rows_read (struct cab_data_rows *rows, const json_t *list, uint32_t n_modules);

#endif
