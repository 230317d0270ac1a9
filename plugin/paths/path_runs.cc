/* path_runs.cc - loops whose iterations all take one path: a trace gets the path once, with a
   count, when such a loop is left.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only loops count that are sure to be left by an edge, and in which nothing else is sent: no
   call that may enter instrumented code or leave. */
#include "plugin/paths/path_runs.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/paths/body.h"
#include "plugin/paths/pathnum.h"
#include "plugin/paths/returns.h"
#include "plugin/paths/tails.h"

/* The body of a loop in the planned graph, while it is examined. */
struct body_of_loop
{
  struct cab_body *body;
  unsigned latch;          /* index of the back edge */
  auto_bitmap blocks;
};

static struct cab_pn_edge *
graph_edge (struct cab_body *body, unsigned i)
{
  return &body->graph.edge[i];
}

/* Collect the blocks from which the latch is reached without passing the header again.  Return
   false if control may enter elsewhere. */
static bool
collect (struct body_of_loop *loop)
{
  struct cab_body *body = loop->body;
  unsigned header = graph_edge (body, loop->latch)->dst;
  auto_vec<unsigned> work;
  bitmap_set_bit (loop->blocks, header);
  if (bitmap_set_bit (loop->blocks, graph_edge (body, loop->latch)->src))
    work.safe_push (graph_edge (body, loop->latch)->src);
  while (!work.is_empty ())
    {
      unsigned block = work.pop ();
      if (block == ENTRY_BLOCK || body->graph.block[block].start)
	return false;
      for (unsigned i = 0; i < body->graph.n_edges; i++)
	if (graph_edge (body, i)->dst == block
	    && bitmap_set_bit (loop->blocks, graph_edge (body, i)->src))
	  work.safe_push (graph_edge (body, i)->src);
    }
  return header != ENTRY_BLOCK && !body->graph.block[header].head_start;
}

bool
cab_is_quiet (struct cab_body *body, unsigned block)
{
  basic_block bb = BASIC_BLOCK_FOR_FN (cfun, block);
  if (bitmap_bit_p (body->cut, block))
    return false;
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (cab_may_leave (gsi_stmt (gsi)) || cab_call_may_enter (gsi_stmt (gsi)))
      return false;
  return true;
}

/* Return true if edge I, which leaves the loop and carries code of its own, will be an edge of the
   graph when that code is emitted. */
static bool
is_plain_exit (struct cab_body *body, unsigned i)
{
  struct cab_pn_edge *e = graph_edge (body, i);
  if (e->flags & (CAB_PN_ABNORMAL | CAB_PN_NO_COUNT) || e->dst == EXIT_BLOCK)
    return false;
  unsigned k;
  struct cab_end *end;
  FOR_EACH_VEC_ELT (body->ends, k, end)
    if (end->in && (unsigned) (uintptr_t) end->in->aux == i + 1)
      return false;
  return true;
}

/* Return true if there is only one way around the loop, and set *NUMBER to its path number.  At
   each block the edges that stay in the loop are counted. */
static bool
has_one_path (struct body_of_loop *loop, uint64_t *number)
{
  struct cab_body *body = loop->body;
  struct cab_pn_edge *latch = graph_edge (body, loop->latch);
  unsigned block = latch->dst;
  *number = body->graph.block[block].base + latch->value;
  while (block != latch->src)
    {
      struct cab_pn_edge *way = NULL;
      for (unsigned i = 0; i < body->graph.n_edges; i++)
	if (graph_edge (body, i)->src == block
	    && bitmap_bit_p (loop->blocks, graph_edge (body, i)->dst))
	  {
	    if (way)
	      return false;
	    way = graph_edge (body, i);
	  }
      if (!way || way->cut || !way->live)
	return false;
      *number += way->value;
      block = way->dst;
    }
  return true;
}

