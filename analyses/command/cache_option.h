/* cache_option.h - a cache on the command line: --D1=SIZE,ASSOC,LINE.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      bytes, with K or M behind if one likes, ways, and bytes of a line; with / instead of
 *             the commas as well.
 * Errors:     0, or an exit status after it has been said what is wrong.
 */
#ifndef CAB_CACHE_OPTION_H
#define CAB_CACHE_OPTION_H

#include <stdbool.h>
#include "cabprof/cachesim.h"

/* VALUE of the option --NAME of SUBCOMMAND, in *GEOMETRY; unchanged otherwise. */
int cab_cache_option (const char *subcommand, const char *name, const char *value,
		      struct cab_cache_geometry *geometry);
/* The same of a level that need not be there: *THERE is false if VALUE is "none". */
int cab_cache_option_or_none (const char *subcommand, const char *name, const char *value,
			      struct cab_cache_geometry *geometry, bool *there);

#endif
