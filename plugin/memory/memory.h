/* memory.h - a function while its probes of accesses, allocations and releases are planned and
 * emitted.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a unit's functions are chosen early, where the other probes come in (memory.cc:
 *             cab_memory_choose), and get their probes late: where scalar clean-up is done and the
 *             loop optimisers are still to come.  What was chosen is an attribute of the function,
 *             so that clones have it, and a link-time compilation finds it.  Bodies inlined by then
 *             are part of their callers. A function goes through cab_accesses_find (what there is,
 *             and which accesses are sent together), cab_accesses_record (the text), and then
 *             cab_accesses_emit changes the body.
 * Ownership:  struct cab_memory lives as long as its function is worked on; trees in it are held by
 *             the function's body.
 */
#ifndef CABPROF_MEMORY_H
#define CABPROF_MEMORY_H

#include "plugin/memory/allocators.h"
#include "cabprof/abi.h"
#include "cabprof/event.h"
#include "plugin/emit/plugin.h"

#define CAB_NEST_LOOPS 4      /* in each other, at most */
#define CAB_REGION_WORDS 6    /* of a region that lies in a block: more would want more registers
				 than there are */
#define CAB_TRACT_WORDS 8     /* of one that goes through several ... */
#define CAB_TURN_WORDS 10     /* ... in a loop whose body was laid out several times */

/* A number in a nest: what it is at the nest's begin, and what it grows by with each iteration of
   the loops around, the outermost first. */
struct cab_nest_term
{
  tree base;                  /* an expression in cab_word_type (), or null: the count's word */
  int word;                   /* that, with OFFSET, tells it; -1: OFFSET alone */
  HOST_WIDE_INT offset;
  unsigned n_steps;
  tree step[CAB_NEST_LOOPS];
  int step_word[CAB_NEST_LOOPS];   /* that tells it, or -1: it is a constant */
};

/* A level of a nest: an N line.  */
struct cab_nest_level
{
  int parent;                 /* -1: none */
  unsigned before;            /* this access of the region it stands */
  const char *how;
  unsigned bits;
  struct cab_nest_term left, right;
};

/* One access: all that an A line says, and what its probe computes. */
struct cab_access
{
  gimple *stmt;
  tree ref;                   /* what is accessed, or null: a pointer argument leads to it ... */
  tree pointer;               /* ... this one */
  tree address;               /* of the first byte, an expression in cab_word_type () */
  tree length;                /* bytes, if a variable tells them, else null */
  unsigned HOST_WIDE_INT bytes;
  const char *flags;          /* of the A line, but for g */
  bool after;                 /* it happens, or is known, only behind the statement */
  gimple *before;             /* before this its address is computed; null: at the end of the block,
				 or on the region's edge */
  char *name;                 /* escaped; malloc'ed */
  int word, length_word;      /* in its region; length_word -1: none */
  HOST_WIDE_INT offset;
  tree step;                  /* in a loop's region: from one pass to the next; ADDRESS is that of
				 the first then */
  int step_word;              /* that tells it, or -1: it is a constant */
  unsigned part;              /* of a pass; in a nest its level */
  struct cab_nest_term term;  /* in a nest: its address */
  tree value;                 /* what it reads or writes, or null: that is not told ... */
  bool value_after;           /* ... which is known behind the statement only, */
  bool value_before;          /* ... and which it does not leave there */
  gimple *known;              /* before this the value is computed; null: at the end of the block */
  int value_word;
  unsigned of;                /* index of the access that it is in a copy of its loop's body; its
				 own: none */
};

enum cab_word_is
{
  CAB_WORD_ADDRESS,
  CAB_WORD_LENGTH,
  CAB_WORD_STEP,
  CAB_WORD_VALUE,
  CAB_WORD_COUNT
};

/* A word that a region sends. */
struct cab_region_word
{
  unsigned access;            /* index; computed where that one happens, unless the region is a
				 loop */
  enum cab_word_is is;
  aff_tree combination;       /* an address, to be compared with others */
  tree value;                 /* an expression in cab_word_type (), but of a VALUE; null for the
				 count */
};

/* A way out of a region that is a loop.  */
struct cab_region_exit
{
  edge on;
  unsigned parts;             /* of the last pass, so many parts have happened */
  bool whole;                 /* that is all of it */
};

/* Accesses that are sent together: before statement BEFORE, or on edge ON, or at the end of BB, or
   on the exits of LOOP. */
struct cab_region
{
  unsigned first, n;          /* indices of accesses */
  auto_vec<struct cab_region_word> words;
  gimple *before;
  edge on;
  basic_block bb;
  class loop *loop;
  int count;                  /* of a loop, the word that tells how often; a nest may do without */
  bool is_nest;               /* LOOP is the outermost */
  auto_vec<struct cab_nest_level> levels;
  auto_vec<struct cab_region_exit> exits;
  bool is_joined;             /* a tract's block has it: it is none of its own */
  auto_vec<unsigned> path;    /* of a tract's: its accesses, instead of FIRST and N */
};

