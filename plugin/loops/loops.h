/* loops.h - source loops, as the GCC-side files share them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      right behind the pass "ssa" each function gets a table of its loops (loops.cc):
 *             nothing has been inlined or optimised yet, so the table is the same for all levels.
 *             It becomes an L1 record (loops_record.cc), is where hints are applied (feedback.cc),
 *             and stays until the unit ends, so that a loop of any later pass can be asked which
 *             source loop it is (loops_find.cc). Places of statements are what leads back: they
 *             survive inlining, copying and expansion to RTL.
 * Ownership:  tables live as long as the compiler.
 */
#ifndef CABPROF_LOOPS_PLUGIN_H
#define CABPROF_LOOPS_PLUGIN_H

#include "plugin/emit/plugin.h"

/* Each loop of cfun, as LOOP; by number.  (GCC's own ways to write this differ from version to
   version.) */
#define CAB_EACH_LOOP(LOOP) \
  for (unsigned LOOP##_num = 1; LOOP##_num < number_of_loops (cfun); LOOP##_num++) \
    if (class loop *LOOP = get_loop (cfun, LOOP##_num))

#define CAB_SOURCE_UNTOLD 1u   /* cannot be told apart from another */
#define CAB_SOURCE_MACRO 2u    /* all that is in it comes from macros */
#define CAB_SOURCE_HINTED 4u   /* its factor is a hint's, not a directive's */
#define CAB_SOURCE_REGISTERS 8u   /* a hint: rename the registers of the function that it is written
				     in */

struct cab_source_loop
{
  location_t where;            /* header; UNKNOWN_LOCATION: has none */
  expanded_location place;     /* the same, read */
  unsigned ordinal;            /* among loops of the same place */
  int last_line;
  expanded_location first, last;   /* in the text, of what is in it, in the file of its header */
  unsigned checksum;
  int parent;                  /* index, -1: none */
  unsigned depth;              /* 1: outermost */
  unsigned n_children;
  unsigned flags;              /* CAB_SOURCE_* */
  int num;                     /* loop->num behind "ssa" */
};

/* Something of loop LOOP, and of none inside, stands at WHERE (a pure location). */
struct cab_source_place
{
  location_t where;
  int loop;
};

struct cab_source_loops
{
  unsigned uid;                /* DECL_UID of the function */
  location_t declared;
  char *function, *name;       /* assembler and source name */
  vec<cab_source_loop> loops;  /* the l lines of the record, in order */
  vec<cab_source_place> places;   /* ascending; at a link none: then `first' and `last' have to
				     do */
};

/* A source loop, or none (LOOPS null). */
struct cab_source
{
  cab_source_loops *loops;
  int index;
  unsigned inline_depth;       /* how many functions it was inlined through */
};

/* loops.cc */
extern opt_pass *cab_loops_pass (void);               /* behind "ssa" */
extern cab_source_loops *cab_loops_of (tree fndecl);  /* table of FNDECL, or of what it is a clone
							 of; null: it has no loops */
extern const vec<cab_source_loops *> &cab_loops_all (void);
extern uint64_t cab_source_key (const cab_source_loops *loops, const cab_source_loop *loop);

/* loops_lto.cc: hang TABLE on the function that it is of, for the link; the table that hangs on
   FNDECL, null if none does. */
extern void cab_loops_attach (const cab_source_loops *table, tree fndecl);
extern cab_source_loops *cab_loops_attached (tree fndecl);

/* loops_record.cc: all L1 records; once per unit. */
extern void cab_loops_record (void);

/* loops_find.cc: which source loop is LOOP of cfun, GIMPLE or RTL?  By the places of its exit
   tests, else of what is in it; within what the loop around it was found to be. */
extern cab_source cab_loops_identify (class loop *loop);
/* The source loops, innermost first listed or not, that a statement at WHERE may belong to. */
extern void cab_loops_at (location_t where, vec<cab_source> *found);

#endif
