/* start.h - the start of the process' profile.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Threads:    under the runtime's lock.
 */
#ifndef CAB_RT_START_H
#define CAB_RT_START_H

/* Start the process' profile, once: options, directory, part, tables.  Return 0, or -1 after
   reporting why; the state is then OFF. */
int cab_rt_start (void);

/* Remove the part and set the state to OFF, since the start has failed after all. */
void cab_rt_abandon (void);

#endif
