/* allocators.h - which functions allocate, release and move memory, and the meaning of their
 * arguments.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      pure C, no GCC header.  A table of C's, C++'s and the kernel's own allocators is
 *             built in; the lines of the user's file take precedence over it, and among these
 *             the last one that matches a name counts.  A line is
 *                 NAME allocates size=N [count=N] [result=N] [fails=-1]
 *                 NAME releases  pointer=N
 *                 NAME moves     pointer=N size=N [count=N] [fails=-1]
 *                 NAME ignored
 *             NAME is an assembler name, or a pattern (pattern.h) without white space and #; N the
 *             position of an argument, from 1; size=strlen means that the result is a string, and
 *             has its length + 1 bytes.  Empty lines, and what follows a #, are ignored.
 * Ownership:  the table holds copies of what it read; cab_allocators_fini frees them.
 * Errors:     a bad line, or a file that cannot be read: -1 with a sentence in the caller's buffer;
 *             the table stays as it was.  No memory: abort, as the compiler itself does.
 * Threads:    none.
 */
#ifndef CABPROF_ALLOCATORS_H
#define CABPROF_ALLOCATORS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cab_allocator_kind
{
  CAB_ALLOCATOR_IGNORED,   /* not an allocator, whatever the built-in table says */
  CAB_ALLOCATOR_ALLOCATES,
  CAB_ALLOCATOR_RELEASES,
  CAB_ALLOCATOR_MOVES      /* releases, and allocates as much as is requested: realloc */
};

/* Positions of arguments count from 1; 0: there is none. */
struct cab_allocator
{
  const char *name;
  enum cab_allocator_kind kind;
  unsigned size;           /* bytes, or bytes of one element; 0 for an allocation: strlen of the
			      result + 1 */
  unsigned count;          /* how many elements */
  unsigned pointer;        /* what is released or moved */
  unsigned result;         /* argument that points to where the result is stored, with a function
			      that returns 0 on success; 0: the result is returned */
  bool fails_minus_one;    /* it returns -1 on failure; else null */
};

struct cab_allocators
{
  struct cab_allocator *row;
  unsigned n;
};

#define CAB_ALLOCATORS_ERROR_BYTES 512

/* Add the lines of file PATH to TABLE, which may be all zero.  Return 0, or -1 with a sentence in
   ERROR, which has CAB_ALLOCATORS_ERROR_BYTES. */
extern int cab_allocators_read (struct cab_allocators *table, const char *path, char *error);
/* Return a checksum of TABLE's rows, in their order, which identifies the contents of the user's
   file. */
extern uint32_t cab_allocators_sum (const struct cab_allocators *table);
/* Free the rows of TABLE. */
extern void cab_allocators_fini (struct cab_allocators *table);

/* Return the row for the function with assembler name NAME, from TABLE or built in; null if it is
   no allocator. */
extern const struct cab_allocator *cab_allocators_find (const struct cab_allocators *table,
							const char *name);

/* Return the greatest position of an argument that ALLOCATOR refers to. */
extern unsigned cab_allocator_arguments (const struct cab_allocator *allocator);

#ifdef __cplusplus
}
#endif

#endif
