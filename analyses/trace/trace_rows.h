/* trace_rows.h - the format `rows' of traces: what one stage of a pipe hands to the next.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     docs/trace.md, "Rows", which describes it for readers outside of cabprof.
 * Model:      a header that says which columns there are, then blocks of rows, or of names, which
 *             come before the first row that needs them, and at last a block that says how many
 *             rows there were.  A stage reads blocks, passes names on as they are, and writes rows.
 * Units:      bytes; times in ns of CLOCK_MONOTONIC, of the chunk in which the event came (an upper
 *             bound).
 * Ownership:  the caller owns structs and descriptors; rows and names that a reader returns live
 *             until the next read, places until the close.
 * Errors:     negative, with words "NAME: what is wrong: what to do" in DIAG; what was read before
 *             was good.
 */
#ifndef CAB_TRACE_ROWS_H
#define CAB_TRACE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include "cabprof/analysis.h"
#include "analyses/base/names.h"
#include "analyses/trace/trace_input.h"

/* One event, or one access of an event.  Numbers are those of the process that it comes from; 0:
   none. */
struct cab_trace_row
{
  uint64_t time;
  uint64_t address;      /* ACCESS: accessed; ALLOCATED and MOVED: of the new block */
  uint64_t bytes;        /* ACCESS: accessed or allocated */
  uint64_t other;        /* MOVED: the old block; PATH: number of the path; LOOP: iterations or
			    cycles */
  uint64_t times;        /* how many events this represents: 1, or more for PATH */
  uint64_t value;        /* ACCESS: what was read or written, if value_type is not 0 */
  uint32_t process;      /* from 1 */
  uint32_t thread;       /* from 1, in its process */
  uint32_t fn;           /* the function that it happened in; CALL: the function that was entered */
  uint32_t site;         /* ACCESS: access or allocation; CALL: call site; LOOP: loop in its
			    function */
  uint32_t depth;        /* CALL: number of frames below */
  uint8_t kind;          /* enum cab_event_kind: CALL, TAIL, UNDER, PATH, PATH_LAST, LOOP, ACCESS,
			    or VALUE, a value of none of these accesses */
  uint8_t form;          /* ACCESS: enum cab_row_form; LOOP: enum cab_loop_form */
  uint8_t level;         /* ACCESS, by `cabprof cache --mark': 0 not marked, 1 hit in the first
			    level, 2 in the second, ..., 255 in none */
  uint8_t value_type;    /* ACCESS: enum cab_value_type and flags */
};
#define CAB_ROW_MISSED_ALL 255

/* The place of an access, an allocation or a call site. */
struct cab_row_place
{
  uint32_t fn, line, column;
  bool is_allocation;
  bool is_local;         /* allocation: of a local variable, whose callee is "local NAME" */
  const char *file;
  const char *name;      /* access: variable or type.field, "?" if it has no name; allocation: type,
			    "?" unknown; call: callee, "*" indirect */
  const char *callee;    /* allocation: the function that was called; else "" */
  const char *loop;      /* access: FILE:LINE:COLUMN of its innermost loop, or "" */
  uint32_t structure;    /* key of the structure that it accesses or allocates (info.h), 0: none; an
			    access also has the two members below */
  bool is_element;       /* somewhere in the member at `offset', which is an array; else at `offset'
			    itself */
  uint64_t offset;
};
/* A function and where it is declared. */
struct cab_row_function
{
  const char *name, *assembler, *file;   /* name: as people read it */
  uint32_t line;
};

enum cab_rows_block
{
  CAB_ROWS_END,          /* all blocks were read */
  CAB_ROWS_ROWS,         /* rows, n_rows */
  CAB_ROWS_NAMES         /* names, n_names bytes: pass them to cab_rows_write_names */
};

