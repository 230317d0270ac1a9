/* path_packing.cc - nests of loops in which nothing else is sent: in a trace, the paths that end in
   them are sent several to a word.
   SPDX-License-Identifier: GPL-3.0-or-later

   A register holds the numbers of the paths that have ended and have not been sent, after a bit
   whose position shows how many there are; it is sent when it is full and where control leaves
   the nest.  Within the nest the path register holds the path's number alone, outside of it the
   event (paths.cc). */
#include "plugin/paths/path_packing.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/paths/body.h"
#include "plugin/paths/pathnum.h"
#include "plugin/paths/path_runs.h"

#define LEAST_IN_WORD 3u   /* with fewer, one word for each path is as cheap */

/* The edges that lead to each block b: into[at[b]] .. into[at[b + 1] - 1]. */
struct preds
{
  auto_vec<unsigned> at, into;
};

static void
find_preds (struct cab_body *body, struct preds *p)
{
  struct cab_pathnum *g = &body->graph;
  p->at.safe_grow_cleared (g->n_blocks + 2);
  p->into.safe_grow_cleared (g->n_edges);
  for (unsigned i = 0; i < g->n_edges; i++)
    p->at[g->edge[i].dst + 2]++;
  for (unsigned b = 2; b < g->n_blocks + 2; b++)
    p->at[b] += p->at[b - 1];
  for (unsigned i = 0; i < g->n_edges; i++)
    p->into[p->at[g->edge[i].dst + 1]++] = i;
}

/* Find the blocks that send nothing but their paths, and that control enters and leaves by edges
   which may carry code. */
static void
find_quiet (struct cab_body *body, bitmap quiet)
{
  struct cab_pathnum *g = &body->graph;
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (bb->index < (int) g->n_blocks && !g->block[bb->index].head_start
	&& cab_is_quiet (body, bb->index))
      bitmap_set_bit (quiet, bb->index);
  for (unsigned i = 0; i < g->n_edges; i++)
    if (g->edge[i].flags & (CAB_PN_ABNORMAL | CAB_PN_NO_COUNT))
      {
	bitmap_clear_bit (quiet, g->edge[i].src);
	bitmap_clear_bit (quiet, g->edge[i].dst);
      }
}

/* Add the blocks of the loop whose back edge is LATCH, if all are QUIET. */
static void
add_loop (struct cab_body *body, const struct preds *p, bitmap quiet, struct cab_pn_edge *latch)
{
  auto_bitmap blocks;
  auto_vec<unsigned> work;
  bitmap_set_bit (blocks, latch->dst);
  work.safe_push (latch->src);
  while (!work.is_empty ())
    {
      unsigned block = work.pop ();
      if (!bitmap_set_bit (blocks, block))
	continue;
      for (unsigned i = p->at[block]; i < p->at[block + 1]; i++)
	work.safe_push (body->graph.edge[p->into[i]].src);
      if (!bitmap_bit_p (quiet, block))
	return;
    }
  if (bitmap_bit_p (quiet, latch->dst))
    bitmap_ior_into (body->packed, blocks);
}

void
cab_path_packing_find (struct cab_body *body)
{
  struct cab_pathnum *g = &body->graph;
  struct preds preds;
  auto_bitmap quiet;
  body->pack_width = g->n_paths > 1 ? ceil_log2 (g->n_paths) : 1;
  if (CAB_EV_PACK_BITS / body->pack_width < LEAST_IN_WORD)
    return;
  find_preds (body, &preds);
  find_quiet (body, quiet);
  for (unsigned i = 0; i < g->n_edges; i++)
    if (g->edge[i].cut == CAB_PN_CUT_BACK && g->edge[i].live
	&& !(body->run_of_edge && body->run_of_edge[i]))
      add_loop (body, &preds, quiet, &g->edge[i]);
}

bool
cab_path_packing_inside (struct cab_body *body, unsigned block)
{
  return bitmap_bit_p (body->packed, block);
}

/* Return the empty register: one bit, which reaches bit 31 when no more numbers fit. */
static unsigned HOST_WIDE_INT
empty (struct cab_body *body)
{
  return (unsigned HOST_WIDE_INT) 1 << CAB_EV_PACK_BITS % body->pack_width;
}

void
cab_path_packing_start (struct cab_body *body, gimple_seq *seq)
{
  if (bitmap_empty_p (body->packed))
    return;
  body->pack = create_tmp_reg (cab_word_type (), "cab_pack");
  gimple_seq_add_stmt (seq, gimple_build_assign (body->pack, cab_u64 (empty (body))));
}

/* Return the constant that, added to the path slot and the numbers in their field, makes the
   event. */
static unsigned
rest_of_event (struct cab_body *body)
{
  return CAB_EV_PACK - CAB_EV_PATH + (body->pack_width << 4);
}

void
cab_path_packing_add (struct cab_body *body, tree slot, tree number, gimple_seq *seq)
{
  tree old = cab_build_load (seq, body->pack);
  tree shifted = cab_build_op (seq, LSHIFT_EXPR, old,
			       build_int_cst (integer_type_node, body->pack_width));
  tree numbers = cab_build_op (seq, PLUS_EXPR, shifted, number);
  tree rest = cab_enqueue_pack (seq, numbers, cab_build_load (seq, slot), rest_of_event (body),
				empty (body), true);
  gimple_seq_add_stmt (seq, gimple_build_assign (body->pack, rest));
}

void
cab_path_packing_send (struct cab_body *body, tree slot, gimple_seq *seq)
{
  cab_enqueue_pack (seq, cab_build_load (seq, body->pack), cab_build_load (seq, slot),
		    rest_of_event (body), empty (body), false);
  gimple_seq_add_stmt (seq, gimple_build_assign (body->pack, cab_u64 (empty (body))));
}
