/* join_by.h - what accesses are counted by together, as a user lists it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_JOIN_BY_H
#define CAB_JOIN_BY_H

#include <stdbool.h>

/* Bits of a set. */
enum cab_join_by
{
  CAB_JOIN_VARIABLE = 1,
  CAB_JOIN_LINE = 2,
  CAB_JOIN_LOOP = 4,
  CAB_JOIN_LEVEL = 8,
  CAB_JOIN_BLOCK = 16,
  CAB_JOIN_THREAD = 32,
  CAB_JOIN_PATH = 64,
  CAB_JOIN_CONTEXT = 128
};

/* The words that a list may have. */
#define CAB_JOIN_WORDS "variable, line, loop, level, block, thread, path, context"

/* Set *SET to the words in LIST, which are separated by commas.  Return false if one of them is no
   such word, is there twice, or is empty. */
bool cab_join_parse (const char *list, unsigned *set);

#endif
