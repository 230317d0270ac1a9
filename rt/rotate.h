/* rotate.h - which directory this process' part goes to, and when an older profile moves aside.
 *
 * Model:      a *run* is one command typed at a shell, with all processes that it starts: `./prog`,
 *             `make check`, a script.  Processes of a run share the directory.  The first process
 *             of another run that finds a profile there moves it to DIR.old (in place of an older
 *             one), unless a process of that profile is still running; it then adds its part.  Two
 *             cases never rotate: data= is given, or CABPROF_SESSION is set, as by `cabprof
 *             record', which rotates by itself.  A run is identified, among the ancestors of this
 *             process within its session, by the child of the session's leader (an interactive
 *             shell), or, where that child shares the leader's process group (no job control: a
 *             script, make as the first process of a container or a harness), by the leader.  The
 *             file DIR/run names it: boot, process, start time.  If the directory, DIR.old or
 *             anything in them is not a profile of this user's, it is not followed, removed or
 *             written to (rt/common/directory.h): the process then runs unprofiled.  A DIR.old that
 *             holds other files as well stays, and the process adds its part.
 * Threads:    once per process, at attach.  Processes exclude each other by flock on the directory.
 * Progress:   waits for that lock for CAB_ROTATE_WAIT_NS at most, since any user may hold it; after
 *             that the process adds its part.
 * Errors:     -errno, with words that explain it; nothing was lost.  Where locking, /proc or
 *             renaming do not work, processes add their parts.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ROTATE_H
#define CAB_RT_ROTATE_H

#include "rt/common/sys.h"

#define CAB_ROTATE_WAIT_NS UINT64_C (3000000000)

/* What could not be used, and why; WRONG is null where the errno says enough. */
struct cab_rotate_wrong
{
  char path[CAB_PATH_BYTES];
  const char *wrong;
};

/* Make DIR (absolute) ready for this process' part, with DIR/modules in it.  MAY_ROTATE: an older
   profile may be moved aside, as above.  Return a descriptor of DIR, with the lock where there is
   one, or -errno. */
int cab_rotate_prepare (const char *dir, int may_rotate, struct cab_rotate_wrong *wrong);

#endif
