/* access_evolution.h - how a value evolves in a loop, where scalar evolutions do not say.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_EVOLUTION_H
#define CABPROF_MEMORY_ACCESS_EVOLUTION_H

#include "plugin/gcc-common.h"

/* BASE + STEP * the completed iterations of a loop, in words. */
struct cab_evolution
{
  tree base, step;
};

/* Find how the value of EXPRESSION evolves in LOOP, as a number that does not wrap below 64 bits,
   and return false if that is no affine function.  The value is one that an access in LOOP needs.

   The compiler gives no evolution to a signed product behind a test, as that of a[i * n + j] in
   loops that may have no iteration, since it might overflow where it is not executed.  Where an
   access follows, the product is executed, and the language forbids that it overflows. */
extern bool cab_access_evolution (class loop *loop, tree expression,
				  struct cab_evolution *result);

#endif
