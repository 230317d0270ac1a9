/* replay_pad.h - padding in front of the objects of a link.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a source of assembly that only takes up bytes, a multiple of 16, in each section that
 *             code may be in.  What is linked behind it moves by as much: heads of loops change
 *             their place in lines of the caches and of the decoder, and code its distance.  How
 *             many bytes they are follows from the number of the place, so that a link can be
 *             repeated.
 */
#ifndef CAB_REPLAY_PAD_H
#define CAB_REPLAY_PAD_H

#include "loopfb/build/replay.h"

/* Write padding number NUMBER of the place of TREE, for command C.  Return the name of the file, to
   be freed, or null with words. */
char *cab_replay_pad (const struct cab_tree *tree, int c, int number, struct cab_diag *diag);

#endif
