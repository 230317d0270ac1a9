/* trials.h - what the files of the trials' text share (trials.c, trials_file.c).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      this text is put into objects as the stub's is (stub.h), in a group of its own, and
 *             needs neither the stub nor the runtime.  Each module has its own list of trials, and
 *             writes a file of them when it ends.
 */
#ifndef CABPROF_STUB_TRIALS_H
#define CABPROF_STUB_TRIALS_H

#define GROUP "__cab_trials_" TEXT_OF (CAB_TRIALS_VERSION)
#include "plugin/stub/stub.h"
#include "cabprof/trials.h"

#define IN_DATA \
  HIDDEN __attribute__ ((section (SECTION (".bss.__cab_trials", "aw", "nobits") "#"), used))
#define LOOKS 100            /* at a lock that another thread holds */

extern struct cab_trial *__cab_trials_list HIDDEN;   /* those that were executed */
extern uint64_t __cab_trials_cost HIDDEN;   /* of reading the clock twice */
extern int __cab_trials_owner HIDDEN;       /* the process that the rows belong to */

/* Forget what this process has from its parent.  Return 1 if it has its own rows already. */
extern int __cab_trials_own (void) HIDDEN;

/* Return the cycles of now. */
INLINE uint64_t
clock (void)
{
  uint32_t low, high;
  __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
  return (uint64_t) high << 32 | low;
}

/* Take LOCK.  Return 0 if another thread keeps it. */
INLINE int
take (uint32_t *lock)
{
  for (int i = 0; i < LOOKS; i++)
    {
      if (!__atomic_exchange_n (lock, 1, __ATOMIC_ACQUIRE))   /* pairs with `release' */
	return 1;
      __builtin_ia32_pause ();
    }
  return 0;
}

INLINE void
release (uint32_t *lock)
{
  __atomic_store_n (lock, 0, __ATOMIC_RELEASE);   /* pairs with `take' */
}

#endif
