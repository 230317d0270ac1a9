/* offload.h - keep the stub away from accelerators.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_OFFLOAD_H
#define CAB_OFFLOAD_H

#include "plugin/emit/plugin.h"

/* Return the pass that streams the stub for the link, and not for accelerators. */
extern opt_pass *cab_offload_pass (void);

#endif
