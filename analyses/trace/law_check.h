/* law_check.h - hold an analysis to the laws of cabprof/analysis.h, with events that it is fed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a stand-in takes the place of the analysis where events are fed.  Of each ring it
 *             keeps one state that gets all batches as they come, one that gets them in pieces and
 *             is now and then cut off: its bytes are copied, checked and resumed, as those of a
 *             killed process are, and goes on from there; and three that get a part of the batches
 *             each, to be merged.
 * Laws:       applied + lost = events fed, after each feed and each copy; pieces end as the whole
 *             does; states that are merged have the sum of what theirs had; a state merged into an
 *             empty one says what it said before; the order of merging changes nothing that the
 *             report says; bytes that are cut short are refused or read.
 * Threads:    one check in a process.
 * Errors:     broken laws are told by words, at most CAB_LAW_MOST of them.
 */
#ifndef CAB_LAW_CHECK_H
#define CAB_LAW_CHECK_H

#include <stddef.h>
#include "cabprof/analysis.h"

#define CAB_LAW_MOST 8
#define CAB_LAW_NAME "law-check"   /* of the stand-in */

/* Begin to check ANALYSIS; SEED chooses where batches and states are cut.  Returns the stand-in,
   which lives until the process ends. */
const struct cab_analysis *cab_law_begin (const struct cab_analysis *analysis, uint64_t seed);
/* All events were fed: merge, compare.  Returns the broken laws, *N of them, which belong to the
   check. */
const char *const *cab_law_end (size_t *n);
/* How many events were fed, and how many times a state was cut off. */
void cab_law_counts (uint64_t *n_events, uint64_t *n_cuts);

#endif
