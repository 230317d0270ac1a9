/* cache_option.h - a cache on the command line: --D1=SIZE,ASSOC,LINE.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      bytes, optionally followed by K or M, then ways, then bytes of a line; they may be
 *             separated by / instead of commas.
 * Errors:     0, or an exit status after printing what is wrong.
 */
#ifndef CAB_CACHE_OPTION_H
#define CAB_CACHE_OPTION_H

#include <stdbool.h>
#include "cabprof/cachesim.h"

/* Parse VALUE of the option --NAME of SUBCOMMAND into *GEOMETRY, which is unchanged on an error. */
int cab_cache_option (const char *subcommand, const char *name, const char *value,
		      struct cab_cache_geometry *geometry);
/* Parse VALUE like cab_cache_option, for a level that may be absent: set *THERE to false if VALUE
   is "none". */
int cab_cache_option_or_none (const char *subcommand, const char *name, const char *value,
			      struct cab_cache_geometry *geometry, bool *there);

#endif
