/* plan.h - a function while its probes of accesses, allocations and releases are planned and
 * emitted.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a unit's functions are chosen early, where the other probes are inserted (memory.cc:
 *             cab_memory_choose), and get their probes late: where scalar clean-up is done and the
 *             loop optimisers are still to come.  The choice is an attribute of the function, so
 *             that clones have it, and a link-time compilation finds it.  Bodies inlined by then
 *             are part of their callers.  A function goes through cab_accesses_find (what there is,
 *             and which accesses are sent together), cab_accesses_record (the text), and then
 *             cab_accesses_emit changes the body.
 * Ownership:  struct cab_memory lives as long as its function is worked on; trees in it are held by
 *             the function's body.
 */
#ifndef CABPROF_MEMORY_PLAN_H
#define CABPROF_MEMORY_PLAN_H

#include "plugin/memory/allocators.h"
#include "cabprof/abi.h"
#include "cabprof/event.h"
#include "plugin/emit/row.h"

#define CAB_NEST_LOOPS 4      /* maximum depth of nested loops */
#define CAB_REGION_WORDS 6    /* of a region within a block: more would need more registers than
				 there are */
#define CAB_TRACT_WORDS 8     /* of an acyclic region, which spans several blocks */
#define CAB_TURN_WORDS 10     /* of an acyclic region in a loop whose body was repeated */

/* A number in a nest: its value at the nest's begin, and its increments with each iteration of the
   loops around, the outermost first. */
struct cab_nest_term
{
  tree base;                  /* an expression in cab_word_type (); null for the count's word */
  int word;                   /* the word that gives it, plus OFFSET; -1: OFFSET alone */
  HOST_WIDE_INT offset;
  unsigned n_steps;
  tree step[CAB_NEST_LOOPS];
  int step_word[CAB_NEST_LOOPS];   /* the words that give the steps, or -1 for constants */
};

/* A level of a nest, which is an N line. */
struct cab_nest_level
{
  int parent;                 /* index; -1: none */
  unsigned before;            /* index of the access of the region that it precedes */
  const char *how;
  class loop *loop;           /* null: a condition */
  unsigned bits;
  struct cab_nest_term left, right;
};

/* A place at which an execution of LOOP begins (b), one of its iterations begins (c), or the
   execution has ended (e): access_iterations.cc. */
struct cab_mark
{
  char letter;
  class loop *loop;
};

/* One access: all fields of an A line, and what its probe computes. */
struct cab_memory_access
{
  gimple *stmt;
  tree ref;                   /* what is accessed; null if a pointer argument leads to it */
  tree pointer;               /* that argument */
  tree address;               /* of the first byte, an expression in cab_word_type () */
  tree length;                /* bytes, if a variable gives them, else null */
  unsigned HOST_WIDE_INT bytes;
  const char *flags;          /* of the A line, except g */
  bool after;                 /* it happens, or is known, only after the statement */
  gimple *before;             /* the address is computed before this; null: at the end of the block,
				 or on the region's edge */
  char *name;                 /* escaped; malloc'ed */
  int word, length_word;      /* indices in its region; length_word -1: none */
  HOST_WIDE_INT offset;
  tree step;                  /* in a loop's region: from one pass to the next, where ADDRESS is
				 that of the first pass */
  int step_word;              /* the word that gives it, or -1: it is a constant */
  unsigned part;              /* index of its part of a pass; in a nest its level */
  struct cab_nest_term term;  /* in a nest: its address */
  tree value;                 /* what it reads or writes, or null if that is not recorded */
  bool value_after;           /* VALUE is known only after the statement */
  bool value_before;          /* VALUE is what was there before, not what the access leaves there */
  gimple *known;              /* the value is computed before this; null: at the end of the block */
  int value_word;
  unsigned of;                /* index of the access that it repeats in a copy of its loop's body;
				 its own index if none */
  const struct cab_mark *mark;   /* it is no access, but this mark; else null */
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
  unsigned access;            /* index; the word is computed where that access happens, unless the
				 region is a loop */
  enum cab_word_is is;
  aff_tree combination;       /* an address, for comparison with others */
  tree value;                 /* an expression in cab_word_type (), except for a VALUE; null for the
				 count */
};

/* A way out of a region that is a loop. */
struct cab_region_exit
{
  edge on;
  unsigned parts;             /* number of parts of the last pass that have happened */
  bool whole;                 /* these parts are the whole pass */
};

/* Accesses that are sent together: before statement BEFORE, or on edge ON, or at the end of BB, or
   on the exits of LOOP. */
