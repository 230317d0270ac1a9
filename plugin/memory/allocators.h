/* allocators.h - which functions allocate, release and move memory, and which of their arguments
 * say what.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      pure C, no GCC header.  A table of C's, C++'s and the kernel's own allocators is
 *             built in; the lines of a file of the user's stand before it, the last of them that
 *             fits a name counts.  A line is
 *                 NAME allocates size=N [count=N] [result=N] [fails=-1]
 *                 NAME releases  pointer=N
 *                 NAME moves     pointer=N size=N [count=N] [fails=-1]
 *                 NAME ignored
 *             NAME is an assembler name, or a pattern (pattern.h) without white space and #; N the
 *             position of an argument, from 1; size=strlen means that the result is a string, and
 *             has its length + 1 bytes.  Empty lines, and what follows a #, say nothing.
 * Ownership:  the table holds copies of what it read; cab_allocators_fini frees them.
 * Errors:     a bad line, or a file that cannot be read: -1 with a sentence in the caller's buffer;
 *             the table is then as it was.  No memory: abort, as the compiler itself does.
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
  CAB_ALLOCATOR_MOVES      /* releases, and allocates as much as is asked for: realloc */
};

/* Positions of arguments are from 1; 0: there is none. */
struct cab_allocator
{
  const char *name;
  enum cab_allocator_kind kind;
  unsigned size;           /* bytes, or bytes of one element; 0 of what allocates: strlen of the
			      result + 1 */
  unsigned count;          /* how many elements */
  unsigned pointer;        /* what is released or moved */
  unsigned result;         /* argument that says where the result is put, the function returning 0
			      where it succeeds; 0: it is returned */
  bool fails_minus_one;    /* -1 is returned where it fails; else null */
};

struct cab_allocators
{
  struct cab_allocator *row;
  unsigned n;
};

#define CAB_ALLOCATORS_ERROR_BYTES 512

/* Add the lines of file PATH to TABLE, which may be all zero.  ERROR has
   CAB_ALLOCATORS_ERROR_BYTES. */
extern int cab_allocators_read (struct cab_allocators *table, const char *path, char *error);
/* A sum of its rows, in their order: of what the user's file says. */
extern uint32_t cab_allocators_sum (const struct cab_allocators *table);
extern void cab_allocators_fini (struct cab_allocators *table);

/* The row for the function of assembler name NAME, of TABLE or built in; null where it is no
   allocator. */
extern const struct cab_allocator *cab_allocators_find (const struct cab_allocators *table,
							const char *name);

/* The greatest position of an argument that ALLOCATOR refers to. */
extern unsigned cab_allocator_arguments (const struct cab_allocator *allocator);

#ifdef __cplusplus
}
#endif

#endif
