/* lines.h - how often each source line was executed, as gcov defines it for one function.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     what gcov of GCC 12 prints, so that both can be compared: at -O0 all lines are equal.
 * Model:      a block belongs, in each file that it has lines of, to the greatest of them.  A
 *             line's count is how often control entered the line's blocks from blocks that are not
 *             its own, plus how often it went through cycles within them, each cycle counting as
 *             often as its rarest edge has not been used up by another.  A line that no block
 *             of a function belongs to has the sum of the counts of the blocks that mention it;
 *             gcov leaves these out if a block of another function belongs to the line.  Functions
 *             that begin at the same line of a file (instances of a template, say) are counted
 *             separately, and added.  As in gcov, the function's last block belongs to no line, and
 *             functions that the compiler made have no lines.
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
  uint64_t within;       /* half the interval around `count', where that is an estimate
			    (partial/estimated.h); else 0 */
  uint64_t unfinished;   /* activations of the functions that have the line that were not finished:
			    what they executed since the end of their last path is not in `count' */
};

/* Return rows sorted by file and line, *N of them.  Functions that were compiled but never ran have
   zeros, if cab_model_add_unexecuted was called.  WANTED selects functions by their index: counted
   is what these contribute, whatever other functions have blocks of the same lines; null: all. */
struct cab_line_count *cab_lines (const struct cab_model *model, const bool *wanted, size_t *n);

/* Return the rows of FUNCTION only, *N of them. */
struct cab_line_count *cab_lines_of (const struct cab_function *function, size_t *n);

#endif
