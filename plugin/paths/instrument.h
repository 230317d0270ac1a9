/* instrument.h - instrument a function.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_INSTRUMENT_H
#define CAB_INSTRUMENT_H

#include "plugin/emit/plugin.h"

/* Instrument cfun; return false with *REASON if that is not possible. */
extern bool cab_instrument_function (function *fn, const char **reason);

#endif