/* Where a word of a block's region is in its tract's events: OFFSET behind word SLOT, which is this
   one or another block's. */
struct cab_tract_place
{
  unsigned slot;
  HOST_WIDE_INT offset;
  bool is_new;
};

/* A way into a tract's block, from block BLOCK, or -1: from elsewhere.  Paths that come over it are
   numbered from FIRST on where it leads to. */
struct cab_tract_link
{
  edge on;
  int block;
  unsigned first;
};

struct cab_tract_block
{
  basic_block bb;
  struct cab_region *region;  /* its accesses, or null */
  unsigned n_paths;           /* that lead here */
  unsigned base, end;         /* words at its begin and at its end, the longest path counting */
  int over;                   /* the last other block that all paths to it come through; -1: none */
  bool begins;                /* no path comes from other blocks */
  bool is_open;               /* the tract may go on behind it; else it ends before the region's
				 BEFORE */
  auto_vec<struct cab_tract_place> places;   /* of the region's words */
  auto_vec<struct cab_tract_link> from;
  auto_vec<tree> values;      /* words as they are at its end */
  tree number;                /* of the path, times 2^shift; null: 0 */
};

/* A way out: behind block BLOCK, over ON or, if that is null, at its end.  Its paths are regions
   from FIRST on. */
struct cab_tract_way
{
  unsigned block, first;
  edge on;
};

struct cab_tract_end
{
  auto_vec<struct cab_tract_way> ways;   /* all lead to one block, where there are several */
  unsigned n_words;
  bool meets;
};

/* Blocks whose accesses are sent by one event for each way through them, those before each one
   coming first: access_tract.cc. */
struct cab_tract
{
  auto_vec<struct cab_tract_block *> blocks;
  auto_vec<struct cab_tract_end *> ends;
  unsigned shift;
  tree nothing;
};

/* A call that allocates, releases or moves memory. */
struct cab_allocation
{
  gcall *call;
  const struct cab_allocator *how;
  unsigned number;            /* of the M line: of calls in the other copy of the code that of the
				 same call */
};

/* Which pieces of an activation are recorded is decided when it begins and at the header of LOOPS,
   in this order. */
struct cab_sampling
{
  bool on;
  const char *single;                 /* why the code stays one copy, or null */
  tree counters, recorded;            /* register variables; RECORDED, of a single copy: is the
					 present piece? */
  auto_vec<class loop *> loops;
  auto_vec<basic_block> checks;       /* of two copies: the loops' new headers ... */
  auto_vec<class loop *> copies;      /* ... and the other copies of the loops */
};

/* A local variable that is told like a block of memory.  */
struct cab_local
{
  tree decl;
  unsigned number;                    /* of the M line */
  gimple *begin;                      /* before this it comes to be; before these it ends: */
  auto_vec<gimple *> ends;
};

struct cab_memory
{
  function *fn;
  struct cab_row_desc row;
  struct obstack lines;               /* the record's R, A, T and M lines */
  auto_vec<const char *> files;       /* that the lines name; see cab_record_file */
  auto_vec<struct cab_access> accesses;
  auto_vec<struct cab_region *> regions;
  auto_vec<struct cab_tract *> tracts;
  auto_vec<struct cab_held *> held;   /* access_held.cc */
  auto_vec<class loop *> turned;      /* whose bodies were laid out several times ... */
  hash_map<gimple *, gimple *> *original;   /* ... and of statements there which one each is a copy
					       of; or null */
  unsigned n_copies;                  /* lines of accesses that have one already */
  auto_vec<struct cab_allocation> allocations;   /* in the order of the M lines, then: */
  auto_vec<struct cab_local *> locals;           /* of both, behind these those of the other copy */
  struct cab_sampling sampling;
};

/* At the early stage: cfun is to have memory probes. */
extern void cab_memory_choose (tree fndecl);
/* The late passes, in their order: one over the unit, which takes knowledge away that is no longer
   true; one over each function, where the loop optimisers run next; and again where they do not
   run. */
extern opt_pass *cab_memory_unit_pass (void);
extern opt_pass *cab_memory_pass (void);
/* Return the place of STMT in the user's source: of what is in a system header, the innermost call
   that was inlined there and stands in none.  What the compiler gives no place has that of its
   neighbour. */
extern location_t cab_memory_place_of (gimple *stmt);
/* Write "file:line:column" of WHERE into the lines. */
extern void cab_memory_put_place (struct cab_memory *m, location_t where);

#endif
