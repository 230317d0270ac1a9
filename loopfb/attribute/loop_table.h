/* loop_table.h - the source loops of a module and what became of them: records L1 and O1 of
 * .cabprof_info, and the exact code ranges.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/info.h and loops.h, which define what is read here.
 * Model:      one table per module.  It is filled from an ELF file, or from records that were read
 *             elsewhere (a profile's modules). Loops are numbered from 0 in the order of the
 *             records; those of one function's record stand together, in the source's order, an
 *             enclosing loop before what it encloses.  Equal keys (the same inline function in
 *             objects compiled with other flags) are one loop.
 * Ownership:  all strings and arrays are the table's, until fini.
 * Errors:     0, or negative with words.  A record that cannot be read hurts no other: it is left
 *             out and counted in n_bad. Every byte of the file is taken as hostile.
 * Threads:    a filled table may be read by any number of threads.
 */
#ifndef CAB_LOOP_TABLE_H
#define CAB_LOOP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analyses/profile/info.h"
#include "cabprof/loops.h"

#define CAB_NO_LOOP UINT32_MAX

enum cab_loop_flag
{
  CAB_LOOP_UNTOLD = 1,   /* u: cannot be distinguished from another */
  CAB_LOOP_MACRO = 2     /* m: its place is in the expansion of a macro */
};

/* What a loop does with a scalar variable of the source; the names in records are these words. */
enum cab_scalar_class
{
  CAB_SCALAR_INDUCTION,     /* each iteration adds the same */
  CAB_SCALAR_REDUCTION,     /* combined with other values by one operator, and not used otherwise */
  CAB_SCALAR_CARRIED,       /* an iteration needs the value of the one before it */
  CAB_SCALAR_PRIVATE,       /* each iteration writes it before it reads it */
  CAB_SCALAR_FIRSTPRIVATE,  /* only read */
  CAB_SCALAR_LASTPRIVATE,   /* as private, and its last value is used after the loop */
  CAB_SCALAR_CONDITIONAL,   /* not read in the loop, written in some iterations, used after it */
  CAB_SCALAR_SHARED,        /* in memory, so its accesses are events */
  CAB_SCALAR_UNKNOWN        /* a class of later versions */
};

/* The flags of a v line (info.h), in the order of their letters. */
#define CAB_SCALAR_LETTERS "coawed"
#define CAB_SCALAR_FLAGS 6
enum cab_scalar_flag
{
  CAB_SCALAR_CONTROL = 1,
  CAB_SCALAR_ORDERED = 2,
  CAB_SCALAR_AFTER = 4,
  CAB_SCALAR_WRITTEN = 8,
  CAB_SCALAR_ESCAPES = 16,
  CAB_SCALAR_INSIDE = 32
};

/* A variable, of a v line. */
struct cab_loop_variable
{
  const char *name;
  const char *how;          /* step of an induction, operator of a reduction, or "-" */
  enum cab_scalar_class class;
  uint32_t line, flags;     /* line 0: unknown; flags: enum cab_scalar_flag */
};

/* What is known of a function that a loop calls. */
enum cab_callee_class
{
  CAB_CALLEE_PURE,          /* it has no effect but its result */
  CAB_CALLEE_KNOWN,         /* of a library, and does nothing but what its arguments say */
  CAB_CALLEE_ALLOCATION,
  CAB_CALLEE_IO,
  CAB_CALLEE_STATE,         /* of a library, and calls depend on those before them: rand */
  CAB_CALLEE_PROBED,        /* it has probes, so its accesses are events */
  CAB_CALLEE_UNKNOWN
};

/* A function that a loop calls, of a k line. */
struct cab_loop_callee
{
  const char *name;         /* assembler name; "*": through a pointer */
  enum cab_callee_class class;
  uint32_t line;            /* of the first call */
  bool never_returns;
  bool takes_address;       /* it may access what arguments point to; if `pure', read anything */
  bool builtin;             /* takes_address: the compiler knows what it does */
};

/* A function of a record, with or without loops. */
struct cab_loop_function
{
  const char *name;         /* assembler name */
  uint32_t first_callee, n_callees;   /* calls in none of its loops, in the table's `callee' */
  uint32_t first_loop, n_loops;       /* in the table's `own_loop' */
};

/* An array or structure of the source that a loop uses, of a d line. */
struct cab_loop_aggregate
{
  const char *name;
  bool array;               /* of scalars; else it is or holds structures */
  bool global, inside;      /* static or global; declared in the loop */
};

