/* body.h - a function while its probes are planned and emitted.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a function goes through cab_tails_find and cab_calls_find (what there is),
 *             cab_paths_plan (numbers) and cab_record_write (the text).  Only then does its body
 *             change: cab_loops_emit, cab_calls_emit, cab_paths_emit.
 * Ownership:  all of struct cab_body lives as long as its function is worked on; trees in it belong
 *             to the function's body.
 */
#ifndef CABPROF_PATHS_BODY_H
#define CABPROF_PATHS_BODY_H

#include "cabprof/abi.h"
#include "cabprof/event.h"
#include "plugin/emit/row.h"
#include "plugin/loops/loops.h"
#include "plugin/paths/pathnum.h"

/* A place where an activation ends regularly.  Code for the end is inserted before BEFORE or, if
   that is null, on edge ON.  A block that holds nothing but the return may have calls in tail
   position before it; its end is then written once per edge that leads into it, so that these calls
   stay tail calls: IN is that edge, OUT the edge to EXIT. */
struct cab_end
{
  gimple *before;
  edge on;
  edge in, out;
  gcall *tail;   /* the call in tail position that BEFORE is, or null */
};

/* A call that may enter instrumented code. */
struct cab_call
{
  gcall *stmt;
  bool tail;
};

/* A loop, and how it is counted. */
struct cab_loop_probe
{
  class loop *loop;
  unsigned number;          /* in the function, in events */
  int header;               /* index of its first block */
  location_t place;         /* of its code */
  cab_loop_source source;        /* its loop in the source, if known */
  const char *skipped;      /* why it is not counted, or null */
  bool at_end;              /* its test is the last thing of the body */
  bool may_stay;            /* an execution may end without an edge that shows it */
  bool timed;
  unsigned HOST_WIDE_INT long_from;   /* an execution of this many iterations or more is long */
  tree counter, start;      /* register variables: the iterations, and the clock at the entry or
			       0 */
};

/* A loop whose iterations all take one path, in a trace. */
struct cab_run
{
  unsigned latch;           /* index in graph.edges of the back edge */
  uint64_t path;
  tree count;               /* register variable: iterations that have not been sent */
};

struct cab_body
{
  function *fn;
  struct cab_row_desc row;
  auto_vec<struct cab_end> ends;
  auto_vec<struct cab_call> calls;
  auto_vec<struct cab_loop_probe> loops;   /* all loops of the function, in the order of their
					      numbers; empty unless loops are recorded */
  bool may_jump;          /* calls in tail position may become jumps */
  bool must_jump;         /* some have to (musttail), whatever MAY_JUMP is */
  bool has_tail;          /* one of CALLS is in tail position */
  bool entries;           /* an activation may be left before it returns, so activations are
			     counted */
  bool arrivals;          /* control may arrive over abnormal edges */
  bool counts, traces, events;   /* count paths in place, send paths as events, send entries as
				    events */
  gimple *anchor;         /* code that runs first at entry is inserted before this statement */
  auto_bitmap cut;        /* indices of the blocks whose paths end before their last statement:
			     calls that may not return under "cut at calls", computed gotos */
  auto_bitmap made;       /* indices of the blocks that were made on edges after such calls */
  tree found;             /* the call word as the function found it, a register variable; null if
			     the function does not change it */
  tree counters;          /* this thread's counters of the function, a register variable, set at
			     entry */
  /* The planned graph.  Edges of the CFG carry 1 + their index in graph.edges in `aux' (0:
     none). */
  struct cab_pathnum graph;
  bool has_graph;
  auto_vec<struct cab_run> runs;
  auto_bitmap packed;       /* blocks of loops whose paths are sent several at a time */
  unsigned pack_width;      /* bits of a path's number in these loops */
  tree pack;                /* register variable: the paths that have not been sent; null if none
			       are packed */
  unsigned *run_of_edge;    /* per edge of the graph: 1 + the index of the run whose latch or exit
			       it is, or 0; null if there are no runs */
};

#endif
