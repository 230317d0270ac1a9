/* live_steps.h - the steps of caches in the state of an analysis.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      live_caches.h, as are threads.
 * Errors:     none.
 */
#ifndef CAB_LIVE_STEPS_H
#define CAB_LIVE_STEPS_H

#include "analyses/live/cache/live_caches.h"

/* Use the access from the byte FIRST to LAST, which lie in at most two lines of D1, if it finds all
   that it touches in D1.  Return false if it does not: then nothing has happened that counts, and
   the access is to be a step. */
bool cab_live_reuse (struct cab_live *live, uint64_t first, uint64_t last);

/* Begin a step: the access from FIRST to LAST.  Return the levels in which it missed, as bits. The
   caller then changes its own words by cab_live_put (at most CAB_LIVE_WORDS), and calls
   cab_live_end. */
unsigned cab_live_access (struct cab_live *live, uint64_t first, uint64_t last);
#define CAB_LIVE_WORDS 32
/* In a step, change the caller's WORD to VALUE. */
void cab_live_put (struct cab_live *live, uint64_t *word, uint64_t value);
/* End a step, an access whose last byte is LAST. */
void cab_live_end (struct cab_live *live, uint64_t last);

/* Do a whole step, of caches that are straight: the access at ADDRESS lies in one line of D1, which
   is not there.  *ROWS becomes VALUE, and MISSED[i] grows by one for each level i in which it
   missed. */
void cab_live_miss (struct cab_live *live, uint64_t address, uint64_t *rows, uint64_t value,
		    uint64_t *missed);

/* In a long step, do what happens in the outer levels after an access to a line of D1 at ADDRESS,
   or to the next one, or to both, has missed there.  Return the levels in which it missed, as bits.
   WHICH: CAB_LIVE_FIRST, CAB_LIVE_SECOND.  At most two words change for each line and level after
   D1. */
unsigned cab_live_behind (struct cab_live *live, uint64_t address, unsigned which);
#define CAB_LIVE_FIRST 1u
#define CAB_LIVE_SECOND 2u

#endif
