/* trials.c - how copies of a function take turns (cabprof/trials.h).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "plugin/stub/trials.h"

#define BARRIER() __asm__ volatile("" ::: "memory")

IN_DATA struct cab_trial *__cab_trials_list;
IN_DATA uint64_t __cab_trials_cost;
IN_DATA int __cab_trials_owner;

INLINE void
count (uint64_t *counter, uint64_t n)
{
  __atomic_fetch_add (counter, n, __ATOMIC_RELAXED);
}

/* Draw the order of the next round. */
HIDDEN IN_TEXT void
__cab_trial_shuffle (struct cab_trial *trial, struct cab_turns *turns)
{
  uint8_t *order = cab_turns_order (turns, trial);
  turns->at = 0;
  for (uint32_t i = 0; i < trial->n_copies; i++)
    {
      turns->random ^= turns->random << 13;
      turns->random ^= turns->random >> 7;
      turns->random ^= turns->random << 17;
      uint32_t j = (turns->random >> 11) % (i + 1);
      order[i] = order[j];
      order[j] = i;
    }
}

/* Begin the turns of this thread, and list TRIAL if it is the first one to come here. */
HIDDEN IN_TEXT void
__cab_trial_begin (struct cab_trial *trial, struct cab_turns *turns)
{
  uint64_t least = -1;
  for (int i = 0; !__cab_trials_cost && i < 32; i++)
    {
      uint64_t start = clock (), cost = clock () - start;
      least = cost < least ? cost : least;
    }
  if (!__cab_trials_cost)
    __cab_trials_cost = least;
  if (!__atomic_exchange_n (&trial->listed, 1, __ATOMIC_RELAXED))
    {
      trial->next = __atomic_load_n (&__cab_trials_list, __ATOMIC_RELAXED);
      /* Release: who finds the trial finds its `next', too. */
      while (!__atomic_compare_exchange_n (&__cab_trials_list, &trial->next, trial, 0,
					   __ATOMIC_RELEASE, __ATOMIC_RELAXED))
	continue;
    }
  turns->random = (clock () ^ (uint64_t) turns * 0x9e3779b97f4a7c15u) | 1;
  __cab_trial_shuffle (trial, turns);
}

/* Forget what this process has from its parent.  Return 1 if it has its own rows already. */
HIDDEN IN_TEXT int
__cab_trials_own (void)
{
  int self = system_call (SYS_getpid, 0, NULL, 0);
  int owner = __atomic_load_n (&__cab_trials_owner, __ATOMIC_RELAXED);
  if (owner == self)
    return 1;
  if (__atomic_compare_exchange_n (&__cab_trials_owner, &owner, self, 0, __ATOMIC_RELAXED,
				   __ATOMIC_RELAXED))
    for (struct cab_trial *t = __cab_trials_list; t; t = t->next)
      {
	t->n_rows = t->abandoned = t->lost = t->counted = 0;
	for (uint32_t i = 0; i < t->n_loops; i++)
	  t->iterations[i] = 0;
	release (&t->lock);
      }
  return 0;
}

/* Add up neighbours among the rows of TRIAL, which are as many as it keeps. */
INLINE void
condense (struct cab_trial *trial)
{
  uint32_t n = trial->n_copies;
  for (uint32_t i = 0; i < CAB_TRIAL_ROUNDS / 2; i++)
    for (uint32_t k = 0; k < n; k++)
      {
	const struct cab_trial_block *a = &trial->rows[2 * i * n + k], *b = a + n;
	trial->rows[i * n + k] = (struct cab_trial_block) { a->cycles + b->cycles,
							    a->executions + b->executions };
      }
  trial->n_rows = CAB_TRIAL_ROUNDS / 2;
  trial->block_cycles *= 2;
}

