/* seconds.h - the elapsed time.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_SECONDS_H
#define CAB_SECONDS_H

#include <time.h>

/* Return the time of CLOCK_MONOTONIC, in seconds. */
static inline double
cab_seconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + now.tv_nsec / 1e9;
}

#endif
