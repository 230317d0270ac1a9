/* filter.h - which functions get probes, and why the others do not.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_FILTER_H
#define CAB_FILTER_H

#include "plugin/emit/plugin.h"

/* Examine the unit as a whole, once, before the first call of cab_skip_reason.  Return false,
   after an error message, if nothing in it can be instrumented. */
extern bool cab_filter_begin (void);
/* The callback that registers the attributes cabprof_always and cabprof_never. */
extern void cab_filter_register_attributes (void *gcc_data, void *user_data);
/* Return null if FN is to be instrumented; else the reason why not, a constant string, used in
   records, -verbose and the ledger.  Before cab_filter_begin it does not know which functions run
   before there is thread-local storage. */
extern const char *cab_skip_reason (function *fn);

#endif
