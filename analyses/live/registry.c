/* registry.c - the analyses that come with cabprof, which the build finds in an_*.c, and those that
 * users bring.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <string.h>
#include "analyses/live/user_analysis.h"
#include "tables/analyses.h"

#define DECLARE(analysis) extern const struct cab_analysis analysis;
EACH (DECLARE)

#define POINTER(analysis) &analysis,
const struct cab_analysis *const cab_analyses[] = { EACH (POINTER) NULL };

static const struct cab_analysis *own[CAB_OWN_ANALYSES];

const struct cab_analysis *
cab_analysis_at (uint32_t i)
{
  const uint32_t brought = sizeof cab_analyses / sizeof cab_analyses[0] - 1;
  return i < brought ? cab_analyses[i] : i < brought + CAB_OWN_ANALYSES ? own[i - brought] : NULL;
}

const struct cab_analysis *
cab_analysis_find (const char *name)
{
  const struct cab_analysis *a;
  for (uint32_t i = 0; (a = cab_analysis_at (i)); i++)
    if (!strcmp (a->name, name))
      return a;
  return NULL;
}

bool
cab_user_is (const struct cab_analysis *analysis)
{
  for (uint32_t i = 0; i < CAB_OWN_ANALYSES && own[i]; i++)
    if (own[i] == analysis)
      return true;
  return false;
}

int
cab_analysis_add (const struct cab_analysis *analysis)
{
  const struct cab_analysis *known = cab_analysis_find (analysis->name);
  for (uint32_t i = 0; !known && i < CAB_OWN_ANALYSES; i++)
    if (!own[i])
      known = own[i] = analysis;
  return known == analysis ? 0 : -1;
}
