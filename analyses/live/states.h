/* states.h - read what the built-in analyses hold: for the reader of profiles and for tests.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      each call takes an arena that the analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_STATES_H
#define CAB_STATES_H

#include <stdbool.h>
#include "cabprof/analysis.h"
#include "cabprof/cachesim.h"

extern const struct cab_analysis cab_methods, cab_calls, cab_tree, cab_paths, cab_loops, cab_blocks;

/* methods: entries of function FN; numbers go from 1 to cab_methods_n - 1. */
uint32_t cab_methods_n (const struct cab_arena *arena);
uint64_t cab_methods_count (const struct cab_arena *arena, uint32_t fn);

/* calls: the next pair behind *CURSOR (0 at first); false at the end. */
struct cab_calls_row
{
  uint32_t site, callee;
  uint64_t count;
};
bool cab_calls_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_calls_row *row);
/* N entries of CALLEE from SITE more. */
void cab_calls_add (struct cab_arena *arena, uint32_t site, uint32_t callee, uint64_t n);

/* tree: nodes 1 .. cab_tree_n - 1; node 0 is the root, which stands for the thread's start.  A
   parent's number is less than its children's.  A process that was killed may leave a node twice,
   one of them with count 0. */
struct cab_tree_node
{
  uint32_t callee, site;
  uint32_t parent;
  uint32_t place;             /* of its first activation: depth + 1, and 1 << 31 if it was UNDER;
				 the tree's own */
  uint64_t count;
};
uint32_t cab_tree_n (const struct cab_arena *arena);
const struct cab_tree_node *cab_tree_at (const struct cab_arena *arena, uint32_t node);
/* Its stack, for who gives events their contexts.  Top: the node on top, 0: none.  Begin: from here
   on it is THREAD's, and empty if it was another's. Resume: at DEPTH, as event.h says.  Mark: where
   it stands, as a number; rewind: back to where a mark was taken (the nodes made since stay);
   replay: enter N events that have been counted before. */
uint32_t cab_tree_top (const struct cab_arena *arena);
void cab_tree_begin (struct cab_arena *arena, uint32_t thread);
void cab_tree_resume (struct cab_arena *arena, uint32_t depth);
uint64_t cab_tree_mark (const struct cab_arena *arena);
void cab_tree_rewind (struct cab_arena *arena, uint32_t thread, uint64_t mark);
void cab_tree_replay (struct cab_arena *arena, const uint64_t *events, uint32_t n);
/* As its merge; and BECAME, which has cab_tree_n (FROM) elements, tells which node each has
   become. */
int cab_tree_merge (struct cab_arena *into, const struct cab_arena *from,
		    const struct cab_idmap *map, uint32_t *became, struct cab_diag *diag);

/* paths: counter INDEX of the process' counter layout (functions' first counter + 2 + path). */
uint64_t cab_paths_n (const struct cab_arena *arena);
uint64_t cab_paths_counter (const struct cab_arena *arena, uint64_t index);

/* loops: the next loop behind *CURSOR (0 at first); false at the end. */
struct cab_loop_sums
{
  uint64_t events;            /* of all forms */
  uint64_t entered;           /* ENTER events: only of loops that may be left in the midst */
  uint64_t left;              /* executions that ended */
  uint64_t iterations, most;  /* of those, in sum, and of the longest */
  uint64_t timed;             /* executions that were timed; */
  uint64_t cycles, timed_iterations;   /* their cycles and iterations */
  /* what is known of an execution that ends just now */
  uint64_t pending_iterations, pending_cycles, pending_timed;
};
#define CAB_LOOP_BUCKETS 55   /* log2[0]: executions without an iteration; log2[k]: with 2^(k-1) ..
				 2^k - 1 */
struct cab_loops_row
{
  uint32_t fn, loop;
  struct cab_loop_sums sums;
  uint64_t log2[CAB_LOOP_BUCKETS];
};
bool cab_loops_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_loops_row *row);

