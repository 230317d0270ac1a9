/* stub.h - the stub and the executable's context, put into the unit.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_STUB_H
#define CAB_STUB_H

#include "plugin/emit/plugin.h"

/* Make sure that the stub is in this unit and, in code that is not for a DSO, the context. */
extern void cab_stub_emit (void);
/* Return true if this unit's code reaches the context directly (__cab_ctx, __cab_count), false if
   by way of __cab_off. */
extern bool cab_stub_direct_context (void);

#endif
