/* binary_probes.h - find out what probes a program has from its file, before it runs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_BINARY_PROBES_H
#define CAB_BINARY_PROBES_H

#include <stdbool.h>

/* Return true if the file PATH is a program that the dynamic loader starts, with probes of calls.
   Any other file has none. */
bool cab_binary_probes_calls (const char *path);
/* Return true if filters have left out accesses of the program PATH. */
bool cab_binary_probes_left_out (const char *path);
/* Return true if the file PATH has units that were compiled with -flto to record accesses, so that
   the probes are inserted at the link. */
bool cab_binary_probes_at_link (const char *path);

/* Return why nothing in the program PATH has probes, though it was compiled with the plugin: the
   reason that most of its functions have (free), and how many they are, *N, of *ALL.  Return null
   if it was not compiled with the plugin, or if something has probes. */
char *cab_binary_probes_why_not (const char *path, unsigned *n, unsigned *all);

#endif
