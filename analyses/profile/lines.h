/* lines.h - how often was each source line executed, by gcov's definition?
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     what gcov of GCC 12 prints, so that both can be compared.
 * Model:      a block belongs, in each file that it has lines of, to the greatest of them.  A
 *             line's count is how often control came to the line's blocks from blocks that are not
 *             its own, plus how often it went round cycles within them, each cycle counting as
 *             often as its rarest edge has not been used up by another.  A line that no block
 *             belongs to has the sum of the counts of the blocks that mention it.  Functions that
 *             begin at the same line of a file (instances of a template, say) are accounted for
 *             each by itself, and added. As gcov does, the function's last block belongs to no
 *             line, and functions that the compiler made have no lines.
 * Ownership:  rows are the caller's (free); file names are the model's.
 */
#ifndef CAB_LINES_H
#define CAB_LINES_H

#include "analyses/profile/model.h"

struct cab_line_count
{
  const char *file;
  uint32_t line;
  uint64_t count;
  uint64_t unfinished;   /* activations of the functions that have the line, left in the midst: what
			    these passed since their last path's end is not in `count' */
};

/* Rows sorted by file and line; *N of them.  Functions that were compiled but never ran count with
   zeros (cab_model_add_unexecuted was called).  WANTED tells, by their index, of which functions:
   what these contribute, whatever others have blocks of the same lines; null: of all. */
struct cab_line_count *cab_lines (const struct cab_model *model, const bool *wanted, size_t *n);

/* The same of FUNCTION alone. */
struct cab_line_count *cab_lines_of (const struct cab_function *function, size_t *n);

#endif
