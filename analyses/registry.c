/* registry.c - the analyses that cabprof brings: one line each.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <string.h>
#include "states.h"

const struct cab_analysis *const cab_analyses[] = {
  &cab_methods,
  &cab_calls,
  &cab_tree,
  &cab_paths,
  &cab_loops,
  &cab_blocks,
  &cab_accesses,
  NULL
};

const struct cab_analysis *
cab_analysis_find (const char *name)
{
  for (int i = 0; cab_analyses[i]; i++)
    if (!strcmp (cab_analyses[i]->name, name))
      return cab_analyses[i];
  return NULL;
}
