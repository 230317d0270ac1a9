/* loopprobes.h - which loops are counted, and what that takes on which edge.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_LOOPPROBES_H
#define CABPROF_PATHS_LOOPPROBES_H

#include "plugin/paths/body.h"

enum cab_loop_action
{
  CAB_LOOP_ACTION_LEAVE,
  CAB_LOOP_ACTION_AGAIN,
  CAB_LOOP_ACTION_ENTER
};

/* What has to be done on an edge; steps of one edge stand together, in their order. */
struct cab_loop_step
{
  edge on;
  enum cab_loop_action action;
  struct cab_loop_probe *probe;
};

/* Look at the loops: body->loops. */
extern void cab_loops_plan (struct cab_body *body);
/* Append to STEPS what is to be done on which edge. */
extern void cab_loops_steps (struct cab_body *body, auto_vec<struct cab_loop_step> *steps);
/* Return where LOOP's code stands. */
extern location_t cab_loop_place (class loop *loop);
/* Return true if there is a loop that can be counted. */
extern bool cab_loops_any (struct cab_body *body);

#endif
