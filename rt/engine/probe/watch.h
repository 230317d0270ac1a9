/* watch.h - notices the filters of system calls, and the limits of memory, that code without probes
 * sets.
 *
 * Model:      in every loaded object the slots of prctl and syscall (slots.h) lead here, and from
 *             here to the function that they led to, by a jump: its arguments, result, errno and
 *             frame are as without the runtime.  Only a call that installs a filter is surrounded
 *             by what sandbox.h does.  So do those of setrlimit, prlimit and mlockall, which are
 *             called after what addresses.h does.
 * Leaves out: what slots.h does; a statically linked program; a system call by an instruction.
 * Threads:    any, without the runtime's lock.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_WATCH_H
#define CAB_RT_WATCH_H

#include <stdbool.h>

/* Watch all objects that are loaded now.  Return true if no slot was left out. */
bool cab_watch (void);

/* Watch them, unless none has been loaded since the last call: for the constructors of a program's
   many libraries, which all run when the last one is loaded. */
void cab_watch_new (void);

#endif
