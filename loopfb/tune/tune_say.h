/* tune_say.h - report progress of a tune on stderr.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_SAY_H
#define CAB_TUNE_SAY_H

/* Report progress on stderr. */
void cab_tune_say (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

#endif