/* Keep the round that is done. */
HIDDEN IN_TEXT void
__cab_trial_keep (struct cab_trial *trial, struct cab_turns *turns)
{
  uint32_t n = trial->n_copies;
  if (!__cab_trials_own ())
    return;   /* a part of this round may be the parent's */
  if (!take (&trial->lock))
    {
      count (&trial->lost, 1);
      return;
    }
  if (!trial->rows)
    {
      long at = system_call6 (SYS_mmap, 0, CAB_TRIAL_ROUNDS * n * sizeof *trial->rows, 3, 0x22, -1,
			      0);
      trial->rows = at < 0 && at >= -4095 ? NULL : (struct cab_trial_block *) at;
    }
  if (trial->rows && trial->n_rows == CAB_TRIAL_ROUNDS)
    condense (trial);
  if (trial->rows)
    {
      for (uint32_t k = 0; k < n; k++)
	trial->rows[trial->n_rows * n + k] = cab_turns_blocks (turns, trial)[k];
      trial->n_rows++;
    }
  else
    count (&trial->lost, 1);
  release (&trial->lock);
}

/* End the present block. */
HIDDEN IN_TEXT void
__cab_trial_next (struct cab_trial *trial, struct cab_turns *turns)
{
  uint32_t copy = cab_turns_order (turns, trial)[turns->at];
  cab_turns_blocks (turns, trial)[copy] = (struct cab_trial_block) { turns->cycles,
								     turns->executions };
  if (copy == trial->n_copies - 1)
    {
      count (&trial->counted, turns->entered);
      for (uint32_t i = 0; i < trial->n_loops; i++)
	{
	  count (&trial->iterations[i], turns->counts[i]);
	  turns->counts[i] = 0;
	}
    }
  turns->cycles = turns->executions = turns->entered = 0;
  turns->warm = 0;
  if (++turns->at == trial->n_copies)
    {
      __cab_trial_keep (trial, turns);
      __cab_trial_shuffle (trial, turns);
    }
}

/* Return the copy to call, for an execution of the dispatcher with this FRAME.  One inside another
   one has the same copy and is not timed.  A signal handler may come here at any time: in the midst
   of another call it gets the first copy. */
HIDDEN IN_TEXT void *
__cab_trial_enter (struct cab_trial *trial, struct cab_turns *turns, void *frame)
{
  if (turns->busy)
    return trial->copies[0];
  turns->busy = 1;
  BARRIER ();
  if (!turns->random)
    __cab_trial_begin (trial, turns);
  void *copy = trial->copies[cab_turns_order (turns, trial)[turns->at]];
  turns->entered++;
  if (!turns->frame || frame >= turns->frame || turns->nested++ >= CAB_TRIAL_NESTED)
    {
      if (turns->frame)
	count (&trial->abandoned, 1);
      turns->nested = 0;
      turns->frame = frame;
      turns->start = clock ();
    }
  BARRIER ();
  turns->busy = 0;
  return copy;
}

/* The copy begins now: what chose it does not count.  For loops side by side, whose dispatcher asks
   for one copy after the other. */
HIDDEN IN_TEXT void
__cab_trial_start (struct cab_trial *trial, struct cab_turns *turns, void *frame)
{
  (void) trial;
  if (!turns->busy && turns->frame == frame)
    turns->start = clock ();
}

/* The execution with this FRAME is over. */
HIDDEN IN_TEXT void
__cab_trial_leave (struct cab_trial *trial, struct cab_turns *turns, void *frame)
{
  uint64_t now = clock ();
  if (turns->busy || turns->frame != frame)
    return;
  turns->busy = 1;
  BARRIER ();
  turns->frame = NULL;
  uint64_t least = turns->start + __cab_trials_cost, cycles = now > least ? now - least : 1;
  if (turns->warm || cycles >= trial->block_cycles / 8)
    {
      turns->cycles += cycles;
      turns->executions++;
    }
  turns->warm = 1;
  if (turns->cycles >= trial->block_cycles)
    __cab_trial_next (trial, turns);
  BARRIER ();
  turns->busy = 0;
}
