/* pathnum.h - path numbers: which paths a function has, their numbers, and what a probe must add
 * where.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     Ball and Larus, Efficient path profiling (MICRO 1996); Ball, Efficiently counting
 *             program events with support for on-line queries (TOPLAS 1994); Joshi, Bond and
 *             Zilles, Targeted path profiling (CGO 2004) for obvious paths.
 * Model:      a path runs from a start over edges that are not cut, and ends with a cut edge or
 *             with an edge into EXIT (with an "ending" edge, for short).  Starts are ENTRY, each
 *             destination of a cut edge, each destination of an abnormal edge, and each block with
 *             CAB_PN_FORCED_START.  Numbers are 0 .. n_paths - 1, dense; each start has a range of
 *             its own, in ascending order of blocks.  Between cuts the graph has no cycle, whatever
 *             the function's shape.  Cut edges are: those that the caller names; edges back into a
 *             loop; with cut_loop_entries every edge into a loop header; the ordinary edges into a
 *             block that starts paths by force (so that its start can be set at its head); and,
 *             while there are more than max_paths paths, all edges into some joins.
 * Shapes:     blocks 0 (ENTRY: no edge in) and 1 (EXIT: no edge out) to n_blocks - 1.  Edges in any
 *             order of blocks; the edges of one block in the order of its successors, which is the
 *             order of their values.  Several edges may join two blocks.
 * Units:      freq: expected executions, any scale, the same for all edges.  Numbers and sums are
 *             modulo 2^64.
 *
 * How a probe counts.  Let r be the path register.
 *     where a path starts at S, if block[S].use_reg:     r = block[S].start_reg
 *         (that is at function entry; on each cut edge into S, after what ends there; and at the
 *         head of S if S is forced or the destination of an abnormal edge)
 *     on edge E, not ending, if edge[E].inc != 0:        r += edge[E].inc
 *     on any edge E, if edge[E].end_reg:                 count path r + edge[E].end_add
 *     on any edge E, if edge[E].has_number:              count path edge[E].number
 *   An edge never has both end_reg and has_number.  Each execution of a path is counted once.  If
 *   edge E leads to a start, what counts on E comes before the start's assignment.
 *
 *   A path is counted at the first edge after which no branch and no way to leave it
 *   (CAB_PN_MAY_LEAVE) is left: by a constant where no other path is possible there, else by the
 *   register.  With plain_registers it is counted where it ends (the numbers stay the same): for a
 *   trace, which must name a path at its place in the program's order.
 *
 * Threads:    no shared state.
 * Ownership:  all arrays are the caller's; nothing is kept.  Scratch memory is freed before return.
 * Cost:       O((blocks + edges) * 64) at worst, O(blocks + edges * log edges) if nothing exceeds
 *             max_paths.
 * Errors:     cab_pathnum_run returns 0 or an enum cab_pn_error; then no output is valid.
 */
#ifndef CABPROF_PATHNUM_H
#define CABPROF_PATHNUM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of edges, given by the caller. */
enum cab_pn_edge_flag
{
  CAB_PN_ABNORMAL = 1,  /* no path crosses it and nothing is placed on it; its dst starts paths.
			   (info.h: x) */
  CAB_PN_CUT = 2,       /* a path that takes it ends with it.  (info.h: c) */
  CAB_PN_NO_COUNT = 4   /* control ends in src, uncounted; dst is not looked at.  (info.h: w) */
};

/* Flags of blocks, given by the caller. */
enum cab_pn_block_flag
{
  CAB_PN_FORCED_START = 1,  /* control may arrive here by other ways than edges; a root even if no
			       edge leads here */
  CAB_PN_MAY_LEAVE = 2      /* something in the block may end the activation or jump out of it (a
			       call that exits, throws, longjmps), other than by the block's edges,
			       so a path that runs through the block must not be counted before
			       it */
};

/* Why an edge is cut. */
enum cab_pn_cut
{
  CAB_PN_CUT_NONE,
  CAB_PN_CUT_CALLER,  /* CAB_PN_CUT */
  CAB_PN_CUT_BACK,    /* it is a back edge of a loop */
  CAB_PN_CUT_HEADER,  /* it enters a loop at its header */
  CAB_PN_CUT_FORCED,  /* it leads to a block that starts paths by force */
  CAB_PN_CUT_LIMIT    /* there were too many paths */
};

struct cab_pn_edge
{
  /* Set by the caller. */
  uint32_t src, dst;
  uint32_t flags;       /* CAB_PN_ABNORMAL, ... */
  uint64_t freq;
  /* Set by cab_pathnum_run. */
  uint8_t cut;          /* enum cab_pn_cut; edges into EXIT end paths without being cut */
  bool live;            /* a path takes it: it is not abnormal, not NO_COUNT, src is reachable, and
			   dst is no dead end */
  bool ending;          /* live, and cut or into EXIT */
  bool end_reg;         /* count path r + end_add here */
  bool has_number;      /* count path `number` here */
  uint64_t value;       /* the Ball-Larus value of a live edge, for the reader (info.h) */
  uint64_t inc;         /* if not ending: what to add to r; 0 = nothing to do */
  uint64_t end_add;
  uint64_t number;
};

struct cab_pn_block
{
  /* Set by the caller. */
  uint32_t flags;       /* CAB_PN_FORCED_START, ... */
  /* Set by cab_pathnum_run. */
  bool reachable;
  bool start;           /* paths may start here */
  bool head_start;      /* a start by force or over an abnormal edge, so the register is set at the
			   block's head */
  bool use_reg;         /* if a start: set the register */
  bool header;          /* a loop header */
  uint64_t base;        /* if a start: first number of its range (an info.h s line is due if n_paths
			   != 0) */
  uint64_t n_paths;     /* of any reachable block: the number of ways from it to an end; of a start:
			   its paths.  0: dead end */
  uint64_t start_reg;
};

struct cab_pathnum
{
  /* Set by the caller. */
  uint32_t n_blocks, n_edges;
  struct cab_pn_block *block;
  struct cab_pn_edge *edge;
  uint64_t max_paths;       /* 1 .. 2^62.  n_blocks + n_edges always suffices */
  bool cut_loop_entries;    /* recommended: it makes the number of a loop of one path a constant */
  bool plain_registers;
  /* Set by cab_pathnum_run. */
  uint64_t n_paths;
  uint32_t n_limit_joins;   /* joins cut because of max_paths */
};

enum cab_pn_error
{
  CAB_PN_BAD_GRAPH = -1,  /* a block number out of range, an edge into ENTRY or out of EXIT, fewer
			     than two blocks */
  CAB_PN_NO_MEMORY = -2,
  CAB_PN_TOO_MANY = -3    /* max_paths is too small for the graph even if every join is cut */
};

/* Fill in all outputs of G; return 0 or an enum cab_pn_error. */
int cab_pathnum_run (struct cab_pathnum *g);

/* Return ERROR in words, a constant string. */
const char *cab_pathnum_error (int error);

#ifdef __cplusplus
}
#endif

#endif
