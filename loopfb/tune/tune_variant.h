/* tune_variant.h - the builds that tune compares: each has a set of hints, or one more option.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_VARIANT_H
#define CAB_TUNE_VARIANT_H

#include "loopfb/tune/tune.h"

/* Return true if the requests A and B are the same. */
bool cab_tune_request_same (struct cab_tune_request a, struct cab_tune_request b);
/* Return a variant with WISHES (copied; null: EVERY), an existing one if there is one. */
int cab_tune_variant_add (struct cab_tune *tune, const char *name,
			  const struct cab_tune_request *requests, int every);
/* Return the variant without any hint, the compiler's default. */
int cab_tune_variant_default (struct cab_tune *tune);
/* Return a variant of the compiler's default with one more FLAG (not copied) for the commands that
   compile the tuned loops. */
int cab_tune_variant_with (struct cab_tune *tune, const char *name, const char *flag);
/* Return a variant that is `whole', with the hints of variant OF and FLAGS (fewer than
   CAB_TREE_FLAGS, ends with null; not copied) for all commands that compile. */
int cab_tune_variant_whole (struct cab_tune *tune, const char *name, int of,
			    const char *const *flags);
/* Return the number of the first loop that is in the same function as LOOP. */
int cab_tune_function_of (const struct cab_tune *tune, int loop);
/* Return the number of loops that have a hint in VARIANT. */
int cab_tune_n_hints (const struct cab_tune *tune, int variant);

#endif
