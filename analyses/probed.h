/* probed.h - what probes a program has, asked of its file before it runs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PROBED_H
#define CAB_PROBED_H

#include <stdbool.h>

/* Is the file PATH a program that the dynamic loader starts, with probes of calls?  What is no such file has none. */
bool cab_probed_calls (const char *path);
/* Has the file PATH units that were compiled to tell accesses, with -flto, so that the probes come in at the link? */
bool cab_probed_at_link (const char *path);

#endif
