/* loops.h - source loops, as the GCC-side files share them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      right after the pass "ssa" each function gets a table of its loops (loops.cc):
 *             nothing has been inlined or optimised yet, so the table is the same for all levels.
 *             It becomes an L1 record (loops_record.cc), is where hints are applied (feedback.cc),
 *             and stays until the unit ends, so that a loop of any later pass can be traced back to
 *             its source loop (loops_find.cc).  The link between both is the places of statements:
 *             they survive inlining, copying and expansion to RTL.
 * Ownership:  tables live as long as the compiler.
 */
#ifndef CABPROF_LOOPS_PLUGIN_H
#define CABPROF_LOOPS_PLUGIN_H

#include "plugin/emit/plugin.h"

/* Iterate over the loops of cfun by number, as LOOP.  (GCC's own ways to write this differ from
   version to version.) */
#define CAB_EACH_LOOP(LOOP) \
  for (unsigned LOOP##_num = 1; LOOP##_num < number_of_loops (cfun); LOOP##_num++) \
    if (class loop *LOOP = get_loop (cfun, LOOP##_num))

#define CAB_SOURCE_UNTOLD 1u   /* cannot be distinguished from another loop */
#define CAB_SOURCE_MACRO 2u    /* everything in it comes from macros */
#define CAB_SOURCE_HINTED 4u   /* its factor comes from a hint, not from a directive */
#define CAB_SOURCE_REGISTERS 8u   /* a hint asks to rename the registers of the function that it is
				     written in */
#define CAB_SOURCE_TRIAL 16u   /* it is to be tried (trials.h) */
#define CAB_SOURCE_ALIGNED 0xf00u   /* the binary logarithm of what a hint aligns its head to; 0:
				       nothing is asked for */
#define CAB_SOURCE_ALIGN_SHIFT 8
#define CAB_SOURCE_PREFETCH 0x7000u  /* one less than the binary logarithm of how many iterations
					ahead a hint prefetches; 0: nothing is asked for */
#define CAB_SOURCE_PREFETCH_SHIFT 12

struct cab_source_loop
{
  location_t where;            /* of the header; UNKNOWN_LOCATION if it has none */
  expanded_location place;     /* WHERE, expanded */
  unsigned ordinal;            /* its number among loops of the same place */
  int last_line;
  expanded_location first, last;   /* extent of its contents in the text, in the file of its
				      header */
  unsigned checksum;
  int parent;                  /* index, or -1 if there is none */
  unsigned depth;              /* 1: outermost */
  unsigned n_children;
  unsigned flags;              /* CAB_SOURCE_* */
  int num;                     /* loop->num right after "ssa" */
};

/* A statement of loop LOOP, and of no loop inside, has the pure location WHERE. */
struct cab_source_place
{
  location_t where;
  int loop;
};

struct cab_source_loops
{
  unsigned uid;                /* DECL_UID of the function */
  location_t declared;
  char *function, *name;       /* assembler name and source name */
  vec<cab_source_loop> loops;  /* the l lines of the record, in order */
  char *facts;                 /* further lines of the record (loop_facts.h), or null */
  vec<cab_source_place> places;   /* ascending; empty at a link, where `first' and `last' are used
				     instead */
};

/* A source loop, or none if LOOPS is null. */
struct cab_loop_source
{
  cab_source_loops *loops;
  int index;
  unsigned inline_depth;       /* number of functions it was inlined through */
};

/* Return what a hint aligns the head of LOOP to, in bytes; 0: as the compiler chooses. */
static inline unsigned
cab_source_align (const cab_source_loop *loop)
{
  unsigned log2 = (loop->flags & CAB_SOURCE_ALIGNED) >> CAB_SOURCE_ALIGN_SHIFT;
  return log2 ? 1u << log2 : 0;
}

/* Return how many iterations ahead a hint prefetches what LOOP loads; 0: not at all. */
static inline unsigned
cab_source_prefetch (const cab_source_loop *loop)
{
  unsigned code = (loop->flags & CAB_SOURCE_PREFETCH) >> CAB_SOURCE_PREFETCH_SHIFT;
  return code ? 2u << code : 0;
}

/* Return the pass that makes the tables; it runs after "ssa". */
extern opt_pass *cab_loops_pass (void);
/* Return the table of FNDECL, or of the function that it is a clone of; null if it has no loops. */
extern cab_source_loops *cab_loops_of (tree fndecl);
/* Return all tables of the unit. */
extern const vec<cab_source_loops *> &cab_loops_all (void);
/* Return the key of LOOP, a loop of LOOPS. */
extern uint64_t cab_source_key (const cab_source_loops *loops, const cab_source_loop *loop);

#endif
