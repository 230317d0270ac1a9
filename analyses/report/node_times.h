/* node_times.h - samples, by node of the calling-context tree.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the state of the analysis `samples' says for each sample which activation had been
 *             entered last, and at which address the thread was. That activation may have returned
 *             since, without a word. So the sample is that of the innermost one, from there
 *             outwards, whose function DWARF or the symbols name at the address, inlined ones
 *             included. An address in none of them is in code without probes, a library's: the
 *             sample is that of the activation that was entered last, and counted as such in
 *             `assumed'. An address of 0 is in cabprof's runtime: such samples are in `runtime'
 *             alone. Where all was compiled with `context', ends are told, and the first one is the
 *             right one.
 * Units:      n: samples; ns of the threads' CPU time.
 * Ownership:  open, then close in any case.
 * Errors:     a module that cannot be read becomes a problem of the model; its samples are then
 *             assumed.
 */
#ifndef CAB_NODE_TIMES_H
#define CAB_NODE_TIMES_H

#include "analyses/profile/model.h"

struct cab_node_time
{
  uint64_t n, ns;
};

struct cab_node_times
{
  uint32_t n_nodes;            /* 0: there are no samples */
  struct cab_node_time *self;  /* of each node of model->tree; 0: outside of all */
  struct cab_node_time all, assumed, runtime;
};

bool cab_node_times_are_there (const struct cab_model *model);
void cab_node_times_open (struct cab_node_times *times, struct cab_model *model);
void cab_node_times_close (struct cab_node_times *times);

#endif
