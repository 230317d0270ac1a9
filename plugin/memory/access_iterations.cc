/* access_iterations.cc - marks at which executions and iterations of loops begin and end.
   SPDX-License-Identifier: GPL-3.0-or-later

   A mark is recorded like an access that needs no word, so it is sent in order with the accesses
   around it, and costs nothing but its event where there is none.  Until then it is a statement
   that does nothing, so that copies of a loop's body have copies of its marks.  A loop that is one
   event as a whole has no marks: its event tells how many iterations there were.  No mark is on an
   edge of an exception or a computed goto; a reader finds out at the next mark that such a loop
   was left. */
#include "plugin/memory/access_iterations.h"
#include "plugin/emit/options.h"
#include "plugin/memory/access.h"
#include "plugin/memory/access_unroll.h"
#include "plugin/paths/loopprobes.h"

bool
cab_iterations_wanted (void)
{
  unsigned both = CAB_EVENTS_MEMORY | CAB_EVENTS_LOOPS;
  return (cab_opts.events & both) == both && !cab_opts.memory_sample && !cab_opts.memory_proof;
}

/* Return true if LOOP can have marks.  One in which nothing is recorded has them, too: what its
   registers carry is told for it, and its iterations are counted. */
static bool
is_wanted (class loop *loop)
{
  edge e;
  edge_iterator ei;
  bool good = true;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    good &= !(e->flags & EDGE_COMPLEX);
  return good;
}

/* Put the mark LETTER of LOOP before *GSI, or at the end of its block. It has no place: its
   loop has one. */
static void
put (struct cab_memory *m, gimple_stmt_iterator *gsi, char letter, class loop *loop)
{
  struct cab_mark mark = { letter, loop };
  gimple *nop = gimple_build_nop ();
  gsi_insert_before (gsi, nop, GSI_SAME_STMT);
  m->marks->put (nop, mark);
}

/* Put the marks of the loops in WANTED that E leaves, from the inside to the outside, and of the
   one that it enters. */
static void
put_on_edge (struct cab_memory *m, const_sbitmap wanted, edge e)
{
  class loop *from = e->src->loop_father, *to = e->dest->loop_father;
  auto_vec<class loop *> left;
  for (class loop *l = from; loop_outer (l) && !flow_bb_inside_loop_p (l, e->dest);
       l = loop_outer (l))
    if (bitmap_bit_p (wanted, l->num))
      left.safe_push (l);
  bool enters = to->header == e->dest && bitmap_bit_p (wanted, to->num)
	     && !flow_bb_inside_loop_p (to, e->src);
  if (left.is_empty () && !enters)
    return;
  gimple_stmt_iterator gsi = gsi_after_labels (split_edge (e));
  for (class loop *l : left)
    put (m, &gsi, 'e', l);
  if (enters)
    put (m, &gsi, 'b', to);
}

void
cab_marks_put (struct cab_memory *m, const vec<class loop *> &whole)
{
  edge e;
  edge_iterator ei;
  basic_block bb;
  auto_vec<edge> edges;
  auto_sbitmap wanted (number_of_loops (cfun));
  bitmap_clear (wanted);
  CAB_EACH_LOOP (loop)
    if (!cab_access_is_in (whole, loop->header) && is_wanted (loop))
      bitmap_set_bit (wanted, loop->num);
  if (bitmap_empty_p (wanted))
    return;
  m->marks = new hash_map<gimple *, struct cab_mark> ();
  FOR_EACH_BB_FN (bb, cfun)
    FOR_EACH_EDGE (e, ei, bb->succs)
      if (!(e->flags & EDGE_COMPLEX) && e->dest != EXIT_BLOCK_PTR_FOR_FN (cfun))
	edges.safe_push (e);
  for (edge one : edges)
    put_on_edge (m, wanted, one);
  CAB_EACH_LOOP (loop)
    if (bitmap_bit_p (wanted, loop->num))
      {
	gimple_stmt_iterator gsi = gsi_after_labels (loop->header);
	put (m, &gsi, 'c', loop);
      }
}

const struct cab_mark *
cab_mark_of (const struct cab_memory *m, gimple *stmt)
{
  return m->marks && gimple_code (stmt) == GIMPLE_NOP
	 ? m->marks->get (cab_turns_original (m, stmt))
	 : NULL;
}

struct cab_memory_access
cab_mark_access (const struct cab_mark *mark, gimple *stmt)
{
  struct cab_memory_access access = {};
  access.stmt = stmt;
  access.flags = mark->letter == 'b' ? "b" : mark->letter == 'c' ? "c" : "e";
  access.name = xstrdup ("<loop>");
  access.word = access.length_word = access.step_word = access.value_word = -1;
  access.mark = mark;
  return access;
}

void
cab_marks_remove (struct cab_memory *m)
{
  basic_block bb;
  if (!m->marks)
    return;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);)
      if (cab_mark_of (m, gsi_stmt (gsi)))
	gsi_remove (&gsi, true);
      else
	gsi_next (&gsi);
}
