/* build_record.h - the wrappers' part in recording a build for `cabprof tune`.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      where the environment names a log (loopfb/formats/build_log.h), the command is run as
 *             a child, and what it read and wrote is appended to the log.  Commands that a recorded
 *             command starts (collect2 finds ld in PATH) are not recorded.
 */
#ifndef CAB_BUILD_RECORD_H
#define CAB_BUILD_RECORD_H

#include <stdbool.h>
#include "loopfb/formats/build_args.h"

/* Return true if this process is to record what it runs. */
bool cab_build_recording (void);

/* Run PROGRAM with ARGV, record it as a command of TOOL, and end as it ended.  Returns only if
   PROGRAM cannot be run, with errno set. */
void cab_build_record (const char *program, enum cab_tool tool, int argc, char **argv);

#endif
