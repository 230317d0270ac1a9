/* node_times.h - samples, by node of the calling-context tree.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the state of the analysis `samples' has for each sample which activation was entered
 *             last, and the address at which the thread was.  That activation may have returned
 *             since, which is not recorded.  So the sample belongs to the innermost activation,
 *             from there outwards, whose function DWARF or the symbols name at the address, inlined
 *             functions included.  An address in none of them is in code without probes, such as a
 *             library's: the sample then belongs to the activation that was entered last, and is
 *             also counted in `assumed'.  An address of 0 is in cabprof's runtime: such samples are
 *             in `runtime' alone.  Where all was compiled with `context', ends are recorded, and
 *             the last entered activation is the right one.
 * Units:      n: samples; ns of the threads' CPU time.
 * Ownership:  call open, then close in any case.
 * Errors:     a module that cannot be read becomes a problem of the model; its samples are then
 *             assumed.
 */
#ifndef CAB_NODE_TIMES_H
#define CAB_NODE_TIMES_H

#include "analyses/profile/model.h"

/* A number of samples and their time. */
struct cab_node_time
{
  uint64_t n, ns;
};

/* The samples of all nodes. */
struct cab_node_times
{
  uint32_t n_nodes;            /* 0: no samples */
  struct cab_node_time *self;  /* by node of model->tree; 0: outside of all */
  struct cab_node_time all, assumed, runtime;
};

/* Return true if MODEL has samples with a node and a tree. */
bool cab_node_times_are_there (const struct cab_model *model);
/* Fill TIMES from MODEL. */
void cab_node_times_open (struct cab_node_times *times, struct cab_model *model);
/* Free the memory of TIMES. */
void cab_node_times_close (struct cab_node_times *times);

#endif
