/* script_read.h - samples from the output of `perf script'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     0, or negative with words in DIAG, which need no prefix.
 */
#ifndef CAB_SCRIPT_READ_H
#define CAB_SCRIPT_READ_H

#include "loopfb/sample/samples.h"

/* Read the output of `perf script -F comm,tid,time,event,ip,sym,dso' or the like: each sample names
   event, ip, symbol with offset, and file.  EVENT is the one to take, or null if there is only one.
   Addresses follow from symbol + offset and the file's symbols; where they cannot be found, the row
   is `unknown'. */
int cab_samples_from_script (struct cab_samples *samples, const char *path, const char *event,
			     struct cab_diag *diag);

#endif