struct cab_memory_region
{
  unsigned first, n;          /* indices of accesses */
  auto_vec<struct cab_region_word> words;
  gimple *before;
  edge on;
  basic_block bb;
  class loop *loop;
  int count;                  /* for a loop: the word that gives the number of passes; -1 for a nest
				 without one */
  bool is_nest;               /* LOOP is the outermost loop of a nest */
  auto_vec<struct cab_nest_level> levels;
  auto_vec<struct cab_region_exit> exits;
  bool is_joined;             /* it belongs to a block of an acyclic region; no region itself */
  auto_vec<unsigned> path;    /* for an acyclic region: its accesses, instead of FIRST and N */
};

/* The place of a word of a block's region in its acyclic region's events: OFFSET after word SLOT,
   which belongs to this word (is_new) or to another block's. */
struct cab_acyclic_place
{
  unsigned slot;
  HOST_WIDE_INT offset;
  bool is_new;
};

/* An edge into an acyclic region's block from block BLOCK, or from elsewhere if that is -1.  The
   paths over it have numbers from FIRST on in the block that it leads to. */
struct cab_acyclic_link
{
  edge on;
  int block;
  unsigned first;
};

struct cab_acyclic_block
{
  basic_block bb;
  struct cab_memory_region *region;  /* its accesses, or null */
  unsigned n_paths;           /* number of paths that lead here */
  unsigned base, end;         /* number of words at its begin and at its end, on the longest path */
  int over;                   /* the last other block that all paths to it go through; -1: none */
  bool begins;                /* no path comes from other blocks */
  bool is_open;               /* the acyclic region may continue after it; else it ends before the
				 region's BEFORE */
  auto_vec<struct cab_acyclic_place> places;   /* of the region's words */
  auto_vec<struct cab_acyclic_link> from;
  auto_vec<tree> values;      /* the words as they are at its end */
  tree number;                /* of the path, times 2^shift; null: 0 */
};

/* A way out of an acyclic region: after block BLOCK, over ON or, if that is null, at its end.  Its
   paths are the regions from FIRST on. */
struct cab_acyclic_way
{
  unsigned block, first;
  edge on;
};

struct cab_acyclic_end
{
  auto_vec<struct cab_acyclic_way> ways;   /* if there are several, all lead to one block */
  unsigned n_words;
  bool meets;
};

/* Blocks whose accesses are sent by one event for each path through them, predecessors first:
   access_acyclic.cc. */
struct cab_acyclic
{
  auto_vec<struct cab_acyclic_block *> blocks;
  auto_vec<struct cab_acyclic_end *> ends;
  unsigned shift;
  tree nothing;
};

/* A call that allocates, releases or moves memory. */
struct cab_allocation
{
  gcall *call;
  const struct cab_allocator *how;
  unsigned number;            /* of the M line; calls in the other copy of the code have that of
				 their original */
};

/* Which pieces of an activation are recorded is decided when it begins and at the headers of LOOPS,
   in this order. */
struct cab_sampling
{
  bool on;
  const char *single;                 /* why the code stays one copy, or null */
  tree counters, recorded;            /* register variables; with a single copy, RECORDED is nonzero
					 if the present piece is recorded */
  auto_vec<class loop *> loops;
  auto_vec<basic_block> checks;       /* with two copies: the loops' new headers */
  auto_vec<class loop *> copies;      /* with two copies: the other copies of the loops */
};

/* A local variable that is recorded like a block of memory. */
struct cab_local
{
  tree decl;
  unsigned number;                    /* of the M line */
  gimple *begin;                      /* it begins before BEGIN, and ends before each of ENDS */
  auto_vec<gimple *> ends;
};

struct cab_memory
{
  function *fn;
  struct cab_row_desc row;
  struct obstack lines;               /* the record's R, A, T and M lines */
  auto_vec<const char *> files;       /* that the lines name; see cab_record_file */
  auto_vec<struct cab_memory_access> accesses;
  auto_vec<struct cab_memory_region *> regions;
  auto_vec<struct cab_acyclic *> acyclics;
  auto_vec<struct cab_held *> held;   /* access_held.cc */
  auto_vec<class loop *> turned;      /* loops whose bodies were laid out several times */
  hash_map<gimple *, struct cab_mark> *marks;   /* statements that are marks; or null */
  unsigned n_loops;                   /* number of T lines */
  hash_map<gimple *, gimple *> *original;   /* from each copied statement in them to its original;
					       or null */
  unsigned n_copies;                  /* number of repeated accesses on paths, which have no A line
					 of their own */
  auto_vec<struct cab_allocation> allocations;   /* in the order of the M lines, followed by those
						    of LOCALS */
  auto_vec<struct cab_local *> locals;           /* in both vectors those of the other copy come
						    last */
  struct cab_sampling sampling;
};

#endif
