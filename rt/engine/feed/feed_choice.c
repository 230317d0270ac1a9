/* feed_choice.c - which analyses the process has: see feed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed.h"

#include <string.h>
#include <sys/mman.h>

#include "analyses/live/direct/direct_feeds.h"
#include "analyses/live/timeline/no_wait.h"
#include "rt/base/rt.h"
#include "rt/common/text.h"
#include "rt/engine/feed/feed_serial.h"

static struct cab_selection chosen;

static int
grow_trial (struct cab_arena *arena, size_t new_cap)
{
  unsigned char *base = cab_sys_map (new_cap);
  if (!base)
    return -1;
  memcpy (base, arena->base, arena->used);
  munmap (arena->base, arena->cap);
  arena->base = base;
  arena->cap = new_cap;
  return 0;
}

/* Return 0 if A accepts ARGUMENTS.  They are tried on a state that is thrown away, so that a wrong
   one is reported before anything is profiled. */
static int
try_arguments (const struct cab_analysis *a, const char *arguments, struct cab_diag *diag)
{
  size_t bytes = cab_round_up (a->arena_bytes, CAB_PAGE_BYTES);
  struct cab_arena trial = { cab_sys_map (bytes), 0, bytes, grow_trial, NULL, NULL };
  if (!trial.base)
    return cab_selection_refuse (a->name,
				 "' has no memory to start with: free some, or choose fewer of",
				 diag);
  int error = a->open (&trial, arguments, diag);
  munmap (trial.base, trial.cap);
  return error;
}

/* Add the analyses that run beside the chosen ones where samples are taken.  Return 0, or -1 with
   words in DIAG. */
static int
add_samples (struct cab_diag *diag)
{
  for (uint32_t i = 0; i < chosen.n && chosen.n < CAB_SELECTION_MOST; i++)
    {
      const char *name = chosen.v[i].analysis->with_samples;
      struct cab_choice choice = { .name = "" };
      if (!name || cab_selection_has (&chosen, cab_analysis_find (name)))
	continue;
      memcpy (choice.name, name, strlen (name) + 1);
      chosen.settled = true;
      if (cab_selection_add (&chosen, &choice, try_arguments, diag) < 0)
	return -1;
    }
  return 0;
}

/* Return 0 if all chosen analyses can be fed event by event, else -1 with words in DIAG. */
static int
check_direct (struct cab_diag *diag)
{
  struct cab_text t = CAB_TEXT (diag->text);
  for (uint32_t i = 0; i < chosen.n; i++)
    {
      const char *name = chosen.v[i].analysis->name;
      int k = 0;
      while (k < CAB_DIRECT_FEEDS && strcmp (cab_direct_feeds[k].name, name))
	k++;
      if (k < CAB_DIRECT_FEEDS)
	continue;
      cab_text_add (&t, "analysis '");
      cab_text_add (&t, name);
      cab_text_add (&t, "' does not go with placement=direct: leave one out; those that do are");
      for (k = 0; k < CAB_DIRECT_FEEDS; k++)
	{
	  cab_text_add (&t, k ? ", " : " ");
	  cab_text_add (&t, cab_direct_feeds[k].name);
	}
      return -1;
    }
  return 0;
}

int
cab_feed_choose (const char *names, bool bursts, bool sampled, struct cab_diag *diag)
{
  bool is_direct = cab_rt.options.placement == CAB_PLACE_DIRECT, is_default = !names || !*names;
  int error = cab_selection_take (&chosen, is_direct && is_default ? CAB_DIRECT_DEFAULT : names,
				  bursts, try_arguments, diag);
  error = error || !sampled ? error : add_samples (diag);
  chosen.settled |= is_direct && is_default;
  error = error || !is_direct ? error : check_direct (diag);
  cab_feed_serial_choose (&chosen);
  if (cab_no_wait_wanted (&chosen))
    cab_rt.options.placement = CAB_PLACE_INLINE;
  return error;
}

bool
cab_feed_takes (unsigned kind)
{
  uint32_t kinds = 0;
  for (uint32_t i = 0; i < chosen.n; i++)
    kinds |= chosen.v[i].analysis->kinds;
  return kinds >> kind & 1;
}

int
cab_feed_settled (char *text, size_t bytes)
{
  cab_selection_text (&chosen, text, bytes);
  return chosen.settled;
}

const struct cab_selection *
cab_feed_chosen (void)
{
  return &chosen;
}
