/* report_sharing.h - the two tables of `cabprof report sharing': by line (report_sharing.c) and by
 * variable (report_sharing_variables.c).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_REPORT_SHARING_H
#define CAB_REPORT_SHARING_H

#include "analyses/report/report.h"

/* Fill TABLE with the variables that threads share. */
void cab_report_shared_variables (struct cab_model *model, const struct cab_report_options *options,
				  struct cab_table *table);

#endif
