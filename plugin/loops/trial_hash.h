/* trial_hash.h - hashes of what copies have become.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_LOOPS_TRIAL_HASH_H
#define CABPROF_LOOPS_TRIAL_HASH_H

#include "plugin/loops/trials.h"

/* Return the pass that hashes copies of functions. */
extern opt_pass *cab_trial_hash_pass (void);

#endif
