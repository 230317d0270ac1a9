/* packs.h - loops that send several paths in one event.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_PACKS_H
#define CABPROF_PATHS_PACKS_H

#include "plugin/paths/body.h"

/* Find them, behind cab_runs_find: body->packed. */
extern void cab_packs_find (struct cab_body *body);
/* Append what empties the pack at the function's entry. */
extern void cab_packs_start (struct cab_body *body, gimple_seq *seq);
/* Return true if BLOCK is in such a loop. */
extern bool cab_packs_inside (struct cab_body *body, unsigned block);
/* A path with NUMBER ends, and control stays in such loops or enters one: put it into the pack.
   SLOT is the variable with the row's path slot. */
extern void cab_packs_add (struct cab_body *body, tree slot, tree number, gimple_seq *seq);
/* Control leaves: send the pack. */
extern void cab_packs_send (struct cab_body *body, tree slot, gimple_seq *seq);

#endif
