/* section_feed.h - `cache' fed by sections, in one thread.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      sections are cut when they are full, or sooner, looked up, and take effect one by
 *             one, however late; some are fed directly.
 */
#ifndef CAB_TEST_SECTION_FEED_H
#define CAB_TEST_SECTION_FEED_H

#include <stdbool.h>
#include "cabprof/analysis.h"

/* Feed BATCH to the state in ARENA. OFTEN: cut sections before they are full. Return false if its
   caches do not allow sections, and nothing has happened. */
bool feed_by_sections (struct cab_arena *arena, const struct cab_batch *batch, bool often);
/* Let the first section of BATCH take effect, except for its end: it is to be taken back. Return
   false if it has been. */
bool begin_one_section (struct cab_arena *arena, const struct cab_batch *batch);

#endif
