/* trials.h - the files in which programs leave the trials of their loops (cabprof/trials.h).
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      pure C: a file becomes trials.  Files are taken as hostile.
 * Ownership:  texts are in the file's own copy of its text; cab_trials_fini frees all.
 * Errors:     -1 and a sentence in DIAG: the file cannot be read, is cut off, or is wrong.
 */
#ifndef CABPROF_FORMATS_TRIALS_H
#define CABPROF_FORMATS_TRIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cabprof/diag.h"

/* A loop that is tried. */
struct cab_trials_loop
{
  const char *function, *file, *name;
  uint32_t line, column, ordinal, checksum;
};

/* A copy of a function. */
struct cab_trials_copy
{
  int loop;                 /* that the hint is for; -1: none */
  uint32_t unroll, align, prefetch;
  int vectorize;            /* -1: as the compiler chooses; 0, 1 */
  uint32_t turn;            /* column of rounds; that of an earlier copy: it has its instructions */
  uint64_t hash;
  const char *words;        /* what became of the loop */
};

/* A function. */
struct cab_trials_function
{
  const char *symbol, *name, *file;
  uint32_t line, gcc;
  struct cab_trials_loop *loops;
  struct cab_trials_copy *copies;    /* the last one counts iterations */
  uint32_t n_loops, n_copies, n_turns;
  uint64_t abandoned, lost, block_cycles;
  uint64_t counted, *iterations;     /* executions of the last copy; iterations by loop */
  double *cost;                      /* [n_rounds][n_turns]: cycles of an execution */
  uint32_t n_rounds;
};

struct cab_trials
{
  char *text;
  const char *program;
  uint32_t process;
  struct cab_trials_function *functions;
  uint32_t n;
};

/* Read the file PATH. */
extern int cab_trials_read (struct cab_trials *trials, const char *path, struct cab_diag *diag);
/* Read LENGTH bytes of TEXT; PATH is for messages. */
extern int cab_trials_parse (struct cab_trials *trials, const char *path, const char *text,
			     size_t length, struct cab_diag *diag);
extern void cab_trials_fini (struct cab_trials *trials);

/* Return true if A and B are trials of the same build of one function. */
extern bool cab_trials_same (const struct cab_trials_function *a,
			     const struct cab_trials_function *b);

#endif