/* accesses: the next access behind *CURSOR (0 at first), in ascending order; false at the end. */
struct cab_accesses_row
{
  uint32_t number;            /* 0: of functions whose record was not to be had */
  uint64_t n[4];              /* reads [CAB_ROW_READ], writes [CAB_ROW_WRITE], both at once [3];
				 [0]: allocations and releases */
  uint64_t bytes;             /* read or written */
};
extern const struct cab_analysis cab_accesses;
bool cab_accesses_next (const struct cab_arena *arena, uint64_t *cursor,
			struct cab_accesses_row *row);

/* values: the next access behind *CURSOR (0 at first), in no order, and the next value of one;
   false at the end.  TYPE is that of the values (enum cab_value_type and flags); CAB_VALUE_NONE:
   these have none. */
enum cab_values_stride
{
  CAB_STRIDE_NONE,
  CAB_STRIDE_ONE,             /* all strides were `stride' */
  CAB_STRIDE_SEVERAL
};
struct cab_values_row
{
  uint32_t number;            /* 0: of functions whose record was not to be had */
  uint8_t type;
  bool ordered;               /* there are least and greatest */
  uint64_t events;            /* with allocations and releases, which have no value */
  uint64_t zero, same;        /* 0; as the time before in the same thread */
  uint64_t least, greatest;
  uint64_t strides;           /* that differed from the time before by as much as that from the one
				 before, and not by 0 */
  enum cab_values_stride has_stride;
  uint64_t stride;            /* modulo 2^64 */
  uint64_t lossy;             /* tables, of threads and processes, that values had to leave: there
				 may be others than those that are left */
};
struct cab_values_value
{
  uint32_t number;
  uint8_t type;
  uint64_t value, n;
  bool lower;                 /* n is a lower bound */
};
extern const struct cab_analysis cab_values;
bool cab_values_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_row *row);
bool cab_values_value_next (const struct cab_arena *arena, uint64_t *cursor,
			    struct cab_values_value *value);

/* cache: the next access behind *CURSOR (0 at first), in ascending order; false at the end. */
#define CAB_CACHE_RANGE_MOST (UINT64_C (1) << 30)   /* bytes of a range that are simulated */
struct cab_cache_row
{
  uint32_t number;            /* 0: of functions whose record was not to be had */
  uint64_t rows, others;      /* events; of them those that are no access: allocations, releases,
				 ranges of no bytes */
  uint64_t accesses[2];       /* reads (also those that write), writes; a range is one for each
				 line */
  uint64_t missed[2][CAB_CACHESIM_LEVELS_MAX];
};
extern const struct cab_analysis cab_cache;
bool cab_cache_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_cache_row *row);
/* How many of the accesses came again as before, and so were not looked up (cache_rounds.h)? */
uint64_t cab_cache_again (const struct cab_arena *arena);
/* The caches that were simulated (I1 means nothing); false: there were others, too.  The state is
   open. */
bool cab_cache_config (const struct cab_arena *arena, struct cab_cachesim_config *config);

/* offenders: the next row behind *CURSOR (0 at first), in no order; false at the end.  What one
   access did in one context to blocks of one allocation in one context, or what one allocation made
   in one context. */
struct cab_offenders_row
{
  uint32_t number, node;             /* of the access or allocation, 0: of functions whose record
					was not to be had; its context */
  bool has_block;                    /* it was in a block: */
  uint32_t allocation, allocation_node;
  uint64_t rows, others;             /* as in struct cab_cache_row */
  uint64_t accesses[2], missed[2][CAB_CACHESIM_LEVELS_MAX];
  uint64_t blocks, bytes;            /* of an allocation: that it made */
};
extern const struct cab_analysis cab_offenders;
bool cab_offenders_next (const struct cab_arena *arena, uint64_t *cursor,
			 struct cab_offenders_row *row);
bool cab_offenders_config (const struct cab_arena *arena, struct cab_cachesim_config *config);

