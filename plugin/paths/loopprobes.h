/* loopprobes.h - which loops are counted, and which actions that takes on which edge.
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

/* An action on an edge; the steps of one edge are consecutive, in their order. */
struct cab_loop_step
{
  edge on;
  enum cab_loop_action action;
  struct cab_loop_probe *probe;
};

/* Find the loops and how each can be counted: body->loops. */
extern void cab_loops_plan (struct cab_body *body);
/* Append the actions on all edges to STEPS. */
extern void cab_loops_steps (struct cab_body *body, auto_vec<struct cab_loop_step> *steps);
/* Return the place of LOOP's code. */
extern location_t cab_loop_place (class loop *loop);
/* Return true if there is a loop that can be counted. */
extern bool cab_loops_any (struct cab_body *body);

#endif
