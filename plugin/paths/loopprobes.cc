/* loopprobes.cc - which loops a function has, how each can be counted, and what its code at each
   edge has to do.
   SPDX-License-Identifier: GPL-3.0-or-later

   A loop's iterations are those of its body.  If the test stands at the top, their number is
   how often control takes the back edges.  If the test is the last thing of the body (do-while,
   Fortran's do) the body runs once more than that in each execution. */
#include "plugin/paths/loopprobes.h"
#include "plugin/loops/loops.h"
#include "plugin/loops/loops_find.h"
#include "plugin/paths/body.h"
#include "plugin/paths/returns.h"
#include "plugin/paths/tails.h"

/* An execution is worth timing if it is estimated at this many statements: reading the clock twice
   and sending the time costs about 60 cycles. */
#define LONG_STATEMENTS 2000
#define CALL_STATEMENTS 20

static bool
is_ordinary (edge e)
{
  return !(e->flags & EDGE_COMPLEX & ~EDGE_EH);
}

static bool
says_nothing (gimple *stmt)
{
  return is_gimple_debug (stmt) || gimple_clobber_p (stmt) || gimple_code (stmt) == GIMPLE_LABEL
      || gimple_code (stmt) == GIMPLE_NOP || gimple_code (stmt) == GIMPLE_PREDICT;
}

static bool
is_empty (basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!says_nothing (gsi_stmt (gsi)))
      return false;
  return true;
}

/* Return true if control leaves LOOP from BB by a jump of the program. */
static bool
has_exit (class loop *loop, basic_block bb)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (!(e->flags & EDGE_COMPLEX) && !flow_bb_inside_loop_p (loop, e->dest))
      return true;
  return false;
}

/* Return true if what precedes the jump back over LATCH is the loop's test. */
static bool
tests_before (class loop *loop, edge latch)
{
  basic_block bb = latch->src;
  while (is_empty (bb) && single_pred_p (bb) && bb != loop->header)
    bb = single_pred (bb);
  return has_exit (loop, bb);
}

static bool
tests_at_end (class loop *loop)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (flow_bb_inside_loop_p (loop, e->src) && !tests_before (loop, e))
      return false;
  return true;
}

/* Return true if control leaves LOOP by a computed goto.  No code can be placed on such an edge, so
   the end of such an execution would not be seen. */
static bool
is_left_by_goto (class loop *loop)
{
  edge e;
  edge_iterator ei;
  bool found = false;
  basic_block *blocks = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    if (cab_last_stmt (blocks[i]) && gimple_code (cab_last_stmt (blocks[i])) == GIMPLE_GOTO)
      FOR_EACH_EDGE (e, ei, blocks[i]->succs)
	found |= (e->flags & EDGE_ABNORMAL) && !flow_bb_inside_loop_p (loop, e->dest);
  free (blocks);
  return found;
}

/* Return why LOOP cannot be counted, or null. */
static const char *
skip_reason (class loop *loop, unsigned number)
{
  edge e;
  edge_iterator ei;
  if (number > CAB_EV_LOOP_MAX)
    return "the function has too many loops";
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (!is_ordinary (e))
      return "control comes to its head by a computed goto or a second return";
  if (is_left_by_goto (loop))
    return "it is left by a computed goto";
  return NULL;
}

static unsigned
statements (basic_block bb)
{
  unsigned n = 0;
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!says_nothing (gsi_stmt (gsi)))
      n += cab_call_may_enter (gsi_stmt (gsi)) ? CALL_STATEMENTS : 1;
  return n;
}

static int
frequency (basic_block bb)
{
  return bb->count.initialized_p () ? MAX (1, bb->count.to_frequency (cfun)) : 1;
}

/* Find out whether the loop can be left in the middle of an iteration, and how many iterations make
   a long execution. */