struct cab_rows_reader
{
  struct cab_trace_input in;
  const struct cab_trace_row *rows;
  size_t n_rows;
  uint32_t node;                   /* of a source that follows calls (trace_source.h): the calling
				      context of these rows, if they are no calls */
  const char *names;
  size_t n_names;
  uint64_t total;                  /* number of rows read */
  struct cab_rows_layout *layout;
  unsigned char *block;
  size_t room;
  struct cab_trace_row *converted;
  struct cab_names memory;
  struct htab *places;
  /* Set by a source that makes rows of another format (trace_source.h); else null. */
  void *host;
  int (*next) (struct cab_rows_reader *reader, struct cab_diag *diag);
  void (*end) (struct cab_rows_reader *reader);
};

/* Read from FD, whose name is PATH; both are the caller's, until after the close.  The trace may be
   in zstd's format. */
int cab_rows_open (struct cab_rows_reader *reader, int fd, const char *path, struct cab_diag *diag);
/* Read from IN, which was looked at before and belongs to the reader from now on, like
   cab_rows_open. */
#define CAB_ROWS_LOOK 8
int cab_rows_open_input (struct cab_rows_reader *reader, struct cab_trace_input in,
			 struct cab_diag *diag);
/* Make READER a reader of IN that has read nothing yet; for trace_source.c, too. */
void cab_rows_prepare (struct cab_rows_reader *reader, struct cab_trace_input in);
/* Return true if the N bytes at HEAD begin such a trace. */
bool cab_rows_is (const void *head, size_t n);
/* Read the next block.  Return enum cab_rows_block, or negative. */
int cab_rows_next (struct cab_rows_reader *reader, struct cab_diag *diag);
void cab_rows_close (struct cab_rows_reader *reader);

/* Return what the names so far said of an access or allocation, or null if nothing. */
const struct cab_row_place *cab_rows_access (const struct cab_rows_reader *reader, uint32_t process,
					     uint32_t site);
/* Return what the names so far said of a call site, or null if nothing. */
const struct cab_row_place *cab_rows_call (const struct cab_rows_reader *reader, uint32_t process,
					   uint32_t site);
/* Return the number of caches, in the order of their levels, that the rows' levels refer to; 0: the
   names did not say. */
unsigned cab_rows_caches (const struct cab_rows_reader *reader);
/* Return a note to show with accesses if the names said that not all were recorded, in the reader's
   memory; else null. */
const char *cab_rows_sampled (struct cab_rows_reader *reader);
/* Return what the names so far said of a function, or null if nothing. */
const struct cab_row_function *cab_rows_function (const struct cab_rows_reader *reader,
						  uint32_t process, uint32_t fn);

struct cab_rows_writer
{
  int fd;
  int error;                       /* errno of the first write that failed; later writes do
				      nothing */
  uint32_t n;                      /* rows in the block that is being filled */
  uint64_t total;
  struct cab_trace_row *rows;
};
#define CAB_ROWS_BLOCK 4096        /* the most rows of a block */

/* Write the header to FD. */
void cab_rows_begin (struct cab_rows_writer *writer, int fd);
/* Write N rows, in blocks. */
void cab_rows_write (struct cab_rows_writer *writer, const struct cab_trace_row *rows, size_t n);
/* Write N bytes of lines of names, before the rows that follow. */
void cab_rows_write_names (struct cab_rows_writer *writer, const char *names, size_t n);
/* Write the remaining rows and the end.  Return 0, or -errno.  The descriptor stays open. */
int cab_rows_end (struct cab_rows_writer *writer);

/* Lines of names, for code that makes rows of events: text with the escapes of a record, the fields
   separated by tabs.
     P process pid command
     T process thread tid name
     S process N: of its functions with a sampling switch one piece in N was recorded, or none;
       of the others everything was
     L process N: row.level refers to N caches, D1, L2 if they are three, and LL; process 0:
       in all rows
     F process fn name assembler file line
     A process site fn file line column name loop structure
     M process site fn file line column type callee structure
     C process site fn file line column callee
   The structure is as in A and M lines of records, and may be missing. */

#endif
