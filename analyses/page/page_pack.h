/* page_pack.h - data inside a page: compressed by gzip, in base64.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PAGE_PACK_H
#define CAB_PAGE_PACK_H

#include <jansson.h>
#include <stdio.h>

/* Write DOCUMENT to TO, whose errors stick to it. */
void cab_page_pack (const json_t *document, FILE *to);

#endif
