/* law_check.h - check that an analysis keeps the laws of cabprof/analysis.h, with the events that
 * it is fed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a stand-in takes the place of the analysis where events are fed.  For each ring it
 *             keeps one state that gets all batches as they come; one that gets them in pieces and
 *             is cut off now and then: its bytes are copied, checked and resumed, like those of a
 *             killed process, and feeding goes on with the copy; and three that get a part of the
 *             batches each, to be merged.  If the analysis is sharded by key, it also keeps one
 *             state, and three parts, that get rows by key.
 * Laws:       applied + lost = events fed, after each feed and each copy; feeding in pieces gives
 *             the same as feeding whole; merged states have the sum of the events of theirs; a
 *             state merged into an empty one has the same report as before; the order of merging
 *             does not change the report; bytes that are cut short are refused or read; merged
 *             parts by key have the report of one state.
 * Threads:    one check in a process.
 * Errors:     broken laws are reported as texts, at most CAB_LAW_MOST of them.
 */
#ifndef CAB_LAW_CHECK_H
#define CAB_LAW_CHECK_H

#include <stddef.h>
#include "cabprof/analysis.h"

#define CAB_LAW_MOST 8
#define CAB_LAW_NAME "law-check"   /* the name of the stand-in */

/* Begin to check ANALYSIS; SEED determines where batches and states are cut.  Return the stand-in,
   which lives until the process ends. */
const struct cab_analysis *cab_law_begin (const struct cab_analysis *analysis, uint64_t seed);
/* Merge and compare the states, after all events were fed.  Return the broken laws, *N of them,
   which belong to the check. */
const char *const *cab_law_end (size_t *n);
/* Set N_EVENTS to the number of events that were fed, and N_CUTS to how many times a state was cut
   off. */
void cab_law_counts (uint64_t *n_events, uint64_t *n_cuts);

#endif