/* contexts, samples: the next row behind *CURSOR (0 at first); false at the end. */
struct cab_contexts_row
{
  unsigned kind;              /* CAB_EV_ACCESS, PATH, LOOP or SAMPLE */
  unsigned form;              /* ACCESS: enum cab_row_form; LOOP: enum cab_loop_form */
  uint32_t node;              /* of the tree of the same thread */
  uint32_t number;            /* ACCESS: of the access or allocation; SAMPLE: 1 + that of the
				 process in the model, 0: it is not known; else of the function */
  uint64_t part;              /* PATH: the path; LOOP: the loop; SAMPLE: the address */
  uint64_t n, sum;            /* how often; bytes of accesses, what the events of LOOP carry, ns */
};
extern const struct cab_analysis cab_contexts, cab_samples;
bool cab_contexts_next (const struct cab_arena *arena, uint64_t *cursor,
			struct cab_contexts_row *row);

/* blocks: the next row behind *CURSOR (0 at first); false at the end.  Key: 1 + the number of the
   allocation, its context's node << 32 above; key 1 has the accesses that hit no block. */
struct cab_blocks_sums
{
  uint64_t events;                   /* of allocations and releases of this key */
  uint64_t blocks, bytes;            /* that it allocated; */
  uint64_t live, peak;               /* bytes of them that live, and the most that ever did at
					once */
  uint64_t released;                 /* blocks of them that the program released */
  uint64_t reads, writes, updates;   /* accesses to them; updates: one access that reads and
					writes */
  uint64_t all_live, all_peak;       /* of node 0: as live and peak, of the allocation in all its
					contexts; else 0 */
};
struct cab_blocks_row
{
  uint64_t key;
  struct cab_blocks_sums sums;
};
static inline uint32_t
cab_blocks_number (const struct cab_blocks_row *row)
{
  return row->key - 1;
}
/* KEY of the same allocation, of node 0. */
static inline uint64_t
cab_blocks_alone (uint64_t key)
{
  return (uint64_t) (uint32_t) (key - 1) + 1;
}
static inline uint32_t
cab_blocks_node (const struct cab_blocks_row *row)
{
  return (row->key - 1) >> 32;
}
bool cab_blocks_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_blocks_row *row);
/* What threads did outside of blocks of their own, and where they had some: strangers.h. */
struct cab_stranger;
bool cab_blocks_stranger (const struct cab_arena *arena, uint64_t *cursor,
			  struct cab_stranger *row);

/* reuse: the next access behind *CURSOR (0 at first), in ascending order; false at the end. */
extern const struct cab_analysis cab_reuse;
#define CAB_REUSE_BUCKETS 26  /* n[0]: distance 0; n[k]: 2^(k-1) .. 2^k - 1; the last: not known, no
				 less than the depth, or a first use */
struct cab_reuse_row
{
  uint32_t number;
  uint64_t adjust;            /* events less uses: most events use one line, those without an access
				 none */
  uint64_t n[CAB_REUSE_BUCKETS];
};
bool cab_reuse_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_reuse_row *row);
/* Distances below this are exact; bytes of a line; uses at DISTANCE, over all, and those that are
   not known at any from the depth on. */
uint64_t cab_reuse_depth (const struct cab_arena *arena);
uint32_t cab_reuse_line (const struct cab_arena *arena);
uint64_t cab_reuse_uses (const struct cab_arena *arena, uint64_t distance);

/* sharing: the next row behind *CURSOR (0 at first), in no order; false at the end.  What one
   access did in one thread to one line of memory: as far as it began at one address, or, by line,
   wherever in it. */
extern const struct cab_analysis cab_sharing;
#define CAB_SHARING_LINE 64u
#define CAB_SHARING_FIRST (1u << 15)   /* rows that a state makes by address */
struct cab_sharing_row
{
  uint64_t address;           /* where it begins in the line; by line: of the line */
  uint32_t thread;            /* as in batches */
  uint32_t process;           /* 1 + its number in the model, of a merged state; else 0 */
  uint32_t site;              /* the access; 0: of functions whose record was not to be had */
  bool own;                   /* in memory that the thread had allocated itself, ... */
  bool by_line;
  uint32_t allocation;        /* ... by this allocation, the last time; 0: not known */
  uint64_t read, written;     /* bit k: byte k of the line */
  uint64_t reads, writes;     /* accesses; one that does both is a write */
};
bool cab_sharing_next (const struct cab_arena *arena, uint64_t *cursor,
		       struct cab_sharing_row *row);

#endif
