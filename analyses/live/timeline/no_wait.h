/* no_wait.h - analyses beside which the program must not wait for room in a ring.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the runtime, which knows no analysis by name.  A flight recorder (`timeline' with
 *             keep=) is left on while a program serves, so its threads may not stop until another
 *             thread, which the kernel may not run for long, has read what they sent.
 * Threads:    no state.
 */
#ifndef CAB_NO_WAIT_H
#define CAB_NO_WAIT_H

#include "analyses/live/selection.h"

/* Return true if there is such an analysis in CHOSEN: each thread is to analyse its own events. */
bool cab_no_wait_wanted (const struct cab_selection *chosen);

#endif
