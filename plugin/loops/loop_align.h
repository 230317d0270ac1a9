/* loop_align.h - heads of loops that are aligned because a hint asks for it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      -falign-loops aligns a head only where few bytes are skipped, and only loops that GCC
 *             believes to run often.  A hint aligns each head that is left of its source loop in
 *             code that is not cold, however many bytes are skipped.  The head is the first block
 *             of the loop in memory: that to which iterations jump back.  What is skipped is filled
 *             with instructions that do nothing; no other instruction changes.
 */
#ifndef CABPROF_LOOP_ALIGN_H
#define CABPROF_LOOP_ALIGN_H

#include "plugin/loops/loops.h"

/* Add the pass that aligns, also at a link.  PLUGIN is the plugin's name. */
extern void cab_align_begin (const char *plugin);
/* Find the heads of cfun's hinted loops, for that pass, in the final graph of blocks.  The function
   must be watched (outcome.h). */
extern void cab_align_find (void);

#endif
