/* timeline_marks.c - see timeline_marks.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/timeline_marks.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define LEAST 65536u

static void
mark (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct cab_timeline_marks *marks = host;
  (void) parent;
  if (span->number >= marks->n)
    {
      uint64_t least = span->number / LEAST * LEAST + LEAST,
	       n = 2 * marks->n > least ? 2 * marks->n : least;
      marks->bits = XRESIZEVEC (unsigned char, marks->bits, n / 8);
      memset (marks->bits + marks->n / 8, 0, (n - marks->n) / 8);
      marks->n = n;
    }
  if (span->end_ns - span->begin_ns >= marks->longer_ns)
    marks->bits[span->number / 8] |= 1u << span->number % 8;
  else
    marks->n_left_out++;
}

void
cab_timeline_mark (struct cab_timeline_marks *marks, const struct cab_model *model,
		   uint64_t longer_ns)
{
  const struct cab_span_visitor visitor = { .host = marks, .end = mark };
  *marks = (struct cab_timeline_marks) { .longer_ns = longer_ns };
  if (longer_ns)
    cab_timeline_walk (model, &visitor);
}

bool
cab_timeline_is_marked (const struct cab_timeline_marks *marks, const struct cab_timed *span)
{
  return !marks->longer_ns
	 || (span->number < marks->n && marks->bits[span->number / 8] >> span->number % 8 & 1);
}

void
cab_timeline_marks_fini (struct cab_timeline_marks *marks)
{
  free (marks->bits);
  marks->bits = NULL;
}
