/* probed.h - what probes a program has, asked of its file before it runs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PROBED_H
#define CAB_PROBED_H

#include <stdbool.h>

/* Is the file PATH a program that the dynamic loader starts, with probes of calls?  What is no such
   file has none. */
bool cab_probed_calls (const char *path);
/* Have filters left out accesses of the program PATH? */
bool cab_probed_left_out (const char *path);
/* Has the file PATH units that were compiled to tell accesses, with -flto, so that the probes come
   in at the link? */
bool cab_probed_at_link (const char *path);

/* Why has nothing in the program PATH probes, though it was compiled with the plugin?  The reason
   that most of its functions have, in memory for the caller to free, and how many they are, *N, of
   *ALL; null where it was not, or where something has. */
char *cab_probed_why_not (const char *path, unsigned *n, unsigned *all);

#endif
