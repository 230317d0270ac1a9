/* loop_prefetch.h - prefetches of what a hinted loop loads some iterations later.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each load of the loop whose address is affine in the loop's counters (a[i]), or is
 *             computed from such loads (a[b[i]]), gets a prefetch of the address that it will have
 *             the hint's distance of iterations later, or in the last iteration if that is nearer.
 *             Where a loop has indirect loads only these get one: what they are computed from is
 *             loaded ahead, and consecutive memory is fetched by the processor itself.  Loads
 *             of one base that are less than a line apart share a prefetch.
 *
 *             The program reads nothing that it would not read without the hint: a loop gets
 *             prefetches only if the number of its last iteration is known when it is entered, and
 *             if nothing in it can end it before: another exit, a call, assembly, a volatile
 *             access, a loop inside that may not end.  prefetch_chain.h has the rules for loads.
 *             Vectorised loops get none: the pass runs after the vectorizer.
 *
 *             The outcome says what was done: the number of prefetches, or the first reason why
 *             there is none: target, size, vector, throws, exits, calls, inner, iterations, shape,
 *             addresses.
 */
#ifndef CABPROF_LOOP_PREFETCH_H
#define CABPROF_LOOP_PREFETCH_H

#include "plugin/loops/loops.h"

/* Add the pass, also at a link.  PLUGIN is the plugin's name.  Needs the watch of outcome.h. */
extern void cab_prefetch_begin (const char *plugin);

#endif
