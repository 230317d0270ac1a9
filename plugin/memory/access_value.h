/* access_value.h - the values that accesses read and write.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_VALUE_H
#define CABPROF_MEMORY_ACCESS_VALUE_H

#include "plugin/memory/plan.h"

/* Find the value of ACCESS, if it is to be recorded. */
extern void cab_value_find (struct cab_memory_access *access);
/* Write the type and flags of its V line to TO. */
extern void cab_value_letters (const struct cab_memory_access *access, char to[4]);
/* Return true if values of TYPE are recorded. */
extern bool cab_value_is_told (tree type);
/* Append code that makes VALUE a word of its own to SEQ; return the word. */
extern tree cab_value_word (gimple_seq *seq, tree value);

#endif
