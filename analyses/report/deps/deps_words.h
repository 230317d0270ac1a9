/* deps_words.h - judgements on loops and variables in words.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_DEPS_WORDS_H
#define CAB_DEPS_WORDS_H

#include "analyses/report/deps/deps_judge.h"

/* Return what to do about VARIABLE, which must be carried. */
const char *cab_deps_remedy (const struct cab_deps_variable *variable);

/* Return the verdict of JUDGEMENT in words. */
const char *cab_deps_verdict_words (struct cab_names *names,
				    const struct cab_deps_judgement *judgement);
/* Return the remedies of JUDGEMENT, and what else is in the way, in words: the first MOST of them,
   and how many more there are. */
const char *cab_deps_way_words (struct cab_names *names,
				const struct cab_deps_judgement *judgement, uint32_t most);
/* Return what was not looked at, in words; "" if there is nothing. */
const char *cab_deps_unseen_words (struct cab_names *names,
				   const struct cab_deps_judgement *judgement);

#endif
