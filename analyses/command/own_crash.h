/* own_crash.h - name the users' analyses that were loaded when the command crashes, since most
 * likely one of them is the cause.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads:    any; a signal handler writes the words, and the process then ends by the signal as it
 *             would without the handler.
 */
#ifndef CAB_OWN_CRASH_H
#define CAB_OWN_CRASH_H

/* Note that FILE was loaded; a cab_user_watch function (user_analysis.h). */
void cab_own_crash_watch (const char *file);

#endif
