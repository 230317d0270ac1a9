/* tune_shell.h - run a command of the user's with the wrappers in the compilers' place.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_SHELL_H
#define CAB_TUNE_SHELL_H

#include "loopfb/tune/tune.h"

/* Run the user's COMMAND with the wrappers in the compilers' place and HINTS for them, recording to
   LOG unless that is null. */
int cab_tune_shell (const struct cab_tune *tune, const char *command, const char *hints,
		    const char *log);

#endif
