/* placement_cost.h - what it costs to analyse events in the program's own threads, and in an
 * analysis thread.
 *
 * Source:     Ha et al., CAB (OOPSLA 2009), section 4.
 * Model:      pure.  An event costs its producer `fill', which is the program's own work, the
 *             instrumentation and the enqueue; and its reader `analysis'.  A reader on another
 *             processor also pays `communication': each cache line of 8 words crosses once.
 *             Inline, both follow each other.  With a thread they overlap, and the slower one sets
 *             the pace: the producer is blocked for what its reader takes longer.  On a single
 *             processor nothing overlaps.
 *             Left out: the switch to the thread, which it makes once for many chunks, and what
 *             other programs take of the processors.
 * Units:      ps for each event of one word.
 * Threads:    any.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PLACEMENT_COST_H
#define CAB_PLACEMENT_COST_H

#include <stdint.h>

#define CAB_LINE_WORDS 8u

struct cab_placement_terms
{
  uint64_t fill_ps, analysis_ps;
  uint64_t line_ps;      /* a cache line's way to another processor */
  uint32_t processors;   /* that the process has */
};

enum cab_placement_why
{
  CAB_PLACED_ALONE,      /* inline: there is one processor */
  CAB_PLACED_LITTLE,     /* inline: a thread would save less than a tenth, or cost more */
  CAB_PLACED_CHEAPER     /* thread: it saves a tenth or more */
};

struct cab_placement_verdict
{
  enum cab_placement_why why;
  uint64_t communication_ps, blocked_ps;   /* of an event, with a thread */
  uint64_t inline_ps, thread_ps;           /* predicted, of the whole */
};

/* Set VERDICT by TERMS, each below 2^62.  A thread takes another processor, so it has to save a
   tenth. */
void cab_placement_judge (struct cab_placement_verdict *verdict,
			  const struct cab_placement_terms *terms);

#endif
