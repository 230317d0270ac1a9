/* preload.h - have the command load one of cabprof's libraries before all others.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  the returned path is the caller's.
 * Errors:     null with words in DIAG, which need no prefix.
 */
#ifndef CAB_PRELOAD_H
#define CAB_PRELOAD_H

#include "cabprof/analysis.h"

/* Return the path of the library NAME. */
char *cab_preload_find (const char *name, struct cab_diag *diag);
/* Set, in the child, the environment that loads LIBRARY, before what the user preloads. */
void cab_preload_environment (const char *library);

#endif