/* A source file of records. */
struct cab_loop_file
{
  const char *path;
  uint64_t hash;            /* cab_source_hash of what was compiled; 0: units differ */
};

/* A statement that combines what is in memory with another value, of a u line. */
struct cab_loop_update
{
  const char *op;
  bool ordered;             /* the result depends on the order */
  uint32_t store_line, store_column, load_line, load_column;   /* as in A lines */
};

struct cab_loop
{
  const char *function, *name;  /* assembler and source name */
  const char *file;
  uint32_t line, column, ordinal, last_line;
  uint32_t checksum;
  uint32_t parent;              /* number of the enclosing loop in this table, or CAB_NO_LOOP */
  uint32_t depth;               /* 1 = outermost */
  uint32_t flags;               /* enum cab_loop_flag */
  uint32_t n_children;          /* loops directly inside */
  uint64_t key;                 /* cab_loop_key of it */
  const char *form;             /* of its c line; null: no facts are known of the loop */
  uint32_t first_variable, n_variables;   /* in the table's `variable' */
  uint32_t first_callee, n_callees;       /* in `callee'; calls in loops inside are theirs */
  uint32_t first_update, n_updates;       /* in `update'; likewise */
  uint32_t first_aggregate, n_aggregates; /* in `aggregate' */
};

/* The outcome of loop LOOP in the code of function HOLDER: words as in info.h, separated by
   commas. */
struct cab_loop_outcome
{
  const char *holder;
  uint32_t loop;
  const char *words;
};

struct cab_loop_table
{
  struct cab_loop *loop;
  uint32_t n_loops;
  struct cab_loop_outcome *outcome;
  uint32_t n_outcomes;
  struct cab_loop_variable *variable;
  struct cab_loop_callee *callee;
  struct cab_loop_update *update;
  struct cab_loop_aggregate *aggregate;
  struct cab_loop_function *function;   /* of records with facts */
  uint32_t *own_loop;
  struct cab_loop_file *file;     /* whose hash is known */
  uint32_t n_variables, n_callees, n_updates, n_aggregates, n_functions, n_own_loops, n_files;
  struct cab_loop_range *range;   /* ascending, without overlap */
  uint32_t n_ranges;
  uint32_t n_bad;                 /* records that could not be read, and ranges and outcomes of
				     loops that no record describes */
  struct cab_names names;
  void *index;                    /* private to the table */
};

/* Make TABLE empty. */
void cab_loop_table_init (struct cab_loop_table *table);
/* Free TABLE.  One that is all zero is left alone. */
void cab_loop_table_fini (struct cab_loop_table *table);

/* Add the records and ranges of the object, program or library PATH.  A missing section
   .cabprof_info is an error; missing ranges are not. */
int cab_loop_table_add_elf (struct cab_loop_table *table, const char *path, struct cab_diag *diag);
/* Add the records of INFO, which remains the caller's.  It holds no ranges. */
void cab_loop_table_add_info (struct cab_loop_table *table, struct cab_info *info);

/* Return the loop of KEY, or CAB_NO_LOOP if there is none. */
uint32_t cab_loop_table_find (const struct cab_loop_table *table, uint64_t key);
/* Return the innermost source loop whose code is at link-time ADDRESS, by the ranges, or
   CAB_NO_LOOP if none is known. */
uint32_t cab_loop_table_at (const struct cab_loop_table *table, uint64_t address);
/* Store into LOOP the innermost loops of FILE (compared by suffix) whose lines include LINE, at
   most N of them, and return how many there are.  With a FUNCTION that is not null only its loops
   count. */
uint32_t cab_loop_table_on_line (const struct cab_loop_table *table, const char *function,
				 const char *file, uint32_t line, uint32_t *loop, uint32_t n);

/* Return the file PATH of TABLE's records, or null if no hash of it is known. */
const struct cab_loop_file *cab_loop_table_file (const struct cab_loop_table *table,
						 const char *path);

/* Return the word of CLASS. */
const char *cab_scalar_class_name (enum cab_scalar_class class);
const char *cab_callee_class_name (enum cab_callee_class class);

/* Write each word of LOOP's outcomes once, over all functions that hold its code, into TEXT of
   BYTES bytes, and return TEXT. */
const char *cab_loop_table_words (const struct cab_loop_table *table, uint32_t loop, char *text,
				  size_t bytes);

#endif
