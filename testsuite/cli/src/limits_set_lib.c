/* limits_set_lib.c - a library without probes that lowers the limit of addresses.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <sys/resource.h>

int
limit_in_library (const struct rlimit *limit)
{
  return setrlimit (RLIMIT_AS, limit);
}
