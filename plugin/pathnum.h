/* pathnum.h - which acyclic paths a function has, their numbers, and how code counts them cheaply.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     Ball, Larus, "Efficient path profiling" (MICRO 1996); event counting: Ball, "Efficiently counting program events with support
 *             for on-line queries" (TOPLAS 1994); obvious paths: Joshi, Bond, Zilles, "Targeted path profiling" (CGO 2004).
 * Model:      pure.  The graph of a function, cut at back edges, at edges into loop headers, and where the caller or the limit asks for it.
 *             A path begins at a start (ENTRY, the destination of a cut or abnormal edge, a forced start) and ends at a cut edge
 *             or at an edge to EXIT, counting that edge.  Edges over which control does not pass as the code sees it (ABNORMAL), or
 *             where the path ends without a count (NO_COUNT), are on no path.
 * Shapes:     blocks 0 .. n_blocks-1, 0 = ENTRY, 1 = EXIT.  Edges in the order of the caller; those of one source in the order of its
 *             successors.
 * Units:      freq: relative expected frequency.  Path numbers are dense, 0 .. n_paths-1; arithmetic on them is modulo 2^64.
 * Code:       register r.  At a start with `needs_register`:  r = register_value.  On an edge that is not cut, with `increments`: r +=
 *             increment.  On an ending edge with `counts`: count number r + increment.  On any edge with `defines`: count number
 *             `number`.  Then each path is counted exactly once, where it ends or at an edge that no other path has.
 * Ownership:  edges and blocks are the caller's; starts are allocated by cab_pathnum_run and freed by cab_pathnum_fini.
 * Errors:     cab_pathnum_run returns 0, CAB_PN_NO_MEMORY, or CAB_PN_LIMIT when even cutting every edge leaves too many paths.
 */
#ifndef CABPROF_PATHNUM_H
#define CABPROF_PATHNUM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cab_pathnum_edge_flag
{
  CAB_PN_ABNORMAL = 1,    /* no path crosses it, no code can be on it; its destination is a start */
  CAB_PN_FORCE_CUT = 2,   /* a path ends here */
  CAB_PN_NO_COUNT = 4     /* control ends in the source without a count */
};

enum cab_pathnum_error
{
  CAB_PN_NO_MEMORY = -1,
  CAB_PN_LIMIT = -2
};

struct cab_pathnum_edge
{
  /* in */
  uint32_t src, dst;
  uint32_t flags;
  uint64_t freq;
  /* out */
  bool cut;           /* a path ends here; never set on edges to EXIT, which end paths anyway */
  bool reached;       /* a path crosses it */
  bool increments;    /* not ending: the register changes by `increment`, which is not 0 */
  bool counts;        /* ending: paths counted by the register end here */
  bool defines;       /* path `number` is counted here */
  uint64_t value;     /* Ball-Larus value, for readers: number = base of the start + sum of values */
  uint64_t increment;
  uint64_t number;
};

struct cab_pathnum_block
{
  /* in */
  bool forced_start;
  /* out */
  bool reached;
  bool start;
  bool needs_register;      /* a start some of whose paths are counted by the register */
  uint64_t register_value;
  uint64_t base;            /* paths that start here are base .. base + n_from - 1 */
  uint64_t n_from;          /* paths from here to an end */
};

struct cab_pathnum_start
{
  uint32_t block;
  uint64_t base;
};

struct cab_pathnum
{
  /* in */
  struct cab_pathnum_edge *edges;
  struct cab_pathnum_block *blocks;
  uint32_t n_edges, n_blocks;
  uint64_t max_paths;
  bool at_ends;                       /* every path is counted where it ends: for traces, which keep the program's order */
  /* out */
  struct cab_pathnum_start *starts;   /* ascending base */
  uint32_t n_starts;
  uint64_t n_paths;
};

extern int cab_pathnum_run (struct cab_pathnum *graph);
extern void cab_pathnum_fini (struct cab_pathnum *graph);

#ifdef __cplusplus
}
#endif

#endif
