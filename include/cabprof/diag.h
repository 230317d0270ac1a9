/* diag.h - a message about what went wrong.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CABPROF_DIAG_H
#define CABPROF_DIAG_H

/* One line without a line end, owned by the caller; empty at first.  A function that fails fills
   it. */
struct cab_diag
{
  char text[512];
};

#endif
