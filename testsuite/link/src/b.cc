/* The second unit has the same COMDAT functions, and a local one of the same name.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared.h"

static int __attribute__ ((noinline))
local (int n)
{
  return n > 2 ? 2 : n;
}

int
dead_b (int n)
{
  return n > 3 ? twice (n) : 2;
}

int
from_b (int n)
{
  return local (n) + twice (n) + maximum (n, 2);
}
