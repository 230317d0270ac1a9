/* page_baseline.h - an older profile in the page, and what became of its functions and lines.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes:     the document's member "baseline" has, of the older profile, profile, program,
 *             processes, n_processes, problems, tables and contexts, as the document has them of
 *             the newer one (page.h), and how both match, as `cabprof diff' has it (match.h):
 *               functions  [[name, file, new name, new file], ...] where these differ
 *               changed    [[name, file, first line, last line], ...] of new functions whose lines
 *                          and paths correspond to none; changed_before: the same of the old ones
 *               lines      [[file, first line, last line, new file, new line of the first], ...]
 *                          where these differ
 *             The document's tables have in addition what `cabprof diff' prints, as diff:KIND.
 * Ownership:  the caller owns what is returned.
 */
#ifndef CAB_PAGE_BASELINE_H
#define CAB_PAGE_BASELINE_H

#include <jansson.h>
#include "analyses/profile/model.h"

/* Add to BASELINE how OLD matches MODEL, and to TABLES what changed, with LIMIT rows at most; 0:
   all.  Both models have the functions that never ran. */
void cab_page_baseline (struct cab_model *old, struct cab_model *model, size_t limit,
			json_t *baseline, json_t *tables);

#endif
