/* share_remedy.h - what keeps a variable from being shared falsely, and is it worth it?  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      padding behind each element is for variables that have an element for each thread, or
 *             a few.  Of a larger one it would multiply the memory, and the misses: there threads
 *             had better be given whole lines.  What less than one in CAB_SHARE_WORTH of a
 *             variable's accesses suffer from is not worth either.
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
  uint64_t bytes, element;     /* its size, and its elements'; 0: not known */
  uint64_t accesses, falsely;  /* all to it, and those that suffer from it at most; 0: not known,
				  they count in other lines */
  uint64_t lines;              /* that it was accessed in */
  uint32_t threads;            /* that share it */
  bool unknown;                /* it is no symbol, and of no type that is known: what a pointer
				  leads to */
};

struct cab_share_remedy
{
  uint64_t padding;            /* behind it, or each of its elements; UINT64_MAX: none, or not
				  known */
  char text[200];
};

void cab_share_remedy (const struct cab_share_use *use, struct cab_share_remedy *remedy);

#endif