/* Add the loop whose back edge is edge I, if it is such a loop. */
static void
look_at_latch (struct cab_body *body, unsigned i)
{
  struct body_of_loop loop;
  loop.body = body;
  loop.latch = i;
  uint64_t number;
  unsigned block;
  bitmap_iterator bi;
  if (!collect (&loop) || !has_one_path (&loop, &number) || number > CAB_EV_RUN_PATH_MASK)
    return;
  EXECUTE_IF_SET_IN_BITMAP (loop.blocks, 0, block, bi)
    if (!cab_is_quiet (body, block))
      return;
  for (unsigned k = 0; k < body->graph.n_edges; k++)
    if (bitmap_bit_p (loop.blocks, graph_edge (body, k)->src))
      {
	/* Two back edges to one header are two loops with exits in common, but an edge sends for
	   one of them. */
	if (body->run_of_edge[k])
	  return;
	if (k == i)
	  continue;
	bool inside = bitmap_bit_p (loop.blocks, graph_edge (body, k)->dst);
	if (inside ? graph_edge (body, k)->cut || graph_edge (body, k)->flags & CAB_PN_ABNORMAL
		   : !is_plain_exit (body, k))
	  return;
      }
  struct cab_run run = { i, number, NULL_TREE };
  body->runs.safe_push (run);
  for (unsigned k = 0; k < body->graph.n_edges; k++)
    if (k == i
	|| (bitmap_bit_p (loop.blocks, graph_edge (body, k)->src)
	    && !bitmap_bit_p (loop.blocks, graph_edge (body, k)->dst)))
      body->run_of_edge[k] = body->runs.length ();
}

void
cab_path_runs_find (struct cab_body *body)
{
  body->run_of_edge = XCNEWVEC (unsigned, body->graph.n_edges);
  for (unsigned i = 0; i < body->graph.n_edges; i++)
    if (graph_edge (body, i)->cut == CAB_PN_CUT_BACK && graph_edge (body, i)->live)
      look_at_latch (body, i);
}

void
cab_path_runs_start (struct cab_body *body, gimple_seq *seq)
{
  unsigned k;
  struct cab_run *run;
  FOR_EACH_VEC_ELT (body->runs, k, run)
    {
      run->count = create_tmp_reg (cab_word_type (), "cab_run");
      gimple_seq_add_stmt (seq, gimple_build_assign (run->count, cab_u64 (0)));
    }
}

/* Return KIND's word for N executions of the run's path.  The slot may be 0: then the word belongs
   to no function, whatever else is in it. */
static tree
word (gimple_seq *seq, struct cab_run *run, tree slot, unsigned kind, tree n)
{
  tree fn = cab_build_op (seq, BIT_AND_EXPR, slot,
			  cab_u64 (~(unsigned HOST_WIDE_INT) CAB_EV_KIND_MASK));
  tree base = cab_build_op (seq, BIT_IOR_EXPR, fn, cab_u64 (kind | run->path << CAB_EV_PATH_SHIFT));
  tree times = cab_build_op (seq, LSHIFT_EXPR, n,
			     build_int_cst (integer_type_node, CAB_EV_RUN_SHIFT));
  return cab_build_op (seq, BIT_IOR_EXPR, base, times);
}

/* Send what has been counted, and clear the count: outside its loop the count is 0 everywhere,
   which the compiler sees. */
static void
send (struct cab_run *run, tree slot, gimple_seq *seq)
{
  tree count = cab_build_load (seq, run->count);
  tree high = cab_build_op (seq, RSHIFT_EXPR, count,
			    build_int_cst (integer_type_node, CAB_EV_RUN_BITS));
  tree low = cab_build_op (seq, BIT_AND_EXPR, count, cab_u64 (CAB_EV_RUN_MASK));
  cab_enqueue_if (seq, word (seq, run, slot, CAB_EV_RUN_HIGH, high), high);
  cab_enqueue_if (seq, word (seq, run, slot, CAB_EV_RUN, low), low);
  gimple_seq_add_stmt (seq, gimple_build_assign (run->count, cab_u64 (0)));
}

bool
cab_path_runs_end (struct cab_body *body, unsigned edge)
{
  return body->run_of_edge && body->run_of_edge[edge]
      && edge != body->runs[body->run_of_edge[edge] - 1].latch;
}

bool
cab_path_runs_pass_over (struct cab_body *body, unsigned edge, tree slot, gimple_seq *seq)
{
  if (!body->run_of_edge || !body->run_of_edge[edge])
    return false;
  struct cab_run *run = &body->runs[body->run_of_edge[edge] - 1];
  if (edge != run->latch)
    {
      send (run, slot, seq);
      return false;
    }
  tree count = cab_build_load (seq, run->count);
  gimple_seq_add_stmt (
    seq, gimple_build_assign (run->count, cab_build_op (seq, PLUS_EXPR, count, cab_u64 (1))));
  return true;
}
