/* control.h - what the program and `cabprof ctl' request from the runtime: cabprof/cabprof.h,
 * cabprof/control.h.
 *
 * Threads:    cab_control in any thread; the others as noted.
 * Errors:     a request that cannot be granted changes nothing; the caller gets -errno.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CONTROL_H
#define CAB_RT_CONTROL_H

#include "cabprof/control.h"
#include "cabprof/profile.h"
#include "rt/base/rt.h"

/* Begin the pause that the options ask for; the page exists. */
void cab_control_start (void);
/* Start the thread that resumes the process later, if the options ask for that.  The process is on,
   no lock is held. */
void cab_control_started (void);
/* Reset the page in a forked child that has its new part.  Under the lock; cab_control_started must
   follow. */
void cab_control_fork (void);
/* Do REQUEST, with NAME if it has one, for struct cab_module.control.  Return 0 or -errno. */
int cab_control (unsigned request, const char *name);

#endif
