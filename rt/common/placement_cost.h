/* placement_cost.h - what it costs to analyse events in the program's own threads, and in an
 * analysis thread: the model by which placement=auto chooses, and `cabprof doctor --model' advises.
 *
 * Source:     Ha et al., CAB (OOPSLA 2009), section 4.
 * Model:      pure.  A word costs its producer `fill', which is the program's own work, the
 *             instrumentation and the enqueue; and its reader `analysis'.  If another processor
 *             reads it, it also costs that one `communication': a cache line of 8 words crosses
 *             once.  Inline, both follow each other.  With a thread they overlap, and the slower
 *             one sets the pace: the producer is blocked for what the analysis takes longer.  They
 *             do not overlap where the program keeps all processors busy.
 *             Left out: the switch to the thread, which it makes once for many chunks; and what
 *             other programs take of the processors.
 * Units:      ns of times measured, which are ps per word if `words' is 1000; ps per word of costs.
 * Threads:    any.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_PLACEMENT_COST_H
#define CAB_RT_PLACEMENT_COST_H

#include <stdint.h>

#include "cabprof/control.h"

#define CAB_LINE_WORDS 8u
#define CAB_LINE_USUAL_NS 20u   /* where nobody has measured it */
#define CAB_LINE_MOST_NS 10000u

/* What was measured while a producer analysed WORDS words by itself. */
struct cab_placement_terms
{
  uint64_t words;
  uint64_t fill_ns, analysis_ns;
  uint64_t cpu_ns;       /* processor time that the whole process took in fill_ns + analysis_ns */
  uint64_t line_ps;      /* a cache line's way to another processor */
  uint32_t processors;   /* that the process has, at least 1 */
};

/* Set the costs, and why and what is chosen, in PLACEMENT by TERMS, whose `words' is not 0.  A
   thread takes another processor, so it must save a tenth at least. */
void cab_placement_judge (struct cab_part_placement *placement,
			  const struct cab_placement_terms *terms);

#endif
