/* diag.h - how readers of files report what is wrong with one.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_DIAG_H
#define CAB_DIAG_H

#include "cabprof/diag.h"

/* Write "PATH: " and the message, "what is wrong: what to do", into DIAG, truncated to its size.
   Return -1. */
int cab_refuse (const char *path, struct cab_diag *diag, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

#endif
