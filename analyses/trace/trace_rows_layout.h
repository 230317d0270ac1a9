/* trace_rows_layout.h - the layout of rows in a file; for trace_rows_*.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes:     header, n_columns columns, then blocks, each a header and its bytes.  Columns may be
 *             anywhere in a row, and there may be unknown ones.
 * Errors:     no field that is read is trusted.
 */
#ifndef CAB_TRACE_ROWS_LAYOUT_H
#define CAB_TRACE_ROWS_LAYOUT_H

#include <stdint.h>

#define CAB_ROWS_MAGIC "CABROWS"         /* with its NUL */
#define CAB_ROWS_VERSION 1
#define CAB_ROWS_BYTE_ORDER 0x01020304u
#define CAB_ROWS_MARK 0x4b4c4243u        /* "CBLK" */
#define CAB_ROWS_NAMES_MAX (1u << 20)    /* most bytes of a block of names */
#define CAB_ROWS_ROW_MAX 4096            /* most bytes of a row */
#define CAB_ROWS_COLUMNS_MAX 256

struct cab_rows_header
{
  char magic[8];
  uint32_t version, byte_order, row_bytes, n_columns;
};

struct cab_rows_column
{
  char name[16];
  uint32_t offset, bytes;                /* in the row; an unsigned number of 1, 2, 4 or 8 bytes */
};

struct cab_rows_block_header
{
  uint32_t mark, kind;
  uint64_t n;                            /* rows; at the end: of the whole trace */
  uint64_t bytes;
};

#define CAB_ROWS_COLUMNS 15
extern const struct cab_rows_column cab_rows_columns[CAB_ROWS_COLUMNS];

/* The positions of the file's columns, in the order of cab_rows_columns. */
struct cab_rows_layout
{
  uint32_t row_bytes;
  uint32_t offset[CAB_ROWS_COLUMNS];     /*  0: the file does not have it, and 0 is used */
  int same;                              /* rows have the layout of struct cab_trace_row */
};

#endif
