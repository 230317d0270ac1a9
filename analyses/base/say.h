/* say.h - messages of the command, and its exit statuses.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a message reads "cabprof: what was given: what is wrong: what to do".
 * Threads:    one at a time.
 */
#ifndef CAB_SAY_H
#define CAB_SAY_H

#define CAB_EXIT_GOOD 0
#define CAB_EXIT_FAILED 1
#define CAB_EXIT_USAGE 2

/* Write "cabprof: " and the message to stderr as one line.  Control characters in it become '?'. */
void cab_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

#endif
