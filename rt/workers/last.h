/* last.h - whether the program's last thread has gone, after which the runtime's own must end.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Threads:    any; `fork' the only one of a forked child.
 */
#ifndef CAB_RT_LAST_H
#define CAB_RT_LAST_H

#include <stdbool.h>
#include <stdint.h>

/* Record that the program's first thread has left by pthread_exit.  Stores with release. */
void cab_last_watch (void);
/* Have all threads of the runtime end.  Stores with release. */
void cab_last_stop (void);

/* Return true if a thread of the runtime that finds nothing to do should end.  If it should not
   yet, it must ask again within *TIMEOUT_NS, which is lowered if need be.  Loads with acquire. */
bool cab_last_is_gone (uint64_t *timeout_ns);

/* End the process as it would have ended with the program's last thread, if the first one left by
   the system call alone or was killed alone.  Else return. */
void cab_last_end (void);

/* Forget all of this in a forked child. */
void cab_last_fork (void);

#endif
