/* layout_chart.h - layouts as charts, and as a page.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LAYOUT_CHART_H
#define CAB_LAYOUT_CHART_H

#include <stdbool.h>
#include <stdio.h>
#include "analyses/layout/layout.h"

/* What charts and pages show. */
struct cab_layout_show
{
  bool alone;                       /* the chart is a document of its own */
  bool arrays;                      /* show structures of arrays, too */
};

/* Write a chart of N layouts, unchanged and as proposed, with each cache line in a row. */
void cab_layout_svg (const struct cab_layout *layouts, uint32_t n,
		     const struct cab_layout_show *show, FILE *to);

/* Write a page that needs no other file. */
void cab_layout_html (const struct cab_layout *layouts, uint32_t n,
		      const struct cab_layout_show *show, FILE *to);

#endif