static void
look_inside (struct cab_body *body, struct cab_loop_probe *probe)
{
  class loop *loop = probe->loop;
  uint64_t weight = 0;
  bool leaves = false, ends = false;
  basic_block *blocks = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      edge e;
      edge_iterator ei;
      weight += (uint64_t) statements (blocks[i]) * frequency (blocks[i]);
      FOR_EACH_EDGE (e, ei, blocks[i]->succs)
	if (!flow_bb_inside_loop_p (loop, e->dest))
	  *(is_ordinary (e) && e->dest != EXIT_BLOCK_PTR_FOR_FN (cfun) ? &ends : &leaves) = true;
      for (gimple_stmt_iterator gsi = gsi_start_bb (blocks[i]); !gsi_end_p (gsi) && !leaves;
	   gsi_next (&gsi))
	leaves = cab_may_leave (gsi_stmt (gsi)) && !cab_is_tail (body, gsi_stmt (gsi));
    }
  free (blocks);
  weight = MAX (1, weight / frequency (loop->header));
  probe->long_from = MAX (1, LONG_STATEMENTS / weight);
  probe->may_stay = leaves || !ends;
}

/* Used where the loop is not known as a loop of the source. */
location_t
cab_loop_place (class loop *loop)
{
  for (gimple_stmt_iterator gsi = gsi_last_bb (loop->header); !gsi_end_p (gsi); gsi_prev (&gsi))
    if (!is_gimple_debug (gsi_stmt (gsi))
	&& !RESERVED_LOCATION_P (LOCATION_LOCUS (gimple_location (gsi_stmt (gsi)))))
      return gimple_location (gsi_stmt (gsi));
  return UNKNOWN_LOCATION;
}

static void
plan_loop (struct cab_body *body, class loop *loop)
{
  struct cab_loop_probe probe = {};
  probe.loop = loop;
  probe.number = body->loops.length ();
  probe.header = loop->header->index;
  probe.place = cab_loop_place (loop);
  probe.source = cab_loops_identify (loop);
  probe.skipped = skip_reason (loop, probe.number);
  if (!probe.skipped)
    {
      probe.at_end = tests_at_end (loop);
      probe.timed = !cab_opts.loops_untimed;
      look_inside (body, &probe);
    }
  body->loops.safe_push (probe);
}

void
cab_loops_plan (struct cab_body *body)
{
  if (!current_loops)
    loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
  calculate_dominance_info (CDI_DOMINATORS);
  if (loops_state_satisfies_p (LOOPS_NEED_FIXUP))
    fix_loop_structure (NULL);
  for (unsigned i = 1; i < number_of_loops (cfun); i++)
    if (class loop *loop = get_loop (cfun, i))
      plan_loop (body, loop);
}

bool
cab_loops_any (struct cab_body *body)
{
  unsigned i;
  struct cab_loop_probe *probe;
  FOR_EACH_VEC_ELT (body->loops, i, probe)
    if (!probe->skipped)
      return true;
  return false;
}

/* Return the probe of LOOP, or null if it has none. */
static struct cab_loop_probe *
probe_of (struct cab_body *body, class loop *loop)
{
  unsigned i;
  struct cab_loop_probe *probe;
  FOR_EACH_VEC_ELT (body->loops, i, probe)
    if (probe->loop == loop)
      return probe->skipped ? NULL : probe;
  return NULL;
}

static void
add_step (auto_vec<struct cab_loop_step> *steps, edge e, enum cab_loop_action action,
	  struct cab_loop_probe *probe)
{
  struct cab_loop_step step = { e, action, probe };
  if (probe)
    steps->safe_push (step);
}

/* Append the steps of E.  Loops are left from the inside to the outside, before another is
   entered. */
static void
steps_of_edge (struct cab_body *body, edge e, auto_vec<struct cab_loop_step> *steps)
{
  if (!is_ordinary (e) || e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun))
    return;
  for (class loop *l = e->src->loop_father; loop_outer (l) && !flow_bb_inside_loop_p (l, e->dest);
       l = loop_outer (l))
    add_step (steps, e, CAB_LOOP_ACTION_LEAVE, probe_of (body, l));
  class loop *to = e->dest->loop_father;
  if (loop_outer (to) && to->header == e->dest)
    add_step (steps, e,
	      flow_bb_inside_loop_p (to, e->src) ? CAB_LOOP_ACTION_AGAIN : CAB_LOOP_ACTION_ENTER,
	      probe_of (body, to));
}

void
cab_loops_steps (struct cab_body *body, auto_vec<struct cab_loop_step> *steps)
{
  basic_block bb;
  edge e;
  edge_iterator ei;
  FOR_EACH_BB_FN (bb, cfun)
    FOR_EACH_EDGE (e, ei, bb->succs)
      steps_of_edge (body, e, steps);
}
