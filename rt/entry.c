/* entry.c - what a stub finds at the entry point of the runtime (abi.h).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "cabprof/abi.h"

struct cab_runtime cab_runtime =
{
  .magic = CAB_RUNTIME_MAGIC,
  .attach = cabprof_attach,
  .detach = cabprof_detach,
};
