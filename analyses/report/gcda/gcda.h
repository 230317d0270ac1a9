/* gcda.h - a profile as the files (.gcda) that GCC reads with -fprofile-use.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     read_counts_file of GCC's coverage.cc; gcov-io.h.
 * Model:      records of units that were compiled with cut-at-calls name GCC's identifier and
 *             checksums of each function, and the edges that have a counter.  A part is read at a
 *             time, since the summary of a file is over runs: of each process, the largest counter
 *             of the module that the unit is in.  A function that several units have (COMDAT) has
 *             in each file the sum of all its copies.  A path that was under way when the process
 *             ended, other than in a call, is completed on the shortest way out, so that what
 *             enters each block leaves it: GCC refuses other profiles.
 * Units:      counts are executions.
 * Ownership:  all of it belongs to struct cab_gcda until cab_gcda_fini.
 */
#ifndef CAB_GCDA_H
#define CAB_GCDA_H

#include <stdio.h>
#include "analyses/profile/model.h"

/* How often an indirect call entered which function. */
struct cab_gcda_target
{
  uint32_t ident;
  uint64_t count;
};

struct cab_gcda_site
{
  uint32_t n;
  struct cab_gcda_target *targets;
};

/* Which values GCC also counts in a function. */
struct cab_gcda_values
{
  bool known;
  uint32_t n_topn, n_calls;      /* statements whose frequent values it wants; indirect calls */
  uint32_t n_remainders, *remainders;   /* blocks of unsigned remainders by a variable */
  uint32_t n_cells, *cell_blocks;   /* blocks of the statements whose values the cells count */
  const char *letters;           /* as struct cab_record.values */
};

struct cab_gcda_function
{
  struct cab_gcov gcov;
  uint64_t *counts;        /* gcov.n_counters, over all parts */
  uint64_t most;           /* the largest counter in part `part' */
  uint32_t part;           /* 1 + the index of the last part that it ran in; 0: it never ran */
  bool unknown;            /* one of its edges has no known count */
  uint32_t n_blocks;
  uint64_t *blocks;        /* executions of each block, over all parts; null: it never ran */
  uint32_t order;          /* in part `part' it first ran after those with a lower number, and
			      before those with a higher one; 0: not known */
  uint32_t first;          /* its number, from 1, among the functions of its module that ran, in the
			      order in which they first did; of several parts the least.  0: not
			      known, or it never ran */
  struct cab_gcda_values values;
  uint64_t *cells;         /* values.n_cells (value_cells.h); null: none has been recorded */
  struct cab_gcda_site *sites;   /* values.n_calls; null: no call has been recorded */
};

struct cab_gcda_unit
{
  const char *directory, *base;
  uint32_t version, n_functions, runs;
  uint64_t sum_max;
  bool in_words;
  bool mixed;              /* the profile has two builds of it */
  struct cab_gcda_function **functions;
};

/* A module whose records have been read: indices of its units. */
struct cab_gcda_module
{
  const char *key;
  uint32_t n_units, *units;
};

struct cab_gcda
{
  struct cab_names names;
  void *functions, *by_name;   /* hash tables */
  void *by_look;               /* of functions by what they look like (gcda_stale.h); or null */
  bool is_stale;               /* remember what functions look like */
  uint32_t n_units, n_modules, n_parts, n_functions;
  struct cab_gcda_unit *units;
  struct cab_gcda_module *modules;
  const char *without;         /* a function that ran and was compiled without cut-at-calls, or
				  null */
};

void cab_gcda_init (struct cab_gcda *gcda);
void cab_gcda_fini (struct cab_gcda *gcda);
/* Add the counts of MODEL, opened by cab_model_open_by_unit.  What is wrong with a record is added
   to its problems. */
void cab_gcda_add (struct cab_gcda *gcda, struct cab_model *model);

/* Return the function of GCOV, added if it is new. */
struct cab_gcda_function *cab_gcda_function_of (struct cab_gcda *gcda,
						const struct cab_gcov *gcov);
/* Add the unit whose record is at OFFSET of FILE, and return its index; or negative with words in
   DIAG. */
int cab_gcda_unit_add (struct cab_gcda *gcda, struct cab_info *file, uint64_t offset,
		       struct cab_diag *diag);

/* Set COUNTS to the counters of FUNCTION, whose record has them, and BLOCKS, which are zeros, to
   how often each of the record's blocks was executed.  Return false if a counter is not known
   (gcda_flow.c). */
bool cab_gcda_counters (const struct cab_function *function, uint64_t *counts, uint64_t *blocks);

/* Set F's values to those of RECORD, in memory of GCDA (gcda_values.c, as the next three). */
void cab_gcda_values_set (struct cab_gcda *gcda, struct cab_gcda_function *f,
			  const struct cab_record *record);
/* Add the values that FUNCTION used to those of F. */
void cab_gcda_values_add (struct cab_gcda *gcda, struct cab_gcda_function *f,
			  const struct cab_function *function);
/* Number the functions of MODULE that have run in the part that is read, in the order in which they
   first did. */
void cab_gcda_first_add (struct cab_gcda *gcda, const struct cab_gcda_module *module);
/* Write the values of UNIT's function F to TO. */
void cab_gcda_values_write (const struct cab_gcda_unit *unit, const struct cab_gcda_function *f,
			    FILE *to);

/* Add the targets of the indirect calls of F, which are those of FUNCTION in MODEL; and free
   them (gcda_calls.c). */
void cab_gcda_calls_add (struct cab_gcda_function *f, struct cab_model *model,
			 const struct cab_function *function);
void cab_gcda_calls_fini (struct cab_gcda_function *f);

/* Return the path under which GCC looks for UNIT's file (free): with DIR as with
   -fprofile-use=DIR, null: with -fprofile-use (gcda_write.c, as the others). */
char *cab_gcda_path (const struct cab_gcda_unit *unit, const char *dir);
/* Write TAG and the length of N_WORDS words of data; negative: so many zeros, which do not
   follow. */
void cab_gcda_put_tag (const struct cab_gcda_unit *unit, FILE *to, uint32_t tag, int32_t n_words);
/* Write UNIT's file to TO.  A failed write sticks to the stream. */
void cab_gcda_write (const struct cab_gcda_unit *unit, FILE *to);

#endif
