/* addresses.h - gives reserved addresses back before the program limits them.
 *
 * Model:      counters, states of analyses, regions and tables reserve addresses into which they
 *             grow, some 550 MB in a program of one thread.  Before the program lowers its
 *             RLIMIT_AS (setrlimit, prlimit), and before it locks its memory (mlockall), what they
 *             do not use is given back.  From then on the profile takes an eighth of the addresses
 *             that the limit leaves, as a process does that starts with a limit (area.h).
 * Leaves out: calls that sandbox.h leaves out, and limits that another process sets.
 * Threads:    the thread that makes the call, no lock held.
 * Errors:     none; functions for which counters have no room then are refused, and counted.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ADDRESSES_H
#define CAB_RT_ADDRESSES_H

#include <stdbool.h>
#include "cabprof/confine.h"

/* Return true if CALL, which is about to be made, is one that limits memory, after preparing for
   it. */
bool cab_addresses_begin (const struct cab_confine *call);

#endif
