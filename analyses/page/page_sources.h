/* page_sources.h - the texts of the source files that the tables of a page name.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PAGE_SOURCES_H
#define CAB_PAGE_SOURCES_H

#include "analyses/page/page.h"
#include <jansson.h>

/* Return [{ file, lines, wrong }, ...], one for each file that a table of TABLES by line names.
   `lines' is missing if it could not be read or had no room; `wrong' is what the reader must know
   about the text, or missing. */
json_t *cab_page_sources (const struct cab_model *model, const struct cab_page_options *options,
			  const json_t *tables);

#endif
