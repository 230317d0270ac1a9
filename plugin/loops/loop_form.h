/* loop_form.h - whether a loop has the form that OpenMP wants of one.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOP_FORM_H
#define CAB_LOOP_FORM_H

#include "plugin/loops/header_phi.h"

/* What a loop's test counts by. */
struct cab_loop_control
{
  tree by;                     /* the value in the loop's header, or a variable in memory, or
				  null */
  struct cab_phi_step step;
};

/* Return the words of LOOP's c line (info.h), malloc'ed, and set *CONTROL.  Needs dominators. */
extern char *cab_loop_form (class loop *loop, struct cab_loop_control *control);

#endif
