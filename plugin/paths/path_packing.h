/* path_packing.h - loops that send several paths in one event.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_PACKS_H
#define CABPROF_PATHS_PACKS_H

#include "plugin/paths/body.h"

/* Find these loops: body->packed.  This is called after cab_path_runs_find. */
extern void cab_path_packing_find (struct cab_body *body);
/* Append code that empties the pack at the function's entry. */
extern void cab_path_packing_start (struct cab_body *body, gimple_seq *seq);
/* Return true if BLOCK is in such a loop. */
extern bool cab_path_packing_inside (struct cab_body *body, unsigned block);
/* Append code that puts the path NUMBER, which ends while control stays in such loops or enters
   one, into the pack.  SLOT is the variable with the row's path slot. */
extern void cab_path_packing_add (struct cab_body *body, tree slot, tree number, gimple_seq *seq);
/* Append code that sends the pack when control leaves. */
extern void cab_path_packing_send (struct cab_body *body, tree slot, gimple_seq *seq);

#endif
