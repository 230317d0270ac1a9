/* builtins.h - the builtins that probes call, in every language.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_BUILTINS_H
#define CAB_BUILTINS_H

#include "plugin/emit/plugin.h"

/* Declare the builtins that probes call, in every language. */
extern void cab_builtins_declare (void);

#endif
