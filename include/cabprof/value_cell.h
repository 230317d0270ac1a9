/* value_cell.h - counters of the values that a statement uses, for `cabprof export gcda'.
 *
 * Model:      a cell belongs to one operand of one statement: a divisor, a quotient, a size, an
 *             address.  Cells are counters of the function, in each thread's area, after those of
 *             paths; the stub's __cab_value counts a value (plugin/stub/stub.c).  The table has
 *             each value that occurred, with how often it did, in the order of their first
 *             occurrence.  Where it is full, a value that is not there takes one off the first of
 *             the least frequent entries, and takes its place, as a new one, if nothing remains of
 *             it: what GCC's own runtime does.
 * Units:      values are taken as signed numbers of 64 bits.
 * Threads:    a cell has one writer.  A reader may find a value under way: the last entry has no
 *             count, or the sums are one ahead.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_VALUE_CELL_H
#define CAB_VALUE_CELL_H

#define CAB_CELL_VALUES 32   /* as many as GCC's own runtime keeps */

/* Words of a cell. */
enum cab_value_word
{
  CAB_CELL_TOTAL,      /* how many values were counted */
  CAB_CELL_SUM,        /* of all, modulo 2^64 */
  CAB_CELL_OR,         /* bits that any of them had */
  CAB_CELL_POWERS,     /* how many were powers of two */
  CAB_CELL_ZEROS,      /* how many were 0 */
  CAB_CELL_ONES,       /* how many were 1 */
  CAB_CELL_NEGATIVES,  /* how many were negative */
  CAB_CELL_N,          /* entries of the table in use */
  CAB_CELL_TABLE,      /* value, count; value, count; ... */
  CAB_CELL_WORDS = CAB_CELL_TABLE + 2 * CAB_CELL_VALUES
};

#endif
