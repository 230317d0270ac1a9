/* own_crash.h - the command says which analyses of users were loaded when it crashes: most likely
 * it is one of them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads:    any; the words are written by a signal handler, and the process ends by the signal as
 *             it would without.
 */
#ifndef CAB_OWN_CRASH_H
#define CAB_OWN_CRASH_H

/* FILE was loaded: what cab_own_watch is for (own.h). */
void cab_own_crash_watch (const char *file);

#endif
