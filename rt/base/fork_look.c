/* fork_look.c - see fork_look.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/fork_look.h"

#include <sys/mman.h>

#include "rt/base/area.h"

volatile uint32_t *cab_fork_word;
bool cab_fork_lacks;
void (*cab_fork_copied) (void);

bool
cab_fork_lacks_page (void)
{
  unsigned char there;
  return mincore ((void *) cab_fork_word, CAB_PAGE_BYTES, &there) < 0;
}
