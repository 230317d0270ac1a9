/* share_remedy.h - what keeps a variable from being shared falsely, and whether it is worth it;
 * pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      padding after each element suits variables that have one or a few elements for each
 *             thread.  For a larger variable it would multiply the memory and the misses; there,
 *             threads should be given whole lines.  No remedy is worth it if fewer than one in
 *             CAB_SHARE_WORTH of a variable's accesses suffer.
 */
#ifndef CAB_SHARE_REMEDY_H
#define CAB_SHARE_REMEDY_H

#include <stdbool.h>
#include <stdint.h>

/* A falsely shared variable. */
struct cab_share_use
{
  bool within;                 /* threads share it falsely with each other; else with other
				  variables */
  uint64_t bytes, element;     /* its size, and its elements' size; 0: not known */
  uint64_t accesses, falsely;  /* all accesses to it, and an upper bound of those that suffer; 0:
				  not known, since they count in other lines */
  uint64_t lines;              /* in which it was accessed */
  uint32_t threads;            /* that share it */
  bool unknown;                /* it is no symbol and has no known type: what a pointer leads to */
};

/* What to do about it. */
struct cab_share_remedy
{
  uint64_t padding;            /* bytes after it, or after each of its elements; UINT64_MAX: none,
				  or not known */
  char text[200];
};

/* Set REMEDY to the remedy for the variable in USE. */
void cab_share_remedy (const struct cab_share_use *use, struct cab_share_remedy *remedy);

#endif
