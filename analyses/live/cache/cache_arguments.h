/* cache_arguments.h - the arguments of the analyses `cache' and `offenders'.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      D1, L2 and LL: SIZE/WAYS/LINE, sizes with K or M; L2 also none.  model: cachegrind
 *             (by default, without L2), non-inclusive (by default with L2), inclusive.  What is not
 *             given is this machine's (settle), or a stated default (configure). There are no
 *             instructions: I1 of a configuration is as D1.
 * Errors:     words in DIAG, which may be null; they begin with "simulated caches: ".
 */
#ifndef CAB_CACHE_ARGUMENTS_H
#define CAB_CACHE_ARGUMENTS_H

#include "cabprof/cachesim.h"

/* The `options' of the analysis. */
extern const struct cab_option cab_cache_options[];

/* The `settle' of struct cab_analysis. */
int cab_cache_settle (const char *arguments, char *full, size_t bytes, struct cab_diag *diag);
/* Parse ARGUMENTS into CONFIG, which is sound afterwards. */
int cab_cache_configure (const char *arguments, struct cab_cachesim_config *config,
			 struct cab_diag *diag);
/* Names of the models, in the order of enum cab_cachesim_model. */
extern const char *const cab_cache_models[3];

#endif
